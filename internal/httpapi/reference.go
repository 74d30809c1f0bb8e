package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/hedgehop/hedgehop/api"
)

func (s *server) airport(w http.ResponseWriter, r *http.Request) error {
	code := codeInPath(r)
	catalog := s.options.Catalog()
	if found, ok := catalog.Airport(code); ok {
		return serveReference(w, r, airport(found))
	}
	if city, ok := catalog.City(code); ok {
		return notFound("%s is the city %s; its airports are %s.", code, city.Name, strings.Join(city.Airports, ", "))
	}
	return notFound("No airport with scheduled service has the code %s.", shown(code))
}

// codeInPath undoes the encoding that the router leaves.
func codeInPath(r *http.Request) string {
	code := chi.URLParam(r, "iata")
	if plain, err := url.PathUnescape(code); err == nil {
		code = plain
	}
	return strings.ToUpper(code)
}

func (s *server) airline(w http.ResponseWriter, r *http.Request) error {
	code := codeInPath(r)
	found, ok := s.options.Catalog().Carrier(code)
	if !ok {
		return notFound("No airline known here has the code %s.", shown(code))
	}
	return serveReference(w, r, airline(found))
}

func (s *server) currencies(w http.ResponseWriter, r *http.Request) error {
	return serveReference(w, r, currencies(s.options.Catalog()))
}

// contract serves the document that this program was built with.
func contract(w http.ResponseWriter, r *http.Request) error {
	serveShared(w, r, "application/yaml", api.Spec)
	return nil
}

// serveReference answers with reference data to a request without parameters.
func serveReference(w http.ResponseWriter, r *http.Request, v any) error {
	if err := refuseParameters(r.URL.RawQuery, "is not a parameter of this address; it has none"); err != nil {
		return err
	}
	body, err := encode(v)
	if err != nil {
		return err
	}
	serveShared(w, r, "application/json", body)
	return nil
}

// refuseParameters names every query parameter as a fault.
func refuseParameters(rawQuery, detail string) error {
	var faults []api.Fault
	for pair := range strings.SplitSeq(rawQuery, "&") {
		if pair == "" {
			continue
		}
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		faults = append(faults, api.Fault{Parameter: new(abbreviated(name)), Detail: detail})
	}
	if len(faults) > 0 {
		return invalid(faults)
	}
	return nil
}

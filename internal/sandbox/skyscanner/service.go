package skyscanner

import (
	"net/http"
	"strings"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// vantage is what Skyscanner has of the world: nearly everybody, low-cost
// airlines and trips of two tickets too, each at its cheapest brand. Southwest is
// not among them.
var vantage = world.Vantage{
	Name: "skyscanner", Without: "WN", Shown: 890, Partners: 180, Brands: 1, SelfTransfers: true, Limit: 100,
}

// kept is how many bytes of rendered answers are remembered.
const kept = 16 << 20

// service answers for Skyscanner.
type service struct {
	wire.Service
	contents *wire.Answers[rendered]
}

// New builds the provider. It answers under the paths of the vendor's base
// address and under the same without /apiservices/v3.
func New(base wire.Service) wire.Provider {
	s := &service{Service: base, contents: wire.NewAnswers[rendered](kept)}
	mux := http.NewServeMux()
	for _, prefix := range []string{"/apiservices/v3/flights/live", "/flights/live"} {
		mux.Handle("POST "+prefix+"/search/create", s.Guard(authorised(s.create)))
		mux.Handle("POST "+prefix+"/search/poll/{token}", s.Guard(authorised(s.poll)))
		mux.Handle("POST "+prefix+"/itineraryrefresh/create/{token}", s.Guard(authorised(s.refreshCreate)))
		mux.Handle("POST "+prefix+"/itineraryrefresh/poll/{token}", s.Guard(authorised(s.refreshPoll)))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound) })
	return wire.Provider{Routes: mux, Refuse: refuse}
}

// authorised demands an API key.
func authorised(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.TrimSpace(r.Header.Get("X-Api-Key")) == "" {
			refuse(w, http.StatusUnauthorized)
			return
		}
		next(w, r)
	})
}

// failure has the form of a google.rpc.Status; its codes are those of gRPC.
type failure struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Details []struct{} `json:"details"`
}

// Codes of gRPC.
const (
	codeInvalidArgument   = 3
	codeNotFound          = 5
	codeResourceExhausted = 8
	codeInternal          = 13
	codeUnavailable       = 14
	codeUnauthenticated   = 16
)

var refusals = map[int]failure{
	http.StatusUnauthorized:          {codeUnauthenticated, "The API key is missing or invalid", nil},
	http.StatusNotFound:              {codeNotFound, "Not found", nil},
	http.StatusGone:                  {codeNotFound, "The session has expired", nil},
	http.StatusRequestEntityTooLarge: {codeInvalidArgument, "The request is too large", nil},
	http.StatusTooManyRequests:       {codeResourceExhausted, "Rate limit exceeded", nil},
	http.StatusInternalServerError:   {codeInternal, "Internal error", nil},
}

// refuse answers a call with a status in the vendor's own form of an error.
func refuse(w http.ResponseWriter, status int) {
	f, ok := refusals[status]
	if !ok {
		f = failure{codeUnavailable, "The service is unavailable", nil}
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "2") // Seconds; short, so that nobody who tries it out waits long.
	}
	f.Details = []struct{}{}
	wire.JSON(w, status, f)
}

// reject answers a bad request, naming all that is wrong with it.
func reject(w http.ResponseWriter, faults []string) {
	wire.JSON(w, http.StatusBadRequest, failure{codeInvalidArgument, strings.Join(faults, "; "), []struct{}{}})
}

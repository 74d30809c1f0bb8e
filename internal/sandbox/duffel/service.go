package duffel

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// vantage is what Duffel has of the world: airlines that it connects to by NDC
// or a GDS, with their fare families. Ryanair and Wizz Air are not among them.
var vantage = world.Vantage{
	Name: "duffel", Without: "FR W6 WN", Shown: 880, Partners: 120, Brands: 2, Limit: 150,
}

// kept is how many bytes of rendered answers are remembered.
const kept = 16 << 20

// service answers for Duffel.
type service struct {
	wire.Service
	answers *wire.Answers[*answer]
}

// New builds the provider.
func New(base wire.Service) wire.Provider {
	s := &service{Service: base, answers: wire.NewAnswers[*answer](kept)}
	mux := http.NewServeMux()
	mux.Handle("POST /air/offer_requests", s.Guard(s.authorised(s.createOfferRequest)))
	mux.Handle("GET /air/offers", s.Guard(s.authorised(s.listOffers)))
	mux.Handle("GET /air/offers/{id}", s.Guard(s.authorised(s.getOffer)))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { s.refuse(w, http.StatusNotFound) })
	return wire.Provider{Routes: mux, Refuse: s.refuse}
}

// authorised demands a token and the version of the API.
func (s *service) authorised(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch version := r.Header.Get("Duffel-Version"); {
		case !bearer || strings.TrimSpace(token) == "":
			s.fail(w, http.StatusUnauthorized, fault{"authentication_error", "missing_authorization_header", "Missing authorization header", "The 'Authorization' header needs to be set and contain a valid API token.", documentation, nil})
		case version == "":
			s.fail(w, http.StatusBadRequest, fault{"invalid_request_error", "missing_version_header", "Missing version header", "The 'Duffel-Version' header needs to be set to 'v2'.", documentation, nil})
		case version != "v2":
			s.fail(w, http.StatusBadRequest, fault{"invalid_request_error", "unsupported_version", "Unsupported version", "The version set in the 'Duffel-Version' header is not supported. Use 'v2'.", documentation, nil})
		default:
			s.limitHeaders(w.Header(), limit-1)
			w.Header().Set("X-Request-Id", requestID())
			next(w, r)
		}
	})
}

func requestID() string {
	var b [15]byte
	_, _ = rand.Read(b[:]) // Never fails, says its documentation.
	return base64.URLEncoding.EncodeToString(b[:])
}

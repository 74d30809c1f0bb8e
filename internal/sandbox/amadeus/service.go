package amadeus

import (
	"net/http"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// vantage is what Amadeus has of the world: the airlines of a GDS, hence hardly
// any low-cost ones, many codeshares and few fare families.
var vantage = world.Vantage{
	Name: "amadeus", Without: "FR W6 U2 WN LS 6E AK FD 5J G9 Y4 JA VJ 7C",
	Shown: 900, Partners: 330, Brands: 2, Limit: 250,
}

// kept is how many bytes of rendered answers are remembered.
const kept = 16 << 20

// service answers for Amadeus.
type service struct {
	wire.Service
	answers *wire.Answers[*answer]
}

// New builds the provider.
func New(base wire.Service) wire.Provider {
	s := &service{Service: base, answers: wire.NewAnswers[*answer](kept)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/security/oauth2/token", s.issueToken)
	mux.Handle("GET /v2/shopping/flight-offers", s.Guard(s.authorised(s.getOffers)))
	mux.Handle("POST /v2/shopping/flight-offers", s.Guard(s.authorised(s.postOffers)))
	mux.Handle("POST /v1/shopping/flight-offers/pricing", s.Guard(s.authorised(s.priceOffers)))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound) })
	return wire.Provider{Routes: mux, Refuse: refuse}
}

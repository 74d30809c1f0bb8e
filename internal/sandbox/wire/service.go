package wire

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// Service is what a provider is built from. All fields are mandatory, and all
// functions must be safe for concurrent use.
type Service struct {
	World *world.World
	// Now is the provider's clock.
	Now func() time.Time
	// Guard counts, delays and disturbs the calls that real providers answer
	// slowly. Token calls go without it.
	Guard func(http.Handler) http.Handler
	// Factor is what every fare is multiplied by for a request, in millionths.
	Factor func(*http.Request) int64
}

// Provider is one vendor's API.
type Provider struct {
	// Routes are the vendor's paths.
	Routes http.Handler
	// Refuse answers a call with a status in the vendor's own form of an error.
	Refuse func(w http.ResponseWriter, status int)
}

// MaxDaysAhead is how far ahead airlines sell.
const MaxDaysAhead = 361

// Today is the date in UTC; fares follow it.
func (s Service) Today() flight.Date { return flight.DateOf(s.Now().UTC()) }

// Past reports that a date is over at a place, by the clocks there.
func (s Service) Past(date flight.Date, place string) bool {
	zone := s.World.Catalog().Zone(place)
	if zone == nil {
		zone = time.UTC
	}
	return date.Before(flight.DateOf(s.Now().In(zone)))
}

// IsPlace reports a code as all three vendors want it: three capital letters.
func IsPlace(code string) bool {
	place, err := flight.ParsePlace(code)
	return err == nil && place == code
}

// TooFar reports that no airline sells a date yet.
func (s Service) TooFar(date flight.Date) bool { return s.Today().DaysUntil(date) > MaxDaysAhead }

// JSON writes v. A value that cannot be encoded is a fault of this program.
func JSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	Bytes(w, status, body)
}

// Bytes writes an encoded answer.
func Bytes(w http.ResponseWriter, status int, parts ...[]byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return // The client has left.
		}
	}
}

package soak

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // Local times where the system has no zones.

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// airline answers in Duffel's wire format, slowly, with one offer whose price is
// the version of the fare that it read when it was asked.
type airline struct {
	*httptest.Server
	ledger *cachetest.Ledger
	asked  atomic.Int64
	// down: every call fails.
	down atomic.Bool
}

func startAirline(tb testing.TB, ledger *cachetest.Ledger) *airline {
	tb.Helper()
	a := &airline{ledger: ledger}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /air/offer_requests", a.offer)
	a.Server = httptest.NewServer(mux)
	tb.Cleanup(a.Close)
	return a
}

// slowness is the most that an answer takes.
const slowness = 12 * time.Millisecond

// basePrice keeps the changes of price small: a sharp one would be found, and
// withdrawn, by the service itself.
const basePrice = 1_000_000_00

func priceOf(version int64) string {
	minor := basePrice + version
	return fmt.Sprintf("%d.%02d", minor/100, minor%100)
}

// versionOf reads a price back; zero for one that is none of ours.
func versionOf(price string) int64 {
	minor, err := strconv.ParseInt(strings.Replace(price, ".", "", 1), 10, 64)
	if err != nil {
		return 0
	}
	return minor - basePrice
}

type asked struct {
	Data struct {
		Slices []struct {
			Origin        string `json:"origin"`
			Destination   string `json:"destination"`
			DepartureDate string `json:"departure_date"`
		} `json:"slices"`
	} `json:"data"`
}

func (a *airline) offer(w http.ResponseWriter, r *http.Request) {
	var question asked
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil || len(question.Data.Slices) != 1 {
		http.Error(w, "one slice is wanted", http.StatusBadRequest)
		return
	}
	a.asked.Add(1)
	slice := question.Data.Slices[0]
	version := a.ledger.Version(scopeOf(marketOf(slice.Origin, slice.Destination), slice.DepartureDate))
	if !pause(r.Context(), rand.N(slowness)) || a.down.Load() {
		http.Error(w, `{"errors":[{"type":"api_error","code":"internal_server_error","title":"down"}]}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	writeOffer(w, airportOf(slice.Origin), airportOf(slice.Destination), slice.DepartureDate, version)
}

// flightTime is that of every flight here.
const flightTime = 8 * time.Hour

func writeOffer(w http.ResponseWriter, from, to, day string, version int64) {
	departure, _ := time.ParseInLocation(time.DateOnly, day, zoneOf(from))
	departure = departure.Add(10 * time.Hour)
	fmt.Fprintf(w, `{"data":{"id":"orq_1","offers":[{"id":"off_%d","total_amount":"%s","total_currency":"USD",
		"owner":{"iata_code":"BA","name":"British Airways"},"passengers":[{"id":"p","type":"adult"}],
		"slices":[{"duration":"PT8H","segments":[{"origin":{"iata_code":%q},"destination":{"iata_code":%q},
		"departing_at":%q,"arriving_at":%q,"duration":"PT8H",
		"marketing_carrier":{"iata_code":"BA","name":"British Airways"},"marketing_carrier_flight_number":"1",
		"operating_carrier":{"iata_code":"BA","name":"British Airways"},"passengers":[]}]}]}]}}`,
		version, priceOf(version), from, to, localTime(departure, from), localTime(departure.Add(flightTime), to))
}

func localTime(t time.Time, airport string) string {
	return t.In(zoneOf(airport)).Format("2006-01-02T15:04:05")
}

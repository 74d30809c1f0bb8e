package sandbox_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// seen is one journey as the three providers price it for the same party, in
// cents.
type seen struct {
	prices         map[string]int64
	minutes, stops int
}

// everywhere asks all three providers for the same trip, as one adult.
func (b *bed) everywhere(origin, destination string, days int) map[string]*seen {
	b.Helper()
	journeys := map[string]*seen{}
	add := func(provider, key string, minor int64) *seen {
		j := journeys[key]
		if j == nil {
			j = &seen{prices: map[string]int64{}, stops: strings.Count(key, "\n") - 1}
			journeys[key] = j
		}
		if old, ok := j.prices[provider]; !ok || minor < old {
			j.prices[provider] = minor
		}
		return j
	}
	for _, o := range as[duffelAnswer](b.T, b.duffel(leg(origin, destination, days), `{"type":"adult"},{"type":"adult"}`)).Data.Offers {
		add("duffel", o.key(), cents(o.Total))
	}
	for _, o := range as[amadeusAnswer](b.T, b.amadeus(origin, destination, days, "adults", "2")).Data {
		add("amadeus", o.key(), cents(o.Price.GrandTotal))
	}
	sky, _ := b.skyscanner(skyscannerQuery(origin, destination, days, "USD", ""))
	for _, it := range sky.Content.Results.Itineraries {
		for _, option := range it.PricingOptions {
			if milli, err := strconv.ParseInt(option.Price.Amount, 10, 64); err == nil {
				add("skyscanner", sky.key(it), milli/10).minutes = sky.Content.Results.Legs[it.LegIDs[0]].DurationInMinutes
			}
		}
	}
	return journeys
}

func TestAllThreeProvidersSellTheSameFlights(t *testing.T) {
	b := newBed(t)
	for _, days := range []int{1, 2, 30, 77, 150, 222, 330} {
		journeys := b.everywhere("JFK", "LHR", days)
		shared, differing, nonStop := 0, 0, false
		for key, j := range journeys {
			if len(j.prices) > 1 {
				shared++
				if differ(j.prices) {
					differing++
				}
			}
			nonStop = nonStop || strings.HasPrefix(key, "JFK LHR") && strings.HasSuffix(key, "BA\n")
		}
		if len(journeys) < 40 || shared < 20 || differing < 20 || !nonStop {
			t.Errorf("in %d days: %d itineraries, %d at two providers or more, %d at differing prices, BA non-stop: %t", days, len(journeys), shared, differing, nonStop)
		}
		if first := firstByScore(journeys, 20); len(first) != 3 {
			t.Errorf("in %d days: the first 20 have offers of %v alone", days, first)
		}
	}
}

func differ(prices map[string]int64) bool {
	distinct := map[int64]bool{}
	for _, p := range prices {
		distinct[p] = true
	}
	return len(distinct) > 1
}

// firstByScore counts the providers among the best n by price, duration and
// stops.
func firstByScore(journeys map[string]*seen, n int) map[string]int {
	type scored struct {
		key   string
		score float64
	}
	var all []scored
	for key, j := range journeys {
		if j.minutes == 0 {
			continue // Not seen by the only provider that is asked for durations.
		}
		least := slices.Min(slices.Collect(maps.Values(j.prices)))
		all = append(all, scored{key, float64(least)/100 + float64(j.minutes)*0.8 + float64(j.stops)*80})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.key, b.key)) })
	providers := map[string]int{}
	for _, s := range all[:n] {
		for name := range journeys[s.key].prices {
			providers[name]++
		}
	}
	return providers
}

func TestSameQuestionSameFares(t *testing.T) {
	b, again := newBed(t), newBed(t)
	again.clock = now.Add(9 * 3600e9) // Later the same day.
	again.everywhere("CDG", "BKK", 12)
	one, two := b.everywhere("DEL", "LHR", 30), again.everywhere("DEL", "LHR", 30)
	if len(one) != len(two) || len(one) < 40 {
		t.Errorf("%d and %d itineraries", len(one), len(two))
	}
	for key, j := range one {
		if fmt.Sprint(j.prices) != fmt.Sprint(two[key].prices) {
			t.Errorf("%s: %v, then %v", key, j.prices, two[key].prices)
		}
	}
}

func TestOrderOfPassengersDoesNotMatter(t *testing.T) {
	b := newBed(t)
	one := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family))
	two := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), `{"age":1},{"age":7},{"type":"adult"},{"type":"adult"}`))
	if len(one.Data.Offers) < 50 || len(one.Data.Offers) != len(two.Data.Offers) {
		t.Fatalf("%d and %d offers", len(one.Data.Offers), len(two.Data.Offers))
	}
	for i, o := range one.Data.Offers {
		if o.Total != two.Data.Offers[i].Total || o.ID == two.Data.Offers[i].ID {
			t.Errorf("offer %d: %s at %s, then %s at %s; want the same price under another id", i, o.ID, o.Total, two.Data.Offers[i].ID, two.Data.Offers[i].Total)
		}
	}
}

func TestCitiesAndUnknownRoutes(t *testing.T) {
	b := newBed(t)
	airports := map[string]bool{}
	city := as[duffelAnswer](t, b.duffel(leg("NYC", "LON", 30), `{"type":"adult"}`))
	for _, o := range city.Data.Offers {
		airports[o.Slices[0].Segments[0].Origin.IATA] = true
	}
	if len(airports) < 2 || city.Data.Slices[0].OriginType != "city" {
		t.Errorf("NYC leaves from %v as a %s", airports, city.Data.Slices[0].OriginType)
	}
	for name, offers := range map[string]int{
		"duffel, far":      len(as[duffelAnswer](t, b.duffel(leg("QQQ", "LHR", 30), `{"type":"adult"}`)).Data.Offers),
		"duffel, next":     len(as[duffelAnswer](t, b.duffel(leg("JFK", "EWR", 30), `{"type":"adult"}`)).Data.Offers),
		"amadeus, far":     len(as[amadeusAnswer](t, b.amadeus("QQQ", "LHR", 30)).Data),
		"amadeus, next":    as[amadeusAnswer](t, b.amadeus("JFK", "EWR", 30)).Meta.Count,
		"skyscanner, next": len(first(b.skyscanner(skyscannerQuery("JFK", "EWR", 30, "USD", ""))).Content.Results.Itineraries),
	} {
		if offers != 0 {
			t.Errorf("%s: %d offers", name, offers)
		}
	}
	if a := b.amadeus("JFK", "EWR", 30); a.status != http.StatusOK || !strings.Contains(string(a.body), `"data":[]`) {
		t.Errorf("nothing found: %d %s", a.status, a.body)
	}
}

// At three o'clock in Greenwich it is still the day before in Los Angeles.
func TestPastIsJudgedAtTheOrigin(t *testing.T) {
	b := newBed(t)
	b.clock = time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)
	for days, refused := range map[int]bool{-1: true, 0: false, 1: false} { // From the 30th of November.
		for name, a := range map[string]answer{
			"duffel":     b.duffel(leg("LAX", "SFO", days), `{"type":"adult"}`),
			"amadeus":    b.amadeus("LAX", "SFO", days),
			"skyscanner": b.call("POST", live+"/search/create", skyscannerHeader, skyscannerQuery("LAX", "SFO", days, "USD", "")),
		} {
			if (a.status >= 400) != refused {
				t.Errorf("%s on %s: %d", name, in(days), a.status)
			}
		}
	}
	if a := b.duffel(leg("LHR", "SFO", 0), `{"type":"adult"}`); a.status != http.StatusUnprocessableEntity {
		t.Errorf("yesterday in London: %d", a.status)
	}
}

func first[A, B any](a A, _ B) A { return a }

package search

import (
	"context"
	"encoding/base32"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

const (
	// summaryFares are kept readable beside an entry: the cheapest fare of that
	// many journeys. 16 bytes each stay within the cache's 1 KiB.
	summaryFares = 60
	// sharpChange is the share by which the cheapest fare must move to be news
	// for the whole market.
	sharpChange = 0.10
	// quietFor is how long after such news a market is not withdrawn again: the
	// other providers' refills then tell the same news.
	quietFor = time.Minute
	// maxQuiet bounds how many markets are remembered as quiet.
	maxQuiet = 4096
)

// priced is the cheapest fare of one journey, in minor units of its currency.
type priced struct {
	journey uint64
	minor   int64
}

// factsBytes begin a summary: how many offers the answer has, and whether it is
// plain.
const factsBytes = 8

// summaryOf keeps the cheapest fares of an answer for comparison with the answer
// that replaces it. Providers are asked in one currency; another is left out.
// Before them stands what can be said of the answer without reading it.
func summaryOf(answer providers.Answer) string {
	cheapest := map[uint64]int64{}
	for _, o := range answer.Offers {
		id := journeyNumber(o.Itinerary.ID())
		if minor, known := cheapest[id]; o.Price.Currency == askedCurrency && (!known || o.Price.Minor < minor) {
			cheapest[id] = o.Price.Minor
		}
	}
	all := make([]priced, 0, len(cheapest))
	for id, minor := range cheapest {
		all = append(all, priced{id, minor})
	}
	slices.SortFunc(all, func(a, b priced) int {
		if a.minor != b.minor {
			return int(a.minor - b.minor)
		}
		return strings.Compare(string(binary.BigEndian.AppendUint64(nil, a.journey)), string(binary.BigEndian.AppendUint64(nil, b.journey)))
	})
	summary := binary.BigEndian.AppendUint32(nil, uint32(min(len(answer.Offers), math.MaxInt32)))
	summary = binary.BigEndian.AppendUint32(summary, plainness(answer))
	for _, p := range all[:min(len(all), summaryFares)] {
		summary = binary.BigEndian.AppendUint64(summary, p.journey)
		summary = binary.BigEndian.AppendUint64(summary, uint64(p.minor))
	}
	return string(summary)
}

// journeyNumber is the first 64 bits of an itinerary's id.
func journeyNumber(id string) uint64 {
	raw, err := base32.StdEncoding.DecodeString(strings.ToUpper(id))
	if err != nil || len(raw) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(raw)
}

// plainness is 1 for an answer of which nothing but its offers has to be told.
func plainness(answer providers.Answer) uint32 {
	if answer.Cut || len(answer.Warnings) > 0 {
		return 0
	}
	return 1
}

// readFacts says how many offers an answer has, by its summary, and whether that
// is all there is to tell of it.
func readFacts(summary string) (offers int, plain bool) {
	if len(summary) < factsBytes {
		return 0, false
	}
	facts := []byte(summary[:factsBytes])
	return int(binary.BigEndian.Uint32(facts)), binary.BigEndian.Uint32(facts[4:]) == 1
}

func readSummary(text string) map[uint64]int64 {
	summary := []byte(text[min(len(text), factsBytes):])
	fares := make(map[uint64]int64, len(summary)/16)
	for ; len(summary) >= 16; summary = summary[16:] {
		fares[binary.BigEndian.Uint64(summary)] = int64(binary.BigEndian.Uint64(summary[8:]))
	}
	return fares
}

// watch counts whether cached fares were still right when they were asked for
// again, and tells the market of a sharp change.
type watch struct {
	rechecks metric.Int64Counter
	mu       sync.Mutex
	quiet    map[string]time.Time
}

// compare counts, for every journey that both answers price, whether the price
// was still the same; and reports whether the cheapest of them moved sharply.
func (w *watch) compare(provider string, old, renewed cache.Meta, days int) (sharp bool) {
	before, now := readSummary(old.Summary), readSummary(renewed.Summary)
	var same, changed int64
	for id, minor := range now {
		if was, known := before[id]; known && was == minor {
			same++
		} else if known {
			changed++
		}
	}
	w.count(same, "same", provider, renewed.FetchedAt.Sub(old.FetchedAt), days)
	w.count(changed, "changed", provider, renewed.FetchedAt.Sub(old.FetchedAt), days)
	return movedSharply(before, now)
}

func movedSharply(before, now map[uint64]int64) bool {
	if len(before) == 0 || len(now) == 0 {
		return false
	}
	was, is := slices.Min(slices.Collect(maps.Values(before))), slices.Min(slices.Collect(maps.Values(now)))
	return float64(max(was-is, is-was)) >= sharpChange*float64(was)
}

func (w *watch) count(n int64, outcome, provider string, age time.Duration, days int) {
	if n == 0 {
		return
	}
	w.rechecks.Add(context.Background(), n, metric.WithAttributes(
		attribute.String("outcome", outcome), attribute.String("provider", provider),
		attribute.String("age", ageBand(age)), attribute.String("days_to_departure", daysBand(days)),
	))
}

// ageBand and daysBand keep the number of time series small.
func ageBand(age time.Duration) string {
	for _, band := range []struct {
		limit time.Duration
		name  string
	}{{time.Minute, "<1m"}, {3 * time.Minute, "<3m"}, {10 * time.Minute, "<10m"}, {time.Hour, "<1h"}} {
		if age < band.limit {
			return band.name
		}
	}
	return ">=1h"
}

func daysBand(days int) string {
	for _, band := range []struct {
		limit int
		name  string
	}{{3, "<3"}, {14, "<14"}, {60, "<60"}} {
		if days < band.limit {
			return band.name
		}
	}
	return ">=60"
}

// news reports that the market has not been withdrawn for the same reason a
// moment ago, and remembers that it now is.
func (w *watch) news(market string, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Before(w.quiet[market]) {
		return false
	}
	if len(w.quiet) >= maxQuiet {
		clear(w.quiet)
	}
	w.quiet[market] = now.Add(quietFor)
	return true
}

// replaced is told of every entry that took an older one's place.
func (s *Service) replaced(r cache.Replacement[providers.Answer]) {
	if r.Old.ID == r.New.ID || len(r.Value.Offers) == 0 {
		return
	}
	now := s.now()
	departure := r.Value.Offers[0].Itinerary.Slices[0].Departure().Date()
	sharp := s.watch.compare(r.Question.Kind, r.Old, r.New, flight.DateOf(now).DaysUntil(departure))
	if !sharp || r.Invalidated { // The event that withdrew it has told the market.
		return
	}
	for _, token := range r.Question.Tokens {
		if isMarketToken(token) && s.watch.news(token, now) {
			s.withdraw(token)
		}
	}
}

// isMarketToken tells m:LON-NYC from m:LON-NYC:2026-12-15.
func isMarketToken(token string) bool {
	market, found := strings.CutPrefix(token, "m:")
	return found && !strings.Contains(market, ":")
}

package search

import (
	"context"
	"errors"
	"testing"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func manyOffers(tb testing.TB, n int) []flight.Offer {
	tb.Helper()
	offers := make([]flight.Offer, n)
	for i := range n {
		it := ba178(tb)
		it.Slices[0].Segments[0].Operating = flight.Carrier{Name: string(rune('a' + i))}
		offers[i] = offer(string(rune('a'+i)), usd(int64(100+i)), it)
	}
	return offers
}

func TestPagesShowEverythingOnce(t *testing.T) {
	service := serviceOf(t, &scripted{name: "duffel", answer: answerOf(manyOffers(t, 7)...)})
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.View.Limit = 3
	seen := map[string]int{}
	pages := 0
	for {
		result := mustSearch(t, service, req)
		pages++
		for _, it := range result.Itineraries {
			seen[it.ID]++
		}
		if req.View.Cursor = result.NextCursor; result.NextCursor == "" {
			break
		}
	}
	if pages != 3 || len(seen) != 7 {
		t.Errorf("%d pages with %d itineraries, want 3 with 7", pages, len(seen))
	}
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was shown %d times", id, times)
		}
	}
}

func TestCursorsOfOtherAnswersAreRefused(t *testing.T) {
	provider := &scripted{name: "duffel", answer: answerOf(manyOffers(t, 7)...)}
	service := serviceOf(t, provider)
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.View.Limit = 3
	cursor := mustSearch(t, service, req).NextCursor

	for name, attempt := range map[string]struct {
		request Request
		cursor  string
		prepare func()
	}{
		"nonsense":       {req, "!!", nil},
		"empty bytes":    {req, "AA", nil},
		"cut":            {req, cursor[:len(cursor)-2], nil},
		"another filter": {func() Request { r := req; r.View.Filter.MaxPrice = usd(104); return r }(), cursor, nil},
		"fares changed":  {req, cursor, func() { provider.answer.Offers[5].Price.Minor++ }},
	} {
		t.Run(name, func(t *testing.T) {
			if attempt.prepare != nil {
				attempt.prepare()
			}
			attempt.request.View.Cursor = attempt.cursor
			if _, err := service.Search(context.Background(), attempt.request, nil); !errors.Is(err, ErrCursor) {
				t.Errorf("want ErrCursor, got %v", err)
			}
		})
	}
}

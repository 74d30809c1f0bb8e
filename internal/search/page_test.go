package search

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

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

func withdrawMarket(tb testing.TB, s *Service) {
	tb.Helper()
	if err := s.Invalidate(context.Background(), Scope{Origin: "EWR", Destination: "LGW"}); err != nil {
		tb.Fatal(err)
	}
}

func TestANewPageIsOfTheAnswerThatTheFirstOneWasOf(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		provider := &scripted{name: "duffel", answer: answerOf(manyOffers(t, 7)...)}
		service := serviceOf(t, provider)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		req.View.Limit = 3
		first := mustSearch(t, service, req)
		synctest.Wait() // Until it is remembered.
		time.Sleep(time.Second)

		provider.answer = answerOf(offer("z", usd(100), viaDublin(t)))
		renewed := req
		renewed.MaxAge = new(time.Duration)
		if got := mustSearch(t, service, renewed); len(got.Itineraries) != 1 {
			t.Fatalf("the renewed answer has %d itineraries", len(got.Itineraries))
		}
		synctest.Wait()
		req.View.Cursor = first.NextCursor
		second := mustSearch(t, service, req)
		if len(second.Itineraries) != 3 || second.Summary.Itineraries != 7 || provider.times() != 2 {
			t.Errorf("page of %d from %d, asked %d times", len(second.Itineraries), second.Summary.Itineraries, provider.times())
		}
	})
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
		"nonsense":        {req, "!!", nil},
		"empty bytes":     {req, "AA", nil},
		"cut":             {req, cursor[:len(cursor)-2], nil},
		"another filter":  {func() Request { r := req; r.View.Filter.MaxPrice = usd(104); return r }(), cursor, nil},
		"fares withdrawn": {req, cursor, func() { withdrawMarket(t, service) }},
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

func FuzzCursor(f *testing.F) {
	good := cursor{begin: 20, fetches: make([][fetchBytes]byte, 3)}
	for _, seed := range []string{"", "AA", "====", good.write(), good.write() + "A", "_____________________________________________"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, sources int) {
		sources = max(0, sources%16)
		c, err := readCursor(text, sources)
		if err != nil {
			return
		}
		if c.begin < 0 || len(c.fetches) != sources {
			t.Errorf("out of bounds: %+v", c)
		}
		if again, err := readCursor(c.write(), sources); err != nil || again.begin != c.begin || again.print != c.print {
			t.Errorf("%+v is written and read as %+v, %v", c, again, err)
		}
	})
}

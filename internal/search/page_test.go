package search

import (
	"context"
	"encoding/base64"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
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

	strict := req
	strict.MaxAge = new(time.Duration)
	for name, attempt := range map[string]struct {
		request Request
		cursor  string
		invalid bool
		prepare func()
	}{
		"nonsense":             {req, "!!", true, nil},
		"empty bytes":          {req, "AA", true, nil},
		"cut":                  {req, cursor[:len(cursor)-2], true, nil},
		"of fewer sources":     {req, base64.RawURLEncoding.EncodeToString(append([]byte{cursorMark, 3}, make([]byte, printBytes)...)), false, nil},
		"another filter":       {func() Request { r := req; r.View.Filter.MaxPrice = usd(104); return r }(), cursor, false, nil},
		"older than asked for": {strict, cursor, false, nil},
		"fares withdrawn":      {req, cursor, false, func() { withdrawMarket(t, service) }},
	} {
		t.Run(name, func(t *testing.T) {
			if attempt.prepare != nil {
				attempt.prepare()
			}
			attempt.request.View.Cursor = attempt.cursor
			_, err := service.Search(context.Background(), attempt.request, nil)
			if attempt.invalid {
				wrong, ok := errors.AsType[*InvalidError](err)
				if !ok || wrong.Faults[0].Field != FieldCursor {
					t.Errorf("want a fault of the cursor, got %v", err)
				}
				return
			}
			if !errors.Is(err, ErrCursor) {
				t.Errorf("want ErrCursor, got %v", err)
			}
		})
	}
}

// TestAPageOfAPartialAnswerStaysPartial: the provider that was slow has filled
// the cache meanwhile, and still the page is of the answer that was given.
func TestAPageOfAPartialAnswerStaysPartial(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		fast := &scripted{name: "duffel", answer: answerOf(manyOffers(t, 7)...)}
		slow := &scripted{name: "amadeus", answer: answerOf(offer("z", usd(1_00), viaDublin(t))), before: after(4 * time.Second)}
		service := serviceOf(t, fast, slow)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		req.View.Limit = 3
		first := mustSearch(t, service, req)
		time.Sleep(5 * time.Second)
		synctest.Wait()

		req.View.Cursor = first.NextCursor
		second := mustSearch(t, service, req)
		if second.Complete || second.Summary.Itineraries != 7 || second.Providers[1].Status != StatusTimeout {
			t.Errorf("complete %t, %d itineraries, %+v", second.Complete, second.Summary.Itineraries, second.Providers[1])
		}
		if fast.times() != 1 || slow.times() != 1 {
			t.Errorf("turning a page asked: %d and %d times", fast.times(), slow.times())
		}
		req.View.Cursor = ""
		if whole := mustSearch(t, service, req); !whole.Complete || whole.Summary.Itineraries != 8 {
			t.Errorf("the next search is complete %t with %d itineraries", whole.Complete, whole.Summary.Itineraries)
		}
	})
}

func TestAPageOfAStaleAnswerStaysStale(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		provider := &scripted{name: "duffel", answer: answerOf(manyOffers(t, 7)...)}
		service := serviceOf(t, provider)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		req.View.Limit = 3
		mustSearch(t, service, req)
		synctest.Wait()
		time.Sleep(4 * time.Minute)
		provider.err = &providers.Error{Kind: providers.KindRateLimited}
		req.View.Cursor = mustSearch(t, service, req).NextCursor
		second := mustSearch(t, service, req)
		if got := second.Providers[0]; got.Cache != CacheStale || got.Status != StatusRateLimited || !second.Itineraries[0].Offers[0].Stale {
			t.Errorf("the second page calls its fares fresh: %+v", got)
		}
	})
}

func FuzzCursor(f *testing.F) {
	good := cursor{begin: 20, parts: []part{{status: StatusOK}, {status: StatusTimeout, stale: true}, {status: StatusUnsupported}}}
	for _, seed := range []string{"", "AA", "====", good.write(), good.write() + "A", "_____________________________________________"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, sources int) {
		sources = max(0, sources%16)
		c, err := readCursor(text, sources)
		if err != nil {
			return
		}
		if c.begin < 0 || len(c.parts) != sources {
			t.Errorf("out of bounds: %+v", c)
		}
		if again, err := readCursor(c.write(), sources); err != nil || again.begin != c.begin || again.print != c.print {
			t.Errorf("%+v is written and read as %+v, %v", c, again, err)
		}
	})
}

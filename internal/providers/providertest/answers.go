package providertest

import (
	"net/url"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func (s Suite) good(t *testing.T) {
	if len(s.Good) == 0 {
		t.Fatal("the suite has no good answer")
	}
	for _, good := range s.Good {
		t.Run(good.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { s.tryGood(t, good) })
		})
	}
}

func (s Suite) tryGood(t *testing.T, good Good) {
	provider, server := s.serve(t, good.Reply)
	if provider.Name() != s.Name {
		t.Errorf("the adapter's name is %q, want %q", provider.Name(), s.Name)
	}
	answer, err := provider.Search(t.Context(), good.Query)
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Offers) != good.Offers {
		t.Errorf("%d offers, want %d", len(answer.Offers), good.Offers)
	}
	if diff := cmp.Diff(good.Rejects, answer.Rejects, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	refs := map[string]bool{}
	for _, offer := range answer.Offers {
		if refs[offer.Ref] {
			t.Errorf("two offers have the reference %q", offer.Ref)
		}
		refs[offer.Ref] = true
		complete(t, offer, good.Query)
	}
	searches := s.searches(server)
	if len(searches) == 0 {
		t.Fatal("nothing was asked")
	}
	if good.Asked != nil {
		good.Asked(t, searches[0])
	}
}

// searches leaves out the requests that Aside answered.
func (s Suite) searches(server *Server) []Request {
	return slices.DeleteFunc(server.Requests(), func(r Request) bool { return s.Aside[r.Path] != nil })
}

// complete checks what everybody after the adapter relies on.
func complete(t *testing.T, offer flight.Offer, q flight.Query) {
	t.Helper()
	if offer.Ref == "" {
		t.Error("an offer has no reference")
	}
	if offer.Price.IsZero() || offer.Price.Minor <= 0 {
		t.Errorf("offer %s has the price %v", offer.Ref, offer.Price)
	}
	if offer.Provider != "" || !offer.FetchedAt.IsZero() || offer.Sandbox {
		t.Errorf("offer %s says who asked and when, which is the caller's to fill", offer.Ref)
	}
	if n := len(offer.Brands); n != 0 && n != len(q.Slices) {
		t.Errorf("offer %s has %d brands for %d slices", offer.Ref, n, len(q.Slices))
	}
	if link, err := url.Parse(offer.DeepLink); err != nil || offer.DeepLink != "" && link.Scheme != "https" {
		t.Errorf("offer %s has the deep link %q", offer.Ref, offer.DeepLink)
	}
	if len(offer.Itinerary.Slices) != len(q.Slices) {
		t.Fatalf("offer %s has %d slices, want %d", offer.Ref, len(offer.Itinerary.Slices), len(q.Slices))
	}
	for _, slice := range offer.Itinerary.Slices {
		if len(slice.Segments) == 0 || slice.Duration <= 0 {
			t.Fatalf("offer %s has a slice of %d segments and %v", offer.Ref, len(slice.Segments), slice.Duration)
		}
		for _, segment := range slice.Segments {
			completeSegment(t, offer.Ref, segment)
		}
	}
}

func completeSegment(t *testing.T, ref string, s flight.Segment) {
	t.Helper()
	if s.Origin == "" || s.Destination == "" || !s.Marketing.Known() || s.Mode == "" || s.Duration <= 0 {
		t.Errorf("offer %s has an incomplete segment: %+v", ref, s)
	}
	if !s.Departure.Zoned() || !s.Arrival.Zoned() {
		t.Errorf("offer %s flies %s-%s from %v to %v, without offsets", ref, s.Origin, s.Destination, s.Departure, s.Arrival)
	}
}

// empty: nothing found is an answer, and no failure.
func (s Suite) empty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, _ := s.serve(t, s.Empty)
		answer, err := provider.Search(t.Context(), s.query())
		if err != nil || len(answer.Offers) != 0 || answer.Cut {
			t.Errorf("got %d offers, cut %t, error %v", len(answer.Offers), answer.Cut, err)
		}
	})
}

// concurrent: twenty searches at once get the same as one.
func (s Suite) concurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, _ := s.serve(t, s.Good[0].Reply)
		answers := make([]providers.Answer, 20)
		var searches sync.WaitGroup
		for i := range answers {
			searches.Go(func() {
				var err error
				if answers[i], err = provider.Search(t.Context(), s.query()); err != nil {
					t.Error(err)
				}
			})
		}
		searches.Wait()
		for _, answer := range answers[1:] {
			if diff := cmp.Diff(answers[0], answer, cmp.Comparer(sameTime)); diff != "" {
				t.Fatalf("two searches differ:\n%s", diff)
			}
		}
	})
}

func sameTime(a, b flight.LocalTime) bool { return a == b }

package search

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// after answers late.
func after(d time.Duration) func(context.Context) {
	return func(ctx context.Context) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
}

func statuses(outcomes []Outcome) map[string]Status {
	all := map[string]Status{}
	for _, o := range outcomes {
		all[o.Name] = o.Status
	}
	return all
}

func TestASlowProviderIsNotWaitedFor(t *testing.T) {
	for _, tc := range []struct {
		name            string
		slow            time.Duration
		budget          time.Duration
		fastErr         error
		want            time.Duration
		complete, fares bool
	}{
		{name: "all in time", slow: time.Second, want: time.Second, complete: true, fares: true},
		{name: "soft limit", slow: 5 * time.Second, want: 3 * time.Second, fares: true},
		{name: "no fares at the soft limit: on to the answer", slow: 5 * time.Second, fastErr: errors.New("down"), want: 5 * time.Second, fares: true},
		{name: "caller's budget", slow: time.Second, budget: 500 * time.Millisecond, want: 500 * time.Millisecond, fares: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			catalogOf(t) // Read outside the bubble, whose clock would count it.
			synctest.Test(t, func(t *testing.T) {
				fast := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t))), err: tc.fastErr}
				slow := &scripted{name: "amadeus", answer: answerOf(offer("b", usd(300_00), ba178(t))), before: after(tc.slow)}
				service := serviceOf(t, fast, slow)
				req := oneWay("JFK", "LHR", "2026-12-15")
				req.Timeout = tc.budget
				started := time.Now()
				result := mustSearch(t, service, req)
				if took := time.Since(started); took != tc.want {
					t.Errorf("took %s, want %s", took, tc.want)
				}
				if result.Complete != tc.complete || (len(result.Itineraries) > 0) != tc.fares {
					t.Errorf("complete %t with %d itineraries", result.Complete, len(result.Itineraries))
				}
				if !tc.complete && tc.fastErr == nil && result.Providers[1].Status != StatusTimeout {
					t.Errorf("the slow one is %q", result.Providers[1].Status)
				}
				drain(t, service)
			})
		})
	}
}

func TestStatuses(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want Status
		says string
	}{
		{nil, StatusOK, ""},
		{&providers.Error{Kind: providers.KindTimeout}, StatusTimeout, "did not answer in time"},
		{fmt.Errorf("asking: %w", context.DeadlineExceeded), StatusTimeout, "did not answer in time"},
		{fanout.ErrStillOut, StatusTimeout, "had not answered when the search ended"},
		{&providers.Error{Kind: providers.KindRateLimited}, StatusRateLimited, "its rate limit is reached"},
		{&providers.Error{Kind: providers.KindFailed, Err: fanout.ErrRateLimited}, StatusRateLimited, "its rate limit is reached"},
		{&providers.Error{Kind: providers.KindFailed, Err: fanout.ErrCircuitOpen}, StatusUnavailable, "not asked: it failed repeatedly and is left alone for a moment"},
		{&providers.Error{Kind: providers.KindUnsupported, Detail: "takes at most 8 adults"}, StatusUnsupported, "takes at most 8 adults"},
		{&providers.Error{Kind: providers.KindRejected, Detail: "departure date is in the past"}, StatusError, "departure date is in the past"},
		{&providers.Error{Kind: providers.KindUnauthorized}, StatusError, "unauthorized"},
		{errors.New("dial tcp 10.0.0.7:443: refused"), StatusError, "failed"},
	} {
		status, says := statusOf(tc.err)
		if status != tc.want || says != tc.says {
			t.Errorf("%v: %s, %q; want %s, %q", tc.err, status, says, tc.want, tc.says)
		}
	}
}

func TestOneProviderTimesOutTheOtherHasNothing(t *testing.T) {
	// trvl#356: an empty answer is an answer.
	result := mustSearch(t, serviceOf(t,
		&scripted{name: "duffel", err: &providers.Error{Kind: providers.KindTimeout}},
		&scripted{name: "amadeus"},
	), oneWay("JFK", "LHR", "2026-12-15"))
	want := map[string]Status{"duffel": StatusTimeout, "amadeus": StatusOK}
	if diff := cmp.Diff(want, statuses(result.Providers)); diff != "" || result.Complete || len(result.Itineraries) != 0 {
		t.Errorf("complete %t, %d itineraries, %s", result.Complete, len(result.Itineraries), diff)
	}
}

func TestNobodyAnswered(t *testing.T) {
	service := serviceOf(t,
		&scripted{name: "duffel", err: &providers.Error{Kind: providers.KindRateLimited, RetryAfter: 9 * time.Second}},
		&scripted{name: "skyscanner", err: &providers.Error{Kind: providers.KindUnsupported}},
	)
	_, err := service.Search(context.Background(), oneWay("JFK", "LHR", "2026-12-15"), nil)
	var none *NoAnswerError
	if !errors.As(err, &none) || none.RetryAfter != 9*time.Second || len(none.Providers) != 2 {
		t.Errorf("want *NoAnswerError after 9s with both outcomes, got %+v", err)
	}
}

func TestThatNobodySupportsAQueryIsAnAnswer(t *testing.T) {
	result := mustSearch(t, serviceOf(t, &scripted{name: "skyscanner", err: &providers.Error{Kind: providers.KindUnsupported}}), oneWay("JFK", "LHR", "2026-12-15"))
	if !result.Complete || result.Providers[0].Status != StatusUnsupported {
		t.Errorf("complete %t, %+v", result.Complete, result.Providers)
	}
}

func TestACutListIsKeptAndSaidToBeIncomplete(t *testing.T) {
	answer := answerOf(offer("a", usd(400_00), ba178(t)))
	answer.Cut, answer.Warnings = true, []string{"list was cut"}
	result := mustSearch(t, serviceOf(t, &scripted{name: "amadeus", answer: answer}), oneWay("JFK", "LHR", "2026-12-15"))
	if result.Complete || len(result.Itineraries) != 1 || result.Providers[0].Status != StatusOK || len(result.Providers[0].Warnings) != 1 {
		t.Errorf("complete %t, %+v", result.Complete, result.Providers)
	}
}

func TestOffersAreStampedWithWhenTheirFetchBegan(t *testing.T) {
	provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	got := mustSearch(t, serviceOf(t, provider), oneWay("JFK", "LHR", "2026-12-15")).Itineraries[0].Offers[0]
	if !got.FetchedAt.Equal(noon) || got.Provider != "duffel" || !got.Sandbox || got.ID == "" {
		t.Errorf("unexpected stamp: %+v", got)
	}
}

func TestACallerWhoLeftGetsNoAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	service := serviceOf(t, &scripted{name: "duffel", before: func(context.Context) { cancel() }})
	if _, err := service.Search(ctx, oneWay("JFK", "LHR", "2026-12-15"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("want context.Canceled, got %v", err)
	}
	drain(t, service)
}

// drain waits for what outlived the search.
func drain(tb testing.TB, s *Service) {
	tb.Helper()
	if err := s.options.Gatherer.Drain(context.Background()); err != nil {
		tb.Error(err)
	}
}

package skyscanner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/internal/providers"
)

const (
	// firstPause follows the first poll, which goes out at once; each further one is
	// two and a half times as long, up to maxPause: a list that is nearly complete is
	// soon seen to be, and four seconds hold five polls, the proportion of the
	// vendor's limits for polls and creations.
	firstPause = 100 * time.Millisecond
	maxPause   = 2 * time.Second
	// lastCall before the deadline the last poll goes out, and handover before it
	// the last answer must have come: what there is has to be read and handed over
	// before the caller has gone.
	lastCall = 500 * time.Millisecond
	handover = 100 * time.Millisecond
	// maxFailures is how many failed polls one search outlives.
	maxFailures = 2
)

// session is one search at the vendor. Its calls follow one another, so that no
// session has two polls in flight.
type session struct {
	client *Client
	body   []byte // Of the call that creates it.

	token    string // The newest, for every answer may bring another.
	complete bool
	results  *results // The newest list, nil before the first.
	renewed  bool
	failures int
}

// run goes on until the list is complete. On an error the results are what had
// come until then.
func (s *session) run(ctx context.Context) error {
	if err := s.create(ctx); err != nil {
		return err
	}
	for pause := firstPause; !s.complete; pause = min(pause*5/2, maxPause) {
		err := s.advance(ctx)
		if err != nil && !s.survives(ctx, err) {
			return err
		}
		if !s.complete {
			if err := rest(ctx, pause, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// advance polls, and opens one new session where the vendor has lost the first.
func (s *session) advance(ctx context.Context) error {
	err := s.poll(ctx)
	if !errors.Is(err, errLost) || s.renewed {
		return err
	}
	s.renewed = true
	return s.create(ctx)
}

func (s *session) create(ctx context.Context) error {
	s.token = ""
	err := s.call(ctx, s.client.options.Search, s.client.createURL, s.body)
	if err == nil && s.token == "" && !s.complete {
		return providers.BodyError(http.StatusOK, errors.New("no session token"))
	}
	return err
}

func (s *session) poll(ctx context.Context) error {
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-handover))
		defer cancel()
	}
	ctx = providers.WithCall(ctx, providers.CallPoll)
	err := s.call(ctx, s.client.options.Poll, s.client.pollURL(s.token), nil)
	var failure *providers.Error
	if errors.As(err, &failure) && (failure.Status == http.StatusNotFound || failure.Status == http.StatusGone) {
		return lostSession(failure.Status)
	}
	return err
}

func (s *session) call(ctx context.Context, class providers.Class, address string, body []byte) error {
	answer, err := s.client.ask(ctx, class, address, body)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(answer)) == 0 && s.token != "" {
		return lostSession(http.StatusOK)
	}
	return s.take(answer)
}

// take keeps what an answer brings. A list takes the place of the one before it
// as a whole; an empty one only where it is final, for a new session starts with
// nothing.
func (s *session) take(answer []byte) error {
	var wire searchAnswer
	if err := json.Unmarshal(answer, &wire); err != nil {
		return providers.BodyError(http.StatusOK, err)
	}
	last := wire.Status == statusComplete
	if news := wire.news(); news != nil && (s.results == nil || last || !news.empty()) {
		s.results = news
	}
	switch {
	case wire.Status == "":
		return providers.BodyError(http.StatusOK, errors.New("no status"))
	case wire.Status == statusFailed:
		return lostSession(http.StatusOK)
	case last && s.results == nil:
		return providers.BodyError(http.StatusOK, errors.New("complete without results"))
	}
	s.token = cmp.Or(wire.SessionToken, s.token)
	s.complete = last
	return nil
}

// news is the list that the answer brings, nil where it brings none.
func (a *searchAnswer) news() *results {
	if a.Content == nil || a.Action == actionNotModified || a.Action == actionOmitted {
		return nil
	}
	return &a.Content.Results
}

func (r *results) empty() bool {
	return bytes.Equal(bytes.Join(bytes.Fields(r.Itineraries), nil), []byte("{}"))
}

// survives tells a poll that may be sent again from a failure that ends the
// search.
func (s *session) survives(ctx context.Context, err error) bool {
	var failure *providers.Error
	if ctx.Err() != nil || s.token == "" || errors.Is(err, errLost) || !errors.As(err, &failure) {
		return false
	}
	s.failures++
	switch failure.Kind {
	case providers.KindFailed, providers.KindTimeout, providers.KindRateLimited, providers.KindMalformed:
		return s.failures <= maxFailures
	default:
		return false
	}
}

// rest waits for the time of the next poll: a pause, or longer where the failure
// before it asks to be left alone. Near the deadline it shortens a pause, and
// gives up where no poll could be answered any more.
func rest(ctx context.Context, pause time.Duration, failed error) error {
	var failure *providers.Error
	if errors.As(failed, &failure) && failure.RetryAfter > pause {
		pause = failure.RetryAfter
	}
	if deadline, limited := ctx.Deadline(); limited {
		left := time.Until(deadline) - lastCall
		if left <= 0 || failure != nil && failure.RetryAfter > left {
			return unfinished(failed)
		}
		pause = min(pause, left)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return providers.TransportError(ctx.Err())
	case <-timer.C:
		return nil
	}
}

// unfinished is the failure of a search whose time is up: that of the last poll,
// if it failed.
func unfinished(failed error) error {
	if failed != nil {
		return failed
	}
	return &providers.Error{
		Kind: providers.KindTimeout, Detail: "the vendor had not finished in time", Err: context.DeadlineExceeded,
	}
}

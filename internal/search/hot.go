package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

const (
	// maxHot bounds the queries that are counted, keptHot those that a new
	// instance is told of.
	maxHot  = 1024
	keptHot = 64
	// hotBlob is where instances leave them for each other.
	hotBlob = "fares:hot"
	// hotTTL is how long a list of what was asked for is of use.
	hotTTL = time.Hour
)

// hot counts which queries are asked for most, so that a new instance can read
// their fares before anybody asks it.
type hot struct {
	mu   sync.Mutex
	seen map[string]*asking
}

// asking is a query and how often it was asked lately.
type asking struct {
	Query flight.Query `json:"query"`
	Times int          `json:"times"`
}

// note counts one search.
func (h *hot) note(q flight.Query) {
	key := q.Key()
	h.mu.Lock()
	defer h.mu.Unlock()
	if known := h.seen[key]; known != nil {
		known.Times++
		return
	}
	if len(h.seen) >= maxHot {
		h.cool()
	}
	h.seen[key] = &asking{Query: q, Times: 1}
}

// cool halves every count and forgets what is not asked any more.
func (h *hot) cool() {
	maps.DeleteFunc(h.seen, func(_ string, a *asking) bool {
		a.Times /= 2
		return a.Times == 0
	})
	if len(h.seen) >= maxHot {
		clear(h.seen)
	}
}

// most lists what is asked most, the most first, and lets it cool.
func (h *hot) most() []asking {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]asking, 0, len(h.seen))
	for _, a := range h.seen {
		all = append(all, *a)
	}
	h.cool()
	slices.SortFunc(all, func(a, b asking) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Query.Key(), b.Query.Key()))
	})
	return all[:min(len(all), keptHot)]
}

// TellHot leaves the queries that this instance is asked most for others to warm
// up with. With nothing to tell it changes nothing.
func (s *Service) TellHot(ctx context.Context) error {
	most := s.hot.most()
	if len(most) == 0 {
		return nil
	}
	list, err := json.Marshal(most)
	if err != nil {
		return fmt.Errorf("search: encoding the hot queries: %w", err)
	}
	return s.options.Cache.SetBlob(ctx, hotBlob, list, hotTTL)
}

// Warm reads the fares that other instances were asked for most into this
// process. It asks no provider.
func (s *Service) Warm(ctx context.Context) error {
	list, _, err := s.options.Cache.Blob(ctx, hotBlob)
	if err != nil || len(list) == 0 {
		return err
	}
	var most []asking
	if err := json.Unmarshal(list, &most); err != nil {
		return fmt.Errorf("search: the list of hot queries: %w", err)
	}
	for _, a := range most[:min(len(most), keptHot)] {
		if ctx.Err() != nil {
			break
		}
		if len(a.Query.Faults()) > 0 { // Of a release that asked otherwise.
			continue
		}
		s.lookUp(ctx, Request{Query: a.Query}, s.options.Catalog())
	}
	return nil //nolint:nilerr // What could be read in time is warm, and the rest is read when it is asked for.
}

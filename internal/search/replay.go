package search

import (
	"context"

	"github.com/hedgehop/hedgehop/internal/cache"
)

// replay finds the answers that a cursor continues, also where newer ones have
// replaced them meanwhile: turning a page asks no provider. Fares that were
// withdrawn or are no longer known end the paging with ErrCursor. Where the cache
// cannot say, and for a source whose fares were not remembered, it reports false:
// then the search is made anew, and the cursor's fingerprint decides whether it
// is still the same answer.
func (s *Service) replay(ctx context.Context, req Request) ([]heard, bool, error) {
	at, err := readCursor(req.View.Cursor, len(s.options.Sources))
	if err != nil {
		return nil, false, err
	}
	bucket := bucketOf(req.Query, s.options.Catalog())
	all := make([]heard, len(s.options.Sources))
	for i, question := range s.questions(req) {
		all[i].source = s.options.Sources[i]
		name := at.name(i)
		if name == "" {
			return nil, false, nil
		}
		found := s.fares.Replay(ctx, bucket, question, name)
		if found.State == cache.Miss {
			found = s.beingFilled(ctx, bucket, question, name)
		}
		switch found.State {
		case cache.Hit:
			all[i].remember(found, CacheHit)
		case cache.Stale:
			all[i].remember(found, CacheHit)
		case cache.Bypass:
			return nil, false, nil
		default:
			return nil, false, ErrCursor
		}
	}
	return all, true, nil
}

// beingFilled finds the answer of a fetch whose fill is not through yet, for who
// turns the page at once.
func (s *Service) beingFilled(ctx context.Context, bucket string, question cache.Question, name string) fares {
	found := s.fares.Lookup(ctx, bucket, []cache.Question{question})[0]
	if found.State != cache.Bypass && (found.State != cache.Hit || found.ID != name) {
		found.State = cache.Miss
	}
	return found
}

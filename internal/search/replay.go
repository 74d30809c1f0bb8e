package search

import (
	"context"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// repeatedError is why a source gave nothing to the answer that a page
// continues, or nothing fresh.
type repeatedError struct{ status Status }

func (e *repeatedError) Error() string { return "as in the answer that this page continues" }

// replay finds the answers that a cursor continues, also where newer ones have
// replaced them meanwhile: turning a page asks no provider, and one that gave
// nothing to the answer gives nothing to its pages. Fares that were withdrawn,
// are no longer known or are older than asked for end the paging with ErrCursor.
// Where the cache cannot say, and for fares that were not remembered, it reports
// false: then the search is made anew, and the cursor's fingerprint decides
// whether it is still the same answer.
func (s *Service) replay(ctx context.Context, req Request, catalog *refdata.Catalog) ([]heard, bool, error) {
	at, err := readCursor(req.View.Cursor, len(s.options.Sources))
	if err != nil {
		return nil, false, err
	}
	bucket := bucketOf(req.Query, catalog)
	all := make([]heard, len(s.options.Sources))
	for i, question := range s.questions(req, catalog) {
		all[i] = heard{source: s.options.Sources[i], use: CacheMiss}
		if at.parts[i].status != StatusOK {
			all[i].err = &repeatedError{at.parts[i].status}
		}
		if at.parts[i].name() == "" {
			if all[i].err == nil {
				return nil, false, nil
			}
			continue
		}
		found := s.replayOne(ctx, bucket, question, at.parts[i].name())
		switch {
		case found.State == cache.Bypass:
			return nil, false, nil
		case found.State != cache.Hit && found.State != cache.Stale, found.FetchedAt.Before(question.NotBefore):
			return nil, false, ErrCursor
		case at.parts[i].stale:
			all[i].remember(found, CacheStale)
		default:
			all[i].remember(found, CacheHit)
		}
	}
	return all, true, nil
}

func (s *Service) replayOne(ctx context.Context, bucket string, question cache.Question, name string) fares {
	found := s.fares.Replay(ctx, bucket, question, name)
	if found.State == cache.Miss {
		return s.beingFilled(ctx, bucket, question, name)
	}
	return found
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

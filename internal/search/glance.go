package search

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// hearing is what came of finding out what every source says.
type hearing struct {
	all []heard
	// body is set, encoded, where it is known without the fares themselves.
	body Body
	// reading is how long the cache took.
	reading time.Duration
}

// glance answers a search whose fares and view were encoded before: it needs the
// names of the fares, not the fares, and decodes nothing. False where anything is
// missing; then the cache is looked up in full.
func (s *Service) glance(ctx context.Context, req Request, catalog *refdata.Catalog) (hearing, bool) {
	began := time.Now()
	found, ok := s.fares.Peek(ctx, bucketOf(req.Query, catalog), s.questions(req, catalog))
	if !ok {
		return hearing{}, false
	}
	h := hearing{all: make([]heard, len(found))}
	for i, f := range found {
		offers, plain := readFacts(f.Summary)
		if !plain {
			return hearing{}, false
		}
		h.all[i] = heard{source: s.options.Sources[i]}
		h.all[i].remember(f, CacheHit)
		h.all[i].offers = offers
	}
	if h.body = s.recall(req, h.all, catalog); h.body.Encoded == nil {
		return hearing{}, false
	}
	_, span := s.seen.tracer.Start(ctx, "cache.lookup", trace.WithTimestamp(began))
	noteLookup(span, found)
	span.End()
	for i, f := range found {
		s.refreshAhead(ctx, i, req.Query, f)
	}
	return h, true
}

package search

import (
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// labels are the attributes of one data point; empty ones are left out. All are
// words of this program, so there are few combinations.
type labels struct{ provider, status, cache, outcome, reason string }

// labelSets makes each set of attributes once: a hit records seven points, and to
// sort the attributes of one costs more than to record it. The zero value is
// ready; safe for concurrent use.
type labelSets struct {
	mu   sync.RWMutex
	made map[labels]measured
}

// measured is a set as counters and histograms take it.
type measured struct {
	add    []metric.AddOption
	record []metric.RecordOption
}

func (s *labelSets) of(l labels) measured {
	s.mu.RLock()
	options, known := s.made[l]
	s.mu.RUnlock()
	if known {
		return options
	}
	set := metric.WithAttributeSet(l.set())
	options = measured{add: []metric.AddOption{set}, record: []metric.RecordOption{set}}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil {
		s.made = map[labels]measured{}
	}
	s.made[l] = options
	return options
}

func (l labels) set() attribute.Set {
	var pairs []attribute.KeyValue
	for _, pair := range [][2]string{
		{"provider", l.provider}, {"status", l.status}, {"cache", l.cache}, {"outcome", l.outcome}, {"reason", l.reason},
	} {
		if pair[1] != "" {
			pairs = append(pairs, attribute.String(pair[0], pair[1]))
		}
	}
	return attribute.NewSet(pairs...)
}

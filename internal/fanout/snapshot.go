package fanout

import (
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

const (
	snapshotVersion = 1
	// restoredWeight is how many attempts a snapshot counts for at most: it is to
	// be believed at the start and outweighed soon after.
	restoredWeight = 200
)

// snapshot is a transport's latency by kind, as it is stored.
type snapshot struct {
	Version int                     `json:"version"`
	Kinds   map[string]snapshotKind `json:"kinds"`
}

// snapshotKind counts attempts by the bucket that they answered, or were cut off, in.
type snapshotKind struct {
	Answered map[int]float64 `json:"answered"`
	Cut      map[int]float64 `json:"cut"`
}

// Snapshot returns what the transport has learnt about latency, for [Transport.Restore]
// of another instance. Some kilobytes of JSON.
func (t *Transport) Snapshot() []byte {
	s := snapshot{Version: snapshotVersion, Kinds: map[string]snapshotKind{}}
	t.kinds.Range(func(kind, e any) bool {
		c := e.(*estimator).window.counts()
		s.Kinds[kind.(string)] = snapshotKind{Answered: sparse(&c.answered), Cut: sparse(&c.cut)}
		return true
	})
	data, err := json.Marshal(s)
	if err != nil { // Strings and finite numbers always marshal.
		panic(err)
	}
	return data
}

func sparse(counts *[buckets]float64) map[int]float64 {
	m := map[int]float64{}
	for i, n := range counts {
		if n > 0 {
			m[i] = n
		}
	}
	return m
}

// Restore begins with what a [Transport.Snapshot] holds, scaled down to 200
// attempts a kind, instead of the declared latency. What was seen before is
// forgotten, so restore before the first call. A snapshot that cannot be read, or
// of another version, is an error and changes nothing.
func (t *Transport) Restore(data []byte) error {
	var s snapshot
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("%s: latency snapshot: %w", t.options.Name, err)
	}
	if s.Version != snapshotVersion {
		return fmt.Errorf("%s: latency snapshot has version %d: want %d", t.options.Name, s.Version, snapshotVersion)
	}
	now := time.Now()
	restored := make(map[string]*histogram, len(s.Kinds))
	for kind, k := range s.Kinds {
		h, err := k.histogram(now)
		if err != nil {
			return fmt.Errorf("%s: latency snapshot: kind %q: %w", t.options.Name, kind, err)
		}
		restored[kind] = h
	}
	for kind, h := range restored {
		if h.total.Load() > 0 {
			t.estimatorOf(kind).begin(h, now)
		}
	}
	return nil
}

func (k snapshotKind) histogram(now time.Time) (*histogram, error) {
	total := 0.0
	for _, counts := range []map[int]float64{k.Answered, k.Cut} {
		for i, n := range counts {
			if i < 0 || i >= buckets || n < 0 || n > 1<<32 {
				return nil, fmt.Errorf("bucket %d holds %v: want 0 to 2³² in buckets 0 to %d", i, n, buckets-1)
			}
			total += n
		}
	}
	scale := 1.0
	if total > restoredWeight {
		scale = restoredWeight / total
	}
	h := newHistogram(now)
	h.total.Store(scaled(&h.answered, k.Answered, scale) + scaled(&h.cut, k.Cut, scale))
	return h, nil
}

// scaled stores counts scaled down and returns their sum. What rounding takes from
// one bucket goes on to the next, or a long tail of single counts would vanish.
func scaled(into *[buckets]atomic.Uint32, counts map[int]float64, scale float64) (sum int64) {
	rest := 0.5
	for i := range buckets {
		rest += counts[i] * scale
		whole := math.Floor(rest)
		rest -= whole
		into[i].Store(uint32(whole))
		sum += int64(whole)
	}
	return sum
}

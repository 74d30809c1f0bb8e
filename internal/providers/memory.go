package providers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Memory bounds the bytes of all providers' answers that are read and decoded at
// a time in this process: MaxAnswer bounds each, but many large ones together
// would still be too much. Safe for concurrent use.
type Memory struct{ free *semaphore.Weighted }

// NewMemory is a Memory of so many bytes. Less than MaxAnswer refuses answers
// that are not too large by themselves.
func NewMemory(bytes int64) *Memory { return &Memory{free: semaphore.NewWeighted(bytes)} }

// Hold returns a context for one call of a provider. What its requests read
// through a MemoryTransport counts until release, so release once the answer is
// decoded. A nil Memory has no bound.
func (m *Memory) Hold(ctx context.Context) (held context.Context, release func()) {
	if m == nil {
		return ctx, func() {}
	}
	s := &share{memory: m}
	return context.WithValue(ctx, shareKey{}, s), s.release
}

type shareKey struct{}

// share is what one call has drawn.
type share struct {
	memory *Memory

	mu       sync.Mutex
	drawn    int64
	used     int64
	released bool
}

// draught is how much is drawn at a time.
const draught = 64 << 10

// errNoMemory ends an answer for which there is no room. It is not waited for:
// calls that each hold a part would wait for each other.
var errNoMemory = errors.New("too many bytes of answers are being read at a time")

func (s *share) use(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.released { // A hedge that lost reads on for a moment.
		return errNoMemory
	}
	for s.used += int64(n); s.drawn < s.used; s.drawn += draught {
		if !s.memory.free.TryAcquire(draught) {
			return errNoMemory
		}
	}
	return nil
}

func (s *share) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory.free.Release(s.drawn)
	s.drawn, s.released = 0, true
}

// MemoryTransport counts what is read of answers to requests whose context is of
// Memory.Hold; other requests pass as they are.
type MemoryTransport struct{ Next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t MemoryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.Next.RoundTrip(req)
	if s, ok := req.Context().Value(shareKey{}).(*share); ok && err == nil {
		resp.Body = &countedBody{ReadCloser: resp.Body, share: s}
	}
	return resp, err
}

type countedBody struct {
	io.ReadCloser
	share *share
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if full := b.share.use(n); full != nil {
		return 0, full
	}
	return n, err
}

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// gate stands before the calls of one provider: it counts them, makes them wait
// and puts them out of order.
type gate struct {
	law      Law
	requests atomic.Int64
	fault    atomic.Pointer[Fault]
	// stopped ends hanging requests.
	stopped <-chan struct{}
	// refuse answers with a status in the vendor's form. It is set once, before
	// the first request.
	refuse func(w http.ResponseWriter, status int)
}

// maxBody is how long a request to a provider may be, in bytes. Confirming an
// Amadeus offer sends the whole offer.
const maxBody = 1 << 20

// guard is the wire.Service's Guard.
func (g *gate) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.requests.Add(1)
		if status := buffer(w, r); status != 0 {
			g.refuse(w, status)
			return
		}
		fault := g.draw()
		if !wait(r.Context(), g.law.draw()+fault.Delay) {
			return
		}
		g.serve(w, r, next, fault)
	})
}

// buffer reads the body before anything waits: only then does the server notice
// that a client leaves. It answers a status where that fails.
func buffer(w http.ResponseWriter, r *http.Request) int {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return 0
}

// draw is the fault that strikes this request, the zero Fault for none.
func (g *gate) draw() Fault {
	if f := g.fault.Load(); f != nil && rand.Float64() < f.Share {
		return *f
	}
	return Fault{}
}

func (g *gate) serve(w http.ResponseWriter, r *http.Request, next http.Handler, f Fault) {
	switch f.Mode {
	case ModeHang:
		g.hang(r.Context())
	case ModeError:
		g.refuse(w, f.Status)
	case ModeRateLimit:
		g.refuse(w, http.StatusTooManyRequests)
	case ModeUnauthorized:
		g.refuse(w, http.StatusUnauthorized)
	case ModeMalformed:
		malform(w, r, next)
	case ModeTruncated:
		truncate(w, r, next)
	case ModeHuge:
		swell(w, r)
	case ModeReprice:
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), factorKey{}, f.Factor)))
	default:
		next.ServeHTTP(w, r)
	}
}

// wait reports whether the client is still there after d.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g *gate) hang(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-g.stopped:
	}
	panic(http.ErrAbortHandler)
}

type factorKey struct{}

// factorOf is the wire.Service's Factor.
func factorOf(r *http.Request) int64 {
	if factor, ok := r.Context().Value(factorKey{}).(int64); ok {
		return factor
	}
	return wire.Unchanged
}

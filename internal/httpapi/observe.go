package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/hedgehop/hedgehop/internal/search"
)

// event is what a request's one log line says beyond its status. Handlers fill
// it; it belongs to the goroutine of the request.
type event struct {
	id string
	// result is the search that was answered; nil where there was none.
	result *search.Result
	// cause is the error that the caller may have seen less of.
	cause error
}

type eventKey struct{}

// eventOf is the event of the request; one that nobody logs outside of observe.
func eventOf(ctx context.Context) *event {
	if e, ok := ctx.Value(eventKey{}).(*event); ok {
		return e
	}
	return &event{}
}

// observe names the request, measures it, and logs it in one line when it is done:
// no query values, for they say who travels where.
func observe(next http.Handler) http.Handler {
	seen := newTraffic()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		e := &event{id: requestID(r)}
		w.Header().Set("X-Request-Id", e.id)
		observed := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		ctx, span := seen.begin(r)
		r = r.WithContext(context.WithValue(ctx, eventKey{}, e)) //nolint:contextcheck // The request's, with its span.
		defer func() {
			took := time.Since(started)
			seen.end(r, span, observed, took)
			e.log(r, observed, took)
		}()
		next.ServeHTTP(observed, r)
	})
}

// maxRequestID bounds the id that a caller may choose; it goes into the log.
const maxRequestID = 64

// requestID is the caller's where it is short and plain, else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	odd := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c))
	}
	if id == "" || len(id) > maxRequestID || strings.ContainsFunc(id, odd) {
		return rand.Text()
	}
	return id
}

func (e *event) log(r *http.Request, w middleware.WrapResponseWriter, took time.Duration) {
	ctx := r.Context()
	route := chi.RouteContext(ctx).RoutePattern()
	attrs := []slog.Attr{
		slog.String("request_id", e.id),
		slog.String("method", r.Method),
		slog.String("route", route),
		slog.Int("status", w.Status()),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
		slog.Int("bytes", w.BytesWritten()),
	}
	if e.result != nil {
		attrs = append(attrs, slog.String("search_id", e.result.SearchID), slog.Bool("complete", e.result.Complete))
	}
	if providers := e.providers(); len(providers) > 0 {
		attrs = append(attrs, slog.GroupAttrs("providers", providers...))
	}
	if e.cause != nil {
		attrs = append(attrs, slog.Any("error", e.cause))
	}
	slog.LogAttrs(ctx, level(route, w.Status()), "request", attrs...)
}

// providers are how each provider did, answered or not.
func (e *event) providers() []slog.Attr {
	var outcomes []search.Outcome
	if e.result != nil {
		outcomes = e.result.Providers
	} else if none, ok := errors.AsType[*search.NoAnswerError](e.cause); ok {
		outcomes = none.Providers
	}
	var attrs []slog.Attr
	for _, o := range outcomes {
		attrs = append(attrs, slog.GroupAttrs(o.Name,
			slog.String("status", string(o.Status)), slog.String("cache", string(o.Cache)), slog.Int("offers", o.Offers),
			slog.Int("attempts", o.Attempts), slog.Float64("latency_ms", float64(o.Latency.Microseconds())/1000),
		))
	}
	return attrs
}

// level keeps probes out of the log and faults of ours apart from the rest.
func level(route string, status int) slog.Level {
	switch {
	case status == http.StatusServiceUnavailable:
		return slog.LevelWarn
	case status >= http.StatusInternalServerError:
		return slog.LevelError
	case isProbe(route):
		return slog.LevelDebug
	default:
		return slog.LevelInfo
	}
}

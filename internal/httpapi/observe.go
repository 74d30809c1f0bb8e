package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// event is what a request's one log line says beyond its status. Handlers fill
// it; it belongs to the goroutine of the request.
type event struct {
	id       string
	searchID string
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

// observe names the request, and logs it in one line when it is done: no query
// values, for they say who travels where.
func observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		e := &event{id: requestID(r)}
		w.Header().Set("X-Request-Id", e.id)
		observed := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		r = r.WithContext(context.WithValue(r.Context(), eventKey{}, e))
		defer func() { e.log(r, observed, time.Since(started)) }()
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
	if span := trace.SpanFromContext(ctx); span.IsRecording() && route != "" {
		span.SetName(r.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route))
	}
	attrs := []slog.Attr{
		slog.String("request_id", e.id),
		slog.String("method", r.Method),
		slog.String("route", route),
		slog.Int("status", w.Status()),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
		slog.Int("bytes", w.BytesWritten()),
	}
	if e.searchID != "" {
		attrs = append(attrs, slog.String("search_id", e.searchID))
	}
	if e.cause != nil {
		attrs = append(attrs, slog.Any("error", e.cause))
	}
	slog.LogAttrs(ctx, level(route, w.Status()), "request", attrs...)
}

// level keeps probes out of the log and faults of ours apart from the rest.
func level(route string, status int) slog.Level {
	switch {
	case status == http.StatusServiceUnavailable:
		return slog.LevelWarn
	case status >= http.StatusInternalServerError:
		return slog.LevelError
	case strings.HasPrefix(route, "/health/") || route == "/metrics":
		return slog.LevelDebug
	default:
		return slog.LevelInfo
	}
}

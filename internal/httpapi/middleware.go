package httpapi

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/cors"
	"github.com/klauspost/compress/gzhttp"
	"go.opentelemetry.io/otel/propagation"
)

// recoverPanics turns a panic into an internal problem whose cause, with the
// stack, is in the log alone. An answer that had already begun is cut off, so
// that nobody takes it for whole.
func recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { //nolint:contextcheck // fail has the request's.
			reason := recover()
			switch {
			case reason == nil:
				return
			case reason == http.ErrAbortHandler: //nolint:errorlint // Thrown as this very value.
				panic(reason)
			}
			err := fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
			if started, ok := w.(middleware.WrapResponseWriter); ok && started.Status() != 0 {
				eventOf(r.Context()).cause = err
				panic(http.ErrAbortHandler)
			}
			fail(w, r, err)
		}()
		next.ServeHTTP(w, r)
	})
}

// answerHeaders sets what every answer has: no sniffing, no framing, no
// scripts, no referrer, no use by other pages, and the trace that it belongs to, if any.
func answerHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin") // Other origins ask by CORS, or not at all.
		propagation.TraceContext{}.Inject(r.Context(), propagation.HeaderCarrier(h))
		next.ServeHTTP(w, r)
	})
}

// crossOrigin lets browsers call from the given origins.
func crossOrigin(origins []string) func(http.Handler) http.Handler {
	if len(origins) == 0 { // The library takes "none" for "all".
		return func(next http.Handler) http.Handler { return next }
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost},
		AllowedHeaders: []string{"Accept", "Content-Type", "If-None-Match", "Traceparent", "X-Api-Key", "X-Request-Id"},
		ExposedHeaders: []string{"Cache-Status", "ETag", "Retry-After", "Server-Timing", "Traceparent", "X-Request-Id"},
		MaxAge:         600, // Seconds that a browser remembers a preflight; the longest all of them accept.
	})
}

// compress gzips answers of 1 KiB and more for callers that accept it. Zstandard
// is left off: its encoders hold a megabyte each.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false))
	if err != nil { // Only for options that contradict each other.
		panic(err)
	}
	return wrap(next)
}

func noSuchAddress(_ http.ResponseWriter, r *http.Request) error {
	return notFound("There is nothing at %s; /openapi.yaml lists what there is.", shown(r.URL.Path))
}

// methodNotAllowed names in Allow the methods that the address does have.
func methodNotAllowed(routes chi.Routes) handler {
	return func(_ http.ResponseWriter, r *http.Request) error {
		path := r.URL.Path
		if r.URL.RawPath != "" {
			path = r.URL.RawPath
		}
		var allowed []string
		for _, method := range []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		} {
			asked := method
			if method == http.MethodHead { // Answered by the route of GET.
				asked = http.MethodGet
			}
			if routes.Match(chi.NewRouteContext(), asked, path) {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 { // An unheard-of method on an unknown path.
			return noSuchAddress(nil, r)
		}
		allow := strings.Join(allowed, ", ")
		return &problem{
			kind:   kindMethodNotAllowed,
			detail: fmt.Sprintf("%s does not take %s; use %s.", r.URL.Path, shown(r.Method), allow),
			header: http.Header{"Allow": {allow}},
		}
	}
}

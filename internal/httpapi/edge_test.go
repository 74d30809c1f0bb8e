package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

func request(method, target string) *http.Request {
	return httptest.NewRequest(method, target, http.NoBody)
}

func TestAddressesAndMethods(t *testing.T) {
	t.Parallel()
	bare := options(&searcher{})
	bare.Metrics = nil
	for name, test := range map[string]struct {
		options httpapi.Options
		r       *http.Request
		status  int
		allow   string
	}{
		"unknown":            {options(&searcher{}), get("/v1/flights"), http.StatusNotFound, ""},
		"root":               {options(&searcher{}), get("/"), http.StatusNotFound, ""},
		"trailing slash":     {options(&searcher{}), get("/v1/currencies/"), http.StatusNotFound, ""},
		"no metrics":         {bare, get("/metrics"), http.StatusNotFound, ""},
		"no sandbox":         {options(&searcher{}), get("/sandbox/stats"), http.StatusNotFound, ""},
		"search by DELETE":   {options(&searcher{}), request("DELETE", "/v1/flights/search"), http.StatusMethodNotAllowed, "GET, HEAD, POST"},
		"airport by POST":    {options(&searcher{}), request("POST", "/v1/airports/JFK"), http.StatusMethodNotAllowed, "GET, HEAD"},
		"preflight, no CORS": {options(&searcher{}), request("OPTIONS", "/v1/currencies"), http.StatusMethodNotAllowed, "GET, HEAD"},
		"made-up method":     {options(&searcher{}), request("FLY", "/v1/currencies"), http.StatusMethodNotAllowed, "GET, HEAD"},
		"made-up both":       {options(&searcher{}), request("FLY", "/nowhere"), http.StatusNotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			httpapi.New(test.options).ServeHTTP(w, test.r)
			problem := decode[api.Problem](t, w)
			if w.Code != test.status || problem.Status != test.status || w.Header().Get("Allow") != test.allow {
				t.Errorf("%d with Allow %q, want %d with %q", w.Code, w.Header().Get("Allow"), test.status, test.allow)
			}
			if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
				t.Errorf("Content-Type %q", got)
			}
			validate(t, document().Components.Schemas["Problem"].Value, w.Body.Bytes())
		})
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(httpapi.New(options(&searcher{})))
	defer server.Close()
	for _, target := range []string{oneWay, "/v1/currencies", "/health/live", "/openapi.yaml"} {
		whole := fetch(t, server, http.MethodGet, target)
		head := fetch(t, server, http.MethodHead, target)
		if head.StatusCode != http.StatusOK || head.ContentLength != whole.ContentLength || whole.ContentLength <= 0 {
			t.Errorf("HEAD %s: %d with length %d, GET has %d", target, head.StatusCode, head.ContentLength, whole.ContentLength)
		}
	}
}

// fetch makes a request without compression and reads the answer to its end.
func fetch(t *testing.T, server *httptest.Server, method, target string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response
}

func TestCompression(t *testing.T) {
	t.Parallel()
	h := httpapi.New(options(&searcher{}))
	plain := ask(t, h, get("/v1/currencies"))
	r := get("/v1/currencies")
	r.Header.Set("Accept-Encoding", "gzip")
	w := ask(t, h, r)
	if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", w.Header())
	}
	reader, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
		t.Errorf("%v: the compressed answer is another", err)
	}
	r = get("/health/live")
	r.Header.Set("Accept-Encoding", "gzip")
	if w := ask(t, h, r); w.Header().Get("Content-Encoding") != "" {
		t.Error("a few bytes were compressed")
	}
}

func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	o := options(&searcher{})
	o.CORSOrigins = []string{"https://fares.example"}
	h := httpapi.New(o)
	for origin, want := range map[string]string{"https://fares.example": "https://fares.example", "https://other.example": ""} {
		r := request(http.MethodOptions, "/v1/flights/search")
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		r.Header.Set("Access-Control-Request-Headers", "content-type")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("preflight from %s is allowed %q", origin, got)
		}
		r = get(oneWay)
		r.Header.Set("Origin", origin)
		if got := ask(t, h, r).Header().Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("answer to %s is allowed %q", origin, got)
		}
	}
	r := get(oneWay)
	r.Header.Set("Origin", "https://fares.example")
	if got := ask(t, httpapi.New(options(&searcher{})), r).Header().Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("without configured origins %q is allowed", got)
	}
}

func TestSandboxIsMounted(t *testing.T) {
	t.Parallel()
	o := options(&searcher{})
	o.Sandbox = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path)
	})
	h := httpapi.New(o)
	for target, want := range map[string]string{"/sandbox/stats": "PUT /stats", "/sandbox/faults/duffel": "PUT /faults/duffel"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(http.MethodPut, target))
		if w.Body.String() != want {
			t.Errorf("%s reached the sandbox as %q", target, w.Body)
		}
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	h := httpapi.New(options(&searcher{}))
	for given, kept := range map[string]bool{
		"abc-1.2_Z":             true,
		strings.Repeat("x", 64): true,
		strings.Repeat("x", 65): false,
		"":                      false,
		"a b":                   false,
		"a\"b":                  false,
	} {
		r := get("/health/live")
		r.Header.Set("X-Request-Id", given)
		got := ask(t, h, r).Header().Get("X-Request-Id")
		if (got == given) != kept || len(got) < 20 && !kept {
			t.Errorf("%q became %q", given, got)
		}
	}
}

func TestTraceparent(t *testing.T) {
	t.Parallel()
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled})
	r := get("/health/live")
	r = r.WithContext(trace.ContextWithSpanContext(r.Context(), span))
	want := "00-01000000000000000000000000000000-0200000000000000-01"
	if got := ask(t, httpapi.New(options(&searcher{})), r).Header().Get("Traceparent"); got != want {
		t.Errorf("traceparent %q, want %q", got, want)
	}
	if got := ask(t, httpapi.New(options(&searcher{})), get("/health/live")).Header().Get("Traceparent"); got != "" {
		t.Errorf("traceparent %q without a trace", got)
	}
}

// TestLogAndPanics replaces the default logger, so it does not run in parallel.
func TestLogAndPanics(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)

	type line struct{ want, not string }
	for name, test := range map[string]struct {
		answer func(context.Context, search.Request) (*search.Result, error)
		target string
		status int
		line   line
	}{
		"good": {nil, oneWay, 200, line{"level=INFO msg=request request_id=id method=GET route=/v1/flights/search status=200", "JFK"}},
		"panic": {
			func(context.Context, search.Request) (*search.Result, error) { panic("secret plan") },
			oneWay, 500,
			line{"level=ERROR", "departure_date"},
		},
		"probe":   {nil, "/health/live", 200, line{"level=DEBUG", "level=INFO"}},
		"nowhere": {nil, "/nowhere?x=secret", 404, line{`route="" status=404`, "secret"}},
	} {
		log.Reset()
		r := get(test.target)
		r.Header.Set("X-Request-Id", "id")
		r.Header.Set("Accept-Encoding", "gzip") // Answers this short stay as they are.
		w := ask(t, httpapi.New(options(&searcher{answer: test.answer})), r)
		got := log.String()
		if w.Code != test.status || strings.Count(got, "\n") != 1 || !strings.Contains(got, test.line.want) || strings.Contains(got, test.line.not) {
			t.Errorf("%s: %d and log %s", name, w.Code, got)
		}
		if name != "panic" {
			continue
		}
		if strings.Contains(w.Body.String(), "secret plan") || !strings.Contains(got, "panic: secret plan") || !strings.Contains(got, "edge_test.go") {
			t.Errorf("a panic is shown as %s and logged as %s", w.Body, got)
		}
	}
}

// TestCallerLeft: nothing is answered and no fault of ours is logged.
func TestCallerLeft(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &searcher{answer: func(ctx context.Context, _ search.Request) (*search.Result, error) {
		cancel()
		return nil, ctx.Err()
	}}
	w := httptest.NewRecorder()
	httpapi.New(options(s)).ServeHTTP(w, get(oneWay).WithContext(ctx))
	if diff := cmp.Diff("", w.Body.String()); w.Code != 499 || diff != "" {
		t.Errorf("%d %s", w.Code, diff)
	}
}

// TestBrokenOffAnswer: a panic after the first byte cuts the connection, so that
// nobody takes the answer for whole.
func TestBrokenOffAnswer(t *testing.T) {
	t.Parallel()
	o := options(&searcher{})
	o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("searches_total 1\n", 1000))
		panic("half-way")
	})
	server := httptest.NewServer(httpapi.New(o))
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(r)
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	if err == nil {
		t.Error("the answer looks whole")
	}
}

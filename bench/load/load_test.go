package load_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/bench/load"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, h http.HandlerFunc) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestLoopCountsWhatTheServerCounts(t *testing.T) {
	var served atomic.Int64
	seen := make(chan string, 1000)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		seen <- r.RemoteAddr
		_, _ = io.WriteString(w, strings.Repeat("x", 5000)) // Long enough to be chunked.
	})
	r := load.Loop{Address: address, Path: func() string { return "/a?b=c" }, Connections: 5, Span: time.Minute, Requests: 200}.Run(t.Context())
	if r.Err != nil || r.Failed != 0 || len(r.Latencies) != 200 || served.Load() != 200 || r.MeanBytes() != 5000 {
		t.Errorf("%d answers, %d served, %d failed (%v), %d bytes", len(r.Latencies), served.Load(), r.Failed, r.Err, r.MeanBytes())
	}
	close(seen)
	distinct := map[string]bool{}
	for address := range seen {
		distinct[address] = true
	}
	if len(distinct) > 5 {
		t.Errorf("%d connections, want at most 5", len(distinct))
	}
}

func TestLoopCountsFailures(t *testing.T) {
	var n atomic.Int64
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%2 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	r := load.Loop{Address: address, Path: func() string { return "/" }, Connections: 1, Span: time.Minute, Requests: 10}.Run(t.Context())
	if len(r.Latencies) != 5 || r.Failed != 5 || r.Err == nil || !strings.Contains(r.Err.Error(), "503") {
		t.Errorf("%d answers, %d failed: %v", len(r.Latencies), r.Failed, r.Err)
	}
}

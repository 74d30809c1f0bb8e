package fanout

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What only real connections show. Nothing here measures time: order comes from
// channels, and the delays are short to make the tests quick.

// protocols are the servers that each of these tests runs against.
var protocols = map[string]func(http.Handler) *httptest.Server{
	"HTTP/1.1": httptest.NewServer,
	"HTTP/2": func(h http.Handler) *httptest.Server {
		s := httptest.NewUnstartedServer(h)
		s.EnableHTTP2 = true
		s.StartTLS()
		return s
	},
}

// onEach runs a test over each protocol.
func onEach(t *testing.T, handler func() http.Handler, test func(t *testing.T, server *httptest.Server)) {
	for name, start := range protocols {
		t.Run(name, func(t *testing.T) {
			server := start(handler())
			defer server.Close()
			test(t, server)
		})
	}
}

// pool is a connection pool that trusts the server.
func pool(t *testing.T, server *httptest.Server) *http.Transport {
	base := NewBase()
	if server.TLS != nil {
		trusted := x509.NewCertPool()
		trusted.AddCert(server.Certificate())
		base.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	t.Cleanup(base.CloseIdleConnections)
	return base
}

// overSockets is a transport with two pools of its own and no lack of budget.
func overSockets(t *testing.T, server *httptest.Server, change func(*Options)) *Transport {
	o := constant(nil, 10*ms)
	o.Primary, o.Secondary = pool(t, server), pool(t, server)
	o.Bases = []*url.URL{must(url.Parse(server.URL))}
	if change != nil {
		change(&o)
	}
	return rich(hedged(t, o))
}

// hanging is a server that never answers first attempts, and others once theirs has
// come. Both ends are known then, however slow the machine.
type hanging struct {
	answer  []byte
	arrived chan struct{} // One for each first attempt.
	aborted chan struct{} // One for each whose end it saw.
}

func newHanging(answer []byte, calls int) *hanging {
	return &hanging{answer: answer, arrived: make(chan struct{}, calls), aborted: make(chan struct{}, calls)}
}

func (h *hanging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-First") != "" {
		h.arrived <- struct{}{}
		<-r.Context().Done()
		h.aborted <- struct{}{}
		return
	}
	select {
	case <-h.arrived:
		_, _ = w.Write(h.answer)
	case <-r.Context().Done():
	}
}

// toHanging sends each call exactly twice, the first attempt marked as such.
func toHanging(o *Options) {
	primary := o.Primary
	o.MaxAttempts = 2
	o.Primary = roundTripFunc(func(req *http.Request) (*http.Response, error) {
		req = req.Clone(req.Context())
		req.Header.Set("X-First", "true")
		return primary.RoundTrip(req)
	})
}

// cristalhq/hedgedhttp#1 and #7, resty#1197: the winner's body was cut off with
// the losers.
func TestWinnersBodyIsReadToTheLastByte(t *testing.T) {
	answer := bytes.Repeat([]byte("offer "), 700_000) // 4 MiB.
	var provider *hanging
	handler := func() http.Handler {
		provider = newHanging(answer, 1)
		return provider
	}
	onEach(t, handler, func(t *testing.T, server *httptest.Server) {
		client := &http.Client{Transport: overSockets(t, server, toHanging)}
		resp, err := client.Get("http://sandbox/")
		if err != nil {
			t.Fatal(err)
		}
		<-provider.aborted // The loser is gone for good before the first byte is read.
		got, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Equal(got, answer) {
			t.Errorf("%d of %d bytes, %v", len(got), len(answer), err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestCallersEndReachesEveryServer(t *testing.T) {
	var arrived, aborted chan struct{}
	handler := func() http.Handler {
		arrived, aborted = make(chan struct{}, 2), make(chan struct{}, 2)
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			arrived <- struct{}{}
			<-r.Context().Done()
			aborted <- struct{}{}
		})
	}
	onEach(t, handler, func(t *testing.T, server *httptest.Server) {
		tr := overSockets(t, server, func(o *Options) { o.MaxAttempts = 2 })
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			<-arrived
			<-arrived
			cancel()
		}()
		if _, _, err := get(ctx, tr); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		<-aborted
		<-aborted
	})
}

// golang/go#50984: a cancelled HTTP/1 request costs its connection, but no more
// than that one.
func TestLosersCostNoMoreThanTheirConnections(t *testing.T) {
	const calls = 100
	server := httptest.NewUnstartedServer(newHanging([]byte("{}"), calls))
	var opened atomic.Int64
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	tr := overSockets(t, server, toHanging)
	for range calls {
		ask(t.Context(), t, tr)
	}
	if got := opened.Load(); got < calls || got > calls+4 {
		t.Errorf("%d connections for %d lost attempts", got, calls)
	}
	if counted, seen := tr.State().Connections, opened.Load(); counted < calls || counted > seen {
		t.Errorf("%d connections counted, the server saw %d", counted, seen)
	}
}

func TestHedgedCallsOverSocketsLeaveNothingBehind(t *testing.T) {
	const calls = 100
	var provider *hanging
	handler := func() http.Handler {
		provider = newHanging([]byte("{}"), calls)
		return provider
	}
	onEach(t, handler, func(t *testing.T, server *httptest.Server) {
		tr := overSockets(t, server, toHanging)
		for range calls {
			ask(t.Context(), t, tr)
		}
		for range calls {
			<-provider.aborted
		}
	}) // What is left then is found at the end of all tests.
}

// proxy forwards connections, and can stop forwarding those that are open: packets
// vanish, nobody is told.
type proxy struct {
	net.Listener
	target string
	hole   chan struct{} // Closed: the connections of before forward nothing.
	pipes  sync.WaitGroup
}

func newProxy(t *testing.T, target string) *proxy {
	p := &proxy{Listener: must(net.Listen("tcp", "127.0.0.1:0")), target: target, hole: make(chan struct{})}
	stop := make(chan struct{})
	go p.accept(stop)
	t.Cleanup(func() {
		close(stop)
		_ = p.Close()
		p.pipes.Wait()
	})
	return p
}

func (p *proxy) accept(stop chan struct{}) {
	hole := p.hole // Only the first connection's.
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server := must(net.Dial("tcp", p.target))
		mine := hole
		p.pipes.Go(func() { forward(client, server, mine, stop) })
		p.pipes.Go(func() { forward(server, client, mine, stop) })
		hole = nil
	}
}

func forward(to, from net.Conn, hole, stop chan struct{}) {
	defer func() { _ = to.Close() }()
	go func() {
		<-stop
		_ = from.Close()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		select {
		case <-hole:
			<-stop
			return
		default:
			_, _ = to.Write(buffer[:n])
		}
	}
}

// golang/go#36026: requests went on over a dead HTTP/2 connection, the hedge over
// the same one.
func TestBlackholedConnectionIsHedgedOverAnother(t *testing.T) {
	server := protocols["HTTP/2"](http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	defer server.Close()
	p := newProxy(t, server.Listener.Addr().String())
	tr := overSockets(t, server, func(o *Options) {
		o.Delay = 50 * ms
		o.Bases = []*url.URL{must(url.Parse("https://" + p.Addr().String()))}
	})
	client := &http.Client{Transport: tr}
	read := func() string {
		resp, err := client.Get("http://sandbox/")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		return string(must(io.ReadAll(resp.Body)))
	}
	if got := read(); got != "HTTP/2.0" {
		t.Fatalf("warmed up over %s", got)
	}
	sent := tr.State().Sent
	close(p.hole)
	if got := read(); got != "HTTP/2.0" || tr.State().Sent == sent {
		t.Errorf("answered %q with %d hedges", got, tr.State().Sent-sent)
	}
	if tr.State().Won == 0 {
		t.Error("no hedge won")
	}
}

func TestDeadHTTP2ConnectionsAreFound(t *testing.T) {
	base := NewBase()
	if h := base.HTTP2; h == nil || h.SendPingTimeout == 0 || h.PingTimeout == 0 || h.SendPingTimeout+h.PingTimeout > 10*time.Second {
		t.Errorf("HTTP/2 health check: %+v", base.HTTP2)
	}
	if !base.ForceAttemptHTTP2 || base.MaxConnsPerHost == 0 || base.TLSHandshakeTimeout == 0 {
		t.Errorf("no limits: %+v", base)
	}
}

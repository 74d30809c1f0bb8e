package providertest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// Server is a provider's server in memory. Because no socket is involved, time
// stands still for it inside a synctest bubble, where a test should make it.
type Server struct {
	// Base is the address to ask, with a path that an adapter must keep.
	Base *url.URL
	// Clients reach the server whatever the address; they follow no redirects.
	Clients providers.Clients

	mu       sync.Mutex
	requests []Request
}

// Request is what an adapter sent.
type Request struct {
	Method string
	// Path begins after the Base.
	Path   string
	Query  url.Values
	Header http.Header
	Body   []byte
}

const basePath = "/vendor"

// NewServer serves with handler until the test ends; r.URL.Path begins after the
// Base, and bodies can be read though they are recorded.
func NewServer(t testing.TB, handler http.Handler) *Server {
	t.Helper()
	s := &Server{Base: &url.URL{Scheme: "http", Host: "provider.example", Path: basePath}}
	listener := newPipes()
	server := &http.Server{Handler: http.StripPrefix(basePath, s.record(handler))}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	// The large buffer is for huge answers: each read of a pipe is a switch.
	transport := &http.Transport{DialContext: listener.dial, ReadBufferSize: 64 << 10}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	s.Clients = providers.Clients{Free: client, Metered: client, Never: client}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-done
	})
	return s
}

// Requests are all that were sent so far, in the order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

func (s *Server) record(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // The adapter left while it was sending.
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.mu.Lock()
		s.requests = append(s.requests, Request{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header.Clone(), Body: body,
		})
		s.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
}

// pipes is a net.Listener whose connections are net.Pipes.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes {
	return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.accepted <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "pipe"} }

package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// inMemory is a listener whose connections are pipes without any buffer: whoever
// does not read stops who writes, and deadlines keep the time of the bubble.
type inMemory struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (l inMemory) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l inMemory) Close() error { close(l.closed); return nil }

func (l inMemory) Addr() net.Addr { return &net.TCPAddr{} }

func (l inMemory) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.accepted <- theirs
	return ours
}

// slowly runs a test against a server whose answers have a megabyte.
func slowly(t *testing.T, test func(t *testing.T, l inMemory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := inMemory{accepted: make(chan net.Conn), closed: make(chan struct{})}
		server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err == nil {
				_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
			}
		}), 8*time.Second+writeMargin)
		done := make(chan error, 1)
		go func() { done <- server.Serve(l) }()
		test(t, l)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// cutAfter is how long it takes until the server ends a connection.
func cutAfter(c net.Conn) time.Duration {
	started := time.Now()
	_, _ = io.Copy(io.Discard, c)
	return time.Since(started)
}

func TestSilentAndSlowClientsAreCutOff(t *testing.T) {
	for name, test := range map[string]struct {
		sends string
		most  time.Duration
	}{
		"says nothing":           {"", readHeaderTimeout},
		"half a header":          {"GET / HTTP/1.1\r\nHost:", readHeaderTimeout},
		"half a body":            {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", readTimeout},
		"header without an end":  {"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("y", 2*maxHeaderBytes), readHeaderTimeout},
		"address without an end": {"GET /" + strings.Repeat("y", 2*maxHeaderBytes), readHeaderTimeout},
		"kept alive in vain":     {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", idleTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			slowly(t, func(t *testing.T, l inMemory) {
				c := l.dial()
				defer c.Close()
				go func() { _, _ = io.WriteString(c, test.sends) }()
				if took := cutAfter(c); took > test.most {
					t.Errorf("cut off after %s, want at most %s", took, test.most)
				}
			})
		})
	}
}

func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	slowly(t, func(t *testing.T, l inMemory) {
		c := l.dial()
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8*time.Second + writeMargin) // Nothing is read all the while.
		synctest.Wait()
		got, err := io.ReadAll(bufio.NewReader(c))
		if len(got) >= 1<<20 {
			t.Errorf("the whole answer of %d bytes was still sent: %v", len(got), err)
		}
	})
}

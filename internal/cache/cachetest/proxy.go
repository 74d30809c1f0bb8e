package cachetest

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// Fault is a way in which a network or a Redis behind it misbehaves. The zero
// value is none.
type Fault struct {
	// Silent swallows whatever arrives and answers nothing.
	Silent bool
	// Reset ends every connection with a TCP reset once something arrives.
	Reset bool
	// Delay holds every request back for so long.
	Delay time.Duration
	// Reply answers every request with these bytes in place of Redis.
	Reply string
	// ReplyEndlessly repeats Reply until the connection ends.
	ReplyEndlessly bool
}

// Proxy stands between a client and a Redis and misbehaves as it is told.
type Proxy struct {
	ctx      context.Context //nolint:containedctx // the test's, for dials while it runs
	listener net.Listener
	target   string

	mu    sync.Mutex
	fault Fault
	conns map[net.Conn]struct{}
	wg    sync.WaitGroup
}

// NewProxy starts a faultless proxy to target. It ends with the test.
func NewProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	l, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{ctx: tb.Context(), listener: l, target: target, conns: map[net.Conn]struct{}{}}
	p.wg.Go(p.serve)
	tb.Cleanup(p.close)
	return p
}

// Addr is where the proxy listens, URL the same as a Redis URL.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// URL of the proxy as a Redis.
func (p *Proxy) URL() string { return "redis://" + p.Addr() }

// Set changes the fault, for requests from now on. A change ends the
// connections that have met the fault before: they are out of step.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	faulty := p.fault != Fault{}
	p.fault = f
	if faulty {
		for conn := range p.conns {
			_ = conn.Close()
		}
	}
}

func (p *Proxy) current() Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

func (p *Proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	for conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.wg.Wait()
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.wg.Go(func() { p.relay(client) })
	}
}

func (p *Proxy) track(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[conn] = struct{}{}
}

func (p *Proxy) drop(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
	_ = conn.Close()
}

func (p *Proxy) relay(client net.Conn) {
	p.track(client)
	defer p.drop(client)
	server, err := new(net.Dialer).DialContext(p.ctx, "tcp", p.target)
	if err != nil {
		return
	}
	p.track(server)
	defer p.drop(server)
	p.wg.Go(func() { // Replies pass as they are.
		defer p.drop(client)
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil {
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	})
	p.requests(client, server)
}

func (p *Proxy) requests(client, server net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil || !p.meet(p.current(), client, server, buffer[:n]) {
			return
		}
	}
}

// meet lets one request meet the fault and reports whether the connection lives.
func (p *Proxy) meet(f Fault, client, server net.Conn, request []byte) bool {
	switch {
	case f.Silent:
		return true
	case f.Reset:
		if tcp, ok := client.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		return false
	case f.Reply != "":
		_, err := client.Write([]byte(f.Reply))
		for err == nil && f.ReplyEndlessly {
			_, err = client.Write([]byte(f.Reply))
		}
		return err == nil
	}
	<-time.After(f.Delay)
	_, err := server.Write(request)
	return err == nil
}

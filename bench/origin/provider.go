package origin

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/fanout"
)

// Provider is a provider as a client sees it: the addresses of its replicas, and
// pools of connections to them.
type Provider struct {
	Replicas []*Origin
	Bases    []*url.URL
	Pool     func() http.RoundTripper
}

// Virtual returns a provider without sockets.
func Virtual(replicas int) Provider {
	p := Provider{}
	byHost := direct{}
	for i := range replicas {
		o := &Origin{}
		base := &url.URL{Scheme: "http", Host: fmt.Sprintf("replica-%d", i)}
		p.Replicas, p.Bases, byHost[base.Host] = append(p.Replicas, o), append(p.Bases, base), o
	}
	p.Pool = func() http.RoundTripper { return byHost }
	return p
}

// direct hands a request to the replica that it names.
type direct map[string]*Origin

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	o, ok := d[r.URL.Host]
	if !ok {
		return nil, fmt.Errorf("no replica is called %q", r.URL.Host)
	}
	return o.RoundTrip(r)
}

// Farm has replicas that listen on loopback ports. They serve every contender of a
// run in turn.
type Farm struct {
	replicas []*Origin
	bases    []*url.URL
	servers  []*http.Server
}

// Listen opens so many replicas.
func Listen(replicas int) (*Farm, error) {
	f := &Farm{}
	for range replicas {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.Close()
			return nil, err
		}
		o := &Origin{}
		server := &http.Server{Handler: o, ReadHeaderTimeout: 10 * time.Second}
		f.replicas = append(f.replicas, o)
		f.bases = append(f.bases, &url.URL{Scheme: "http", Host: listener.Addr().String()})
		f.servers = append(f.servers, server)
		go func() { _ = server.Serve(listener) }() // Ends with Close.
	}
	return f, nil
}

// Provider returns the replicas from one index up to another as a provider.
func (f *Farm) Provider(from, to int) Provider {
	return Provider{Replicas: f.replicas[from:to], Bases: f.bases[from:to], Pool: pool}
}

// pool is the product's own pool with room for a thousand callers at once: no
// contender is to wait for a connection.
func pool() http.RoundTripper {
	p := fanout.NewBase()
	p.MaxConnsPerHost, p.MaxIdleConnsPerHost, p.MaxIdleConns = 0, 2048, 0
	return p
}

// Close ends the servers and their connections.
func (f *Farm) Close() {
	for _, s := range f.servers {
		_ = s.Close() // Listeners and connections on loopback; nothing to save.
	}
}

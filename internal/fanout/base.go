package fanout

import (
	"net"
	"net/http"
	"time"
)

// NewBase returns a connection pool with limits fit for a fare provider: a few
// hosts, many requests to each, answers of some megabytes.
//
// HTTP/2 connections are pinged when nothing was read for five seconds and closed
// three seconds after an unanswered ping; without that a dead connection is used
// until the kernel gives up, a quarter of an hour later (golang/go#36026).
func NewBase() *http.Transport {
	dialer := &net.Dialer{Timeout: 3 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    128,     // Above the calls in flight, or finished connections are thrown away.
		MaxConnsPerHost:        512,     // A bound on sockets; the admission of searches stays far below.
		MaxResponseHeaderBytes: 1 << 20, // 1 MiB, as net/http's server.
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout:  5 * time.Second,
			PingTimeout:      3 * time.Second,
			WriteByteTimeout: 5 * time.Second,
		},
	}
}

// closeIdle closes idle connections of round trippers that have any.
func closeIdle(rt http.RoundTripper) {
	if pool, ok := rt.(interface{ CloseIdleConnections() }); ok {
		pool.CloseIdleConnections()
	}
}

// Package load asks an HTTP server as fast as it answers: a closed loop over
// connections that are kept, with little work per request, since it shares the
// processors with what it measures.
package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// Loop is a load: so many connections, each of which sends its next request when
// it has its answer.
type Loop struct {
	Address     string        // Host and port.
	Path        func() string // Of the next request; called from many goroutines.
	Connections int
	Span        time.Duration
	Requests    int // At most so many; 0: until Span.
}

// Result is what came of it.
type Result struct {
	Latencies stat.Sample
	Elapsed   time.Duration
	Bytes     int64 // Of all bodies.
	Failed    int   // No answer, or another status than 200.
	Err       error // The first failure.
}

// Rate returns good answers per second.
func (r Result) Rate() float64 { return float64(len(r.Latencies)) / r.Elapsed.Seconds() }

// MeanBytes returns the length of an answer's body.
func (r Result) MeanBytes() int64 { return r.Bytes / int64(max(1, len(r.Latencies))) }

// caller is one connection and what it saw.
type caller struct {
	address string
	conn    net.Conn
	reader  *bufio.Reader
	took    []time.Duration
	bytes   int64
	failed  int
	err     error
}

// Run loads the server until the span is over or ctx ends.
func (l Loop) Run(ctx context.Context) Result {
	callers := make([]*caller, l.Connections)
	var running sync.WaitGroup
	left := make(chan struct{}, max(l.Requests, 1))
	for range l.Requests {
		left <- struct{}{}
	}
	began := time.Now()
	for i := range callers {
		c := &caller{address: l.Address}
		callers[i] = c
		running.Go(func() {
			for ctx.Err() == nil && time.Since(began) < l.Span && (l.Requests == 0 || taken(left)) {
				c.ask(ctx, l.Path())
			}
			c.hangUp()
		})
	}
	running.Wait()
	return sum(callers, time.Since(began))
}

func taken(left <-chan struct{}) bool {
	select {
	case <-left:
		return true
	default:
		return false
	}
}

func sum(callers []*caller, elapsed time.Duration) Result {
	r := Result{Elapsed: elapsed}
	var all []time.Duration
	for _, c := range callers {
		all = append(all, c.took...)
		r.Bytes += c.bytes
		r.Failed += c.failed
		if r.Err == nil {
			r.Err = c.err
		}
	}
	r.Latencies = stat.SampleOf(all)
	return r
}

// ask makes one request and notes what came of it.
func (c *caller) ask(ctx context.Context, path string) {
	began := time.Now()
	n, err := c.exchange(ctx, path)
	if err != nil {
		c.failed++
		if c.err == nil {
			c.err = err
		}
		c.hangUp()
		return
	}
	c.took = append(c.took, time.Since(began))
	c.bytes += n
}

// patience is how long an answer may take.
const patience = 30 * time.Second

func (c *caller) exchange(ctx context.Context, path string) (int64, error) {
	if c.conn == nil {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.address)
		if err != nil {
			return 0, err
		}
		c.conn, c.reader = conn, bufio.NewReaderSize(conn, 16<<10)
	}
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	if _, err := fmt.Fprintf(c.conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, c.address); err != nil {
		return 0, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return 0, refusal(path, response)
	}
	return io.Copy(io.Discard, response.Body)
}

// refusal is an answer that is none, with the beginning of what it says.
func refusal(path string, response *http.Response) error {
	start, err := io.ReadAll(io.LimitReader(response.Body, 500))
	if err != nil {
		return err
	}
	return fmt.Errorf("GET %s: %s: %s", path, response.Status, start)
}

func (c *caller) hangUp() {
	if c.conn != nil {
		_ = c.conn.Close() // What was wanted has been read.
		c.conn = nil
	}
}

package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// readyWithin bounds a start on a busy machine.
	readyWithin = time.Minute
	// eventsToken is what events are accepted with.
	eventsToken = "soak"
)

// instance is one process of the service. Its requests are safe for concurrent
// use.
type instance struct {
	name    string
	base    string
	process *exec.Cmd
	ended   chan error
	http    *http.Client
	output  bytes.Buffer // Written by the process until it ended.
}

// startInstance runs a program until the test ends, which fails if the program
// does not stop with success.
func startInstance(tb testing.TB, program, name string, env map[string]string) *instance {
	tb.Helper()
	port := freePort(tb)
	i := &instance{
		name: name, base: "http://127.0.0.1:" + port, ended: make(chan error, 1),
		process: exec.Command(program), //nolint:gosec // built by this test
		http:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	i.process.Stderr = &i.output
	i.process.Env = []string{"PORT=" + port, "LOG_LEVEL=warn", "EVENTS_TOKEN=" + eventsToken}
	for variable, value := range env {
		i.process.Env = append(i.process.Env, variable+"="+value)
	}
	if err := i.process.Start(); err != nil {
		tb.Fatal(err)
	}
	go func() { i.ended <- i.process.Wait() }()
	tb.Cleanup(func() { i.stop(tb) })
	i.awaitReady(tb)
	return i
}

// freePort was free a moment ago.
func freePort(tb testing.TB) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

func (i *instance) awaitReady(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), readyWithin)
	defer cancel()
	for {
		status, _, err := i.send(ctx, http.MethodGet, "/health/ready", nil)
		if err == nil && status == http.StatusOK {
			return
		}
		if !pause(ctx, 10*time.Millisecond) {
			tb.Fatalf("%s did not get ready: status %d, %v", i.name, status, err)
		}
		select {
		case err := <-i.ended:
			i.ended <- err
			tb.Fatalf("%s ended: %v\n%s", i.name, err, i.output.String())
		default:
		}
	}
}

// pause reports whether ctx still runs after d. It paces a load; nothing is
// concluded from its length.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (i *instance) signal(tb testing.TB, s syscall.Signal) {
	tb.Helper()
	if err := i.process.Process.Signal(s); err != nil {
		tb.Errorf("%s: %v", i.name, err)
	}
}

func (i *instance) stop(tb testing.TB) {
	tb.Helper()
	i.http.CloseIdleConnections()
	_ = i.process.Process.Signal(syscall.SIGCONT) // A failed test may have left it paused.
	_ = i.process.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-i.ended:
		if err != nil {
			tb.Errorf("%s did not end well: %v\n%s", i.name, err, i.tail())
		}
	case <-time.After(readyWithin):
		_ = i.process.Process.Kill()
		tb.Errorf("%s did not end: %v\n%s", i.name, <-i.ended, i.tail())
	}
}

// tail is the end of what the process wrote.
func (i *instance) tail() string {
	const most = 4 << 10
	all := i.output.String()
	return all[max(0, len(all)-most):]
}

// send is one request and the whole answer to it.
func (i *instance) send(ctx context.Context, method, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, i.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/cloudevents+json")
		request.Header.Set("Authorization", "Bearer "+eventsToken)
	}
	response, err := i.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// answer is the part of a search's answer that is looked at.
type answer struct {
	Complete    bool
	Itineraries []struct {
		Offers []struct {
			Price struct{ Amount string }
		}
	}
	Providers []struct{ Name, Cache string }
}

// errRefused is an answer without fares.
var errRefused = errors.New("no fares")

func (i *instance) search(ctx context.Context, query string) (answer, error) {
	status, body, err := i.send(ctx, http.MethodGet, "/v1/flights/search?"+query, nil)
	if err != nil {
		return answer{}, err
	}
	var a answer
	if status != http.StatusOK || json.Unmarshal(body, &a) != nil || len(a.Itineraries) == 0 || len(a.Itineraries[0].Offers) == 0 {
		return answer{}, fmt.Errorf("%w: %s answers %d %s", errRefused, i.name, status, body)
	}
	return a, nil
}

// tell sends a fare.changed event and reports whether it was acknowledged. Any
// other answer than that it holds, or that it does not yet, is an error.
func (i *instance) tell(ctx context.Context, id int64, scope map[string]string) (bool, error) {
	event, err := json.Marshal(map[string]any{
		"specversion": "1.0", "type": "fare.changed", "source": "/soak", "id": fmt.Sprint(id), "data": scope,
	})
	if err != nil {
		return false, err
	}
	status, body, err := i.send(ctx, http.MethodPost, "/v1/events", event)
	switch {
	case err != nil:
		return false, err
	case status != http.StatusOK && status != http.StatusServiceUnavailable:
		return false, fmt.Errorf("an event was answered %d %s", status, strings.TrimSpace(string(body)))
	}
	return status == http.StatusOK, nil
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/sethvargo/go-envconfig"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs the program on a free port. It returns the address, and a function
// that stops the program and returns what run did.
func start(t *testing.T) (string, func() error) {
	t.Helper()
	read, write := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	env := envconfig.MapLookuper(map[string]string{"PORT": "0", "SANDBOX_LATENCY": "none", "LOG_FORMAT": "json"})
	go func() {
		err := run(ctx, env, write)
		_ = write.CloseWithError(io.EOF) // So that a failed start does not block the test.
		ended <- err
	}()
	line, err := bufio.NewReader(read).ReadBytes('\n')
	if err != nil {
		t.Fatalf("no log line: %v, %v", err, <-ended)
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	var record struct{ Address string }
	if err := json.Unmarshal(line, &record); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(record.Address)
	if err != nil {
		t.Fatal(err)
	}
	return "http://127.0.0.1:" + port, func() error {
		cancel()
		return <-ended
	}
}

func call(t *testing.T, client *http.Client, method, address, body string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return response.StatusCode, string(read), err
}

func TestRunServesUntilItIsStopped(t *testing.T) {
	address, stop := start(t)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for path, want := range map[string]string{"/health/live": "live", "/stats": "duffel"} {
		if status, body, err := call(t, client, "GET", address+path, ""); err != nil || status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s %v", path, status, body, err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, _, err := call(t, client, "GET", address+"/stats", ""); err == nil {
		t.Error("it still answers")
	}
}

// A provider that hangs must not keep the process alive.
func TestRunStopsWhileAProviderHangs(t *testing.T) {
	address, stop := start(t)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	if status, body, err := call(t, client, "PUT", address+"/faults/skyscanner", `{"mode":"hang"}`); err != nil || status != 204 {
		t.Fatalf("%d %s %v", status, body, err)
	}
	ended := make(chan error)
	go func() {
		_, _, err := call(t, client, "POST", address+"/skyscanner/flights/live/search/create", "{}")
		ended <- err
	}()
	for asked := false; !asked; { // Until the request has arrived.
		_, body, err := call(t, client, "GET", address+"/stats", "")
		if err != nil {
			t.Fatal(err)
		}
		asked = strings.Contains(body, `"skyscanner":1`)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("the hanging provider has answered")
	}
}

func TestRunSaysWhyItCannotStart(t *testing.T) {
	err := run(t.Context(), envconfig.MapLookuper(map[string]string{"PORT": "http"}), io.Discard)
	if err == nil || !strings.Contains(err.Error(), `PORT="http"`) {
		t.Errorf("bad port: %v", err)
	}
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	err = run(t.Context(), envconfig.MapLookuper(map[string]string{"PORT": port}), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "PORT="+port) {
		t.Errorf("taken port: %v", err)
	}
}

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// address of a search that is like no other.
func nthSearch(base string, n int) string {
	return fmt.Sprintf("%s/v1/flights/search?origin=JFK&destination=LHR&departure_date=%s&adults=%d", base, inDays(10+n%300), 1+n/300)
}

// status of a GET, 0 where there was no answer; and the wait it asks for.
func status(address string) (code int, retryAfter string, err error) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Header.Get("Retry-After"), err
}

// TestFiveHundredRequestsAtOnce to a service with five places: every one is
// answered, with fares or with when to come back, and then all is as before.
func TestFiveHundredRequestsAtOnce(t *testing.T) {
	base := startService(t, map[string]string{
		"MAX_CONCURRENT_SEARCHES": "5", "ADMISSION_QUEUE": "10", "CLIENT_RATE": "400/s", "SANDBOX_LATENCY": "longtail",
	})
	var mu sync.Mutex
	counts := map[int]int{}
	var callers sync.WaitGroup
	for n := range 500 {
		callers.Go(func() {
			code, retryAfter, err := status(nthSearch(base, n))
			mu.Lock()
			defer mu.Unlock()
			counts[code]++
			turnedAway := code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable
			if err != nil || code != http.StatusOK && !turnedAway || turnedAway && retryAfter == "" {
				t.Errorf("request %d: %d, Retry-After %q, %v", n, code, retryAfter, err)
			}
		})
	}
	callers.Wait()
	over := time.Now()
	t.Logf("500 at once: %v", counts)
	if counts[http.StatusServiceUnavailable] == 0 {
		t.Errorf("nobody was turned away: %v", counts)
	}
	for code := 0; code != http.StatusOK; { // Or the test never ends.
		var err error
		if code, _, err = status(nthSearch(base, 500)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("normal again after %s", time.Since(over).Round(time.Millisecond))
}

// TestWhoDoesNotReadHoldsNoPlace: a place ends with the asking, not with the
// reading of the answer.
func TestWhoDoesNotReadHoldsNoPlace(t *testing.T) {
	base := startService(t, map[string]string{"MAX_CONCURRENT_SEARCHES": "1", "ADMISSION_QUEUE": "0"})
	host := strings.TrimPrefix(base, "http://")
	for n := range 10 {
		silent, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		path := strings.TrimPrefix(nthSearch(base, 2*n), base)
		if _, err := fmt.Fprintf(silent, "GET %s&limit=100 HTTP/1.1\r\nHost: %s\r\n\r\n", path, host); err != nil {
			t.Fatal(err)
		}
		for code := 0; code != http.StatusOK; { // Until the silent one's providers have answered.
			if code, _, err = status(nthSearch(base, 2*n+1)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

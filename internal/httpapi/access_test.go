package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

// openToAll are addresses that neither a key nor a limit stands before.
var openToAll = []string{"/health/live", "/health/ready", "/metrics", "/openapi.yaml"}

func TestKeysOfFrontends(t *testing.T) {
	t.Parallel()
	o := options(&searcher{})
	o.APIKeys = []string{"first key", "second key"}
	h := httpapi.New(o)
	for name, test := range map[string]struct {
		keys   []string
		status int
	}{
		"none":            {nil, http.StatusUnauthorized},
		"empty":           {[]string{""}, http.StatusUnauthorized},
		"wrong":           {[]string{"third key"}, http.StatusUnauthorized},
		"the beginning":   {[]string{"first"}, http.StatusUnauthorized},
		"other case":      {[]string{"First Key"}, http.StatusUnauthorized},
		"both":            {[]string{"first key", "second key"}, http.StatusUnauthorized},
		"first":           {[]string{"first key"}, http.StatusOK},
		"second":          {[]string{"second key"}, http.StatusOK},
		"joined by comma": {[]string{"first key,second key"}, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []*http.Request{
				get(oneWay), post(`{"slices":[` + slice + `]}`), get("/v1/airports/JFK"), get("/v1/airlines/BA"), get("/v1/currencies"),
				request(http.MethodHead, "/v1/currencies"),
			} {
				r.Header["X-Api-Key"] = test.keys
				w := ask(t, h, r)
				challenged := w.Header().Get("WWW-Authenticate") == `ApiKey realm="flights", header="X-API-Key"`
				if w.Code != test.status || challenged != (test.status == http.StatusUnauthorized) {
					t.Errorf("%s %s: %d, challenged %t", r.Method, r.URL.Path, w.Code, challenged)
				}
				if len(test.keys) == 1 && test.keys[0] != "" && strings.Contains(w.Body.String(), test.keys[0]) {
					t.Errorf("the key is echoed: %s", w.Body)
				}
			}
		})
	}
	for _, target := range openToAll {
		if w := ask(t, h, get(target)); w.Code != http.StatusOK {
			t.Errorf("%s without a key: %d", target, w.Code)
		}
	}
}

// TestEventsHaveATokenOfTheirOwn: a frontend's key is not asked for, nor enough.
func TestEventsHaveATokenOfTheirOwn(t *testing.T) {
	t.Parallel()
	o := listening(&fares{})
	o.APIKeys = []string{"key"}
	o.ClientLimits = []httpapi.ClientLimit{{Requests: 1, Per: time.Hour}}
	h := httpapi.New(o)
	for range 3 {
		if w := ask(t, h, sent("application/cloudevents+json", structured(`{"provider":"duffel"}`))); w.Code != http.StatusOK {
			t.Errorf("with the token alone: %d", w.Code)
		}
	}
	r := sent("application/cloudevents+json", structured(`{"provider":"duffel"}`), "X-API-Key", "key")
	r.Header.Set("Authorization", "Bearer key")
	if w := ask(t, h, r); w.Code != http.StatusUnauthorized {
		t.Errorf("with a frontend's key: %d", w.Code)
	}
}

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	failing := options(&searcher{answer: func(context.Context, search.Request) (*search.Result, error) { panic("at the disco") }})
	locked, shared := options(&searcher{}), options(&searcher{})
	locked.APIKeys, shared.CORSOrigins = []string{"key"}, []string{"https://travel.example"}
	preflight := request(http.MethodOptions, "/v1/currencies")
	preflight.Header.Set("Origin", "https://travel.example")
	preflight.Header.Set("Access-Control-Request-Method", http.MethodGet)
	for status, test := range map[int]struct {
		options httpapi.Options
		r       *http.Request
	}{
		http.StatusOK:                  {options(&searcher{}), get(oneWay)},
		http.StatusBadRequest:          {options(&searcher{}), get("/v1/flights/search")},
		http.StatusUnauthorized:        {locked, get(oneWay)},
		http.StatusForbidden:           {options(&searcher{}), request(http.MethodPost, "/v1/events")},
		http.StatusNotFound:            {options(&searcher{}), get("/nowhere")},
		http.StatusMethodNotAllowed:    {options(&searcher{}), request(http.MethodPut, "/metrics")},
		http.StatusInternalServerError: {failing, get(oneWay)},
		http.StatusNoContent:           {shared, preflight},
	} {
		w := httptest.NewRecorder()
		httpapi.New(test.options).ServeHTTP(w, test.r)
		if w.Code != status && (status != http.StatusNoContent || w.Code != http.StatusOK) { // The library's own choice.
			t.Errorf("%s %s: %d, want %d", test.r.Method, test.r.URL.Path, w.Code, status)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%d: %s is %q, want %q", status, name, got, want)
			}
		}
	}
}

// from is a request of a peer, behind proxies that wrote these entries.
func from(target, peer string, forwarded ...string) *http.Request {
	r := get(target)
	r.RemoteAddr = peer
	r.Header["X-Forwarded-For"] = forwarded
	return r
}

func TestClientsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(&searcher{})
		o.ClientLimits = []httpapi.ClientLimit{{Requests: 3, Per: time.Second}, {Requests: 5, Per: time.Minute}}
		h := httpapi.New(o)
		status := func(target, peer string) int { return ask(t, h, from(target, peer)).Code }
		for i := range 6 {
			want := http.StatusOK
			if i >= 3 {
				want = http.StatusTooManyRequests
			}
			if got := status("/v1/currencies", "192.0.2.1:"+strconv.Itoa(1000+i)); got != want {
				t.Errorf("request %d: %d, want %d", i+1, got, want)
			}
		}
		if got := status("/v1/currencies", "192.0.2.2:1000"); got != http.StatusOK {
			t.Errorf("another client: %d", got)
		}
		for _, target := range openToAll {
			for range 10 {
				if got := status(target, "192.0.2.1:1000"); got != http.StatusOK {
					t.Errorf("%s: %d", target, got)
				}
			}
		}
		time.Sleep(2 * time.Second)
		for i := range 3 {
			w := ask(t, h, from(oneWay, "192.0.2.1:1000"))
			if want := http.StatusOK; i < 2 && w.Code != want {
				t.Errorf("request %d of the next second: %d", i+1, w.Code)
			}
			if i == 2 && (w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "60") {
				t.Errorf("the limit of the minute: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
			}
		}
		time.Sleep(2 * time.Minute)
		if got := status(oneWay, "192.0.2.1:1000"); got != http.StatusOK {
			t.Errorf("after the minute: %d", got)
		}
	})
}

// TestWhoAClientIs sends two requests to a service that lets each client send
// one: the second passes only where it counts as another client's.
func TestWhoAClientIs(t *testing.T) {
	t.Parallel()
	const proxy = "10.0.0.1:80"
	for name, test := range map[string]struct {
		hops          int
		first, second *http.Request
		same          bool
	}{
		"the peer's port does not matter":      {0, from(oneWay, "192.0.2.1:1"), from(oneWay, "192.0.2.1:2"), true},
		"peers":                                {0, from(oneWay, "192.0.2.1:1"), from(oneWay, "192.0.2.2:1"), false},
		"what nobody vouches for is not heard": {0, from(oneWay, proxy, "192.0.2.1"), from(oneWay, proxy, "192.0.2.2"), true},
		"one proxy":                            {1, from(oneWay, proxy, "192.0.2.1"), from(oneWay, proxy, "192.0.2.2"), false},
		"one proxy, the same client":           {1, from(oneWay, proxy, "192.0.2.1"), from(oneWay, "10.0.0.2:80", "192.0.2.1"), true},
		"left of it is made up":                {1, from(oneWay, proxy, "198.51.100.1, 192.0.2.1"), from(oneWay, proxy, "198.51.100.2, 192.0.2.1"), true},
		"in lines of their own":                {1, from(oneWay, proxy, "192.0.2.9", "192.0.2.1"), from(oneWay, proxy, "192.0.2.9", "192.0.2.2"), false},
		"two proxies":                          {2, from(oneWay, proxy, "x, 192.0.2.1, 10.0.0.7"), from(oneWay, proxy, "y, 192.0.2.1, 10.0.0.8"), true},
		"two proxies, clients":                 {2, from(oneWay, proxy, "192.0.2.1, 10.0.0.7"), from(oneWay, proxy, "192.0.2.2, 10.0.0.7"), false},
		"past the outer proxy":                 {2, from(oneWay, proxy, "192.0.2.1"), from(oneWay, proxy, "192.0.2.2"), false},
		"no entry: the peer":                   {1, from(oneWay, "192.0.2.1:1"), from(oneWay, "192.0.2.2:1"), false},
		"no address: the peer":                 {1, from(oneWay, proxy, "unknown"), from(oneWay, proxy, "hidden"), true},
		"with a port":                          {1, from(oneWay, proxy, "192.0.2.1:99"), from(oneWay, proxy, "192.0.2.1:98"), true},
		"an IPv6 network of 64 bits":           {1, from(oneWay, proxy, "2001:db8:0:1::1"), from(oneWay, proxy, "[2001:db8:0:1:ffff::2]:443"), true},
		"IPv6 networks":                        {1, from(oneWay, proxy, "2001:db8:0:1::1"), from(oneWay, proxy, "2001:db8:0:2::1"), false},
		"IPv4 in IPv6":                         {1, from(oneWay, proxy, "::ffff:192.0.2.1"), from(oneWay, proxy, "192.0.2.1"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(&searcher{})
			o.TrustedProxyHops, o.ClientLimits = test.hops, []httpapi.ClientLimit{{Requests: 1, Per: time.Hour}}
			h := httpapi.New(o)
			if w := ask(t, h, test.first); w.Code != http.StatusOK {
				t.Fatalf("the first: %d", w.Code)
			}
			if w := ask(t, h, test.second); (w.Code == http.StatusTooManyRequests) != test.same {
				t.Errorf("the second: %d, want it to be the same client: %t", w.Code, test.same)
			}
		})
	}
}

func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"", ",", "192.0.2.1, ::1", "[::1]:80,x", "fe80::1%eth0", strings.Repeat(",", 100)} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, header string, hops int) {
		o := options(&searcher{})
		o.TrustedProxyHops, o.ClientLimits = max(0, hops%8), []httpapi.ClientLimit{{Requests: 1, Per: time.Hour}}
		w := httptest.NewRecorder()
		httpapi.New(o).ServeHTTP(w, from("/v1/currencies", "192.0.2.1:1", header))
		if w.Code != http.StatusOK {
			t.Errorf("a client's first request: %d", w.Code)
		}
	})
}

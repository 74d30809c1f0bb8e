package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sethvargo/go-envconfig"
)

// page is a text that several goroutines write.
type page struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// tellTale is a vendor of the worst kind: whatever it is asked, it repeats all
// that it was sent, credentials included, in every field that an error may have.
func tellTale(t *testing.T, heard *page) string {
	t.Helper()
	var mu sync.Mutex
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		said := strings.TrimSpace(r.Header.Get("Authorization") + " " + r.Header.Get("X-Api-Key") + " " + string(body))
		_, _ = io.WriteString(heard, said)
		mu.Lock()
		asked++
		turn := asked
		mu.Unlock()
		status := []int{400, 401, 403, 404, 422, 429, 500, 503, 302, 200}[turn%10]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", "http://127.0.0.1:1/?"+r.Header.Get("Authorization"))
		if strings.HasSuffix(r.URL.Path, "/token") && turn%2 == 0 {
			fmt.Fprintf(w, `{"access_token":%q,"expires_in":1799,"token_type":"Bearer","state":"approved"}`, tokenCanary)
			return
		}
		w.WriteHeader(status)
		fault := map[string]any{"title": said, "message": said, "detail": said, "code": said, "type": said, "status": status}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"errors": []any{fault}, "error": said, "error_description": said, "message": said, "code": 3, "details": []any{said}, "title": said,
		})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// tokenCanary is a credential that is not configured but fetched.
const tokenCanary = "canary-access-token"

// canaries fill every variable whose field is tagged as secret.
func canaries(t *testing.T) map[string]string {
	t.Helper()
	env := map[string]string{}
	for group := range reflect.TypeFor[Config]().Fields() {
		for field := range group.Type.Fields() {
			if field.Tag.Get("secret") != "" {
				env[variable(field)] = "canary-" + strings.ToLower(variable(field))
			}
		}
	}
	if len(env) < 8 {
		t.Fatalf("only %d variables are secret", len(env))
	}
	for name, value := range env {
		switch {
		case name == "REDIS_URL":
			env[name] = "redis://user:" + value + "@127.0.0.1:1/0"
		case strings.HasSuffix(name, "_HEADERS"):
			env[name] = "x-key=" + value
		}
	}
	return env
}

// asker collects all that the service answers.
type asker struct {
	base     string
	answered page
}

func (a *asker) ask(t *testing.T, method, path, body string, header ...string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := response.Header.Write(&a.answered); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(&a.answered, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

// TestSecretsAreNeverSaid fills every secret with a canary, lets vendors repeat
// their credentials and everything go wrong, and looks for the canaries in all
// that leaves the process except to whom they belong.
func TestSecretsAreNeverSaid(t *testing.T) {
	var heard, exported, logged page
	before := slog.Default()
	defer slog.SetDefault(before)
	vendor := tellTale(t, &heard)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(&exported, r.Body) }))
	defer receiver.Close()
	secrets := canaries(t)
	env := map[string]string{
		"PORT": "0", "LOG_LEVEL": "debug", "LOG_FORMAT": "json", "DUFFEL_RATE_LIMIT": "1000/s", "AMADEUS_RATE_LIMIT": "1000/s", "SKYSCANNER_RATE_LIMIT": "1000/s",
		"DUFFEL_BASE_URLS": vendor + "/duffel", "AMADEUS_BASE_URLS": vendor + "/amadeus", "SKYSCANNER_BASE_URLS": vendor + "/skyscanner",
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.URL, "OTEL_METRIC_EXPORT_INTERVAL": "100",
	}
	maps.Copy(env, secrets)
	stopped := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { stopped <- run(ctx, envconfig.MapLookuper(env), &logged) }()
	a := &asker{base: "http://127.0.0.1:" + portOf(t, &logged, stopped)}
	provoke(t, a, secrets)
	stop()
	if err := <-stopped; err != nil {
		_, _ = io.WriteString(&logged, err.Error())
	}
	for _, name := range []string{"DUFFEL_ACCESS_TOKEN", "AMADEUS_CLIENT_ID", "AMADEUS_CLIENT_SECRET", "SKYSCANNER_API_KEY"} {
		if !strings.Contains(heard.String(), secrets[name]) {
			t.Errorf("the vendor was never shown %s: nothing is tried", name)
		}
	}
	for where, text := range map[string]string{"answers": a.answered.String(), "logs": logged.String(), "traces and metrics": exported.String()} {
		if text == "" {
			t.Errorf("there are no %s", where)
		}
		for at, next := 0, strings.Index(text, "canary"); next >= 0; next = strings.Index(text[at:], "canary") {
			at += next + len("canary")
			t.Errorf("in %s: …%s…", where, text[max(0, at-120):min(len(text), at+60)])
		}
	}
}

// provoke asks for all that can go wrong with and without the right credentials.
func provoke(t *testing.T, a *asker, secrets map[string]string) {
	t.Helper()
	key := secrets["API_KEYS"]
	for day := range 30 {
		a.ask(t, http.MethodGet, fmt.Sprintf("/v1/flights/search?origin=JFK&destination=LHR&departure_date=%s", inDays(10+day)), "", "X-API-Key", key)
	}
	event := `{"specversion":"1.0","id":"1","source":"s","type":"fare.changed","data":{"provider":"duffel"}}`
	for want, token := range map[int]string{http.StatusServiceUnavailable: secrets["EVENTS_TOKEN"], http.StatusUnauthorized: key} {
		got := a.ask(t, http.MethodPost, "/v1/events", event, "Authorization", "Bearer "+token, "Content-Type", "application/cloudevents+json")
		if got != want {
			t.Errorf("an event: %d, want %d", got, want)
		}
	}
	if got := a.ask(t, http.MethodGet, "/v1/currencies", "", "X-API-Key", secrets["EVENTS_TOKEN"]); got != http.StatusUnauthorized {
		t.Errorf("with the wrong key: %d", got)
	}
	for _, path := range []string{"/v1/currencies", "/v1/airports/QQQ", "/v1/flights/search", "/nowhere", "/health/ready", "/metrics"} {
		a.ask(t, http.MethodGet, path, "", "X-API-Key", key, "Cookie", "session="+key)
	}
}

var listening = regexp.MustCompile(`"listening".*"address":"[^"]*:(\d+)"`)

// portOf waits until the service says where it listens.
func portOf(t *testing.T, logged *page, stopped <-chan error) string {
	t.Helper()
	for {
		if found := listening.FindStringSubmatch(logged.String()); found != nil {
			return found[1]
		}
		select {
		case err := <-stopped:
			t.Fatalf("the service did not start: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

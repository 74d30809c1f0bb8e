package main

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/hedgehop/hedgehop/api"
)

// TestEventsWithdrawWhatWasRemembered: after the answer to an event the next
// search asks again for what it names, and for nothing else.
func TestEventsWithdrawWhatWasRemembered(t *testing.T) {
	a := &asker{base: startService(t, map[string]string{"EVENTS_TOKEN": "token", "API_KEYS": "key"})}
	event := func(data string) string {
		return `{"specversion":"1.0","id":"1","source":"/fares","type":"fare.changed","data":` + data + `}`
	}
	for name, test := range map[string]struct {
		contentType, body string
		want              map[string]string
	}{
		"a provider": {"application/cloudevents+json", event(`{"provider":"amadeus"}`), map[string]string{
			"duffel": "hit", "amadeus": "miss", "skyscanner": "hit",
		}},
		"a market, by other airports of its cities and the other way": {"application/cloudevents+json", event(`{"origin":"lgw","destination":"EWR"}`), map[string]string{
			"duffel": "miss", "amadeus": "miss", "skyscanner": "miss",
		}},
		"another market": {"application/cloudevents+json", event(`{"origin":"JFK","destination":"CDG"}`), map[string]string{
			"duffel": "hit", "amadeus": "hit", "skyscanner": "hit",
		}},
		"that day, pushed": {
			"application/json", `{"message":{"data":"` + base64.StdEncoding.EncodeToString([]byte(event(`{"origin":"JFK","destination":"LHR","departure_date":"`+inDays(50)+`"}`))) + `"}}`,
			map[string]string{"duffel": "miss", "amadeus": "miss", "skyscanner": "miss"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			remembered(t, a.base)
			if got := a.ask(t, http.MethodPost, "/v1/events", test.body, "Content-Type", test.contentType, "Authorization", "Bearer token"); got != http.StatusOK {
				t.Fatalf("%d: %s", got, a.answered.String())
			}
			for _, provider := range searchOnce(t, a.base) {
				if got := string(provider.Cache); got != test.want[provider.Name] {
					t.Errorf("%s: %s, want %s", provider.Name, got, test.want[provider.Name])
				}
			}
		})
	}
}

// searchOnce is what each provider did for a search with the key.
func searchOnce(t *testing.T, base string) []api.ProviderOutcome {
	t.Helper()
	a := &asker{base: base}
	path := "/v1/flights/search?origin=JFK&destination=LHR&limit=1&departure_date=" + inDays(50)
	if got := a.ask(t, http.MethodGet, path, "", "X-API-Key", "key", "Accept-Encoding", "identity"); got != http.StatusOK {
		t.Fatalf("%d: %s", got, a.answered.String())
	}
	_, body, _ := strings.Cut(a.answered.String(), "{")
	return decoded(t, []byte("{"+body)).Providers
}

// remembered searches until all is remembered: fills take place behind the
// answers.
func remembered(t *testing.T, base string) {
	t.Helper()
	for hits := 0; hits < 3; {
		hits = 0
		for _, provider := range searchOnce(t, base) {
			if provider.Cache == api.CacheUseHit {
				hits++
			}
		}
	}
}

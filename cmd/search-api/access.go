package main

import (
	"slices"

	"github.com/hedgehop/hedgehop/internal/googletoken"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

// Access is who may call, and how much.
type Access struct {
	APIKeys        []string `env:"API_KEYS" secret:"true" allowed:"keys, comma-separated, none of them empty" about:"Keys of frontends, sent as X-API-Key. Empty: open."`
	AllowAnonymous bool     `env:"ALLOW_ANONYMOUS, default=false" allowed:"true or false" about:"Without it, a provider's credential and no API_KEYS stop the start: an open search spends money."`
	EventsToken    string   `env:"EVENTS_TOKEN" secret:"true" allowed:"a token" about:"Bearer token of POST /v1/events."`
	EventsAudience string   `env:"EVENTS_OIDC_AUDIENCE" allowed:"set together with EVENTS_OIDC_EMAIL" about:"Accepts events with tokens that Google signs for this audience (Pub/Sub push, Eventarc). Without it and EVENTS_TOKEN the endpoint answers 403."`
	EventsEmail    string   `env:"EVENTS_OIDC_EMAIL" allowed:"set together with EVENTS_OIDC_AUDIENCE" about:"The service account that those tokens must be of."`
	MaxSearches    int      `env:"MAX_CONCURRENT_SEARCHES, default=256" allowed:"1 to 10000" about:"Searches that ask providers at a time. One that is answered from the cache, or waits for another's identical question, takes no place."`
	Queue          int      `env:"ADMISSION_QUEUE, default=256" allowed:"0 to 10000; 0 refuses at once" about:"Searches that may wait for a place, at most 1 s each; others are answered 503."`
	ClientRate     rates    `env:"CLIENT_RATE" allowed:"such as 20/s, comma-separated for several" about:"Requests for flights and reference data that one client may send. Empty: no limit."`
	ProxyHops      int      `env:"TRUSTED_PROXY_HOPS, default=0" allowed:"0 to 10" about:"Entries of X-Forwarded-For to trust, from the right; the outermost of them is the client. 0: the peer is."`
}

// judgeAccess finds what a single value of Access cannot tell.
func (c Config) judgeAccess(f *findings) {
	f.add(c.hasCredential() && len(c.APIKeys) == 0 && !c.AllowAnonymous, missing("API_KEYS",
		"with a provider's credential an open search spends money: set it, or ALLOW_ANONYMOUS=true"), "AllowAnonymous")
	f.refuse(slices.Contains(c.APIKeys, ""), "APIKeys", "")
	f.together("EVENTS_OIDC_AUDIENCE", c.EventsAudience, "EVENTS_OIDC_EMAIL", c.EventsEmail)
	f.refuse(c.MaxSearches < 1 || c.MaxSearches > 10_000, "MaxSearches", c.MaxSearches)
	f.refuse(c.Queue < 0 || c.Queue > 10_000, "Queue", c.Queue)
	f.refuse(c.ProxyHops < 0 || c.ProxyHops > 10, "ProxyHops", c.ProxyHops)
}

// admission is the bound of searches.
func (c Config) admission() *search.Admission { return search.NewAdmission(c.MaxSearches, c.Queue) }

// clientLimits is CLIENT_RATE as the edge takes it.
func (c Config) clientLimits() []httpapi.ClientLimit {
	var limits []httpapi.ClientLimit
	for _, r := range c.ClientRate {
		limits = append(limits, httpapi.ClientLimit{Requests: r.requests, Per: r.per})
	}
	return limits
}

// events says who may tell of changes.
func (c Config) events() (httpapi.Events, error) {
	events := httpapi.Events{Token: c.EventsToken}
	if c.EventsAudience == "" {
		return events, nil
	}
	google, err := googletoken.New(googletoken.Options{Audience: c.EventsAudience, Email: c.EventsEmail})
	if err != nil {
		return httpapi.Events{}, err
	}
	events.Google = google
	return events, nil
}

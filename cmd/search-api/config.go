package main

import (
	"log/slog"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/sandbox"
	"github.com/hedgehop/hedgehop/internal/telemetry"
)

// Config is everything that can be set from outside, one environment variable a
// field. The tags are the only source: defaults are decoded from them,
// docs/configuration.md is written from them, and a refused value is answered
// with what "allowed" says.
type Config struct {
	Server
	Access
	Providers
	Search
	Hedging
	Cache
	Reference
	Sandbox
	Logging
	Telemetry
	Platform
}

// Server is how the service meets the network.
type Server struct {
	Port        int     `env:"PORT, default=8080" allowed:"0 to 65535; 0 takes a free port" about:"Listen port; Cloud Run sets it."`
	CORSOrigins origins `env:"CORS_ORIGINS" allowed:"origins such as https://www.example.com or http://localhost:3000 (scheme, host, port where it is not the scheme's own), comma-separated; * for all" about:"Browser origins that may call the service."`
}

// Providers is who is asked for fares, where and as whom.
type Providers struct {
	Names []string `env:"PROVIDERS, default=duffel,amadeus,skyscanner" allowed:"duffel, amadeus, skyscanner, comma-separated, each once" about:"Which providers take part, in the order in which answers list them."`

	DuffelToken       string `env:"DUFFEL_ACCESS_TOKEN" secret:"true" allowed:"an access token" about:"Duffel's access token. Without it and without base addresses, the embedded sandbox answers."`
	AmadeusID         string `env:"AMADEUS_CLIENT_ID" secret:"true" allowed:"set together with AMADEUS_CLIENT_SECRET" about:"Amadeus' client id."`
	AmadeusSecret     string `env:"AMADEUS_CLIENT_SECRET" secret:"true" allowed:"set together with AMADEUS_CLIENT_ID" about:"Amadeus' client secret."`
	SkyscannerKey     string `env:"SKYSCANNER_API_KEY" secret:"true" allowed:"an API key" about:"Skyscanner's API key."`
	DuffelBases       bases  `env:"DUFFEL_BASE_URLS" allowed:"http or https addresses without credentials, comma-separated, each once" about:"Replicas; a hedge goes to the next one. Without a credential: a stand-alone sandbox."`
	AmadeusBases      bases  `env:"AMADEUS_BASE_URLS" allowed:"http or https addresses without credentials, comma-separated, each once" about:"As DUFFEL_BASE_URLS."`
	SkyscannerBases   bases  `env:"SKYSCANNER_BASE_URLS" allowed:"http or https addresses without credentials, comma-separated, each once" about:"As DUFFEL_BASE_URLS."`
	DuffelHedging     class  `env:"DUFFEL_HEDGING" allowed:"free, metered or never" about:"Hedging class of the search call. Empty: free without credentials, metered with."`
	AmadeusHedging    class  `env:"AMADEUS_HEDGING" allowed:"free, metered or never" about:"As DUFFEL_HEDGING."`
	SkyscannerHedging class  `env:"SKYSCANNER_HEDGING" allowed:"free, metered or never" about:"As DUFFEL_HEDGING, but never with credentials."`
	DuffelRate        rates  `env:"DUFFEL_RATE_LIMIT" allowed:"such as 10/s or 100/m, comma-separated for several" about:"Requests that the credential may send, hedges included. Empty: none without credentials, as the vendor publishes with."`
	AmadeusRate       rates  `env:"AMADEUS_RATE_LIMIT" allowed:"such as 10/s or 100/m, comma-separated for several" about:"As DUFFEL_RATE_LIMIT."`
	SkyscannerRate    rates  `env:"SKYSCANNER_RATE_LIMIT" allowed:"such as 10/s or 100/m, comma-separated for several" about:"As DUFFEL_RATE_LIMIT."`
}

// Search is how long is waited.
type Search struct {
	SoftTimeout     time.Duration `env:"SEARCH_SOFT_TIMEOUT, default=3s" allowed:"a positive duration such as 3s" about:"From then on an answer waits for no further provider once one has answered; longer than SEARCH_TIMEOUT, it counts as that."`
	Timeout         time.Duration `env:"SEARCH_TIMEOUT, default=8s" allowed:"a positive duration such as 8s" about:"Hard limit of one search; what has arrived by then is the answer."`
	ProviderTimeout time.Duration `env:"PROVIDER_TIMEOUT, default=6s" allowed:"a positive duration such as 6s" about:"Limit of one provider call, all its attempts together."`
}

// Hedging is how second requests are sent.
type Hedging struct {
	MaxAttempts int           `env:"HEDGE_MAX_ATTEMPTS, default=3" allowed:"1 to 5; 1 switches hedging off" about:"Requests that one call may send at most."`
	Budget      float64       `env:"HEDGE_BUDGET, default=0.20" allowed:"0 to 1" about:"Extra requests allowed, as a share of primary requests."`
	Delay       time.Duration `env:"HEDGE_DELAY" allowed:"a duration such as 80ms, shorter than PROVIDER_TIMEOUT" about:"Wait before a hedge. Empty: learnt while running."`
}

// Cache is where fares are remembered, and for how long.
type Cache struct {
	RedisURL cacheURL       `env:"REDIS_URL" secret:"true" allowed:"redis://host:port/database, rediss://… or unix:///path?db=database; of a cluster redis://host:port?addr=host:port or rediss://…" about:"The Redis that all instances share. Empty: each instance remembers for itself."`
	Topology cache.Topology `env:"REDIS_TOPOLOGY, default=standalone" allowed:"standalone or cluster" about:"How that Redis is laid out."`
	FareTTL  time.Duration  `env:"FARE_TTL, default=3m" allowed:"a duration of at least 1s" about:"Freshness of a fare at most."`
	Preload  routes         `env:"PRELOAD_ROUTES" allowed:"routes such as JFK-LHR or JFK-LHR+14, comma-separated, of two different places" about:"Routes asked at start, for one adult in economy, 30 days ahead or as many as stand behind the plus. Empty: no provider is asked for fares at start."`
	StaleTTL time.Duration  `env:"FARE_STALE_TTL, default=7m" allowed:"a duration such as 7m, 0s for never" about:"How long after that a fare may still answer when its provider cannot."`
}

// Reference is where places, carriers and currencies come from besides the
// program itself.
type Reference struct {
	RatesURL ratesURL `env:"EXCHANGE_RATES_URL" allowed:"http or https address without credentials" about:"The ECB's daily XML, https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml; one instance fetches it after each publication. Empty: embedded rates."`
}

// Sandbox is the invented world that stands in where credentials are missing.
type Sandbox struct {
	Latency sandbox.Law `env:"SANDBOX_LATENCY, default=longtail" allowed:"none, longtail or slow" about:"none; longtail: 90% uniform 10 to 50 ms, 10% uniform 500 to 1000 ms; slow: uniform 2 to 3 s. Token calls never wait."`
	Seed    uint64      `env:"SANDBOX_SEED, default=1" allowed:"a whole number, 0 or more" about:"Same seed, same fares."`
	Control bool        `env:"SANDBOX_CONTROL, default=false" allowed:"true or false; not together with a credential" about:"Mounts /sandbox/stats and /sandbox/faults/{provider} on the service."`
}

// Logging is what is written about the work.
type Logging struct {
	Level  slog.Level       `env:"LOG_LEVEL, default=info" allowed:"debug, info, warn or error" about:"The least severe record that is written."`
	Format telemetry.Format `env:"LOG_FORMAT" allowed:"json or text" about:"Empty: json on Cloud Run, else text."`
}

// class is a hedging class, empty where the adapter's own is meant.
type class struct{ providers.Class }

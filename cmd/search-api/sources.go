package main

import (
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/amadeus"
	"github.com/hedgehop/hedgehop/internal/providers/duffel"
	"github.com/hedgehop/hedgehop/internal/providers/skyscanner"
	"github.com/hedgehop/hedgehop/internal/search"
)

// placeholder is the credential shown to a sandbox, which asks for one as the
// vendor does and accepts any.
const placeholder = "sandbox"

// vendor is one line of wiring a provider.
type vendor struct {
	address string          // The vendor's own base address.
	path    string          // Where a sandbox serves it.
	class   providers.Class // Of the search call, with a credential.
	limits  string          // That the vendor publishes for searches,
	polls   string          // and for polls, where those are limited apart.
	typical time.Duration   // Latency of a search at the vendor.
	set     func(Config) setting
	build   func(setting, adapterOptions) search.Provider
}

// setting is the configuration of one provider.
type setting struct {
	credential [2]string
	bases      bases
	class      class
	rates      rates
}

func (s setting) hasCredential() bool { return s.credential[0] != "" }

// adapterOptions is what every adapter is given.
type adapterOptions struct {
	base    *url.URL
	class   providers.Class
	clients providers.Clients
	zones   providers.Zones
	sandbox bool
}

// vendors is a table that nobody writes to: one line a provider.
var vendors = map[string]vendor{
	"duffel": {
		address: duffel.DefaultBase, path: "/duffel", class: duffel.DefaultClass, limits: duffel.DefaultRateLimits, typical: duffel.Typical,
		set: func(c Config) setting {
			return setting{[2]string{c.DuffelToken}, c.DuffelBases, c.DuffelHedging, c.DuffelRate}
		},
		build: func(s setting, o adapterOptions) search.Provider {
			return duffel.New(duffel.Options{Base: o.base, Token: s.credential[0], Search: o.class, Clients: o.clients, Zones: o.zones})
		},
	},
	"amadeus": {
		address: amadeus.DefaultBase, path: "/amadeus", class: amadeus.DefaultClass, limits: amadeus.DefaultRateLimits, typical: amadeus.Typical,
		set: func(c Config) setting {
			return setting{[2]string{c.AmadeusID, c.AmadeusSecret}, c.AmadeusBases, c.AmadeusHedging, c.AmadeusRate}
		},
		build: func(s setting, o adapterOptions) search.Provider {
			return amadeus.New(amadeus.Options{
				Base: o.base, ClientID: s.credential[0], ClientSecret: s.credential[1], Search: o.class, Clients: o.clients, Zones: o.zones,
			})
		},
	},
	"skyscanner": {
		address: skyscanner.DefaultBase, path: "/skyscanner", class: skyscanner.DefaultClass, limits: skyscanner.DefaultRateLimits, polls: skyscanner.PollRateLimits,
		typical: skyscanner.Typical,
		set: func(c Config) setting {
			return setting{[2]string{c.SkyscannerKey}, c.SkyscannerBases, c.SkyscannerHedging, c.SkyscannerRate}
		},
		build: func(s setting, o adapterOptions) search.Provider {
			return skyscanner.New(skyscanner.Options{Base: o.base, APIKey: s.credential[0], Search: o.class, Poll: pollClass(o), Clients: o.clients, Zones: o.zones})
		},
	},
}

// pollClass: no session of the vendor may have two readers, whatever the class
// of its searches.
func pollClass(o adapterOptions) providers.Class {
	if o.sandbox {
		return o.class
	}
	return providers.ClassNever
}

// sandboxTypical is the median of the sandbox's latency laws, near enough for a
// first guess; what is learnt replaces it.
const sandboxTypical = 30 * time.Millisecond

// shared is what the clients and adapters of all providers work with.
type shared struct {
	zones      providers.Zones
	world      *embedded
	fleet      *fanout.Fleet
	remembered *cache.Cache
}

// sources builds every provider that takes part, in the order of PROVIDERS.
func (s *service) sources(c Config, with shared) ([]search.Source, error) {
	var all []search.Source
	for _, name := range c.Names {
		source, err := s.source(name, c, with)
		if err != nil {
			return nil, err
		}
		all = append(all, source)
	}
	return all, nil
}

func (s *service) source(name string, c Config, with shared) (search.Source, error) {
	v := vendors[name]
	plan := planFor(v, v.set(c), with.world)
	clients, err := s.clients(name, c, plan, with)
	if err != nil {
		return search.Source{}, err
	}
	provider := v.build(plan.setting, adapterOptions{
		base:  &url.URL{Scheme: "http", Host: name},
		class: plan.class.Class, clients: clients, zones: with.zones, sandbox: plan.sandbox,
	})
	return search.Source{Provider: provider, Sandbox: plan.sandbox, Metered: plan.class.Class != providers.ClassFree}, nil
}

// plan is a setting with the gaps filled by who will be asked: the vendor, a
// stand-alone sandbox, or the embedded one.
type plan struct {
	setting
	pollRates rates
	typical   time.Duration
	sandbox   bool
}

func planFor(v vendor, set setting, world *embedded) plan {
	p := plan{setting: set, typical: v.typical, sandbox: !set.hasCredential()}
	if p.sandbox {
		p.credential = [2]string{placeholder, placeholder}
		p.typical = sandboxTypical
		if len(p.bases) == 0 {
			p.bases = bases{world.base(v.path)}
		}
		if p.class.Class == "" {
			p.class = class{providers.ClassFree}
		}
		return p
	}
	if len(p.bases) == 0 {
		_ = p.bases.UnmarshalText([]byte(v.address))
	}
	if p.class.Class == "" {
		p.class = class{v.class}
	}
	if len(p.rates) == 0 && v.limits != "" {
		_ = p.rates.UnmarshalText([]byte(v.limits))
	}
	if v.polls != "" {
		_ = p.pollRates.UnmarshalText([]byte(v.polls))
	}
	return p
}

package main

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/search"
)

// bases are the base addresses of one provider's replicas.
type bases []*url.URL

// UnmarshalText reads absolute http or https addresses without query, fragment
// or credentials, comma-separated.
func (b *bases) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("%q is no base address", part)
		}
		*b = append(*b, u)
	}
	return nil
}

// rate is one limit: so many requests in such a span.
type rate struct {
	requests int
	per      time.Duration
}

// rates hold all together.
type rates []rate

var spans = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}

// UnmarshalText reads limits such as 10/s or 100/m, comma-separated.
func (r *rates) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		count, unit, _ := strings.Cut(strings.TrimSpace(part), "/")
		n, err := strconv.Atoi(count)
		span, known := spans[unit]
		if err != nil || n < 1 || !known {
			return fmt.Errorf("%q is no rate", part)
		}
		*r = append(*r, rate{requests: n, per: span})
	}
	return nil
}

// UnmarshalText reads the name of a hedging class.
func (c *class) UnmarshalText(text []byte) error {
	if _, err := fanout.ParseClass(string(text)); err != nil {
		return err
	}
	c.Class = providers.Class(text)
	return nil
}

// cacheURL is the address of a Redis; it may hold a password.
type cacheURL string

// UnmarshalText accepts the schemes that the cache can open.
func (u *cacheURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil {
		return errors.New("no address") // Parse's own error shows it.
	}
	if !slices.Contains([]string{"redis", "rediss", "unix"}, parsed.Scheme) {
		return fmt.Errorf("scheme %q", parsed.Scheme)
	}
	*u = cacheURL(text)
	return nil
}

// ratesURL is where exchange rates are published.
type ratesURL struct{ address *url.URL }

// UnmarshalText reads an absolute http or https address without credentials.
func (u *ratesURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil {
		return err
	}
	if parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil {
		return fmt.Errorf("%q is no http or https address", text)
	}
	u.address = parsed
	return nil
}

// route is one search to make at start.
type route struct {
	origin, destination string
	daysAhead           int
}

// routes are made one after the other.
type routes []route

// preloadDays ahead of today is where a route without a number is searched:
// about where most people book.
const preloadDays = 30

// UnmarshalText reads routes such as JFK-LHR or JFK-LHR+14, comma-separated.
func (r *routes) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		ends, days, dated := strings.Cut(part, "+")
		from, to, _ := strings.Cut(ends, "-")
		origin, err := flight.ParsePlace(from)
		if err != nil {
			return err
		}
		destination, err := flight.ParsePlace(to)
		if err != nil {
			return err
		}
		ahead := preloadDays
		if dated {
			if ahead, err = strconv.Atoi(strings.TrimSpace(days)); err != nil || ahead < 0 || ahead > search.MaxDaysAhead {
				return fmt.Errorf("%q is no number of days", days)
			}
		}
		*r = append(*r, route{origin, destination, ahead})
	}
	return nil
}

// faults checks what a single value cannot tell: bounds and relations.
func (c Config) faults() []error {
	var faults []error
	refuse := func(wrong bool, field string, value any) {
		if wrong {
			faults = append(faults, fault(fieldOf(c, field), fmt.Sprint(value)))
		}
	}
	refuse(c.Port < 0 || c.Port > 65535, "Port", c.Port)
	refuse(!knownOnce(c.Names), "Names", strings.Join(c.Names, ","))
	refuse(c.SoftTimeout <= 0, "SoftTimeout", c.SoftTimeout)
	refuse(c.Timeout <= 0, "Timeout", c.Timeout)
	refuse(c.ProviderTimeout <= 0, "ProviderTimeout", c.ProviderTimeout)
	refuse(c.MaxAttempts < 1 || c.MaxAttempts > 5, "MaxAttempts", c.MaxAttempts)
	refuse(!(c.Budget >= 0 && c.Budget <= 1), "Budget", c.Budget)
	refuse(c.Delay < 0, "Delay", c.Delay)
	refuse(c.Topology != cache.Standalone && c.Topology != cache.Cluster, "Topology", c.Topology)
	refuse(c.FareTTL < time.Second, "FareTTL", c.FareTTL)
	refuse(c.StaleTTL < 0, "StaleTTL", c.StaleTTL)
	refuse((c.AmadeusID == "") != (c.AmadeusSecret == "") && c.AmadeusID == "", "AmadeusID", "")
	refuse((c.AmadeusID == "") != (c.AmadeusSecret == "") && c.AmadeusSecret == "", "AmadeusSecret", "")
	refuse(c.MaxSearches < 1 || c.MaxSearches > 10_000, "MaxSearches", c.MaxSearches)
	refuse(c.Queue < 0 || c.Queue > 10_000, "Queue", c.Queue)
	refuse(c.ProxyHops < 0 || c.ProxyHops > 10, "ProxyHops", c.ProxyHops)
	faults = append(faults, c.accessFaults()...)
	if c.Control && c.hasCredential() {
		faults = append(faults, errors.New(
			"SANDBOX_CONTROL=true cannot be used together with a provider's credential; unset one of them"))
	}
	return faults
}

func (c Config) hasCredential() bool {
	return c.DuffelToken+c.AmadeusID+c.AmadeusSecret+c.SkyscannerKey != ""
}

func knownOnce(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		if _, known := vendors[name]; !known || seen[name] {
			return false
		}
		seen[name] = true
	}
	return len(names) > 0
}

// variable is the environment variable of a field.
func variable(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}

func fieldOf(c Config, name string) reflect.StructField {
	field, _ := reflect.TypeOf(c).FieldByName(name)
	return field
}

package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
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
// or credentials, comma-separated, each once: a hedge must not go where its call
// already waits.
func (b *bases) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		u, err := parseAddress(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		same := func(other *url.URL) bool { return *other == *u }
		if u.RawQuery != "" || u.Fragment != "" || slices.ContainsFunc(*b, same) {
			return errAddress
		}
		*b = append(*b, u)
	}
	return nil
}

// errAddress repeats nothing of an address, for it may hold a password.
var errAddress = errors.New("no such address can be used")

// parseAddress reads an absolute http or https address without credentials.
func parseAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || !isPort(u.Port()) {
		return nil, errAddress
	}
	return u, nil
}

// isPort takes none for that of the scheme.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// origins are the web origins that browsers may call from, "*" for all.
type origins []string

// originForm is what browsers send as one (RFC 6454, section 6.1): a scheme and a
// host, with a port that is not the scheme's own.
var originForm = regexp.MustCompile(`^(?i)(https?)://(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::([0-9]+))?$`)

// UnmarshalText reads origins, comma-separated. One that no browser sends would
// silently open nothing.
func (o *origins) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		found := originForm.FindStringSubmatch(part)
		if part != "*" && (found == nil || !isPort(found[2]) || isDefault(found[1], found[2])) {
			return fmt.Errorf("%q is no origin", part)
		}
		*o = append(*o, part)
	}
	return nil
}

func isDefault(scheme, port string) bool {
	return strings.EqualFold(scheme, "http") && port == "80" || strings.EqualFold(scheme, "https") && port == "443"
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

// UnmarshalText accepts what the cache can open in some topology.
func (u *cacheURL) UnmarshalText(text []byte) error {
	*u = cacheURL(text)
	if cache.CheckURL(string(text), cache.Standalone) != nil && cache.CheckURL(string(text), cache.Cluster) != nil {
		return errAddress
	}
	return nil
}

// ratesURL is where exchange rates are published.
type ratesURL struct{ address *url.URL }

// UnmarshalText reads an absolute http or https address without credentials.
func (u *ratesURL) UnmarshalText(text []byte) (err error) {
	u.address, err = parseAddress(string(text))
	return err
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
		one, err := parseRoute(part)
		if err != nil {
			return err
		}
		*r = append(*r, one)
	}
	return nil
}

// parseRoute leaves it to the catalogue whether there are such places.
func parseRoute(text string) (route, error) {
	ends, days, dated := strings.Cut(text, "+")
	from, to, _ := strings.Cut(ends, "-")
	origin, err := flight.ParsePlace(from)
	if err != nil {
		return route{}, err
	}
	destination, err := flight.ParsePlace(to)
	if err != nil {
		return route{}, err
	}
	if origin == destination {
		return route{}, fmt.Errorf("%q leads nowhere", text)
	}
	ahead := preloadDays
	if dated {
		if ahead, err = strconv.Atoi(strings.TrimSpace(days)); err != nil || ahead < 0 || ahead > search.MaxDaysAhead {
			return route{}, fmt.Errorf("%q is no number of days", days)
		}
	}
	return route{origin, destination, ahead}, nil
}

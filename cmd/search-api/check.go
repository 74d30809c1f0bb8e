package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
)

// findings are the faults of a configuration, a line each. What could not be
// decoded has its line already and is not judged again.
type findings struct {
	lines  []error
	unread map[string]bool // By the names of fields.
}

// refuse adds the line for a value that cannot be used. Others are the fields
// that it was compared with.
func (f *findings) refuse(wrong bool, field string, value any, others ...string) {
	structField, _ := reflect.TypeFor[Config]().FieldByName(field)
	f.add(wrong, fault(structField, fmt.Sprint(value)), append(others, field)...)
}

// add adds a line about fields, unless one of them has not been decoded.
func (f *findings) add(wrong bool, line error, fields ...string) {
	for _, field := range fields {
		wrong = wrong && !f.unread[field]
	}
	if wrong {
		f.lines = append(f.lines, line)
	}
}

// judge finds what a single value cannot tell: bounds and relations.
func (c Config) judge(f *findings) {
	f.refuse(c.Port < 0 || c.Port > 65535, "Port", c.Port)
	f.refuse(!knownOnce(c.Names), "Names", strings.Join(c.Names, ","))
	f.refuse(c.SoftTimeout <= 0, "SoftTimeout", c.SoftTimeout)
	f.refuse(c.Timeout <= 0, "Timeout", c.Timeout)
	f.refuse(c.ProviderTimeout <= 0, "ProviderTimeout", c.ProviderTimeout)
	f.refuse(c.MaxAttempts < 1 || c.MaxAttempts > 5, "MaxAttempts", c.MaxAttempts)
	f.refuse(!(c.Budget >= 0 && c.Budget <= 1), "Budget", c.Budget)
	f.refuse(c.Delay < 0, "Delay", c.Delay)
	f.refuse(c.Delay > 0 && c.ProviderTimeout > 0 && c.Delay >= c.ProviderTimeout, "Delay", c.Delay, "ProviderTimeout")
	c.judgeCache(f)
	c.judgeCredentials(f)
	c.judgeAccess(f)
}

func (c Config) judgeCache(f *findings) {
	known := c.Topology == cache.Standalone || c.Topology == cache.Cluster
	f.refuse(!known, "Topology", c.Topology)
	f.refuse(known && c.RedisURL != "" && cache.CheckURL(string(c.RedisURL), c.Topology) != nil, "RedisURL", c.RedisURL)
	f.add(c.RedisURL == "" && c.Topology == cache.Cluster,
		missing("REDIS_URL", "REDIS_TOPOLOGY=cluster needs it"), "RedisURL")
	f.refuse(c.FareTTL < time.Second, "FareTTL", c.FareTTL)
	f.refuse(c.StaleTTL < 0, "StaleTTL", c.StaleTTL)
}

func (c Config) judgeCredentials(f *findings) {
	f.together("AMADEUS_CLIENT_ID", c.AmadeusID, "AMADEUS_CLIENT_SECRET", c.AmadeusSecret)
	f.add(c.Control && c.hasCredential(), errors.New(
		"SANDBOX_CONTROL=true cannot be used together with a provider's credential; unset one of them"))
}

// together wants two variables both or neither.
func (f *findings) together(one, value, other, otherValue string) {
	f.add(value == "" && otherValue != "", missing(one, "set it together with "+other+", or neither"))
	f.add(value != "" && otherValue == "", missing(other, "set it together with "+one+", or neither"))
}

// missing is the line for a variable without which others cannot be used.
func missing(variable, mend string) error { return fmt.Errorf("%s is missing; %s", variable, mend) }

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

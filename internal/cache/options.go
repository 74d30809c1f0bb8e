package cache

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/metric"
)

// Topology says how the Redis behind a URL is laid out.
type Topology string

const (
	// Standalone is one primary, the zero value's meaning.
	Standalone Topology = "standalone"
	// Cluster is a Redis Cluster; the URL names one or more of its nodes.
	Cluster Topology = "cluster"
)

// Options say where the cache lives and what it may use. Every zero value means
// the default that its field names.
type Options struct {
	// URL is redis://, rediss:// or unix://, with user, password and database.
	// A cluster takes further nodes as addr=host:port parameters. Empty: the
	// in-memory twin, which this instance alone sees.
	URL string
	// Topology of the Redis at URL; default Standalone.
	Topology Topology
	// Prefix begins every key; default "hh:v1". Caches with the same prefix on
	// the same Redis are one cache.
	Prefix string

	// LocalBytes bounds the decoded copies and views held in this process;
	// default 64 MiB.
	LocalBytes int64
	// TwinBytes bounds the in-memory twin; default 64 MiB. Unused with a URL.
	TwinBytes int64
	// MaxEntryBytes bounds one value, encoded and before compression; default
	// 8 MiB, at most 64 MiB. A larger one is neither written nor decoded.
	MaxEntryBytes int
	// MaxCalls bounds the shared calls, their fills included, that run at a
	// time; default 1024. Beyond it Ask answers ErrBusy and Refresh begins
	// nothing.
	MaxCalls int

	// LookupLimit is what a lookup may cost in all, round trips included;
	// default 50 ms. Past it the lookup is a Bypass.
	LookupLimit time.Duration
	// CommandLimit bounds one read or write on a connection; default 80 ms.
	// Dialling gets two and a half times it (TLS: six times), a wait for a
	// connection one and a quarter.
	CommandLimit time.Duration
	// CallLimit bounds one shared fetch, however long its callers would wait;
	// default 10 s. It should be longer than the fetch's own limit.
	CallLimit time.Duration
	// LeaseWait is how long a question with a lease waits for the instance that
	// holds it before it asks by itself; default 1.5 s.
	LeaseWait time.Duration
	// TokenTTL is how long a token outlives its last fill; default 24 h. It
	// must exceed the lifetime of any entry to be of use, never to be correct.
	TokenTTL time.Duration

	// Meter receives the counts; nil: the global provider's.
	Meter metric.Meter

	// now is the clock that judges freshness; nil: time.Now.
	now func() time.Time
	// sabotage switches single rules of the protocol off, so that the tests can
	// show that they notice.
	sabotage sabotage
}

// sabotage names the rules that a test may switch off. Nothing outside this
// package's tests can reach it.
type sabotage struct {
	coalesceWithoutTokens bool
	skipTokenComparison   bool
	attachCallToCaller    bool
}

// withDefaults returns the options with every zero value replaced.
func (o Options) withDefaults() Options {
	o.Topology = orDefault(o.Topology, Standalone)
	o.Prefix = orDefault(o.Prefix, "hh:v1")
	o.LocalBytes = orDefault(o.LocalBytes, 64<<20)
	o.TwinBytes = orDefault(o.TwinBytes, 64<<20)
	o.MaxEntryBytes = orDefault(o.MaxEntryBytes, 8<<20)
	o.MaxCalls = orDefault(o.MaxCalls, 1024)
	o.LookupLimit = orDefault(o.LookupLimit, 50*time.Millisecond)
	o.CommandLimit = orDefault(o.CommandLimit, 80*time.Millisecond)
	o.CallLimit = orDefault(o.CallLimit, 10*time.Second)
	o.LeaseWait = orDefault(o.LeaseWait, 1500*time.Millisecond)
	o.TokenTTL = orDefault(o.TokenTTL, 24*time.Hour)
	if o.now == nil {
		o.now = time.Now
	}
	return o
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// check reports every unusable option at once.
func (o Options) check() error {
	var faults []error
	if t := orDefault(o.Topology, Standalone); t != Standalone && t != Cluster {
		faults = append(faults, fmt.Errorf("topology %q: want %q or %q", o.Topology, Standalone, Cluster))
	}
	if o.URL == "" && o.Topology == Cluster {
		faults = append(faults, errors.New("topology cluster needs a URL"))
	}
	if o.MaxEntryBytes > maxDecoded {
		faults = append(faults, fmt.Errorf("MaxEntryBytes %d: at most %d", o.MaxEntryBytes, maxDecoded))
	}
	if strings.ContainsAny(o.Prefix, "{}") {
		faults = append(faults, fmt.Errorf("prefix %q: want no braces, which say where a key lies in a cluster", o.Prefix))
	}
	for _, amount := range o.amounts() {
		if amount.value < 0 {
			faults = append(faults, fmt.Errorf("%s %d: want more than nothing", amount.name, amount.value))
		}
	}
	return errors.Join(faults...)
}

type amount struct {
	name  string
	value int64
}

func (o Options) amounts() []amount {
	return []amount{
		{"LocalBytes", o.LocalBytes},
		{"TwinBytes", o.TwinBytes},
		{"MaxEntryBytes", int64(o.MaxEntryBytes)},
		{"MaxCalls", int64(o.MaxCalls)},
		{"LookupLimit", int64(o.LookupLimit)},
		{"CommandLimit", int64(o.CommandLimit)},
		{"CallLimit", int64(o.CallLimit)},
		{"LeaseWait", int64(o.LeaseWait)},
		{"TokenTTL", int64(o.TokenTTL)},
	}
}

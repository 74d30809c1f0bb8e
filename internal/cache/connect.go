package cache

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// The connections of one instance. The pool's size is a constant and not
// go-redis's multiple of GOMAXPROCS, which a platform's start-up boost changes.
const (
	poolSize        = 16
	minIdle         = 5
	maxIdleTime     = 4 * time.Minute
	maxLifetime     = 30 * time.Minute
	lifetimeJitter  = 5 * time.Minute
	maxRedirects    = 2
	topologyRefresh = 10 * time.Second
)

// parseURL reads a Redis URL. Its errors never repeat the URL: it may hold a
// password.
func parseURL(raw string, topology Topology) (*redis.Options, []string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return nil, nil, fmt.Errorf("cache: Redis URL: %w", err)
	}
	nodes := u.Query()["addr"]
	if err := checkURL(u, topology); err != nil {
		return nil, nil, fmt.Errorf("cache: Redis URL: %w", err)
	}
	query := u.Query()
	query.Del("addr")
	u.RawQuery = query.Encode()
	o, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, nil, fmt.Errorf("cache: Redis URL: %w", err)
	}
	return o, append([]string{o.Addr}, nodes...), nil
}

// CheckURL says why Open would refuse the address of a Redis, nil where it would
// not. The error may repeat parts of the address, but never a user or password.
func CheckURL(address string, topology Topology) error {
	_, _, err := parseURL(address, topology)
	return err
}

func checkURL(u *url.URL, topology Topology) error {
	var faults []error
	if !slices.Contains([]string{"redis", "rediss", "unix"}, u.Scheme) {
		faults = append(faults, fmt.Errorf("scheme %q: want redis, rediss or unix", u.Scheme))
	}
	if u.Scheme == "unix" && topology == Cluster {
		faults = append(faults, errors.New("a cluster is not reached over unix"))
	}
	if db := strings.Trim(u.Path, "/"); topology == Cluster && db != "" && db != "0" {
		faults = append(faults, fmt.Errorf("database %q: a cluster has only 0", db))
	}
	for name := range u.Query() {
		ok := name == "addr" && topology == Cluster || name == "db" && u.Scheme == "unix"
		if !ok {
			faults = append(faults, fmt.Errorf("parameter %q is not understood: only addr for a cluster and db for unix", name))
		}
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			faults = append(faults, fmt.Errorf("port %s: want 1 to 65535", port))
		}
	}
	return errors.Join(faults...)
}

// connect builds the client for o. It dials nothing yet.
func connect(o Options) (redis.UniversalClient, error) {
	target, nodes, err := parseURL(o.URL, o.Topology)
	if err != nil {
		return nil, err
	}
	var client redis.UniversalClient
	if o.Topology == Cluster {
		client = redis.NewClusterClient(clusterOptions(o, target, nodes))
	} else {
		client = redis.NewClient(standaloneOptions(o, target))
	}
	// The statement would put every value read on a span, the caller a stack.
	err = redisotel.InstrumentTracing(client, redisotel.WithDBStatement(false), redisotel.WithCallerEnabled(false))
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

// dialLimit leaves a TLS handshake more time than a plain dial.
func dialLimit(o Options, target *redis.Options) time.Duration {
	if target.TLSConfig != nil {
		return o.CommandLimit * 25 / 4
	}
	return o.CommandLimit * 5 / 2
}

func standaloneOptions(o Options, target *redis.Options) *redis.Options {
	opt := &redis.Options{
		Network: target.Network, Addr: target.Addr, DB: target.DB,
		Username: target.Username, Password: target.Password, TLSConfig: target.TLSConfig,

		ContextTimeoutEnabled: true,
		DialTimeout:           dialLimit(o, target),
		DialerRetries:         1,
		ReadTimeout:           o.CommandLimit,
		WriteTimeout:          o.CommandLimit,
		PoolTimeout:           o.CommandLimit * 5 / 4,
		MaxRetries:            -1,
		PoolSize:              poolSize,
		MinIdleConns:          minIdle,
		ConnMaxIdleTime:       maxIdleTime,
		ConnMaxLifetime:       maxLifetime,
		ConnMaxLifetimeJitter: lifetimeJitter,

		Protocol:                 3,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	opt.Dialer = boundedDialer(redis.NewDialer(opt), bulkLimit(o))
	return opt
}

func clusterOptions(o Options, target *redis.Options, nodes []string) *redis.ClusterOptions {
	one := standaloneOptions(o, target)
	return &redis.ClusterOptions{
		Addrs:    nodes,
		Username: one.Username, Password: one.Password, TLSConfig: one.TLSConfig,
		Dialer: one.Dialer,

		ContextTimeoutEnabled: true,
		DialTimeout:           one.DialTimeout,
		DialerRetries:         one.DialerRetries,
		ReadTimeout:           one.ReadTimeout,
		WriteTimeout:          one.WriteTimeout,
		PoolTimeout:           one.PoolTimeout,
		MaxRetries:            one.MaxRetries,
		PoolSize:              poolSize,
		MinIdleConns:          minIdle,
		ConnMaxIdleTime:       maxIdleTime,
		ConnMaxLifetime:       maxLifetime,
		ConnMaxLifetimeJitter: lifetimeJitter,

		MaxRedirects:               maxRedirects,
		ClusterStateReloadInterval: topologyRefresh,
		ReadOnly:                   false, // A replica may still hold a deleted token.
		DisableRoutingPolicies:     true,

		Protocol:                 one.Protocol,
		DisableIdentity:          true,
		MaintNotificationsConfig: one.MaintNotificationsConfig,
	}
}

// bulkLimit is the largest reply that can be meant: an entry that did not
// compress, and its header.
func bulkLimit(o Options) int { return o.MaxEntryBytes + headSize + 64<<10 }

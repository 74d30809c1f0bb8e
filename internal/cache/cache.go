package cache

import (
	"context"
	"errors"
	"fmt"
)

// ErrClosed is what Ask answers once Drain has begun.
var ErrClosed = errors.New("cache: closed")

// ErrBusy is what Ask answers while MaxCalls fetches already run.
var ErrBusy = errors.New("cache: as many calls run as MaxCalls allows")

// Cache is the untyped part that all [Typed] views of one process share: the
// connection, the local copies, the background work. Safe for concurrent use.
type Cache struct {
	o          Options
	keys       *keyspace
	store      store
	local      *local
	background *background
	count      *instruments
}

// Open returns a cache as o says. A URL or option that cannot be used is an
// error, every fault at once; a Redis that does not answer is not, because the
// cache works without and notices when it is back. Close it when done.
func Open(o Options) (*Cache, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	o = o.withDefaults()
	s, err := openStore(o)
	if err != nil {
		return nil, err
	}
	c := &Cache{o: o, keys: newKeyspace(o.Prefix), store: s, background: newBackground(o.MaxCalls)}
	if c.local, err = newLocal(o.LocalBytes, o.now); err == nil {
		c.count, err = newInstruments(o.Meter, c)
	}
	if err != nil {
		return nil, errors.Join(err, c.store.close())
	}
	return c, nil
}

func openStore(o Options) (store, error) {
	if o.URL == "" {
		return newTwin(o.TwinBytes, o.TokenTTL, o.now)
	}
	redirectRedisLog()
	client, err := connect(o)
	if err != nil {
		return nil, err
	}
	return newRedisStore(client, redisLimits{lookup: o.LookupLimit, tokenTTL: o.TokenTTL}), nil
}

// Check reports whether the store answers now, bounded by ctx and a second. It
// asks whatever the breaker says: it is for readiness, not for every request.
func (c *Cache) Check(ctx context.Context) error {
	if err := c.store.ping(ctx); err != nil {
		return fmt.Errorf("cache: Redis does not answer: %w", err)
	}
	return nil
}

// Drain admits no further calls and fills and waits for those that run. When ctx
// ends first they are cancelled and the error says how many there were.
func (c *Cache) Drain(ctx context.Context) error { return c.background.drain(ctx) }

// Close ends what still runs and closes the connections. Drain first to keep
// the fills.
func (c *Cache) Close() error {
	c.background.cancel()
	c.background.wait()
	c.local.close()
	return errors.Join(c.count.close(), c.store.close())
}

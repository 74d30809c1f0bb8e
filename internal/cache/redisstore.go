package cache

import (
	"context"
	_ "embed" // The scripts.
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
)

//go:embed scripts/ensure.lua
var ensureSource string

//go:embed scripts/fill.lua
var fillSource string

//go:embed scripts/release.lua
var releaseSource string

// writeLimit bounds what runs off every answer's path: a fill, a blob.
const writeLimit = time.Second

// redisStore keeps entries in Redis.
type redisStore struct {
	client   redis.UniversalClient
	limits   redisLimits
	breakers [buckets]*breaker
	// shared are the reads of tokens: of all buckets together, in a cluster of
	// each bucket.
	shared [buckets]*sharedReads

	ensureScript, fillScript, releaseScript, spendScript *redis.Script
}

type redisLimits struct {
	lookup, tokenTTL time.Duration
}

// newRedisStore returns a store on client. A cluster gets one breaker for each
// bucket, so that a lost master silences its own buckets alone.
func newRedisStore(client redis.UniversalClient, limits redisLimits) *redisStore {
	s := &redisStore{
		client: client, limits: limits,
		ensureScript: redis.NewScript(ensureSource), fillScript: redis.NewScript(fillSource),
		releaseScript: redis.NewScript(releaseSource), spendScript: redis.NewScript(spendSource),
	}
	_, cluster := client.(*redis.ClusterClient)
	for b := range s.breakers {
		if b > 0 && !cluster {
			s.breakers[b], s.shared[b] = s.breakers[0], s.shared[0]
			continue
		}
		s.breakers[b] = newBreaker(fmt.Sprintf("b%02d", b))
		s.shared[b] = &sharedReads{read: func(ctx context.Context, keys []string) ([][]byte, error) {
			return s.read(ctx, b, keys)
		}}
	}
	return s
}

func (s *redisStore) read(ctx context.Context, bucket int, keys []string) ([][]byte, error) {
	var values []any
	err := guarded(ctx, s.breakers[bucket], s.limits.lookup, func(ctx context.Context) (err error) {
		values, err = s.client.MGet(ctx, keys...).Result()
		return err
	})
	if err != nil {
		return nil, err
	}
	return texts(values, len(keys))
}

func (s *redisStore) readTokens(ctx context.Context, bucket int, keys []string) ([][]byte, error) {
	return s.shared[bucket].get(ctx, keys)
}

func (s *redisStore) ensure(ctx context.Context, bucket int, keys []string, fresh [][]byte) ([][]byte, error) {
	args := []any{s.limits.tokenTTL.Milliseconds()}
	for _, token := range fresh {
		args = append(args, token)
	}
	var values []any
	err := guarded(ctx, s.breakers[bucket], s.limits.lookup, func(ctx context.Context) (err error) {
		values, err = s.ensureScript.Run(ctx, s.client, keys, args...).Slice()
		return err
	})
	if err != nil {
		return nil, err
	}
	return texts(values, len(keys))
}

// texts converts a reply of n strings, nil where there is none.
func texts(values []any, n int) ([][]byte, error) {
	if len(values) != n {
		return nil, fmt.Errorf("cache: Redis answered %d values, asked were %d", len(values), n)
	}
	out := make([][]byte, n)
	for i, value := range values {
		if text, ok := value.(string); ok {
			out[i] = []byte(text)
		}
	}
	return out, nil
}

func (s *redisStore) fill(ctx context.Context, f *fillRequest) (fillReply, error) {
	keys := append([]string{f.entry.key}, f.tokenKeys...)
	args := []any{len(f.tokens), f.tokenTTL.Milliseconds(), f.replacedPrefix, f.entry.value, f.entry.ttl.Milliseconds()}
	for _, token := range f.tokens {
		args = append(args, token)
	}
	for _, note := range f.notes {
		keys = append(keys, note.key)
		args = append(args, note.value, note.ttl.Milliseconds())
	}
	var values []any
	err := guarded(ctx, s.breakers[f.bucket], writeLimit, func(ctx context.Context) (err error) {
		values, err = s.fillScript.Run(ctx, s.client, keys, args...).Slice()
		return err
	})
	if err != nil {
		return fillReply{}, err
	}
	return parseFillReply(values)
}

func parseFillReply(values []any) (fillReply, error) {
	if len(values) != 2 {
		return fillReply{}, errors.New("cache: the fill script answered something else")
	}
	written, _ := values[0].(int64)
	replaced, _ := values[1].(string)
	return fillReply{written: written == 1, replaced: []byte(replaced)}, nil
}

func (s *redisStore) acquire(ctx context.Context, key, owner string, ttl time.Duration) (bool, error) {
	var won bool
	err := s.single(ctx, key, s.limits.lookup, func(ctx context.Context) error {
		err := s.client.SetArgs(ctx, key, owner, redis.SetArgs{Mode: "NX", TTL: ttl}).Err()
		won = err == nil
		return err
	})
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return won, err
}

func (s *redisStore) release(ctx context.Context, key, owner string) error {
	return s.single(ctx, key, writeLimit, func(ctx context.Context) error {
		return s.releaseScript.Run(ctx, s.client, []string{key}, owner).Err()
	})
}

func (s *redisStore) get(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	err := s.single(ctx, key, writeLimit, func(ctx context.Context) (err error) {
		value, err = s.client.Get(ctx, key).Bytes()
		return err
	})
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	return value, err
}

func (s *redisStore) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return s.single(ctx, key, writeLimit, func(ctx context.Context) error {
		return s.client.Set(ctx, key, value, ttl).Err()
	})
}

func (s *redisStore) del(ctx context.Context, key string) error {
	return s.single(ctx, key, writeLimit, func(ctx context.Context) error {
		return s.client.Del(ctx, key).Err()
	})
}

// single runs a command on one key that belongs to no bucket. Its breaker is
// one of the buckets', by the key, so that it shares what they learn.
func (s *redisStore) single(ctx context.Context, key string, limit time.Duration, op func(context.Context) error) error {
	return guarded(ctx, s.breakers[bucketOf(key)], limit, op)
}

func (s *redisStore) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
			return master.Ping(ctx).Err()
		})
	}
	return s.client.Ping(ctx).Err()
}

func (s *redisStore) close() error { return s.client.Close() }

// openBreakers counts the breakers that refuse now.
func (s *redisStore) openBreakers() int64 {
	seen := map[*breaker]bool{}
	for _, b := range s.breakers {
		seen[b] = b.State() != gobreaker.StateClosed
	}
	var open int64
	for _, refusing := range seen {
		if refusing {
			open++
		}
	}
	return open
}

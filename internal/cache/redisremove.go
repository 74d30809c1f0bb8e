package cache

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

// removeLimit bounds an invalidation: the caller repeats one that failed.
const removeLimit = 2 * time.Second

// remove deletes tokens, one pipeline for each master. DEL and not SET or INCR,
// because a full Redis still deletes. The breaker has no say here: an
// invalidation is always tried, and its outcome is Redis's own.
func (s *redisStore) remove(ctx context.Context, tokens []tokenKey) error {
	ctx, cancel := context.WithTimeout(ctx, removeLimit)
	defer cancel()
	masters, err := s.masters(ctx, tokens)
	if err != nil {
		return err
	}
	var group errgroup.Group
	for master, keys := range masters {
		group.Go(func() error { return removeFrom(ctx, master, keys) })
	}
	if err := group.Wait(); err != nil {
		s.reload(ctx)
		return err
	}
	return nil
}

// masters sorts keys by the node that holds them. Each node is then addressed
// itself, because the cluster client would follow a MOVED on its own: while
// slots move, only an answer without one proves that the key is gone where it
// counts.
func (s *redisStore) masters(ctx context.Context, tokens []tokenKey) (map[*redis.Client][]string, error) {
	masters := make(map[*redis.Client][]string, 1)
	cluster, clustered := s.client.(*redis.ClusterClient)
	for _, token := range tokens {
		master, _ := s.client.(*redis.Client)
		if clustered {
			var err error
			if master, err = cluster.MasterForKey(ctx, token.key); err != nil {
				return nil, fmt.Errorf("cache: no master known for %s: %w", token.key, err)
			}
		}
		masters[master] = append(masters[master], token.key)
	}
	return masters, nil
}

func removeFrom(ctx context.Context, master *redis.Client, keys []string) error {
	pipe := master.Pipeline()
	for _, key := range keys {
		pipe.Del(ctx, key)
	}
	replies, err := pipe.Exec(ctx)
	if err != nil {
		return fmt.Errorf("cache: deleting tokens on %s: %w", master.Options().Addr, err)
	}
	if len(replies) != len(keys) {
		return errors.New("cache: deleting tokens: replies are missing")
	}
	return nil
}

// reload has a cluster client look at the topology again before the next try.
func (s *redisStore) reload(ctx context.Context) {
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		cluster.ReloadState(ctx)
	}
}

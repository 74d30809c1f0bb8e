package cache

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/redis/go-redis/v9"
)

// redisLog hands go-redis's own messages, of background dials say, to slog.
// They tell what the counters tell too, so they are debug messages.
type redisLog struct{}

// Printf implements go-redis's logger.
func (redisLog) Printf(ctx context.Context, format string, v ...any) {
	slog.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, v...))
}

// logOnce: go-redis has one logger for the whole process and sets it without a
// lock.
var logOnce sync.Once

func redirectRedisLog() {
	logOnce.Do(func() { redis.SetLogger(redisLog{}) })
}

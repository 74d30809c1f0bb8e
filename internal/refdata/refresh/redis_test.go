package refresh_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

// TestOnRedis shares the real catalogue through a real Redis, from one instance
// to another.
func TestOnRedis(t *testing.T) {
	embedded, err := refdata.Embedded()
	mustSucceed(t, err)
	today := time.Now().UTC().Format(time.DateOnly)
	server, bank := cachetest.Redis(t), newBank()
	bank.answer = answering(document(today, "1.5"))
	first := newInstance(t, onRedis(t, server), asking(bank), embedding(catalogOf(t, data(t, 0))))
	second := newInstance(t, onRedis(t, server), embedding(embedded))
	await(t, "the first to fetch", first, func() bool { return dollar(first.Catalog()) == 150_00 })
	third := newInstance(t, onRedis(t, server), embedding(catalogOf(t, data(t, 0))))
	await(t, "the third to take the rates", third, func() bool { return third.Age().RatesFrom == refresh.FromInstance })

	await(t, "the second to leave its catalogue", second, func() bool {
		blob, _, err := onRedis(t, server).Blob(t.Context(), catalogBlob)
		return err == nil && len(blob) > len(embedded.Encode())
	})
}

func onRedis(tb testing.TB, server *cachetest.Server) *cache.Cache {
	tb.Helper()
	c, err := cache.Open(cache.Options{URL: server.URL(), CommandLimit: 5 * time.Second})
	mustSucceed(tb, err)
	tb.Cleanup(func() { mustSucceed(tb, c.Close()) })
	return c
}

// await runs an instance until something is so.
func await(tb testing.TB, what string, i instance, so func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var running sync.WaitGroup
	running.Go(func() { i.Run(ctx) })
	defer running.Wait()
	defer cancel()
	for !so() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			tb.Errorf("waited in vain for %s; shown: %v", what, i.Age())
			return
		}
	}
}

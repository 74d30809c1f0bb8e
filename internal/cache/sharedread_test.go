package cache

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestReadsGoTogetherAndNeverServeWhoCameLater counts what is true while each
// read runs: every lookup must be given a value that was true after it began.
func TestReadsGoTogetherAndNeverServeWhoCameLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var version, reads atomic.Int64
		s := &sharedReads{read: func(_ context.Context, keys []string) ([][]byte, error) {
			reads.Add(1)
			now := strconv.FormatInt(version.Load(), 10)
			time.Sleep(time.Millisecond)
			values := make([][]byte, len(keys))
			for i, key := range keys {
				values[i] = []byte(key + "=" + now)
			}
			return values, nil
		}}
		var lookups sync.WaitGroup
		for n := range 400 {
			lookups.Go(func() {
				time.Sleep(time.Duration(n%20) * 100 * time.Microsecond)
				began := version.Add(1)
				own := fmt.Sprintf("k%d", n%7)
				values, err := s.get(context.Background(), []string{"all", own})
				if err != nil {
					t.Error(err)
					return
				}
				for i, key := range []string{"all", own} {
					var seen int64
					if _, err := fmt.Sscanf(string(values[i]), key+"=%d", &seen); err != nil || seen < began {
						t.Errorf("%q read %q, and %d was true when it began", key, values[i], began)
					}
				}
			})
		}
		lookups.Wait()
		synctest.Wait()
		if n := reads.Load(); n > 60 {
			t.Errorf("%d reads for 400 lookups", n)
		}
		if s.running != 0 || len(s.waiting) != 0 {
			t.Errorf("%d run and %d wait at the end", s.running, len(s.waiting))
		}
	})
}

func TestWhoWaitsForAReadMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		broken := errors.New("broken")
		s := &sharedReads{read: func(context.Context, []string) ([][]byte, error) {
			<-stuck
			return nil, broken
		}}
		var reads sync.WaitGroup
		for range maxTokenReads {
			reads.Go(func() {
				if _, err := s.get(context.Background(), []string{"all"}); !errors.Is(err, broken) {
					t.Errorf("error %v", err)
				}
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeoutCause(context.Background(), 50*time.Millisecond, errOverLimit)
		defer cancel()
		if _, err := s.get(ctx, []string{"all"}); !errors.Is(err, errOverLimit) {
			t.Errorf("error %v", err)
		}
		reads.Go(func() {
			if _, err := s.get(context.Background(), []string{"all"}); !errors.Is(err, broken) {
				t.Errorf("a failed read must fail all who went together: %v", err)
			}
		})
		synctest.Wait()
		close(stuck)
		reads.Wait()
		synctest.Wait()
		if s.running != 0 || len(s.waiting) != 0 {
			t.Errorf("%d run and %d wait at the end", s.running, len(s.waiting))
		}
	})
}

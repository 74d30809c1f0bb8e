package fanout

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEveryAgeFallsIntoItsBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		age := time.Duration(rapid.Int64Range(0, int64(130*time.Second)).Draw(t, "age"))
		i := bucketOf(age)
		if age < edge(i) || age >= edge(i+1) {
			t.Fatalf("%v in bucket %d, which is %v to %v", age, i, edge(i), edge(i+1))
		}
		if width := edge(i+1) - edge(i); age > ms && float64(width) > 0.0625*float64(age) {
			t.Fatalf("%v in a bucket %v wide", age, width)
		}
	})
}

func TestAgesBeyondTheScale(t *testing.T) {
	if got := bucketOf(-time.Second); got != 0 {
		t.Errorf("before its time: bucket %d", got)
	}
	if got := bucketOf(time.Hour); got != buckets-1 {
		t.Errorf("an hour: bucket %d", got)
	}
}

func TestWindowForgets(t *testing.T) {
	var w window
	now := time.Unix(0, 0)
	w.begin(nil, now)
	for range 3 {
		for range halfCount {
			w.record(ms, true, now)
		}
		now = now.Add(halfSpan)
	}
	w.record(ms, true, now)
	if got := w.counts().total; got != halfCount+1 {
		t.Errorf("%v attempts remembered, want the last half and one", got)
	}
}

func TestIdleWindowKeepsWhatItKnows(t *testing.T) {
	var w window
	now := time.Unix(0, 0)
	w.begin(nil, now)
	for range halfCount - 1 {
		w.record(ms, true, now)
	}
	w.record(ms, true, now.Add(time.Hour))
	if got := w.counts().total; got != halfCount {
		t.Errorf("%v attempts remembered, want all %d", got, halfCount)
	}
}

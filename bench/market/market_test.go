package market_test

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/bench/market"
)

func TestColdQuestionsDiffer(t *testing.T) {
	today := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	check(t, market.Cold(300, today), today)
	check(t, market.Thin(300, today), today)
}

func check(t *testing.T, questions []market.Question, today time.Time) {
	t.Helper()
	seen := map[string]bool{}
	for _, q := range questions {
		path := q.Path("limit=5")
		if seen[path] {
			t.Errorf("%s is asked twice", path)
		}
		seen[path] = true
		if q.Origin == q.Destination || !q.Date.After(today) || q.Date.Sub(today) > 361*24*time.Hour {
			t.Errorf("%+v cannot be asked", q)
		}
	}
	if len(seen) != 300 {
		t.Errorf("%d questions, want 300", len(seen))
	}
}

func TestRoutesDiffer(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, r := range market.Routes(210) {
		if seen[r] || r[0] == r[1] {
			t.Errorf("%v", r)
		}
		seen[r] = true
	}
	if len(seen) != 210 {
		t.Errorf("%d routes", len(seen))
	}
}

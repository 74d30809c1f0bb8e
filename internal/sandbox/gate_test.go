package sandbox

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// newGate is a gate whose vendor refuses with the bare status.
func newGate(law Law, f *Fault) (*gate, chan struct{}) {
	stopped := make(chan struct{})
	g := &gate{law: law, stopped: stopped, refuse: func(w http.ResponseWriter, status int) { w.WriteHeader(status) }}
	g.fault.Store(f)
	return g, stopped
}

// pass sends one request through a gate. It tells the answer and whether the
// connection was broken.
func pass(ctx context.Context, g *gate) (recorder *httptest.ResponseRecorder, broken bool) {
	recorder = httptest.NewRecorder()
	defer func() { broken = recover() != nil }()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader("{}"))
	g.guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
	})).ServeHTTP(recorder, r)
	return recorder, false
}

func TestAGateTakesAsLongAsItsLawAndFault(t *testing.T) {
	for _, test := range []struct {
		name      string
		law       Law
		fault     *Fault
		low, high time.Duration
		status    int
	}{
		{"none", LawNone, nil, 0, 0, http.StatusCreated},
		{"slow law", LawSlow, nil, 2 * time.Second, 3 * time.Second, http.StatusCreated},
		{"long tail", LawLongTail, nil, 10 * time.Millisecond, time.Second, http.StatusCreated},
		{"slow fault", LawNone, &Fault{Mode: ModeSlow, Share: 1, Delay: 4 * time.Second}, 4 * time.Second, 4 * time.Second, http.StatusCreated},
		{"slow law and fault", LawSlow, &Fault{Mode: ModeSlow, Share: 1, Delay: 4 * time.Second}, 6 * time.Second, 7 * time.Second, http.StatusCreated},
		{"error after a while", LawNone, &Fault{Mode: ModeError, Share: 1, Status: 502, Delay: time.Second}, time.Second, time.Second, 502},
		{"limit", LawNone, &Fault{Mode: ModeRateLimit, Share: 1}, 0, 0, http.StatusTooManyRequests},
		{"unauthorized", LawNone, &Fault{Mode: ModeUnauthorized, Share: 1}, 0, 0, http.StatusUnauthorized},
		{"nobody's share", LawNone, &Fault{Mode: ModeError, Share: 0, Status: 502}, 0, 0, http.StatusCreated},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, _ := newGate(test.law, test.fault)
				start := time.Now()
				recorder, broken := pass(t.Context(), g)
				if took := time.Since(start); took < test.low || took > test.high {
					t.Errorf("took %s, want %s to %s", took, test.low, test.high)
				}
				if recorder.Code != test.status || broken {
					t.Errorf("status %d, broken: %t", recorder.Code, broken)
				}
			})
		})
	}
}

func TestAGateStopsWaitingWhenTheClientLeaves(t *testing.T) {
	for name, fault := range map[string]*Fault{"law": nil, "hang": {Mode: ModeHang, Share: 1}, "slow": {Mode: ModeSlow, Share: 1, Delay: time.Minute}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, _ := newGate(LawSlow, fault)
				ctx, cancel := context.WithTimeout(t.Context(), 1900*time.Millisecond)
				defer cancel()
				start := time.Now()
				if _, _ = pass(ctx, g); time.Since(start) != 1900*time.Millisecond {
					t.Errorf("went on for %s", time.Since(start))
				}
			})
		})
	}
}

func TestHangingEndsWhenTheSandboxCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, stopped := newGate(LawNone, &Fault{Mode: ModeHang, Share: 1})
		ended := make(chan bool)
		go func() {
			_, broken := pass(t.Context(), g)
			ended <- broken
		}()
		time.Sleep(time.Hour)
		select {
		case <-ended:
			t.Fatal("a hanging provider answers")
		default:
		}
		close(stopped)
		if broken := <-ended; !broken {
			t.Error("the connection is not broken")
		}
	})
}

func TestShareIsDecidedForEachRequest(t *testing.T) {
	g, _ := newGate(LawNone, &Fault{Mode: ModeError, Share: 0.5, Status: 503})
	struck := 0
	for range 1000 {
		if recorder, _ := pass(t.Context(), g); recorder.Code == 503 {
			struck++
		}
	}
	// Outside of 400 to 600 once in ten billion runs.
	if struck < 400 || struck > 600 {
		t.Errorf("%d of 1000 requests", struck)
	}
	if got := g.requests.Load(); got != 1000 {
		t.Errorf("%d requests counted", got)
	}
}

func TestAGateRefusesLongBodies(t *testing.T) {
	g, _ := newGate(LawNone, nil)
	recorder := httptest.NewRecorder()
	body := strings.NewReader(strings.Repeat(" ", maxBody+1))
	g.guard(http.NotFoundHandler()).ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body))
	if recorder.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", recorder.Code)
	}
}

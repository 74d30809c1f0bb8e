package refresh_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

const (
	ratesBlob = "refdata:rates"
	ttl       = 24 * time.Hour
)

// leftRates is a table as another instance leaves it.
func leftRates(tb testing.TB, read time.Time, rates refdata.Rates) string {
	tb.Helper()
	return read.UTC().Format(time.RFC3339Nano) + "\n" + string(catalogOf(tb, refdata.Data{Rates: rates}).Encode())
}

func TestOneInstanceFetchesAndOthersTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank, redis := newBank(), shared(t)
		fleet := []instance{newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank))}
		run(t, 3*time.Minute, fleet...)
		if bank.count() != 1 {
			t.Errorf("the source was asked %d times, want once", bank.count())
		}
		for n, i := range fleet {
			if got := i.Catalog().Rates().AsOf; got != day(0) || dollar(i.Catalog()) != 150_00 {
				t.Errorf("instance %d shows the rates of %v", n, got)
			}
			if age := i.Age(); age.RatesOf != day(0) || age.Heard.IsZero() || age.Overdue {
				t.Errorf("instance %d says %+v", n, age)
			}
		}
		late := newInstance(t, redis)
		run(t, time.Second, late)
		if late.Age().RatesFrom != refresh.FromInstance || dollar(late.Catalog()) != 150_00 {
			t.Errorf("an instance that starts later shows %v", late.Age())
		}
	})
}

func TestDailySchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank, redis := newBank(), shared(t)
		fleet := []instance{newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank))}
		const days = 3
		for n := range days { // From midnight to midnight; published at 15:00.
			time.Sleep(14 * time.Hour)
			run(t, time.Hour, fleet...)
			bank.publish(day(n+1).String(), "1.6")
			run(t, time.Hour+32*time.Minute, fleet...)
			for _, i := range fleet {
				if got := i.Catalog().Rates().AsOf; got != day(n+1) {
					t.Fatalf("at 16:32 of day %d the rates of %v are shown", n, got)
				}
			}
			run(t, time.Hour, fleet...)
			time.Sleep(6*time.Hour + 28*time.Minute)
		}
		if want := 1 + days; bank.count() != want {
			t.Errorf("%d fetches by three instances in %d days, want %d", bank.count(), days, want)
		}
	})
}

// TestSharedRates judges what others left.
func TestSharedRates(t *testing.T) {
	read := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // The beginning of virtual time.
	poor, err := refdata.NewRates(day(0), "ECB", map[string]string{"USD": "1.5"})
	if err != nil {
		t.Fatal(err)
	}
	noDollar, err := refdata.NewRates(day(0), "ECB", map[string]string{"GBP": "1.5", "JPY": "160"})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		blob    string
		outcome string
	}{
		"newer":                     {leftRates(t, read, ratesOf(t, -1, "1.5")), "taken"},
		"of the same day":           {leftRates(t, read, ratesOf(t, embeddedDay, "1.5")), "taken"},
		"the same":                  {leftRates(t, read, ratesOf(t, embeddedDay, "1.25")), "same"},
		"older":                     {leftRates(t, read, ratesOf(t, embeddedDay-1, "1.5")), "older"},
		"of a day to come":          {leftRates(t, read, ratesOf(t, 2, "1.5")), "unusable"},
		"read in the future":        {leftRates(t, read.Add(time.Hour), ratesOf(t, -1, "1.5")), "unusable"},
		"a fraction of the world's": {leftRates(t, read, poor), "unusable"},
		"no dollar":                 {leftRates(t, read, noDollar), "unusable"},
		"of another form":           {strings.Replace(leftRates(t, read, ratesOf(t, -1, "1.5")), "data 1", "data 0", 1), "unusable"},
		"truncated":                 {leftRates(t, read, ratesOf(t, -1, "1.5"))[:60], "unusable"},
		"of no time":                {"\n" + leftRates(t, read, ratesOf(t, -1, "1.5")), "unusable"},
		"nothing":                   {"", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				redis := shared(t)
				if test.blob != "" {
					mustSucceed(t, redis.SetBlob(t.Context(), ratesBlob, []byte(test.blob), ttl))
				}
				i := newInstance(t, redis)
				run(t, time.Second, i)
				want := int64(125_00)
				if test.outcome == "taken" {
					want = 150_00
				}
				if got := dollar(i.Catalog()); got != want {
					t.Errorf("100 euros are %d cents, want %d", got, want)
				}
				if got := i.outcomes(t, "rates"); !slices.Equal(got, []string{test.outcome}) {
					t.Errorf("counted %v, want %s", got, test.outcome)
				}
			})
		})
	}
}

func mustSucceed(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestOlderRatesNeverReplaceNewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank, redis := newBank(), shared(t)
		i := newInstance(t, redis, asking(bank))
		run(t, time.Second, i)
		bank.publish(day(-1).String(), "9") // A mirror that lags behind.
		run(t, 24*time.Hour, i)
		if bank.count() < 2 || i.Catalog().Rates().AsOf != day(0) {
			t.Errorf("after %d fetches the rates of %v are shown", bank.count(), i.Catalog().Rates().AsOf)
		}
		// What lies in Redis gets lost or grows old: the newest that anybody knows is
		// put there again.
		day0 := ratesOf(t, 0, "9")
		for _, blob := range []string{
			leftRates(t, time.Now(), ratesOf(t, -1, "9")), leftRates(t, time.Unix(0, 0), day0), "garbage", "",
		} {
			mustSucceed(t, redis.DropBlob(t.Context(), ratesBlob))
			if blob != "" {
				mustSucceed(t, redis.SetBlob(t.Context(), ratesBlob, []byte(blob), ttl))
			}
			run(t, time.Second, i)
			late := newInstance(t, redis)
			run(t, time.Second, late)
			if dollar(late.Catalog()) != 150_00 {
				t.Errorf("after %.20q an instance that starts shows the rates of %v, 100 euros are %d cents", blob, late.Age(), dollar(late.Catalog()))
			}
		}
	})
}

func TestFailingSource(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"unreachable":   func(*http.Request) (*http.Response, error) { return nil, errUnreachable },
		"not found":     func(r *http.Request) (*http.Response, error) { return respond(r, http.StatusNotFound, ""), nil },
		"malformed":     answering("<html>"),
		"huge":          answering(strings.Repeat(" ", 1<<20)),
		"a day to come": answering(document(day(9).String(), "1.5")),
		"silent": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bank, redis := newBank(), shared(t)
				bank.set(answer)
				fleet := []instance{newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank))}
				run(t, 2*time.Hour, fleet...)
				if bank.count() < 6 || bank.count() > 13 {
					t.Errorf("%d fetches in two hours, want one in ten minutes at most", bank.count())
				}
				for _, i := range fleet {
					if age := i.Age(); i.Catalog().Rates().AsOf != day(embeddedDay) || age.Overdue || !age.Heard.IsZero() {
						t.Errorf("shown: %+v", age)
					}
				}
				bank.publish(day(0).String(), "1.5")
				run(t, 15*time.Minute, fleet...)
				for _, i := range fleet {
					if age := i.Age(); age.RatesOf != day(0) || age.Overdue {
						t.Errorf("after the source is back: %+v", age)
					}
				}
			})
		})
	}
}

func TestWithoutSharedCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := newBank()
		i := newInstance(t, unreachable(t), asking(bank))
		run(t, time.Second, i)
		if got := i.Age(); got.RatesOf != day(0) || got.RatesFrom != refresh.FromSource {
			t.Errorf("shown: %+v", got)
		}
		bank.set(func(*http.Request) (*http.Response, error) { return nil, errUnreachable })
		fetched := bank.count()
		time.Sleep(15 * time.Hour)
		run(t, 2*time.Hour, i) // From 15:30 or 16:00 on, once in ten minutes at most.
		if got := bank.count() - fetched; got < 5 || got > 10 {
			t.Errorf("%d fetches", got)
		}
		if i.Catalog().Rates().AsOf != day(0) {
			t.Errorf("shown: %+v", i.Age())
		}
	})
}

func TestAgeIsVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		redis := shared(t)
		i, waiting := newInstance(t, redis), newInstance(t, redis, asking(newBank()))
		time.Sleep(time.Hour)
		const want = "catalogue of 1999-12-02; exchange rates of 1999-12-02 (ECB, embedded)"
		if got := i.Age().String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if i.Age().Overdue || waiting.Age().Overdue {
			t.Error("overdue after an hour")
		}
		time.Sleep(49 * time.Hour)
		if i.Age().Overdue || !waiting.Age().Overdue {
			t.Errorf("after two days: overdue without a source %v, with a silent one %v", i.Age().Overdue, waiting.Age().Overdue)
		}
		for _, m := range i.collect(t) {
			if gauge, ok := m.Data.(metricdata.Gauge[float64]); ok && m.Name == "hedgehop.refdata.rates.age" {
				if want := (30*24 + 50) * time.Hour.Seconds(); gauge.DataPoints[0].Value != want {
					t.Errorf("age %v s, want %v s", gauge.DataPoints[0].Value, want)
				}
				return
			}
		}
		t.Error("no gauge of the rates' age")
	})
}

package refresh_test

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

const catalogBlob = "refdata:catalog"

// newer is the small world of a later release, with an airport and a carrier
// more and another name.
func newer(tb testing.TB) refdata.Data {
	tb.Helper()
	d := data(tb, embeddedDay+10)
	d.Airports[2].Name = "Dublin International"
	d.Airports = append(d.Airports, refdata.Airport{IATA: "LGA", Name: "La Guardia", City: "New York", CityCode: "NYC", Country: "US", Zone: "America/New_York"})
	d.Cities[0].Airports = append(d.Cities[0].Airports, "LGA")
	d.Carriers = append(d.Carriers, refdata.Carrier{IATA: "B6", Name: "JetBlue"})
	return d
}

func knowsLGA(i instance) bool { _, ok := i.Catalog().Airport("LGA"); return ok }

// unreachable is a cache whose Redis cannot be reached. Its connections are not
// of the virtual world, so nothing listens and nothing waits.
func unreachable(tb testing.TB) *cache.Cache {
	tb.Helper()
	c, err := cache.Open(cache.Options{URL: "unix:///nowhere/redis.sock"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = c.Close()
		time.Sleep(2 * time.Second) // Virtual: its dial loop looks once a second.
	})
	return c
}

func TestNewerReleaseReachesOlderInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		redis := shared(t)
		old := newInstance(t, redis)
		run(t, time.Second, old)
		fresh := newInstance(t, redis, embedding(catalogOf(t, newer(t))))
		run(t, time.Second, fresh) // Finds an older one and puts its own in its place.
		run(t, 2*time.Hour, old, fresh)
		if !knowsLGA(old) || old.Age().CatalogOf != day(embeddedDay+10) || old.Catalog().Rates().AsOf != day(embeddedDay+10) {
			t.Errorf("the older instance shows %v", old.Age())
		}
		if got := old.Catalog().CityOf("LGA"); got != "NYC" {
			t.Errorf("LGA is in %q", got)
		}
	})
}

func TestReleaseDoesNotTakeNewerRatesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		redis := shared(t)
		mustSucceed(t, redis.SetBlob(t.Context(), catalogBlob, append([]byte("\n"), catalogOf(t, newer(t)).Encode()...), ttl))
		i := newInstance(t, redis, asking(newBank()))
		run(t, 2*time.Hour, i)
		if !knowsLGA(i) || i.Catalog().Rates().AsOf != day(0) {
			t.Errorf("shown: %v, LGA known: %v", i.Age(), knowsLGA(i))
		}
	})
}

// TestSharedCatalog judges what others left.
func TestSharedCatalog(t *testing.T) {
	encoded := func(change func(*refdata.Data)) string {
		d := newer(t)
		change(&d)
		return "\n" + string(catalogOf(t, d).Encode())
	}
	rated := func(of int) func(*refdata.Data) {
		return func(d *refdata.Data) { d.Rates = ratesOf(t, of, "1.5") }
	}
	for name, test := range map[string]struct {
		blob    string
		outcome string
	}{
		"newer":          {encoded(func(*refdata.Data) {}), "taken"},
		"same release":   {encoded(rated(embeddedDay)), "same"},
		"older release":  {encoded(rated(embeddedDay - 1)), "older"},
		"without a date": {encoded(func(d *refdata.Data) { d.Rates = refdata.Rates{} }), "older"},
		"a day to come":  {encoded(rated(2)), "unusable"},
		"another epoch":  {"epoch" + encoded(func(*refdata.Data) {}), "withdrawn"},
		"another form":   {"\nhedgehop reference data 0\n", "unusable"},
		"truncated":      {encoded(func(*refdata.Data) {})[:200], "unusable"},
		"another city code": {encoded(func(d *refdata.Data) {
			d.Airports[1].CityCode, d.Cities[0].Airports = "EWR", []string{"JFK", "LGA"}
		}), "refused"},
		"a city code that became an airport's": {encoded(func(d *refdata.Data) {
			d.Airports = append(d.Airports, refdata.Airport{IATA: "NYC", Name: "N", City: "N", CityCode: "DUB", Country: "US", Zone: "UTC"})
			d.Cities = append(d.Cities, refdata.City{Code: "DUB", Name: "D", Country: "IE", Airports: []string{"DUB", "NYC"}})
		}), "refused"},
		"an airport less":  {encoded(func(d *refdata.Data) { d.Airports = slices.Delete(d.Airports, 2, 3) }), "refused"},
		"a carrier less":   {encoded(func(d *refdata.Data) { d.Carriers = d.Carriers[1:] }), "refused"},
		"a currency less":  {encoded(func(d *refdata.Data) { delete(d.CurrencyNames, "JPY") }), "refused"},
		"nothing is there": {"", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				redis := shared(t)
				if test.blob != "" {
					mustSucceed(t, redis.SetBlob(t.Context(), catalogBlob, []byte(test.blob), ttl))
				}
				i := newInstance(t, redis)
				run(t, time.Second, i)
				if got, want := knowsLGA(i), test.outcome == "taken"; got != want {
					t.Errorf("LGA known: %v, want %v", got, want)
				}
				if got := i.outcomes(t, "catalog"); !slices.Equal(got, []string{test.outcome}) {
					t.Errorf("counted %v, want %s", got, test.outcome)
				}
				left, _, err := redis.Blob(t.Context(), catalogBlob)
				mustSucceed(t, err)
				keeps := test.outcome == "taken" || test.outcome == "same" || test.outcome == "refused"
				if got := string(left) == test.blob; got != keeps {
					t.Errorf("what was left stays: %v, want %v", got, keeps)
				}
			})
		})
	}
}

func TestChangedWithdrawsTheSharedCatalogue(t *testing.T) {
	for _, set := range []refresh.Set{refresh.Airports, refresh.Airlines, refresh.Currencies} {
		synctest.Test(t, func(t *testing.T) {
			redis := shared(t)
			mustSucceed(t, redis.SetBlob(t.Context(), catalogBlob, append([]byte("\n"), catalogOf(t, newer(t)).Encode()...), ttl))
			fleet := []instance{newInstance(t, redis), newInstance(t, redis)}
			run(t, time.Second, fleet...)
			if !knowsLGA(fleet[0]) || !knowsLGA(fleet[1]) {
				t.Fatal("the newer catalogue was not taken")
			}
			mustSucceed(t, fleet[0].Changed(t.Context(), set))
			if knowsLGA(fleet[0]) {
				t.Error("withdrawn, and still shown by the instance that was told")
			}
			run(t, 2*time.Hour, fleet...) // The second held it when it was withdrawn.
			if knowsLGA(fleet[0]) || knowsLGA(fleet[1]) {
				t.Error("withdrawn, and shown again")
			}
			// Redis loses everything, the epoch too: an instance that starts joins those
			// that run, and a newer release may come again.
			for _, name := range []string{catalogBlob, ratesBlob, "refdata:epoch"} {
				mustSucceed(t, redis.DropBlob(t.Context(), name))
			}
			run(t, 2*time.Minute, fleet...)
			late := newInstance(t, redis, embedding(catalogOf(t, newer(t))))
			run(t, time.Second, late)
			run(t, time.Hour+time.Minute, append(fleet, late)...)
			if !knowsLGA(fleet[0]) || !knowsLGA(fleet[1]) {
				t.Error("a newer release does not reach the fleet any more")
			}
		})
	}
}

func TestChangedCurrenciesFetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank, redis := newBank(), shared(t)
		fleet := []instance{newInstance(t, redis, asking(bank)), newInstance(t, redis, asking(bank))}
		run(t, 2*time.Minute, fleet...)
		bank.publish(day(0).String(), "1.7") // The same day's, corrected.
		mustSucceed(t, fleet[1].Changed(t.Context(), refresh.Currencies))
		if bank.count() != 2 || dollar(fleet[1].Catalog()) != 170_00 {
			t.Errorf("%d fetches, 100 euros are %d cents", bank.count(), dollar(fleet[1].Catalog()))
		}
		run(t, 2*time.Minute, fleet...)
		if got := dollar(fleet[0].Catalog()); got != 170_00 {
			t.Errorf("the other instance: 100 euros are %d cents", got)
		}
		bank.set(func(*http.Request) (*http.Response, error) { return nil, errUnreachable })
		if fleet[0].Changed(t.Context(), refresh.Currencies) == nil {
			t.Error("rates that were not fetched were reported as fetched")
		}
		if got := dollar(fleet[0].Catalog()); got != 170_00 {
			t.Errorf("the failure cost the rates: 100 euros are %d cents", got)
		}
	})
}

func TestChangedIsHonest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if newInstance(t, shared(t)).Changed(t.Context(), "trains") == nil {
			t.Error("an unknown set was accepted")
		}
		if newInstance(t, unreachable(t)).Changed(t.Context(), refresh.Airports) == nil {
			t.Error("a withdrawal that no other instance can see was reported to hold")
		}
	})
}

func TestOptions(t *testing.T) {
	good := refresh.Options{Embedded: catalogOf(t, data(t, 0)), Cache: shared(t), RatesURL: ratesURL()}
	if _, err := refresh.New(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*refresh.Options){
		"no catalogue": func(o *refresh.Options) { o.Embedded = nil },
		"no cache":     func(o *refresh.Options) { o.Cache = nil },
		"a file":       func(o *refresh.Options) { u := *o.RatesURL; u.Scheme = "file"; o.RatesURL = &u },
		"no host":      func(o *refresh.Options) { u := *o.RatesURL; u.Host = ""; o.RatesURL = &u },
	} {
		o := good
		spoil(&o)
		if _, err := refresh.New(o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

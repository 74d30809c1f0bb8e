package refresh_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Most tests are of failures.
	goleak.VerifyTestMain(m,
		// The client's dial loop notices at its next second that it was closed.
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// Virtual time begins on 2000-01-01. Days are counted from there.
func day(n int) flight.Date { return flight.Date{Year: 2000, Month: 1, Day: 1}.AddDays(n) }

// embeddedDay is the release of the program under test.
const embeddedDay = -30

// data is a small world of the release of a day.
func data(tb testing.TB, released int) refdata.Data {
	tb.Helper()
	return refdata.Data{
		Airports: []refdata.Airport{
			{IATA: "JFK", Name: "Kennedy", City: "New York", CityCode: "NYC", Country: "US", Zone: "America/New_York"},
			{IATA: "EWR", Name: "Newark", City: "New York", CityCode: "NYC", Country: "US", Zone: "America/New_York"},
			{IATA: "DUB", Name: "Dublin", City: "Dublin", CityCode: "DUB", Country: "IE", Zone: "Europe/Dublin"},
		},
		Cities:        []refdata.City{{Code: "NYC", Name: "New York", Country: "US", Airports: []string{"JFK", "EWR"}}},
		Carriers:      []refdata.Carrier{{IATA: "EI", Name: "Aer Lingus"}},
		CurrencyNames: map[string]string{"USD": "US Dollar", "GBP": "Pound", "JPY": "Yen"},
		Rates:         ratesOf(tb, released, "1.25"),
	}
}

func catalogOf(tb testing.TB, data refdata.Data) *refdata.Catalog {
	tb.Helper()
	c, err := refdata.New(data)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// ratesOf is a table of a day that tells itself apart by its dollar.
func ratesOf(tb testing.TB, of int, dollar string) refdata.Rates {
	tb.Helper()
	r, err := refdata.NewRates(day(of), refdata.SourceECB, map[string]string{"USD": dollar, "GBP": "0.85", "JPY": "160"})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// dollar is how many cents a hundred euros are.
func dollar(c *refdata.Catalog) int64 {
	m, _ := c.Rates().Convert(flight.Money{Minor: 100_00, Currency: "EUR"}, "USD")
	return m.Minor
}

// bank is the publisher of rates, as a transport.
type bank struct {
	mu     sync.Mutex
	answer func(*http.Request) (*http.Response, error)
	asked  int
}

func newBank() *bank {
	b := new(bank)
	b.publish(day(0).String(), "1.5")
	return b
}

func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	b.asked++
	answer := b.answer
	b.mu.Unlock()
	return answer(r)
}

func (b *bank) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

func (b *bank) set(answer func(*http.Request) (*http.Response, error)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = answer
}

// publish puts out a table.
func (b *bank) publish(of, dollar string) { b.set(answering(document(of, dollar))) }

func answering(body string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) { return respond(r, http.StatusOK, body), nil }
}

func document(of, dollar string) string {
	return fmt.Sprintf(`<Envelope><Cube><Cube time=%q><Cube currency="USD" rate=%q/><Cube currency="GBP" rate="0.85"/><Cube currency="JPY" rate="160"/></Cube></Cube></Envelope>`, of, dollar)
}

func respond(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Request: r,
		Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
	}
}

func ratesURL() *url.URL { return &url.URL{Scheme: "https", Host: "bank.example", Path: "/daily.xml"} }

// shared opens a cache that stands for the Redis of a fleet.
func shared(tb testing.TB) *cache.Cache {
	tb.Helper()
	c, err := cache.Open(cache.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

// instance is a Refresher and what it counts.
type instance struct {
	*refresh.Refresher
	reader *metric.ManualReader
}

// newInstance is one with the small world embedded; change may say otherwise.
func newInstance(tb testing.TB, c *cache.Cache, change ...func(*refresh.Options)) instance {
	tb.Helper()
	reader := metric.NewManualReader()
	o := refresh.Options{
		Embedded: catalogOf(tb, data(tb, embeddedDay)), Cache: c,
		Meter: metric.NewMeterProvider(metric.WithReader(reader)).Meter("test"),
	}
	for _, f := range change {
		f(&o)
	}
	r, err := refresh.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return instance{r, reader}
}

func asking(b *bank) func(*refresh.Options) {
	return func(o *refresh.Options) { o.RatesURL, o.Transport = ratesURL(), b }
}

func embedding(c *refdata.Catalog) func(*refresh.Options) {
	return func(o *refresh.Options) { o.Embedded = c }
}

// run has instances look for d; the test goes on when they are at rest.
func run(tb testing.TB, d time.Duration, all ...instance) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	var running sync.WaitGroup
	for _, i := range all {
		running.Go(func() { i.Run(ctx) })
	}
	running.Wait()
}

// outcomes are the counted ones of a set, sorted, each once.
func (i instance) outcomes(tb testing.TB, set string) []string {
	tb.Helper()
	var seen []string
	for _, m := range i.collect(tb) {
		sum, _ := m.Data.(metricdata.Sum[int64])
		for _, p := range sum.DataPoints {
			of, _ := p.Attributes.Value("set")
			got, _ := p.Attributes.Value("outcome")
			if of.AsString() == set {
				seen = append(seen, got.AsString())
			}
		}
	}
	slices.Sort(seen)
	return slices.Compact(seen)
}

func (i instance) collect(tb testing.TB) []metricdata.Metrics {
	tb.Helper()
	var collected metricdata.ResourceMetrics
	if err := i.reader.Collect(context.Background(), &collected); err != nil {
		tb.Fatal(err)
	}
	var all []metricdata.Metrics
	for _, scope := range collected.ScopeMetrics {
		all = append(all, scope.Metrics...)
	}
	return all
}

var errUnreachable = errors.New("the bank is closed")

package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// watched is a service whose metrics and spans the test reads.
type watched struct {
	*Service
	reader *sdkmetric.ManualReader
	spans  *tracetest.SpanRecorder
}

func watchedService(t *testing.T, asked ...Provider) watched {
	t.Helper()
	w := watched{Service: serviceOf(t, asked...), reader: sdkmetric.NewManualReader(), spans: tracetest.NewSpanRecorder()}
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.reader)).Meter(scopeName)
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(w.spans)).Tracer(scopeName)
	var err error
	if w.seen, err = newTelemetry(meter, tracer); err != nil {
		t.Fatal(err)
	}
	w.now, w.watch.rechecks = time.Now, w.seen.rechecks
	return w
}

// counts are all data points so far, by name and attributes, with how often each
// was recorded and, of a histogram, the sum.
func (w watched) counts(t *testing.T) map[string]string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := w.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	points := map[string]string{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					points[m.Name+" "+pairsOf(p.Attributes.ToSlice())] = fmt.Sprint(p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					points[m.Name+" "+pairsOf(p.Attributes.ToSlice())] = fmt.Sprintf("%d: %gs", p.Count, p.Sum)
				}
			}
		}
	}
	return points
}

func pairsOf(attributes []attribute.KeyValue) string {
	var texts []string
	for _, a := range attributes {
		texts = append(texts, string(a.Key)+"="+a.Value.String())
	}
	return strings.Join(texts, " ")
}

func TestMetricsOfSearches(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		quick := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t))), before: after(time.Second)}
		broken := &scripted{name: "amadeus", err: &providers.Error{Kind: providers.KindFailed}}
		w := watchedService(t, quick, broken)
		req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())

		mustSearch(t, w.Service, req) // Partial: one misses and answers, one misses and fails.
		broken.err, broken.answer = nil, answerOf(offer("b", usd(410_00), ba178(t)))
		mustSearch(t, w.Service, req) // Mixed.
		time.Sleep(30 * time.Second)
		mustSearch(t, w.Service, req) // A hit: 31 s and 30 s old.
		time.Sleep(4 * time.Minute)
		quick.err, broken.err = errors.New("down"), &providers.Error{Kind: providers.KindRateLimited}
		mustSearch(t, w.Service, req) // Stale: 271 s and 270 s old.
		time.Sleep(time.Hour)
		if _, err := w.Search(t.Context(), req, nil); err == nil {
			t.Error("answered with nothing")
		}
		if _, err := w.Search(t.Context(), Request{}, nil); err == nil {
			t.Error("answered to nothing")
		}
		want := map[string]string{
			"hedgehop.search.duration cache=miss outcome=partial":   "1: 1s",
			"hedgehop.search.duration cache=mixed outcome=complete": "1: 0s",
			"hedgehop.search.duration cache=hit outcome=complete":   "1: 0s",
			"hedgehop.search.duration cache=miss outcome=complete":  "1: 1s",
			"hedgehop.search.duration cache=miss outcome=none":      "1: 1s",

			"hedgehop.provider.duration provider=duffel reason=miss status=ok":             "1: 1s",
			"hedgehop.provider.duration provider=duffel reason=stale status=error":         "1: 1s",
			"hedgehop.provider.duration provider=duffel reason=miss status=error":          "1: 1s",
			"hedgehop.provider.duration provider=amadeus reason=miss status=ok":            "1: 0s",
			"hedgehop.provider.duration provider=amadeus reason=miss status=error":         "1: 0s",
			"hedgehop.provider.duration provider=amadeus reason=stale status=rate_limited": "1: 0s",
			"hedgehop.provider.duration provider=amadeus reason=miss status=rate_limited":  "1: 0s",

			"hedgehop.provider.answers cache=miss provider=duffel status=ok":             "1",
			"hedgehop.provider.answers cache=hit provider=duffel status=ok":              "2",
			"hedgehop.provider.answers cache=stale provider=duffel status=error":         "1",
			"hedgehop.provider.answers cache=miss provider=duffel status=error":          "1",
			"hedgehop.provider.answers cache=miss provider=amadeus status=error":         "1",
			"hedgehop.provider.answers cache=miss provider=amadeus status=ok":            "1",
			"hedgehop.provider.answers cache=hit provider=amadeus status=ok":             "1",
			"hedgehop.provider.answers cache=stale provider=amadeus status=rate_limited": "1",
			"hedgehop.provider.answers cache=miss provider=amadeus status=rate_limited":  "1",

			"hedgehop.fare.age cache=miss provider=duffel":   "1: 0s",
			"hedgehop.fare.age cache=hit provider=duffel":    "2: 32s",
			"hedgehop.fare.age cache=stale provider=duffel":  "1: 272s",
			"hedgehop.fare.age cache=miss provider=amadeus":  "1: 0s",
			"hedgehop.fare.age cache=hit provider=amadeus":   "1: 30s",
			"hedgehop.fare.age cache=stale provider=amadeus": "1: 271s",
		}
		if diff := cmp.Diff(want, w.counts(t)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestARefreshSaysSoAndChangesAreCounted(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		changing := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		w := watchedService(t, changing)
		req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())
		for range hotUses + 2 {
			mustSearch(t, w.Service, req)
			synctest.Wait() // Until it is filled in: only its copy counts uses.
		}
		time.Sleep(2 * time.Minute)
		changing.answer = answerOf(offer("a", usd(401_00), ba178(t)))
		mustSearch(t, w.Service, req)
		synctest.Wait()
		counts := w.counts(t)
		if got := counts["hedgehop.provider.duration provider=duffel reason=refresh status=ok"]; got != "1: 0s" {
			t.Errorf("refreshes: %q", got)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(counts)), func(name string) bool {
			return strings.HasPrefix(name, "hedgehop.fares.rechecked age=<3m ") && strings.Contains(name, "outcome=changed provider=duffel")
		}) {
			t.Errorf("no changed fare in %v", counts)
		}
	})
}

func TestSpansOfASearch(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		quick := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		slow := &scripted{name: "amadeus", answer: answerOf(offer("b", usd(410_00), ba178(t))), before: after(5 * time.Second)}
		w := watchedService(t, quick, slow)
		req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())
		mustSearch(t, w.Service, req)
		drain(t, w.Service)
		want := []string{
			"cache.lookup < search 0s: hedgehop.cache.amadeus=miss hedgehop.cache.duffel=miss",
			"merge < search 0s: hedgehop.itineraries=1 hedgehop.offers=1 hedgehop.remembered=false",
			"provider amadeus < search 3s: hedgehop.attempts=0 hedgehop.cache=miss hedgehop.offers=0 hedgehop.provider=amadeus hedgehop.status=timeout",
			"provider duffel < search 0s: hedgehop.attempts=0 hedgehop.cache=miss hedgehop.offers=1 hedgehop.provider=duffel hedgehop.status=ok",
			"search 3s: hedgehop.cache=miss hedgehop.outcome=partial",
		}
		if diff := cmp.Diff(want, w.tree()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSpanOfAFailedSearchIsAnError(t *testing.T) {
	w := watchedService(t, &scripted{name: "duffel", err: errors.New("secret address")})
	_, _ = w.Search(context.Background(), oneWay("JFK", "LHR", soon()), nil)
	for _, span := range w.spans.Ended() {
		failed := span.Status().Code.String() == "Error"
		if want := span.Name() == "search" || span.Name() == "provider duffel"; failed != want || strings.Contains(span.Status().Description, "secret") {
			t.Errorf("%s: %+v", span.Name(), span.Status())
		}
	}
}

// tree is every ended span in one line, with its parent's name; ids left out.
func (w watched) tree() []string {
	names := map[string]string{}
	for _, span := range w.spans.Ended() {
		names[span.SpanContext().SpanID().String()] = span.Name()
	}
	var lines []string
	for _, span := range w.spans.Ended() {
		line := span.Name()
		if parent := names[span.Parent().SpanID().String()]; parent != "" {
			line += " < " + parent
		}
		attributes := slices.DeleteFunc(slices.Clone(span.Attributes()), func(a attribute.KeyValue) bool { return a.Key == "hedgehop.search_id" })
		slices.SortFunc(attributes, func(a, b attribute.KeyValue) int { return strings.Compare(string(a.Key), string(b.Key)) })
		lines = append(lines, fmt.Sprintf("%s %s: %s", line, span.EndTime().Sub(span.StartTime()), pairsOf(attributes)))
	}
	slices.Sort(lines)
	return lines
}

func BenchmarkTelemetryOfAHit(b *testing.B) {
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())).Meter(scopeName)
	seen, err := newTelemetry(meter, nil)
	if err != nil {
		b.Fatal(err)
	}
	result := &Result{Complete: true}
	for _, name := range []string{"duffel", "amadeus", "skyscanner"} {
		result.Providers = append(result.Providers, Outcome{Name: name, Status: StatusOK, Cache: CacheHit, Age: time.Minute})
	}
	b.ReportAllocs()
	for b.Loop() {
		seen.searched(b.Context(), result, nil, time.Millisecond)
	}
}

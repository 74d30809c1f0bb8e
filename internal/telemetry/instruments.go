package telemetry

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/otlptranslator"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// Instrument is a metric that some room has made, whether or not anything was
// recorded with it yet.
type Instrument struct {
	// Name is OpenTelemetry's, Family that on /metrics: a histogram's has _bucket,
	// _sum and _count after it.
	Name, Family string
	// Kind is counter, gauge or histogram.
	Kind string
	// Unit in UCUM notation, About what it counts.
	Unit, About string
}

// instruments remembers every metric that is made.
type instruments struct {
	mu    sync.Mutex
	known map[string]Instrument
}

// note is a view. It takes the unit "1" off, which would name every gauge of a
// state or a share on /metrics a ratio.
func (i *instruments) note(made sdkmetric.Instrument) (sdkmetric.Stream, bool) {
	stream := sdkmetric.Stream{Name: made.Name, Description: made.Description, Unit: made.Unit}
	if stream.Unit == "1" {
		stream.Unit = ""
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.known[made.Name] = Instrument{
		Name: made.Name, Family: family(stream, made.Kind), Kind: kindOf(made.Kind), Unit: stream.Unit, About: made.Description,
	}
	return stream, true
}

// all are sorted by name.
func (i *instruments) all() []Instrument {
	i.mu.Lock()
	defer i.mu.Unlock()
	var all []Instrument
	for _, instrument := range i.known {
		all = append(all, instrument)
	}
	slices.SortFunc(all, func(a, b Instrument) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func family(s sdkmetric.Stream, kind sdkmetric.InstrumentKind) string {
	namer := otlptranslator.NewMetricNamer("", naming())
	name, err := namer.Build(otlptranslator.Metric{Name: s.Name, Unit: s.Unit, Type: typeOf(kind)})
	if err != nil {
		name = ""
	}
	return cmp.Or(name, s.Name)
}

func kindOf(kind sdkmetric.InstrumentKind) string {
	switch kind {
	case sdkmetric.InstrumentKindCounter, sdkmetric.InstrumentKindObservableCounter:
		return "counter"
	case sdkmetric.InstrumentKindHistogram:
		return "histogram"
	default:
		return "gauge"
	}
}

func typeOf(kind sdkmetric.InstrumentKind) otlptranslator.MetricType {
	switch kindOf(kind) {
	case "counter":
		return otlptranslator.MetricTypeMonotonicCounter
	case "histogram":
		return otlptranslator.MetricTypeHistogram
	default:
		return otlptranslator.MetricTypeGauge
	}
}

package refresh

import (
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Age says how current what is shown is.
type Age struct {
	// RatesOf is the day that the rates were published for, RatesSource who
	// published them, RatesFrom how they came here.
	RatesOf     flight.Date
	RatesSource string
	RatesFrom   Origin
	// Heard is when any instance last read the source; zero: never.
	Heard time.Time
	// CatalogOf is the day on which the data of the catalogue was made.
	CatalogOf flight.Date
	// Overdue: there is a source, and it has been silent for two days.
	Overdue bool
}

// Age of what is shown now.
func (r *Refresher) Age() Age {
	s := r.shown.Load()
	since := s.heard
	if since.IsZero() {
		since = r.started
	}
	return Age{
		RatesOf: s.table.rates.AsOf, RatesSource: s.table.rates.Source, RatesFrom: s.table.from,
		Heard: s.heard, CatalogOf: release(s.base),
		Overdue: r.source != nil && time.Since(since) > overdueAfter,
	}
}

// String is a line for people.
func (a Age) String() string {
	text := fmt.Sprintf("catalogue of %s; exchange rates of %s (%s, %s)", a.CatalogOf, a.RatesOf, a.RatesSource, a.RatesFrom)
	if !a.Heard.IsZero() {
		text += ", source last read " + a.Heard.UTC().Format(time.RFC3339)
	}
	return text
}

// ratesAge is the time since the day of the rates began, in UTC.
func (r *Refresher) ratesAge(now time.Time) time.Duration {
	d := r.shown.Load().table.rates.AsOf
	return now.Sub(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC))
}

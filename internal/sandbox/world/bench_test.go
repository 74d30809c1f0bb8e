package world

import (
	"testing"
	_ "time/tzdata"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func BenchmarkItineraries(b *testing.B) {
	c, _ := refdata.Embedded()
	w := New(c, 1)
	today := flight.Date{Year: 2026, Month: 11, Day: 30}
	for _, r := range []string{"JFK LHR", "NYC LON", "SYD LHR"} {
		b.Run(r, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				q := Query{Slices: []flight.SliceQuery{{Origin: r[:3], Destination: r[4:], Departure: today.AddDays(30 + i%50)}}}
				w.plan(q, today)
			}
		})
	}
	b.Run("return", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			q := Query{Slices: []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: today.AddDays(30)}, {Origin: "LHR", Destination: "JFK", Departure: today.AddDays(37)}}}
			w.plan(q, today)
		}
	})
}

package world

import (
	"testing"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// A search that nobody has asked before, by kinds of question.
func BenchmarkItineraries(b *testing.B) {
	w := mustWorld(b, 1)
	back := func(q Query) Query {
		out := q.Slices[0]
		q.Slices = append(q.Slices, flight.SliceQuery{Origin: out.Destination, Destination: out.Origin, Departure: out.Departure.AddDays(7)})
		return q
	}
	for name, query := range map[string]Query{
		"trunk":  oneWay("JFK", "LHR", today.AddDays(30)),
		"cities": oneWay("NYC", "LON", today.AddDays(30)),
		"return": back(oneWay("JFK", "LHR", today.AddDays(30))),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.plan(query, today)
			}
		})
	}
}

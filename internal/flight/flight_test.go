package flight_test

import (
	"testing"
	"time"
	_ "time/tzdata" // The zones are the same on every machine that tests.

	"github.com/hedgehop/hedgehop/internal/flight"
)

func wall(tb testing.TB, text string) flight.LocalTime {
	tb.Helper()
	t, err := flight.ParseWall(text)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}

package world

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// market is what an adult pays for a journey in economy, without bags or
// changes, before taxes; in cents.
func (w *World) market(j *Journey, today flight.Date) int64 {
	fare := distanceFare(j.km)
	date := flight.DateOf(j.Departure().In(w.catalog.Zone(j.Origin())))
	for _, permille := range []int{
		j.Carrier().level,
		advance(today.DaysUntil(date)),
		[]int{1070, 980, 940, 950, 1000, 1090, 1010}[weekday(date)],
		season(date),
		w.load(j),
		convenience(j),
		w.die.cast("drift", j.key(), today.String()).within(985, 1015),
	} {
		fare = scale(fare, permille)
	}
	return fare
}

// distanceFare grows with the great circle between the ends, more slowly on
// long ways: about 70 dollars for 500 km, 340 for 5,500 and 540 for 10,000.
func distanceFare(km int) int64 {
	return 4200 + 56*int64(min(km, 5000))/10 + 44*int64(max(0, km-5000))/10
}

// advance is how the fare level moves with the days left, in permille, straight
// between these points.
func advance(days int) int {
	points := []struct{ days, permille int }{{0, 2000}, {3, 1700}, {7, 1380}, {14, 1160}, {21, 1030}, {60, 960}, {120, 950}, {361, 1060}}
	for i, p := range points[1:] {
		if before := points[i]; days <= p.days {
			return before.permille + (p.permille-before.permille)*(max(0, days)-before.days)/(p.days-before.days)
		}
	}
	return points[len(points)-1].permille
}

// season is dearer in the holidays.
func season(d flight.Date) int {
	switch {
	case d.Month == time.December && d.Day >= 18, d.Month == time.January && d.Day <= 3:
		return 1320
	case d.Month >= time.June && d.Month <= time.August:
		return 1180
	case d.Month == time.February, d.Month == time.November:
		return 900
	default:
		return 1000
	}
}

// load is how full the flights are: each has its own fare level.
func (w *World) load(j *Journey) int {
	sum := 0
	for _, f := range j.Flights {
		sum += w.die.cast("load", f.key()).within(820, 1220)
	}
	return sum / len(j.Flights)
}

// convenience makes non-stop flights dearer, and long waits cheap.
func convenience(j *Journey) int {
	permille := []int{1080, 930, 880}[min(2, len(j.Flights)-1)]
	if j.Duration() > 90*time.Minute+time.Duration(j.km)*time.Hour*16/(815*10) {
		permille -= 70
	}
	if j.SelfTransfer {
		permille -= 90
	}
	return permille
}

// scale multiplies by a permille, rounded half up.
func scale(cents int64, permille int) int64 { return (cents*int64(permille) + 500) / 1000 }

package world

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

var everything = Vantage{Name: "all", Shown: 1000, Brands: 3, SelfTransfers: true, Limit: 1000}

func TestFaresAreInOrderOfWhatTheyGive(t *testing.T) {
	w := mustWorld(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		fares := w.Fares(everything, drawQuery(t, 1), today)
		for i, f := range fares {
			adult, child, infant := f.Price(Adult).Total(), f.Price(Child).Total(), f.Price(Infant).Total()
			if adult <= child || child <= infant || infant <= 0 {
				t.Fatalf("%s: adult %d, child %d, infant %d", describe(f.Itinerary), adult, child, infant)
			}
			if f.Seats < 1 || f.Seats > 9 || f.Adult.Base%100 != 0 || adult < 2500 {
				t.Fatalf("%s: %d seats at %+v", describe(f.Itinerary), f.Seats, f.Adult)
			}
			if i > 0 && fares[i-1].Itinerary == f.Itinerary && fares[i-1].Adult.Base > f.Adult.Base {
				t.Fatalf("%s: %s costs more than %s", describe(f.Itinerary), fares[i-1].Brand.Name, f.Brand.Name)
			}
		}
	})
}

func TestCabinsCostMore(t *testing.T) {
	w := mustWorld(t, 1)
	cheapest := map[flight.Cabin]int64{}
	for _, cabin := range []flight.Cabin{flight.CabinEconomy, flight.CabinPremiumEconomy, flight.CabinBusiness, flight.CabinFirst} {
		q := oneWay("JFK", "LHR", today.AddDays(40))
		q.Cabin = cabin
		for _, f := range w.Fares(everything, q, today) {
			if least, ok := cheapest[cabin]; !ok || f.Adult.Total() < least {
				cheapest[cabin] = f.Adult.Total()
			}
			if longest := f.Journeys[0].longest(); w.Cabin(longest, cabin) != cabin {
				t.Errorf("%s has no %s", longest.key(), cabin)
			}
		}
	}
	if !(cheapest[flight.CabinEconomy] < cheapest[flight.CabinPremiumEconomy] &&
		cheapest[flight.CabinPremiumEconomy] < cheapest[flight.CabinBusiness] && cheapest[flight.CabinBusiness] < cheapest[flight.CabinFirst]) {
		t.Errorf("cheapest by cabin: %v", cheapest)
	}
}

// Fares move with the days that are left, and with nothing else.
func TestFaresRiseTowardsDeparture(t *testing.T) {
	w := mustWorld(t, 1)
	date := today.AddDays(100)
	average := func(daysLeft int) int64 {
		var sum int64
		fares := w.Fares(everything, oneWay("JFK", "LHR", date), date.AddDays(-daysLeft))
		for _, f := range fares {
			sum += f.Adult.Base
		}
		return sum / int64(len(fares))
	}
	if last, week, month := average(1), average(8), average(60); last < week*125/100 || week < month*125/100 {
		t.Errorf("a day before %d, a week before %d, two months before %d", last, week, month)
	}
}

func TestAdvanceIsContinuous(t *testing.T) {
	for days := range 400 {
		step := advance(days) - advance(days+1)
		if step < -10 || step > 110 || advance(days) < 900 || advance(days) > 2000 {
			t.Errorf("%d days before: %d, a day later %d", days, advance(days), advance(days+1))
		}
	}
	if got := advance(-3); got != 2000 {
		t.Errorf("after departure: %d", got)
	}
}

// Two providers of the contract see much of the same, at other prices.
func TestVantagesOverlapAndDiffer(t *testing.T) {
	w := mustWorld(t, 1)
	q := oneWay("JFK", "LHR", today.AddDays(30))
	one := map[string]int64{}
	for _, f := range w.Fares(Vantage{Name: "one", Shown: 880, Brands: 1, Limit: 1000}, q, today) {
		one[f.key] = f.Adult.Total()
	}
	both, differ := 0, 0
	for _, f := range w.Fares(Vantage{Name: "two", Without: "BA", Shown: 880, Brands: 1, Limit: 1000}, q, today) {
		for _, hop := range f.Flights() {
			if hop.Airline.Code == "BA" {
				t.Fatalf("%s is sold without BA", describe(f.Itinerary))
			}
		}
		if price, ok := one[f.key]; ok {
			both++
			if price != f.Adult.Total() {
				differ++
			}
		}
	}
	if both < 50 || differ < both*3/4 {
		t.Errorf("%d itineraries at both, %d at differing prices", both, differ)
	}
}

func TestPartnersSellUnderTheirOwnNumbers(t *testing.T) {
	w := mustWorld(t, 1)
	v := everything
	v.Partners = 1000
	shared := 0
	for _, f := range w.Fares(v, oneWay("JFK", "LHR", today.AddDays(30)), today) {
		for _, hop := range f.Flights() {
			marketing, number := w.Marketing(f, hop)
			switch {
			case marketing == hop.Airline && number != hop.Number:
				t.Errorf("%s is sold as number %d of its own airline", hop.key(), number)
			case marketing != hop.Airline && !marketing.sells(hop.Airline):
				t.Errorf("%s is sold by the stranger %s", hop.key(), marketing.Code)
			case marketing != hop.Airline:
				shared++
			}
		}
	}
	if shared < 20 {
		t.Errorf("only %d flights under a partner's number", shared)
	}
}

func TestTravellerOf(t *testing.T) {
	for age, want := range map[int]Traveller{0: Infant, 1: Infant, 2: Child, 11: Child, 12: Adult, 17: Adult, 40: Adult} {
		if got := TravellerOf(age); got != want {
			t.Errorf("age %d: %d, want %d", age, got, want)
		}
	}
}

package world

import "github.com/hedgehop/hedgehop/internal/flight"

// Terms say what changing or giving back a ticket costs before departure.
type Terms struct {
	Allowed bool
	// Penalty in cents of a US dollar for each traveller, 0 where allowed free.
	Penalty int64
}

// Brand is a fare family.
type Brand struct {
	// Code is unique within its cabin; Name is what travellers see.
	Code, Name string
	// CheckedBags and CarryOnBags are pieces for each traveller with a seat.
	CheckedBags, CarryOnBags int
	Refund, Change           Terms

	permille int   // Of the fare of the cabin.
	extra    int64 // Cents on top, for each direction.
}

// brands lists the fare families that an airline sells in a cabin, the cheapest
// first.
func brands(a *Airline, cabin flight.Cabin) []Brand {
	no, free := Terms{}, Terms{Allowed: true}
	fee := func(cents int64) Terms { return Terms{Allowed: true, Penalty: cents} }
	switch {
	case a.kind == lowCost:
		return []Brand{
			{"BASIC", "Basic", 0, 0, no, fee(5500), 1000, 0},
			{"PLUS", "Plus", 1, 1, no, fee(3500), 1050, 3200},
			{"FLEX", "Flex", 1, 1, free, free, 1150, 6400},
		}
	case cabin == flight.CabinPremiumEconomy:
		return []Brand{
			{"PREMSTD", "Premium Standard", 2, 1, no, fee(15000), 1000, 0},
			{"PREMFLEX", "Premium Flex", 2, 1, fee(10000), free, 1180, 6000},
		}
	case cabin == flight.CabinBusiness:
		return []Brand{
			{"BUSSAVER", "Business Saver", 2, 2, fee(30000), fee(20000), 1000, 0},
			{"BUSFLEX", "Business Flex", 2, 2, free, free, 1240, 9000},
		}
	case cabin == flight.CabinFirst:
		return []Brand{{"FIRST", "First", 3, 2, free, free, 1000, 0}}
	default:
		return []Brand{
			{"LIGHT", "Economy Light", 0, 1, no, no, 1000, 0},
			{"STANDARD", "Economy Standard", 1, 1, no, fee(8000), 1060, 3900},
			{"FLEX", "Economy Flex", 1, 1, fee(12000), free, 1200, 8200},
		}
	}
}

// cabinLevel is the fare of a cabin in permille of economy.
func cabinLevel(cabin flight.Cabin, km int) int {
	switch cabin {
	case flight.CabinPremiumEconomy:
		return 1850
	case flight.CabinBusiness:
		if km > 4500 {
			return 4100
		}
		return 2600
	case flight.CabinFirst:
		return 7400
	default:
		return 1000
	}
}

// offers reports that a flight has a cabin.
func (w *World) offers(f *Flight, cabin flight.Cabin) bool {
	a := f.Airline
	switch cabin {
	case flight.CabinPremiumEconomy:
		return a.kind == network && f.Kilometres > 4500 && w.die.cast("premium", a.Code).chance(800)
	case flight.CabinBusiness:
		return a.kind == network
	case flight.CabinFirst:
		return a.first && f.Kilometres > 5500
	default:
		return true
	}
}

// Cabin is where a traveller who asked for a cabin sits on a flight: feeder
// flights have no premium economy and no first class.
func (w *World) Cabin(f *Flight, asked flight.Cabin) flight.Cabin {
	switch {
	case w.offers(f, asked):
		return asked
	case asked == flight.CabinFirst && w.offers(f, flight.CabinBusiness):
		return flight.CabinBusiness
	default:
		return flight.CabinEconomy
	}
}

// FareBasis is the code that a fare is filed under: a booking class and the
// brand.
func FareBasis(f *Fare) string { return BookingClass(f) + "0" + f.Brand.Code }

// BookingClass is the letter of a fare: the fewer seats are left, the dearer.
func BookingClass(f *Fare) string {
	letters := map[flight.Cabin]string{
		flight.CabinEconomy: "YBMHQKLVO", flight.CabinPremiumEconomy: "WWWEEETTT",
		flight.CabinBusiness: "JJCCDDIII", flight.CabinFirst: "FFFFAAAAA",
	}[f.Cabin]
	return letters[f.Seats-1 : f.Seats]
}

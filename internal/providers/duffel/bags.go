package duffel

// allowance is the least number of bags that anybody has anywhere.
type allowance struct {
	least   *int
	unknown bool
}

// add takes the pieces of one passenger on one segment, nil where not stated.
func (a *allowance) add(pieces *int) {
	switch {
	case pieces == nil:
		a.unknown = true
	case a.least == nil || *pieces < *a.least:
		a.least = pieces
	}
}

// pieces is nil where somebody's allowance is unknown; except that nobody can
// have less than none.
func (a *allowance) pieces() *int {
	if a.unknown && (a.least == nil || *a.least > 0) {
		return nil
	}
	return a.least
}

// bags are what each seated passenger may take on every segment.
func bags(wire wireOffer) (checked, carryOn *int) {
	var check, carry allowance
	for _, slice := range wire.Slices {
		for _, segment := range slice.Segments {
			if len(segment.Passengers) == 0 {
				check.unknown, carry.unknown = true, true
			}
			for _, passenger := range segment.Passengers {
				if onLap(wire.Passengers, passenger.ID) {
					continue
				}
				check.add(pieces(passenger.Baggages, "checked"))
				carry.add(pieces(passenger.Baggages, "carry_on"))
			}
		}
	}
	return check.pieces(), carry.pieces()
}

// pieces sums the entries of one kind. A kind that is not listed is unknown, not
// none: many airlines list nothing for fares that do include bags, and those
// that mean none say quantity 0.
func pieces(baggages []wireBaggage, kind string) *int {
	var sum *int
	for _, baggage := range baggages {
		quantity := baggage.Quantity.integer()
		if baggage.Type != kind || quantity == nil {
			continue
		}
		if sum != nil {
			*quantity += *sum
		}
		sum = quantity
	}
	return sum
}

// onLap tells an infant without a seat, by the airline's type or else by age.
func onLap(travellers []wireTraveller, id string) bool {
	for _, traveller := range travellers {
		if traveller.ID == id {
			return traveller.Type == "infant_without_seat" ||
				traveller.Type == "" && traveller.Age != nil && *traveller.Age < lapAge
		}
	}
	return false
}

// lapAge is the age from which a child needs a seat of its own.
const lapAge = 2

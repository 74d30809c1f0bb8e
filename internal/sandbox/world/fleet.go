package world

// aircraftNames are the types that the world flies, by IATA code.
var aircraftNames = map[string]string{
	"319": "Airbus A319", "320": "Airbus A320", "321": "Airbus A321", "32N": "Airbus A320neo",
	"332": "Airbus A330-200", "333": "Airbus A330-300", "359": "Airbus A350-900", "351": "Airbus A350-1000",
	"388": "Airbus A380-800", "738": "Boeing 737-800", "7M8": "Boeing 737 MAX 8", "788": "Boeing 787-8",
	"789": "Boeing 787-9", "77W": "Boeing 777-300ER", "E90": "Embraer E190", "AT7": "ATR 72",
}

// AircraftName is the full name of an IATA type code.
func AircraftName(code string) string { return aircraftNames[code] }

// aircraft is what an airline flies on a route.
func (w *World) aircraft(r route) string {
	d := w.facts("aircraft", r)
	pick := func(types ...string) string { return types[d.below(len(types))] }
	switch a := r.airline; {
	case a.kind == lowCost && r.km > 4500:
		return "321"
	case a.kind == lowCost:
		return []string{"320", "738", "32N", "7M8"}[w.die.cast("fleet", a.Code).below(4)]
	case r.km > 5500 && a.reach >= long && r.far.size == mega && a.first:
		return pick("77W", "388", "351", "77W")
	case r.km > 5500 && a.reach >= long:
		return pick("77W", "789", "359", "333", "788", "332")
	case r.km < 700 && r.far.size == small:
		return pick("AT7", "E90")
	case r.km < 1500:
		return pick("319", "320", "E90", "738")
	default:
		return pick("320", "321", "738", "7M8", "32N")
	}
}

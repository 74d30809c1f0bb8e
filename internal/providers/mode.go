package providers

import "github.com/hedgehop/hedgehop/internal/flight"

// ModeOf tells a train or a coach from an aircraft by the IATA equipment code
// (SSIM, appendix A) under which it is sold. Everything else, an unknown code
// included, is a flight.
func ModeOf(equipment string) flight.Mode {
	switch equipment {
	case "TRN", "TRS", "ICE", "TGV":
		return flight.ModeRail
	case "BUS":
		return flight.ModeBus
	default:
		return flight.ModeFlight
	}
}

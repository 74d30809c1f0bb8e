package flight

import "fmt"

// Cabin is a class of travel in the words of the contract.
type Cabin string

// The cabins that can be asked for. CabinUnknown is what a provider did not say
// or said in words of its own.
const (
	CabinUnknown        Cabin = ""
	CabinEconomy        Cabin = "economy"
	CabinPremiumEconomy Cabin = "premium_economy"
	CabinBusiness       Cabin = "business"
	CabinFirst          Cabin = "first"
)

// ParseCabin accepts the four cabins as the contract writes them.
func ParseCabin(s string) (Cabin, error) {
	switch c := Cabin(s); c {
	case CabinEconomy, CabinPremiumEconomy, CabinBusiness, CabinFirst:
		return c, nil
	default:
		return CabinUnknown, fmt.Errorf("%q is not a cabin; use economy, premium_economy, business or first", s)
	}
}

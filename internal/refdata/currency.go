package refdata

import "github.com/bojanz/currency"

// Currency is one that money can be stated in.
type Currency struct {
	// Code is the ISO 4217 code.
	Code string
	// Name is the English one.
	Name string
	// Digits are the decimals of its minor unit: 2 for USD, 0 for JPY.
	Digits int
	// HasRate reports that Rates converts from and to it.
	HasRate bool
}

// Currencies lists all known ones by code.
func (c *Catalog) Currencies() []Currency {
	list := make([]Currency, 0, len(c.world.currencies))
	for _, named := range c.world.currencies {
		digits, _ := currency.GetDigits(named.code)
		list = append(list, Currency{Code: named.code, Name: named.name, Digits: int(digits), HasRate: c.rates.Known(named.code)})
	}
	return list
}

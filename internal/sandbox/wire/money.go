package wire

import (
	"math/big"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// Unchanged is the factor that leaves fares as they are, in millionths.
const Unchanged int64 = 1_000_000

// Till states prices in one currency.
type Till struct {
	Rates    refdata.Rates
	Currency string
	// Factor multiplies fares, in millionths.
	Factor int64
}

// Opens reports that the till's currency has a rate.
func (t Till) Opens() bool { return t.Rates.Known(t.Currency) }

// Price is one traveller's fare and taxes in the till's currency. Their sum is
// exact: each is rounded by itself, as a till does.
func (t Till) Price(p world.Price) (base, tax flight.Money) {
	return t.money(p.Base), t.money(p.Tax)
}

// money converts cents of a US dollar.
func (t Till) money(cents int64) flight.Money {
	repriced := new(big.Int).Mul(big.NewInt(cents), big.NewInt(t.Factor))
	dollars := new(big.Rat).SetFrac(repriced, big.NewInt(100*Unchanged))
	usd, _ := flight.MoneyFromRat(dollars, "USD")
	money, _ := t.Rates.Convert(usd, t.Currency)
	return money
}

// Plus adds amounts of one currency.
func Plus(amounts ...flight.Money) flight.Money {
	sum := flight.Money{Currency: amounts[0].Currency}
	for _, m := range amounts {
		sum.Minor += m.Minor
	}
	return sum
}

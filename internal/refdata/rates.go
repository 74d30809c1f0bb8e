package refdata

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/bojanz/currency"

	"github.com/hedgehop/hedgehop/internal/flight"
)

const euro = "EUR"

// maxRateDigits bounds the digits before and after the point of a rate; the
// longest that the ECB publishes has seven in all.
const maxRateDigits = 18

// Rates are the exchange rates of one day. They are immutable; the zero Rates
// knows no currency.
type Rates struct {
	// AsOf is the day that the source published them for.
	AsOf flight.Date
	// Source names who published them: "ECB".
	Source string

	perEuro map[string]rate
}

// rate is how many units of a currency one euro buys.
type rate struct {
	decimal string
	exact   *big.Rat
}

// NewRates takes how many units of each currency one euro buys, as decimals
// ("1.1415") by ISO 4217 code; the euro itself need not be among them. The
// error names every code and rate that cannot be used.
func NewRates(asOf flight.Date, source string, perEuro map[string]string) (Rates, error) {
	rates := Rates{AsOf: asOf, Source: source, perEuro: make(map[string]rate, len(perEuro)+1)}
	var faults []error
	if asOf.IsZero() || !plain(source) {
		faults = append(faults, errors.New("exchange rates need a date and the name of their source"))
	}
	for _, code := range slices.Sorted(maps.Keys(perEuro)) {
		parsed, err := parseRate(code, perEuro[code])
		if err != nil {
			faults = append(faults, err)
		}
		rates.perEuro[code] = parsed
	}
	if len(faults) > 0 {
		return Rates{}, errors.Join(faults...)
	}
	rates.perEuro[euro] = rate{decimal: "1", exact: big.NewRat(1, 1)}
	return rates, nil
}

func parseRate(code, decimal string) (rate, error) {
	if !currency.IsValid(code) {
		return rate{}, fmt.Errorf("exchange rate of %q: not a currency of ISO 4217", code)
	}
	whole, fraction, dotted := strings.Cut(decimal, ".")
	if !digits(whole) || dotted && !digits(fraction) {
		return rate{}, fmt.Errorf("exchange rate of %s: %q is not a decimal such as 1.1415 with up to %d digits on each side", code, decimal, maxRateDigits)
	}
	exact, _ := new(big.Rat).SetString(decimal)
	if exact.Sign() == 0 || code == euro && exact.Cmp(big.NewRat(1, 1)) != 0 {
		return rate{}, fmt.Errorf("exchange rate of %s: %s units for one euro cannot be", code, decimal)
	}
	return rate{decimal: decimal, exact: exact}, nil
}

func digits(s string) bool {
	return s != "" && len(s) <= maxRateDigits && strings.Trim(s, "0123456789") == ""
}

// Known reports that Convert takes and gives the currency.
func (r Rates) Known(code string) bool {
	_, ok := r.perEuro[code]
	return ok
}

// Convert states m in another currency: exactly, by way of the euro, then
// rounded to the minor unit, halves away from zero. Money in that currency
// already is given back unchanged. False where a rate is missing or the amount
// becomes too large for flight.Money.
func (r Rates) Convert(m flight.Money, to string) (flight.Money, bool) {
	if m.Currency == to {
		return m, true
	}
	from, known := r.perEuro[m.Currency]
	target, wanted := r.perEuro[to]
	if !known || !wanted {
		return flight.Money{}, false
	}
	amount := m.Rat()
	return flight.MoneyFromRat(amount.Mul(amount.Quo(amount, from.exact), target.exact), to)
}

// lines is the encoded form: date and source, then code and rate.
func (r Rates) lines() [][]string {
	if r.perEuro == nil {
		return nil
	}
	lines := [][]string{{r.AsOf.String(), r.Source}}
	for _, code := range slices.Sorted(maps.Keys(r.perEuro)) {
		lines = append(lines, []string{code, r.perEuro[code].decimal})
	}
	return lines
}

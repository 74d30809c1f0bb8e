package refdata

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
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
	// decimal is the rate as it was published.
	decimal string
	exact   *big.Rat
	// minor times ten to the power of shift is the rate in minor units, where
	// minor fits; else it is zero.
	minor uint64
	shift int
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
	rates.perEuro[euro], _ = parseRate(euro, "1")
	return rates, nil
}

func parseRate(code, decimal string) (rate, error) {
	minorDigits, ok := currency.GetDigits(code)
	if !ok {
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
	minor, err := strconv.ParseUint(whole+fraction, 10, 64)
	if err != nil {
		minor = 0
	}
	return rate{decimal: decimal, exact: exact, minor: minor, shift: int(minorDigits) - len(fraction)}, nil
}

func digits(s string) bool {
	return s != "" && len(s) <= maxRateDigits && strings.Trim(s, "0123456789") == ""
}

// Known reports that Convert takes and gives the currency.
func (r Rates) Known(code string) bool {
	_, ok := r.perEuro[code]
	return ok
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

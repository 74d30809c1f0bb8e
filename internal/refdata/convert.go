package refdata

import (
	"math"
	"math/bits"

	"github.com/hedgehop/hedgehop/internal/flight"
)

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
	if minor, ok := from.convert(m.Minor, target); ok {
		return flight.Money{Minor: minor, Currency: to}, true
	}
	amount := m.Rat()
	converted, ok := flight.MoneyFromRat(amount.Mul(amount.Quo(amount, from.exact), target.exact), to)
	if !ok {
		return flight.Money{}, false
	}
	return converted, true
}

// convert does in 128 bits and without allocating what big.Rat does for any
// number. It is false where the numbers are too large for it; a search converts
// a thousand prices that are not.
func (r rate) convert(minor int64, target rate) (int64, bool) {
	multiplier, fits := times10(target.minor, target.shift-r.shift)
	divisor, fit := times10(r.minor, r.shift-target.shift)
	if !fits || !fit {
		return 0, false
	}
	high, low := bits.Mul64(magnitude(minor), multiplier)
	if high >= divisor {
		return 0, false
	}
	quotient, rest := bits.Div64(high, low, divisor)
	if quotient >= math.MaxInt64 {
		return 0, false
	}
	if rest >= divisor-rest {
		quotient++
	}
	if minor < 0 {
		return -int64(quotient), true
	}
	return int64(quotient), true
}

// times10 multiplies n by ten so many times, not at all where that is negative.
// It is false where n is zero, which stands for too large, or becomes so.
func times10(n uint64, times int) (uint64, bool) {
	for range max(times, 0) {
		if n > math.MaxUint64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, n != 0
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

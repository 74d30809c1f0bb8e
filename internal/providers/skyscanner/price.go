package skyscanner

import (
	"errors"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// amount is exact, in the currency that was asked for. The vendor leaves it empty
// where a partner has not named a price; an amount of nothing counts as none too,
// for no seat is free of taxes.
func (p price) amount(asked string) (flight.Money, providers.Reject) {
	digits, known := fractionDigits(p.Unit)
	if !known {
		return flight.Money{}, providers.RejectPrice
	}
	total, err := flight.ParseMoney(pointed(string(p.Amount), digits), asked)
	switch {
	case errors.Is(err, flight.ErrNoCurrency):
		return flight.Money{}, providers.RejectCurrency
	case err != nil || total.Minor <= 0:
		return flight.Money{}, providers.RejectPrice
	}
	return total, ""
}

// fractionDigits is how many digits of an amount stand behind the point.
func fractionDigits(unit string) (int, bool) {
	switch strings.TrimPrefix(unit, "PRICE_UNIT_") {
	case "WHOLE":
		return 0, true
	case "CENTI":
		return 2, true
	case "MILLI":
		return 3, true
	case "MICRO":
		return 6, true
	default:
		return 0, false
	}
}

// pointed puts the decimal point into an integer: 36400 with three digits is
// 36.400. What is no integer stays as it is, for the parser of money to refuse.
func pointed(integer string, digits int) string {
	if digits == 0 || integer == "" || strings.Trim(integer, "0123456789") != "" {
		return integer
	}
	if short := digits + 1 - len(integer); short > 0 {
		integer = strings.Repeat("0", short) + integer
	}
	point := len(integer) - digits
	return integer[:point] + "." + integer[point:]
}

package flight

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/bojanz/currency"
)

// Money is an exact amount: minor units of an ISO 4217 currency (cents, whole
// yen, thousandths of a dinar). The zero Money has no currency and means that
// no amount is known.
type Money struct {
	Minor    int64  `json:"minor"`
	Currency string `json:"currency"`
}

// Reasons why an amount cannot be taken as it was sent.
var (
	ErrNoCurrency = errors.New("the currency is missing or unknown")
	ErrNotMoney   = errors.New("not a decimal amount that the currency can express")
)

// maxDigits keeps every parsed amount within int64.
const maxDigits = 18

// ParseMoney reads a decimal string, sign allowed, exponent not. Digits beyond
// the currency's own are taken only where they are zeros: JPY "12345.00" is
// 12345 yen, JPY "12345.50" is ErrNotMoney. A currency outside ISO 4217 is
// ErrNoCurrency.
func ParseMoney(decimal, code string) (Money, error) {
	digits, ok := currency.GetDigits(code)
	if !ok {
		return Money{}, fmt.Errorf("currency %q: %w", code, ErrNoCurrency)
	}
	minor, ok := minorUnits(decimal, int(digits))
	if !ok {
		return Money{}, fmt.Errorf("amount %q %s: %w", decimal, code, ErrNotMoney)
	}
	return Money{Minor: minor, Currency: code}, nil
}

func minorUnits(decimal string, digits int) (int64, bool) {
	unsigned, negative := strings.CutPrefix(decimal, "-")
	whole, fraction, dotted := strings.Cut(unsigned, ".")
	if whole == "" || dotted && fraction == "" {
		return 0, false
	}
	if len(fraction) > digits {
		if strings.Trim(fraction[digits:], "0") != "" {
			return 0, false
		}
		fraction = fraction[:digits]
	}
	all := strings.TrimLeft(whole, "0") + fraction + strings.Repeat("0", digits-len(fraction))
	if len(all) > maxDigits {
		return 0, false
	}
	var minor int64
	for _, r := range whole + fraction {
		if r < '0' || r > '9' {
			return 0, false
		}
	}
	for _, r := range all {
		minor = minor*10 + int64(r-'0')
	}
	if negative {
		minor = -minor
	}
	return minor, true
}

// IsZero reports that no amount is known; a known price of nothing has a
// currency and is not zero in this sense.
func (m Money) IsZero() bool { return m.Currency == "" }

// Amount renders the decimal with exactly the currency's digits: "45.100" for
// 45100 minor units of KWD.
func (m Money) Amount() string {
	digits := m.digits()
	sign, minor := "", m.Minor
	if minor < 0 {
		sign, minor = "-", -minor
	}
	text := fmt.Sprintf("%0*d", digits+1, minor)
	if digits == 0 {
		return sign + text
	}
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// String renders amount and currency: "412.30 USD".
func (m Money) String() string { return m.Amount() + " " + m.Currency }

// Rat is the exact amount in major units.
func (m Money) Rat() *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(m.Minor), pow10(m.digits()))
}

// MoneyFromRat rounds an exact amount in major units to the currency's minor
// units, halves away from zero as tills do. False where the currency is unknown
// or the amount does not fit.
func MoneyFromRat(amount *big.Rat, code string) (Money, bool) {
	digits, ok := currency.GetDigits(code)
	if !ok {
		return Money{}, false
	}
	scaled := new(big.Rat).Mul(amount, new(big.Rat).SetInt(pow10(int(digits))))
	minor := new(big.Int)
	if _, ok := minor.SetString(scaled.FloatString(0), 10); !ok || !minor.IsInt64() {
		return Money{}, false
	}
	return Money{Minor: minor.Int64(), Currency: code}, true
}

func (m Money) digits() int {
	digits, _ := currency.GetDigits(m.Currency)
	return int(digits)
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

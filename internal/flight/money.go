package flight

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
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

// ParseMoney reads a decimal string ("412.30", "-5", "0412.3"); a plus sign, an
// exponent and blanks are not part of one. Digits beyond the currency's own are
// taken only where they are zeros: JPY "12345.00" is 12345 yen, JPY "12345.50"
// is ErrNotMoney, and so is an amount beyond 64 bits of minor units. A currency
// outside ISO 4217 is ErrNoCurrency; codes are in capitals.
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
	missing := strings.Repeat("0", digits-len(fraction))
	minor, err := strconv.ParseUint(whole+fraction+missing, 10, 63)
	if err != nil {
		return 0, false
	}
	if negative {
		return -int64(minor), true
	}
	return int64(minor), true
}

// IsZero reports that no amount is known; a known price of nothing has a
// currency and is not zero in this sense.
func (m Money) IsZero() bool { return m.Currency == "" }

// Amount renders the decimal with exactly the currency's digits, "45.100" for
// 45100 minor units of KWD, and nothing where no amount is known.
func (m Money) Amount() string {
	if m.IsZero() {
		return ""
	}
	b := make([]byte, 0, len("-9223372036854775.808"))
	minor, digits := uint64(m.Minor), m.digits()
	if m.Minor < 0 {
		b, minor = append(b, '-'), -minor
	}
	unit := pow10(digits)
	b = strconv.AppendUint(b, minor/unit, 10)
	if digits > 0 {
		b = appendPadded(append(b, '.'), minor%unit, digits)
	}
	return string(b)
}

// String renders amount and currency, "412.30 USD", and nothing where no amount
// is known.
func (m Money) String() string {
	if m.IsZero() {
		return ""
	}
	return m.Amount() + " " + m.Currency
}

// Rat is the exact amount in major units; 0 where no amount is known.
func (m Money) Rat() *big.Rat { return new(big.Rat).SetFrac(big.NewInt(m.Minor), m.unit()) }

// MoneyFromRat rounds an exact amount in major units to the currency's minor
// units, halves away from zero as tills do. False where the currency is unknown
// or the amount does not fit.
func MoneyFromRat(amount *big.Rat, code string) (Money, bool) {
	if _, ok := currency.GetDigits(code); !ok {
		return Money{}, false
	}
	rounded := Money{Currency: code}
	scaled := new(big.Int).Mul(amount.Num(), rounded.unit())
	minor, rest := scaled.QuoRem(scaled, amount.Denom(), new(big.Int))
	if rest.Lsh(rest, 1).CmpAbs(amount.Denom()) >= 0 {
		minor.Add(minor, big.NewInt(int64(amount.Sign())))
	}
	rounded.Minor = minor.Int64()
	return rounded, minor.IsInt64()
}

// unit is how many minor units make one major unit.
func (m Money) unit() *big.Int { return new(big.Int).SetUint64(pow10(m.digits())) }

func (m Money) digits() int {
	digits, _ := currency.GetDigits(m.Currency)
	return int(digits)
}

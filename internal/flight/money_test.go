package flight_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/bojanz/currency"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestParseMoney(t *testing.T) {
	tests := map[string]struct {
		decimal, code string
		want          flight.Money
		err           error
	}{
		"cents":                         {"412.30", "USD", flight.Money{Minor: 41230, Currency: "USD"}, nil},
		"cents left off":                {"412", "USD", flight.Money{Minor: 41200, Currency: "USD"}, nil},
		"one digit of two":              {"412.3", "USD", flight.Money{Minor: 41230, Currency: "USD"}, nil},
		"yen with zeros":                {"12345.00", "JPY", flight.Money{Minor: 12345, Currency: "JPY"}, nil},
		"half a yen":                    {"12345.50", "JPY", flight.Money{}, flight.ErrNotMoney},
		"dinar with a digit":            {"45.1", "KWD", flight.Money{Minor: 45100, Currency: "KWD"}, nil},
		"dinar in full":                 {"45.123", "KWD", flight.Money{Minor: 45123, Currency: "KWD"}, nil},
		"a tenth of a fils":             {"45.1234", "KWD", flight.Money{}, flight.ErrNotMoney},
		"zeros beyond the cents":        {"1.230000", "EUR", flight.Money{Minor: 123, Currency: "EUR"}, nil},
		"three decimals of a cent":      {"1.231", "EUR", flight.Money{}, flight.ErrNotMoney},
		"zeros in front":                {"000000000000000000000001.5", "EUR", flight.Money{Minor: 150, Currency: "EUR"}, nil},
		"nothing to pay":                {"0.00", "EUR", flight.Money{Currency: "EUR"}, nil},
		"less than nothing":             {"-0.05", "EUR", flight.Money{Minor: -5, Currency: "EUR"}, nil},
		"largest":                       {"92233720368547758.07", "EUR", flight.Money{Minor: math.MaxInt64, Currency: "EUR"}, nil},
		"a cent beyond the largest":     {"92233720368547758.08", "EUR", flight.Money{}, flight.ErrNotMoney},
		"far beyond the largest":        {strings.Repeat("9", 40), "EUR", flight.Money{}, flight.ErrNotMoney},
		"empty":                         {"", "EUR", flight.Money{}, flight.ErrNotMoney},
		"sign alone":                    {"-", "EUR", flight.Money{}, flight.ErrNotMoney},
		"two signs":                     {"--1", "EUR", flight.Money{}, flight.ErrNotMoney},
		"sign after the point":          {"1.-5", "EUR", flight.Money{}, flight.ErrNotMoney},
		"plus":                          {"+1", "EUR", flight.Money{}, flight.ErrNotMoney},
		"point alone":                   {".", "EUR", flight.Money{}, flight.ErrNotMoney},
		"nothing before the point":      {".50", "EUR", flight.Money{}, flight.ErrNotMoney},
		"nothing after the point":       {"1.", "EUR", flight.Money{}, flight.ErrNotMoney},
		"two points":                    {"1.2.3", "EUR", flight.Money{}, flight.ErrNotMoney},
		"decimal comma":                 {"1,50", "EUR", flight.Money{}, flight.ErrNotMoney},
		"exponent":                      {"1e3", "EUR", flight.Money{}, flight.ErrNotMoney},
		"hexadecimal":                   {"0x10", "EUR", flight.Money{}, flight.ErrNotMoney},
		"underscore":                    {"1_000", "EUR", flight.Money{}, flight.ErrNotMoney},
		"blank":                         {" 1", "EUR", flight.Money{}, flight.ErrNotMoney},
		"letters beyond the cents":      {"1.00x", "EUR", flight.Money{}, flight.ErrNotMoney},
		"digits of another script":      {"١٢", "EUR", flight.Money{}, flight.ErrNotMoney},
		"not a number":                  {"NaN", "EUR", flight.Money{}, flight.ErrNotMoney},
		"no currency":                   {"80", "", flight.Money{}, flight.ErrNoCurrency},
		"no such currency":              {"80", "XYZ", flight.Money{}, flight.ErrNoCurrency},
		"currency in small letters":     {"80", "eur", flight.Money{}, flight.ErrNoCurrency},
		"neither amount nor a currency": {"", "", flight.Money{}, flight.ErrNoCurrency},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := flight.ParseMoney(test.decimal, test.code)
			if !errors.Is(err, test.err) {
				t.Fatalf("ParseMoney(%q, %q) error = %v, want %v", test.decimal, test.code, err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ParseMoney(%q, %q) (-want +got):\n%s", test.decimal, test.code, diff)
			}
		})
	}
}

func TestParseMoneyErrorNamesTheInput(t *testing.T) {
	_, err := flight.ParseMoney("12345.50", "JPY")
	if err == nil || !strings.Contains(err.Error(), `"12345.50" JPY`) {
		t.Errorf("error = %v, want one that quotes the amount and the currency", err)
	}
	if _, err = flight.ParseMoney("80", "XYZ"); err == nil || !strings.Contains(err.Error(), `"XYZ"`) {
		t.Errorf("error = %v, want one that quotes the currency", err)
	}
}

func TestMoneyText(t *testing.T) {
	tests := map[string]struct {
		money          flight.Money
		amount, string string
	}{
		"cents":         {flight.Money{Minor: 41230, Currency: "USD"}, "412.30", "412.30 USD"},
		"less than one": {flight.Money{Minor: 5, Currency: "USD"}, "0.05", "0.05 USD"},
		"nothing":       {flight.Money{Currency: "USD"}, "0.00", "0.00 USD"},
		"refund":        {flight.Money{Minor: -5, Currency: "USD"}, "-0.05", "-0.05 USD"},
		"yen":           {flight.Money{Minor: 12345, Currency: "JPY"}, "12345", "12345 JPY"},
		"no yen":        {flight.Money{Currency: "JPY"}, "0", "0 JPY"},
		"dinar":         {flight.Money{Minor: 45100, Currency: "KWD"}, "45.100", "45.100 KWD"},
		"four digits":   {flight.Money{Minor: 10001, Currency: "CLF"}, "1.0001", "1.0001 CLF"},
		"smallest":      {flight.Money{Minor: math.MinInt64, Currency: "EUR"}, "-92233720368547758.08", "-92233720368547758.08 EUR"},
		"unknown":       {flight.Money{}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.money.Amount(); got != test.amount {
				t.Errorf("Amount() = %q, want %q", got, test.amount)
			}
			if got := test.money.String(); got != test.string {
				t.Errorf("String() = %q, want %q", got, test.string)
			}
		})
	}
}

func TestMoneyZeroMeansUnknown(t *testing.T) {
	if !(flight.Money{}).IsZero() {
		t.Error("an amount without currency is taken for known")
	}
	if (flight.Money{Currency: "USD"}).IsZero() {
		t.Error("a known price of nothing is taken for unknown")
	}
}

// The names are part of what is cached: another name would read old entries as
// fares of nothing.
func TestMoneyJSON(t *testing.T) {
	want := flight.Money{Minor: 41230, Currency: "USD"}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"minor":41230,"currency":"USD"}`, string(text)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	var got flight.Money
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("read back %v, want %v", got, want)
	}
}

// From ISO 4217, list one of 2026: every currency whose minor unit is not 2.
func TestCurrencyDigits(t *testing.T) {
	unusual := map[string]int{
		"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
		"RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
		"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
		"CLF": 4, "UYW": 4,
	}
	for _, code := range currency.GetCurrencyCodes() {
		digits, ok := unusual[code]
		if !ok {
			digits = 2
		}
		want := "0"
		if digits > 0 {
			want += "." + strings.Repeat("0", digits)
		}
		if got := (flight.Money{Currency: code}).Amount(); got != want {
			t.Errorf("nothing in %s is written %q, want %q", code, got, want)
		}
	}
}

func TestMoneyRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := flight.Money{
			Minor:    rapid.Int64Range(-math.MaxInt64, math.MaxInt64).Draw(t, "minor"),
			Currency: rapid.SampledFrom(currency.GetCurrencyCodes()).Draw(t, "currency"),
		}
		if got, err := flight.ParseMoney(want.Amount(), want.Currency); err != nil || got != want {
			t.Fatalf("ParseMoney(%q) = %v, %v; want %v", want.Amount(), got, err, want)
		}
		if got, ok := flight.MoneyFromRat(want.Rat(), want.Currency); !ok || got != want {
			t.Fatalf("MoneyFromRat(%v) = %v, %v; want %v", want.Rat(), got, ok, want)
		}
	})
}

func TestMoneyFromRat(t *testing.T) {
	tests := map[string]struct {
		amount *big.Rat
		code   string
		want   flight.Money
		ok     bool
	}{
		"pounds in dollars at 1.25":   {new(big.Rat).Mul(flight.Money{Minor: 10000, Currency: "GBP"}.Rat(), big.NewRat(125, 100)), "USD", flight.Money{Minor: 12500, Currency: "USD"}, true},
		"two travellers, to the cent": {new(big.Rat).Add(flight.Money{Minor: 217855, Currency: "EUR"}.Rat(), flight.Money{Minor: 166355, Currency: "EUR"}.Rat()), "EUR", flight.Money{Minor: 384210, Currency: "EUR"}, true},
		"half up":                     {big.NewRat(5, 1000), "EUR", flight.Money{Minor: 1, Currency: "EUR"}, true},
		"half of an odd cent up":      {big.NewRat(15, 1000), "EUR", flight.Money{Minor: 2, Currency: "EUR"}, true},
		"half below zero":             {big.NewRat(-5, 1000), "EUR", flight.Money{Minor: -1, Currency: "EUR"}, true},
		"just under half":             {big.NewRat(4999, 1000000), "EUR", flight.Money{Currency: "EUR"}, true},
		"just under half below zero":  {big.NewRat(-4999, 1000000), "EUR", flight.Money{Currency: "EUR"}, true},
		"a third":                     {big.NewRat(1, 3), "KWD", flight.Money{Minor: 333, Currency: "KWD"}, true},
		"two thirds of a yen":         {big.NewRat(2, 3), "JPY", flight.Money{Minor: 1, Currency: "JPY"}, true},
		"too much":                    {new(big.Rat).SetInt64(math.MaxInt64), "EUR", flight.Money{}, false},
		"no currency":                 {big.NewRat(1, 1), "", flight.Money{}, false},
		"no such currency":            {big.NewRat(1, 1), "XYZ", flight.Money{}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := new(big.Rat).Set(test.amount)
			got, ok := flight.MoneyFromRat(test.amount, test.code)
			if ok != test.ok || ok && got != test.want {
				t.Errorf("MoneyFromRat(%v, %q) = %v, %v; want %v, %v", before, test.code, got, ok, test.want, test.ok)
			}
			if test.amount.Cmp(before) != 0 {
				t.Errorf("the amount was changed to %v", test.amount)
			}
		})
	}
}

// The standard library rounds halves away from zero too, by way of a decimal
// text.
func TestMoneyFromRatRoundsAsBigRat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := big.NewRat(rapid.Int64().Draw(t, "numerator"), rapid.Int64Range(1, math.MaxInt64).Draw(t, "denominator"))
		want, inRange := new(big.Int).SetString(new(big.Rat).Mul(amount, big.NewRat(1000, 1)).FloatString(0), 10)
		got, ok := flight.MoneyFromRat(amount, "KWD")
		if inRange = inRange && want.IsInt64(); ok != inRange || ok && got.Minor != want.Int64() {
			t.Fatalf("MoneyFromRat(%v, KWD) = %v, %v; want %v, %v", amount, got, ok, want, inRange)
		}
	})
}

func FuzzParseMoney(f *testing.F) {
	for _, decimal := range []string{"412.30", "-0.05", "12345.00", "12345.50", "0.0001", ".", "1e3", "+1", "92233720368547758.07"} {
		for _, code := range []string{"USD", "JPY", "KWD", "CLF", ""} {
			f.Add(decimal, code)
		}
	}
	f.Fuzz(func(t *testing.T, decimal, code string) {
		got, err := flight.ParseMoney(decimal, code)
		if err != nil {
			if got != (flight.Money{}) {
				t.Fatalf("ParseMoney(%q, %q) = %v beside the error %v", decimal, code, got, err)
			}
			return
		}
		want, ok := new(big.Rat).SetString(decimal)
		if !ok || got.Rat().Cmp(want) != 0 {
			t.Fatalf("ParseMoney(%q, %q) = %v, which is not the same number", decimal, code, got)
		}
		if again, err := flight.ParseMoney(got.Amount(), code); err != nil || again != got {
			t.Fatalf("ParseMoney(%q) = %v, %v; want %v", got.Amount(), again, err, got)
		}
	})
}

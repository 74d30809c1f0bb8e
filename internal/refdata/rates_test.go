package refdata_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func money(tb testing.TB, amount, code string) flight.Money {
	tb.Helper()
	m, err := flight.ParseMoney(amount, code)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestConvert(t *testing.T) {
	t.Parallel()
	rates := newRates(t, map[string]string{
		"GBP": "0.8", "USD": "1.0", "JPY": "160", "KWD": "0.25", "CHF": "3",
	})
	for _, test := range []struct{ amount, from, to, want string }{
		{"100.00", "GBP", "USD", "125.00"}, // One pound at 1.25.
		{"100.00", "EUR", "GBP", "80.00"},
		{"0.80", "GBP", "EUR", "1.00"},
		{"1.00", "USD", "JPY", "160"},
		{"1", "JPY", "USD", "0.01"}, // 0.00625 is more than half a cent.
		{"1.00", "EUR", "KWD", "0.250"},
		{"45.100", "KWD", "USD", "180.40"},
		{"0.01", "CHF", "EUR", "0.00"},   // 0.0033…
		{"0.02", "CHF", "EUR", "0.01"},   // 0.0066…
		{"0.002", "KWD", "EUR", "0.01"},  // 0.008
		{"0.001", "KWD", "EUR", "0.00"},  // 0.004
		{"0.03", "USD", "GBP", "0.02"},   // 0.024
		{"-0.03", "USD", "GBP", "-0.02"}, // The same the other way.
		{"0.00", "USD", "JPY", "0"},
	} {
		got, ok := rates.Convert(money(t, test.amount, test.from), test.to)
		if want := money(t, test.want, test.to); !ok || got != want {
			t.Errorf("%s %s = %v, %t, want %v", test.amount, test.from, got, ok, want)
		}
	}
}

// TestConvertHalves rounds what lies exactly between two minor units.
func TestConvertHalves(t *testing.T) {
	t.Parallel()
	rates := newRates(t, map[string]string{"USD": "0.5"})
	for minor, want := range map[int64]int64{1: 1, 3: 2, 5: 3, -1: -1, -3: -2, 0: 0} {
		if got, ok := rates.Convert(flight.Money{Minor: minor, Currency: "EUR"}, "USD"); !ok || got.Minor != want {
			t.Errorf("%d cents = %v, want %d", minor, got, want)
		}
	}
}

func TestConvertWithoutRate(t *testing.T) {
	t.Parallel()
	rates := newRates(t, map[string]string{"USD": "1.1"})
	ten := flight.Money{Minor: 1000, Currency: "THB"}
	if got, ok := rates.Convert(ten, "USD"); ok || !got.IsZero() {
		t.Errorf("from an unknown currency: %v, %t", got, ok)
	}
	if got, ok := rates.Convert(flight.Money{Minor: 1000, Currency: "USD"}, "THB"); ok || !got.IsZero() {
		t.Errorf("to an unknown currency: %v, %t", got, ok)
	}
	if got, ok := rates.Convert(flight.Money{}, "USD"); ok {
		t.Errorf("an unknown amount: %v", got)
	}
	for name, rates := range map[string]refdata.Rates{"some": rates, "none": {}} {
		if got, ok := rates.Convert(ten, "THB"); !ok || got != ten {
			t.Errorf("%s rates, same currency: %v, %t", name, got, ok)
		}
	}
	if (refdata.Rates{}).Known("EUR") || !rates.Known("EUR") || !rates.Known("USD") || rates.Known("THB") {
		t.Error("the wrong currencies are known")
	}
}

// TestConvertIsExact compares with rational arithmetic, over amounts and rates
// of all sizes.
func TestConvertIsExact(t *testing.T) {
	t.Parallel()
	codes := []string{"USD", "JPY", "KWD"}
	decimal := rapid.StringMatching(`[0-9]{1,9}\.[0-9]{0,8}[1-9]|[1-9][0-9]{0,17}(\.[0-9]{1,18})?`)
	rapid.Check(t, func(t *rapid.T) {
		perEuro := make(map[string]string)
		for _, code := range codes {
			perEuro[code] = decimal.Draw(t, code)
		}
		rates, err := refdata.NewRates(day, "test", perEuro)
		if err != nil {
			t.Fatal(err)
		}
		from, to := rapid.SampledFrom(codes).Draw(t, "from"), rapid.SampledFrom(codes).Draw(t, "to")
		m := flight.Money{Minor: rapid.Int64().Draw(t, "minor"), Currency: from}
		rate := func(code string) *big.Rat { r, _ := new(big.Rat).SetString(perEuro[code]); return r }
		want, fits := flight.MoneyFromRat(new(big.Rat).Quo(new(big.Rat).Mul(m.Rat(), rate(to)), rate(from)), to)
		if !fits {
			want = flight.Money{}
		}
		got, ok := rates.Convert(m, to)
		if ok != fits || got != want {
			t.Errorf("%d %s = %v, %t, want %v, %t", m.Minor, m.Currency, got, ok, want, fits)
		}
	})
}

func TestConvertExtremes(t *testing.T) {
	t.Parallel()
	rates := newRates(t, map[string]string{"USD": "1", "GBP": "2", "CHF": "0.5"})
	for _, test := range []struct {
		minor int64
		to    string
		want  int64
		ok    bool
	}{
		{math.MaxInt64, "USD", math.MaxInt64, true},
		{math.MinInt64, "USD", math.MinInt64, true},
		{math.MaxInt64, "GBP", 0, false},
		{math.MinInt64, "GBP", 0, false},
		{math.MaxInt64, "CHF", 1 << 62, true},
		{math.MinInt64, "CHF", -1 << 62, true},
	} {
		got, ok := rates.Convert(flight.Money{Minor: test.minor, Currency: "EUR"}, test.to)
		if ok != test.ok || got.Minor != test.want {
			t.Errorf("%d EUR = %v, %t", test.minor, got, ok)
		}
	}
}

func TestNewRatesNamesEveryFault(t *testing.T) {
	t.Parallel()
	_, err := refdata.NewRates(flight.Date{}, "", map[string]string{
		"USD": "1,1415", "GBP": "0", "JPY": "-5", "CHF": "", "SEK": "1e3", "NOK": ".5", "DKK": "7.", "EUR": "1.01",
		"QQQ": "1", "THB": "1234567890123456789", "PLN": "4.2883",
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"a date", `USD: "1,1415"`, "GBP: 0 units", `JPY: "-5"`, `CHF: ""`, `SEK: "1e3"`, `NOK: ".5"`, `DKK: "7."`, "EUR: 1.01 units", `"QQQ"`, "THB",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not among the faults:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "PLN") {
		t.Errorf("a good rate is called a fault:\n%v", err)
	}
}

func BenchmarkConvert(b *testing.B) {
	rates := embedded(b).Rates()
	price := flight.Money{Minor: 41230, Currency: "USD"}
	b.ReportAllocs()
	for b.Loop() {
		rates.Convert(price, "GBP")
	}
}

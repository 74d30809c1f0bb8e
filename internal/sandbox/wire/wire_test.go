package wire

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDurations(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		d           time.Duration
		hours, days string
	}{
		{55 * time.Minute, "PT55M", "PT55M"},
		{7 * time.Hour, "PT7H", "PT7H"},
		{9*time.Hour + 20*time.Minute, "PT9H20M", "PT9H20M"},
		{day, "PT24H", "P1D"},
		{40*time.Hour + 30*time.Minute, "PT40H30M", "P1DT16H30M"},
	} {
		if hours, days := Hours(test.d), Days(test.d); hours != test.hours || days != test.days {
			t.Errorf("%s: %s and %s, want %s and %s", test.d, hours, days, test.hours, test.days)
		}
	}
}

func TestTillsRoundEachAmountByItself(t *testing.T) {
	catalog, err := refdata.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	price := world.Price{Base: 10005, Tax: 333}
	for _, test := range []struct {
		currency  string
		factor    int64
		base, tax string
	}{
		{"USD", Unchanged, "100.05", "3.33"},
		{"USD", 1_200_000, "120.06", "4.00"}, // 399.6 cents.
		{"USD", 500_000, "50.03", "1.67"},    // Halves go up.
		{"EUR", Unchanged, "87.65", "2.92"},
		{"JPY", Unchanged, "16242", "541"},
	} {
		base, tax := Till{Rates: catalog.Rates(), Currency: test.currency, Factor: test.factor}.Price(price)
		if base.Amount() != test.base || tax.Amount() != test.tax || base.Currency != test.currency {
			t.Errorf("%s times %d: %s and %s, want %s and %s", test.currency, test.factor, base, tax, test.base, test.tax)
		}
	}
}

type sized int

func (s sized) Size() int { return int(s) }

func TestAnswersAreRenderedOnceAndBounded(t *testing.T) {
	answers := NewAnswers[sized](1000)
	renders := 0
	get := func(key string, size int) { answers.Get(key, func() sized { renders++; return sized(size) }) }
	for range 3 {
		get("a", 100)
	}
	if renders != 1 {
		t.Errorf("rendered %d times", renders)
	}
	for i := range 100 {
		get(string(rune('A'+i)), 300)
	}
	answers.kept.CleanUp()
	if weight := answers.kept.WeightedSize(); weight > 1000 {
		t.Errorf("%d bytes are kept", weight)
	}
}

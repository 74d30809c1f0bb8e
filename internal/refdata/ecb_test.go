package refdata_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestParseECB(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/eurofxref-daily.xml")
	if err != nil {
		t.Fatal(err)
	}
	rates, err := refdata.ParseECB(iotest.OneByteReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	if rates.AsOf != day || rates.Source != "ECB" {
		t.Errorf("rates of %v by %s", rates.AsOf, rates.Source)
	}
	if got, ok := rates.Convert(flight.Money{Minor: 9600, Currency: "GBP"}, "USD"); !ok || got.Minor != 12000 {
		t.Errorf("96.00 GBP = %v, %t", got, ok)
	}
	if rates.Known("CHF") {
		t.Error("a currency is known that the file has not")
	}
}

func TestParseECBRefuses(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/eurofxref-daily.xml")
	if err != nil {
		t.Fatal(err)
	}
	const another = "<Cube time='2026-03-01'><Cube currency='USD' rate='1.1'/></Cube></Cube>\n</gesmes"
	for name, test := range map[string]struct{ old, with, want string }{
		"date":              {"2026-03-02", "02.03.2026", "not a date"},
		"rate":              {"1.2000", "N/A", `USD: "N/A"`},
		"currency":          {"'JPY'", "'YEN'", `"YEN"`},
		"twice":             {"'JPY'", "'USD'", `"USD" is quoted twice`},
		"cut":               {"</gesmes:Envelope>", "", "EOF"},
		"two days":          {"</Cube>\n</gesmes", another, "2 days"},
		"another document":  {string(file), "<html><body>Moved</body></html>", "0 days"},
		"nothing":           {string(file), "", "EOF"},
		"longer than a day": {"Reference rates", strings.Repeat("x", 64<<10), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(file), test.old) {
				t.Fatalf("there is no %q to replace", test.old)
			}
			rates, err := refdata.ParseECB(strings.NewReader(strings.Replace(string(file), test.old, test.with, 1)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if rates.Known("EUR") {
				t.Error("rates beside an error")
			}
		})
	}
	broken := errors.New("connection lost")
	if _, err := refdata.ParseECB(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func FuzzParseECB(f *testing.F) {
	file, err := os.ReadFile("testdata/eurofxref-daily.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte("<a><Cube><Cube time='2026-03-02'><Cube currency='EUR' rate='1'/></Cube></Cube></a>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		rates, err := refdata.ParseECB(bytes.NewReader(body))
		if err != nil {
			if rates.Known("EUR") {
				t.Error("rates beside an error")
			}
			return
		}
		if rates.AsOf.IsZero() || !rates.Known("EUR") {
			t.Errorf("rates of %v", rates.AsOf)
		}
	})
}

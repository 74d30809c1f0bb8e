package refdata_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	data := small()
	data.Rates = newRates(t, map[string]string{"USD": "1.20", "JPY": "180.05"})
	c, err := refdata.New(data)
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/small.tsv"
	if *update {
		if err := os.WriteFile(golden, c.Encode(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(c.Encode())); diff != "" {
		t.Errorf("the form changed; give it another version (-want +got):\n%s", diff)
	}
}

func TestDecodeGivesTheSame(t *testing.T) {
	t.Parallel()
	withoutRates, err := refdata.New(small())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*refdata.Catalog{"embedded": embedded(t), "without rates": withoutRates} {
		encoded := c.Encode()
		decoded, err := refdata.Decode(encoded)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(encoded, decoded.Encode()) {
			t.Errorf("%s: another Catalog came back", name)
		}
	}
}

func TestDecodeKeepsNoReference(t *testing.T) {
	t.Parallel()
	encoded := embedded(t).Encode()
	c, err := refdata.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	clear(encoded)
	if a, ok := c.Airport("JFK"); !ok || a.City != "New York City" {
		t.Errorf("JFK is %v", a)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("testdata/small.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ old, with, want string }{
		"another version":   {"reference data 1", "reference data 2", "begins with"},
		"unknown section":   {"hubs\t1", "spokes\t1", "where the section hubs"},
		"too few lines":     {"airports\t3", "airports\t4", "fields are wanted"},
		"too many lines":    {"airports\t3", "airports\t2", "where the section cities"},
		"absurd number":     {"airports\t3", "airports\t99999999", "where the section airports"},
		"negative number":   {"airports\t3", "airports\t-1", "where the section airports"},
		"field missing":     {"ZZ\t1.25\t", "ZZ\t", "9 fields"},
		"field too many":    {"YYA\tYY", "YYA\tYY\tYY", "9 fields"},
		"latitude":          {"1.25", "north", "invalid syntax"},
		"not on Earth":      {"1.25", "NaN", "not on Earth"},
		"currency twice":    {"JPY\tJapanese", "USD\tJapanese", "listed twice"},
		"rate twice":        {"JPY\t180", "USD\t180", "listed twice"},
		"rate of nothing":   {"USD\t1.20", "USD\t0.0", "cannot be"},
		"date of the rates": {"2026-03-02", "2026-02-30", "not a date"},
		"more at the end":   {"USD\t1.20\n", "USD\t1.20\nUSD\t1.20\n", "after the last section"},
		"cut":               {"USD\t1.20\n", "USD\t1.20", "where the section rates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(golden), test.old) {
				t.Fatalf("there is no %q to replace", test.old)
			}
			_, err := refdata.Decode([]byte(strings.Replace(string(golden), test.old, test.with, 1)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	if _, err := refdata.Decode(make([]byte, refdata.MaxEncoded+1)); !errors.Is(err, refdata.ErrFormat) {
		t.Errorf("too long: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	golden, err := os.ReadFile("testdata/small.tsv")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte("hedgehop reference data 1\nairports\t0\ncities\t0\nhubs\t0\ncarriers\t0\ncurrencies\t0\nrates\t0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := refdata.Decode(data)
		if err != nil {
			return
		}
		again, err := refdata.Decode(c.Encode())
		if err != nil {
			t.Fatalf("what Encode wrote is refused: %v", err)
		}
		if !bytes.Equal(c.Encode(), again.Encode()) {
			t.Error("another Catalog came back")
		}
		for a := range c.Airports() {
			if got := c.Expand(c.CityOf(a.IATA)); len(got) == 0 {
				t.Errorf("%s: its city has no airport", a.IATA)
			}
			c.Suggest(a.Name, 10)
		}
	})
}

package refdata_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// codes names the suggestions, cities by "city:".
func codes(suggestions []refdata.Suggestion) []string {
	var list []string
	for _, s := range suggestions {
		if s.Kind == refdata.KindCity {
			list = append(list, "city:"+s.Code)
		} else {
			list = append(list, s.Code)
		}
	}
	return list
}

// TestSuggestBegins gives what must come first, in order.
func TestSuggestBegins(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for q, want := range map[string]string{
		"goa":           "city:GOI GOA GOI GOX", // alpic-ai/kiwi-mcp-server-public#2.
		"GOA ":          "city:GOI GOA GOI GOX",
		"gen":           "GVA GOA", // The greater hub first.
		"genoa":         "GOA",
		"genova":        "GOA",
		"lon":           "city:LON LHR LGW STN LTN",
		"LON":           "city:LON LHR LGW STN LTN",
		"london":        "city:LON LHR LGW STN LTN LCY SEN YXU",
		"nyc":           "city:NYC",
		"new york":      "city:NYC JFK EWR LGA",
		"jfk":           "JFK",
		"kennedy":       "JFK",
		"heathrow":      "LHR",
		"o'hare":        "ORD",
		"ohare":         "ORD",
		"paris cdg":     "CDG",
		"cdg paris":     "CDG",
		"tokyo narita":  "NRT",
		"munchen":       "MUC",
		"München":       "MUC",
		"mÜNCHEN":       "MUC",
		"muenchen":      "", // Umlauts are folded, not spelt out.
		"Roma":          "city:ROM FCO CIA",
		"Wien":          "VIE",
		"Lisboa":        "LIS",
		"東京":            "city:TYO HND NRT",
		"Москва":        "city:MOW SVO DME VKO",
		"москва":        "city:MOW SVO DME VKO",
		"القاهرة":       "CAI",
		"الرياض":        "RUH",
		"sao paulo":     "city:SAO GRU CGH VCP",
		"São Paulo":     "city:SAO GRU CGH VCP",
		"reykjavik":     "city:REK KEF RKV",
		"malmo":         "city:MMA MMX",
		"dxb":           "city:DXB DXB",
		"dubai":         "city:DXB DXB DWC",
		"san francisco": "city:SFO SFO",
		"qsf":           "QSF",
		"sydney":        "city:SYD SYD WSI",
		"visakhapatnam": "VIZ VTZ",
		"xx":            "",
		"":              "",
		" \t-":          "",
		"zzzzzz":        "",
		"jfk lhr":       "",
	} {
		got := codes(c.Suggest(q, 10))
		wanted := strings.Fields(want)
		if want == "" && len(got) > 0 || len(got) < len(wanted) || !slices.Equal(got[:len(wanted)], wanted) {
			t.Errorf("%q gives %v, want %v first", q, got, wanted)
		}
	}
}

func TestSuggestionSaysWhatItIs(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	want := []refdata.Suggestion{
		{Kind: refdata.KindCity, Code: "GOI", Name: "Goa", City: "Goa", Country: "IN", Lat: 15.3845, Lon: 73.8398, Airports: []string{"GOI", "GOX"}},
		{
			Kind: refdata.KindAirport, Code: "GOA", Name: "Genoa Cristoforo Colombo Airport", City: "Genoa", Country: "IT",
			Lat: 44.4151, Lon: 8.8508, Airports: []string{"GOA"},
		},
	}
	if diff := cmp.Diff(want, c.Suggest("goa", 2)); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func TestSuggestLimit(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	all := codes(c.Suggest("san", refdata.MaxSuggestions))
	for limit, want := range map[int]int{1: 1, 3: 3, 10: 10, 0: 10, -1: 10, 11: 10, 1000: 10} {
		if got := codes(c.Suggest("san", limit)); !slices.Equal(got, all[:want]) {
			t.Errorf("limit %d gives %v, want the first %d of %v", limit, got, want, all)
		}
	}
	if got := c.Suggest(strings.Repeat("san ", 100), 10); got != nil {
		t.Errorf("a query longer than any name gives %v", codes(got))
	}
}

// TestSuggestFindsEverything asks for every airport by code and by name.
func TestSuggestFindsEverything(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	airports := slices.Collect(c.Airports())
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(airports).Draw(t, "airport")
		if got := codes(c.Suggest(a.IATA, 10)); !slices.Contains(got, a.IATA) {
			t.Errorf("%s gives %v", a.IATA, got)
		}
		if got := codes(c.Suggest(a.Name+" "+a.IATA, 10)); !slices.Contains(got, a.IATA) {
			t.Errorf("%q and its code give %v", a.Name, got)
		}
	})
}

func FuzzSuggest(f *testing.F) {
	c := embedded(f)
	for _, q := range []string{"goa", "東京", "o'hare", "a b c", "\xff", "İstanbul", strings.Repeat("a", 101)} {
		f.Add(q, 10)
	}
	f.Fuzz(func(t *testing.T, q string, limit int) {
		got := c.Suggest(q, limit)
		if len(got) > refdata.MaxSuggestions || limit > 0 && len(got) > limit {
			t.Errorf("%d suggestions of %d", len(got), limit)
		}
		seen := make(map[string]bool)
		for _, s := range got {
			if key := string(s.Kind) + s.Code; seen[key] {
				t.Errorf("%s is there twice", key)
			} else {
				seen[key] = true
			}
		}
	})
}

func BenchmarkSuggest(b *testing.B) {
	c := embedded(b)
	for _, q := range []string{"s", "goa", "new york", "international airport"} {
		b.Run(q, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Suggest(q, 10)
			}
		})
	}
}

// BenchmarkFirstSuggest builds the index.
func BenchmarkFirstSuggest(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		c := embedded(b)
		b.StartTimer()
		c.Suggest("goa", 10)
	}
}

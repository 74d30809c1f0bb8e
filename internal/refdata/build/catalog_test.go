package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// tables is a small source without faults.
func tables() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"airports.csv": "iata,icao,name,city,city_code,country,lat,lon,tz\n" +
			"ZZA,ZZZA,Zett North,Żett,ZZZ,ZZ,1.25,-3.5,Asia/Tokyo\n" +
			"YYA,,Ypsilon,Ypsilanti,YYA,YY,0,0,UTC\n",
		"additions.csv":      "iata,icao,name,city,city_code,country,lat,lon,tz,reason\nZZB,,Zett South,Zett,ZZZ,ZZ,1,2,Asia/Tokyo,opened\n",
		"corrections.csv":    "iata,field,value,reason\nYYA,city,Ypsilon,misspelt\n",
		"metro.csv":          "code,name,country,members\nZZZ,Zett,ZZ,ZZA ZZC ZZB\n",
		"alternates.csv":     "code,names\nZZZ,Zet|Set\nYYA,Igrec\n",
		"carriers.csv":       "code,name,alliance\nZ9,Zett Air,\n",
		"currencies.csv":     "code,name\nUSD,US Dollar\n",
		"hubs.txt":           "ZZB\nYYA ZZA\n",
		"ecb-2026-07-06.csv": "USD,1.1415\nJPY,185.31\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	c, err := catalog(tables())
	if err != nil {
		t.Fatal(err)
	}
	// ZZC has no scheduled flights any more, and the accent is the airport's.
	want := refdata.City{Code: "ZZZ", Name: "Żett", Country: "ZZ", Airports: []string{"ZZA", "ZZB"}, AlternateNames: []string{"Zet", "Set"}}
	got, _ := c.City("ZZZ")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ZZZ differs (-want +got):\n%s", diff)
	}
	want = refdata.City{Code: "YYA", Name: "Ypsilon", Country: "YY", Airports: []string{"YYA"}, AlternateNames: []string{"Igrec"}}
	got, _ = c.City("YYA")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YYA differs (-want +got):\n%s", diff)
	}
	if rates := c.Rates(); rates.AsOf.String() != "2026-07-06" || !rates.Known("JPY") {
		t.Errorf("rates of %v", rates.AsOf)
	}
}

func TestCatalogNamesFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, old, with, want string }{
		"column":              {"airports.csv", "lat,lon", "lon,lat", "airports.csv begins with the columns"},
		"no columns":          {"carriers.csv", "code,name,alliance\nZ9,Zett Air,\n", "", "carriers.csv is empty"},
		"field missing":       {"currencies.csv", "USD,", "", "currencies.csv: record on line 2"},
		"latitude":            {"airports.csv", "1.25", "north", "airport ZZA"},
		"correction of what":  {"corrections.csv", "YYA,city", "YYB,city", `no city of "YYB"`},
		"correction of which": {"corrections.csv", "YYA,city", "YYA,town", `no town of "YYA"`},
		"names of nothing":    {"alternates.csv", "YYA", "YYB", "YYB is no city"},
		"names of an airport": {"alternates.csv", "YYA", "ZZA", "ZZA is no city"},
		"names twice":         {"alternates.csv", "YYA", "ZZZ", `alternates.csv lists "ZZZ" twice`},
		"currency twice":      {"currencies.csv", "USD,US Dollar", "USD,a\nUSD,b", `currencies.csv lists "USD" twice`},
		"rate":                {"ecb-2026-07-06.csv", "1.1415", "1,1415", "record on line 2"},
		"unknown hub":         {"hubs.txt", "ZZA", "QQQ", `hub "QQQ"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := tables()
			text := string(source[test.file].Data)
			if !strings.Contains(text, test.old) {
				t.Fatalf("there is no %q to replace", test.old)
			}
			source[test.file].Data = []byte(strings.Replace(text, test.old, test.with, 1))
			if _, err := catalog(source); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	for name := range tables() {
		source := tables()
		delete(source, name)
		if _, err := catalog(source); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s the error is %v", name, err)
		}
	}
}

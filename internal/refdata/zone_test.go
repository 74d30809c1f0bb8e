package refdata_test

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestEveryZoneLoads(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	names := make(map[string]bool)
	for a := range c.Airports() {
		names[a.Zone] = true
		if loc := c.Zone(a.IATA); loc == nil || loc.String() != a.Zone {
			t.Errorf("%s: the zone %s is %v", a.IATA, a.Zone, loc)
		}
	}
	if len(names) < 300 {
		t.Errorf("%d zones only", len(names))
	}
}

func TestZone(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for code, want := range map[string]string{
		"JFK": "America/New_York", "NYC": "America/New_York", "LON": "Europe/London", "WSI": "Australia/Sydney", "TCI": "Atlantic/Canary",
		// Those that the sources had wrong.
		"PSC": "America/Los_Angeles", "SIP": "Europe/Simferopol", "KKM": "Asia/Bangkok", "PUQ": "America/Punta_Arenas",
		"CUU": "America/Chihuahua", "BWT": "Australia/Hobart", "ULK": "Asia/Yakutsk", "MLG": "Asia/Jakarta",
	} {
		loc := c.Zone(code)
		if loc == nil || loc.String() != want {
			t.Errorf("Zone(%q) = %v, want %s", code, loc, want)
		}
		if loc != c.Zone(code) {
			t.Errorf("Zone(%q) is loaded again", code)
		}
	}
	for _, code := range []string{"XXX", "", "jfk"} {
		if loc := c.Zone(code); loc != nil {
			t.Errorf("Zone(%q) = %v", code, loc)
		}
	}
}

// TestZoneRespectsTheSeason guards against zones that are mere offsets.
func TestZoneRespectsTheSeason(t *testing.T) {
	t.Parallel()
	zone := embedded(t).Zone("JFK")
	_, winter := time.Date(2026, 1, 15, 12, 0, 0, 0, zone).Zone()
	_, summer := time.Date(2026, 7, 15, 12, 0, 0, 0, zone).Zone()
	if winter != -5*3600 || summer != -4*3600 {
		t.Errorf("offsets %d and %d", winter, summer)
	}
}

func TestZoneThatNobodyHas(t *testing.T) {
	t.Parallel()
	data := small()
	data.Airports[0].Zone = "Mars/Olympus"
	c, err := refdata.New(data)
	if err != nil {
		t.Fatal(err)
	}
	if loc := c.Zone("ZZB"); loc != nil {
		t.Errorf("it is %v", loc)
	}
}

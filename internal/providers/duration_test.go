package providers

import (
	"testing"
	"time"
)

func TestParseISODuration(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in      string
		minutes int
	}{
		{"PT40H30M", 2430},
		{"P1DT22H30M", 2790},
		{"PT02H26M", 146},
		{"PT7H", 420},
		{"PT55M", 55},
		{"P2D", 2880},
		{"PT3600S", 60},
		{"PT0S", 0},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, err := ParseISODuration(tt.in)
			if err != nil || got != time.Duration(tt.minutes)*time.Minute {
				t.Errorf("got %v, %v; want %d minutes", got, err, tt.minutes)
			}
		})
	}
}

func TestParseISODurationRefuses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "P", "PT", "T1H", "1H", "P1DT", "P1M", "P1Y2D", "P1W", "-PT1H", "PT-1H", "PT+1H", "PT1.5H",
		"PT1M1H", "PT1H1H", "PTH", "pt1h", "PT1H ", " PT1H", "PT1H30", "P1H", "PT1D", "PT123456H", "PT٣H", "PT1HT1M",
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			if got, err := ParseISODuration(in); err == nil {
				t.Errorf("%q was read as %v", in, got)
			}
		})
	}
}

func FuzzParseISODuration(f *testing.F) {
	for _, seed := range []string{"PT40H30M", "P1DT22H30M", "PT02H26M", "P", "PT", "P99999DT99999H99999M99999S", "PT1.5H"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseISODuration(s)
		switch {
		case err != nil && got != 0:
			t.Errorf("%q gives %v beside %v", s, got, err)
		case got < 0:
			t.Errorf("%q is the negative %v", s, got)
		case got%time.Second != 0:
			t.Errorf("%q is %v, which is no whole number of seconds", s, got)
		}
	})
}

package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

func TestDecodeFault(t *testing.T) {
	for body, want := range map[string]Fault{
		`{"mode":"hang"}`:                       {ModeHang, 1, 503, 0, 1_200_000},
		`{"mode":"slow"}`:                       {ModeSlow, 1, 503, 3 * time.Second, 1_200_000},
		`{"mode":"slow","delay":"150ms"}`:       {ModeSlow, 1, 503, 150 * time.Millisecond, 1_200_000},
		`{"mode":"error","status":500}`:         {ModeError, 1, 500, 0, 1_200_000},
		`{"mode":"reprice","factor":0.95}`:      {ModeReprice, 1, 503, 0, 950_000},
		`{"mode":"reprice","factor":100}`:       {ModeReprice, 1, 503, 0, 100 * wire.Unchanged},
		` {"mode":"huge","share":0.25} ` + "\n": {ModeHuge, 0.25, 503, 0, 1_200_000},
		// As the contract writes it, with all fields.
		`{"mode":"error","share":1.0,"status":503,"delay":"3s","factor":1.2}`: {ModeError, 1, 503, 3 * time.Second, 1_200_000},
	} {
		got, err := decodeFault(strings.NewReader(body))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", body, err, diff)
		}
	}
}

func TestDecodeFaultNamesEverythingThatIsWrong(t *testing.T) {
	for body, wants := range map[string][]string{
		``:                                      {"not a JSON object"},
		`null`:                                  {"not a JSON object"},
		`[]`:                                    {"not a JSON object"},
		`{"mode":"hang"} {}`:                    {"something follows"},
		`{}`:                                    {"mode is missing", "hang, error"},
		`{"mode":"sleep"}`:                      {`"sleep" is not a mode`, "reprice"},
		`{"mode":null}`:                         {"is not a mode"},
		`{"mode":"hang","shares":1}`:            {`"shares" is not a field`},
		`{"mode":"hang","share":1.1}`:           {"share 1.1", "0 to 1"},
		`{"mode":"error","status":200}`:         {"status 200", "400 to 599"},
		`{"mode":"error","status":503.5}`:       {"status 503.5"},
		`{"mode":"slow","delay":3}`:             {"delay 3", `"1.5s"`},
		`{"mode":"slow","delay":"-1s"}`:         {`delay "-1s"`},
		`{"mode":"slow","delay":"11m"}`:         {`delay "11m"`, "10m0s"},
		`{"mode":"reprice","factor":0}`:         {"factor 0", "above 0"},
		`{"mode":"reprice","factor":1e3}`:       {"factor 1e3"},
		`{"mode":"reprice","factor":101}`:       {"factor 101"},
		`{"mode":"reprice","factor":1.0000001}`: {"six places"},
		`{"mode":"x","share":-1,"status":1,"delay":"x","factor":"y","z":0}`:   {`"z"`, "mode", "share", "status", "delay", "factor"},
		`{"mode":"hang","pad":"` + strings.Repeat("x", maxFaultLength) + `"}`: {"longer than"},
	} {
		_, err := decodeFault(strings.NewReader(body))
		if err == nil {
			t.Errorf("%.60s: no error", body)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%.60s: %q does not say %q", body, err, want)
			}
		}
	}
}

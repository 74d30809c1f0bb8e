package sandbox_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// moments are what differs between two answers of the same question: the stamp
// within ids, and the request id.
var moments = regexp.MustCompile(`(off|sli|seg|orq)_0000[0-9A-Z]{13}|(sandbox\.|"s[0-9])[0-9A-Z]{13}`)

// golden compares a whole answer with testdata. A difference means that the
// wire format, the schedule or a fare has changed.
func golden(t *testing.T, name string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, moments.ReplaceAll(body, []byte("$1$2~")), "", "  "); err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	b.WriteByte('\n')
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s, written anew by go test -update:\n%s", path, diff)
	}
}

// A thin route, non-stop alone, for a party of all kinds: each answer is small
// and has everything.
func TestGoldenDuffel(t *testing.T) {
	b := newBed(t)
	golden(t, "duffel_offer_request", b.call("POST", "/duffel/air/offer_requests", duffelHeader,
		`{"data":{"max_connections":0,"slices":[`+leg("AKL", "HNL", 34)+`],"passengers":[{"type":"adult"},{"age":7},{"age":1}]}}`).body)
	golden(t, "duffel_empty", b.duffel(leg("JFK", "EWR", 34), `{"type":"adult"}`).body)
}

func TestGoldenAmadeus(t *testing.T) {
	b := newBed(t)
	answer := b.amadeus("AKL", "HNL", 34, "nonStop", "true", "children", "1", "infants", "1")
	body := bytes.ReplaceAll(answer.body, []byte(b.URL[len("http://"):]), []byte("sandbox"))
	golden(t, "amadeus_flight_offers", body)
}

func TestGoldenSkyscanner(t *testing.T) {
	b := newBed(t)
	created := b.call("POST", live+"/search/create", skyscannerHeader, skyscannerQuery("LDH", "SYD", 34, "AUD", "7,1"))
	golden(t, "skyscanner_create", created.body)
	token := as[skyAnswer](t, created).Token
	golden(t, "skyscanner_poll", b.call("POST", live+"/search/poll/"+token, skyscannerHeader, "").body)
}

package telemetry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPairs(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Pairs // nil: refused
	}{
		{"a=1", Pairs{"a": "1"}},
		{" a = 1 , b=x%20y%2Cz ", Pairs{"a": "1", "b": "x y,z"}},
		{"authorization=Bearer%20t=", Pairs{"authorization": "Bearer t="}},
		{"a=", Pairs{"a": ""}},
		{"a", nil},
		{"=1", nil},
		{"a=1,", nil},
		{"a=canary%zz", nil},
	} {
		var p Pairs
		err := p.UnmarshalText([]byte(tc.text))
		if diff := cmp.Diff(tc.want, p); diff != "" || (err == nil) == (tc.want == nil) {
			t.Errorf("%q: %v\n%s", tc.text, err, diff)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("a value is shown: %v", err)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://localhost:4318": true, "https://otel.example/base/": true,
		"localhost:4318": false, "grpc://x": false, "http://": false, "http://user:pass@x": false, "http://x?y=z": false, "http://x#y": false, "http://%zz": false,
	} {
		var e Endpoint
		if err := e.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSamplerNames(t *testing.T) {
	for text, ok := range map[string]bool{"always_on": true, "parentbased_traceidratio": true, "": true, "jaeger_remote": false} {
		var s Sampler
		if err := s.UnmarshalText([]byte(text)); (err == nil) != ok || ok && s != Sampler(text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

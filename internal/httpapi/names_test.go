package httpapi

import (
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
)

func loadContract(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestParameterNames compares what is read with what is documented, both ways,
// for query strings and for bodies.
func TestParameterNames(t *testing.T) {
	t.Parallel()
	doc := loadContract(t)
	decoder := newDecoder(time.Second)

	var documented []string
	for _, p := range doc.Paths.Value("/v1/flights/search").Get.Parameters {
		documented = append(documented, p.Value.Name)
	}
	if diff := cmp.Diff(sorted(documented), sorted(decoder.queryNames)); diff != "" {
		t.Errorf("query parameters (-documented +read):\n%s", diff)
	}

	documented = nil
	for name := range doc.Components.Schemas["SearchRequest"].Value.Properties {
		documented = append(documented, name)
	}
	if diff := cmp.Diff(sorted(documented), sorted(decoder.bodyNames)); diff != "" {
		t.Errorf("body fields (-documented +read):\n%s", diff)
	}
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// TestKindsOfProblem compares the table of kinds with x-problems of the contract,
// both ways.
func TestKindsOfProblem(t *testing.T) {
	t.Parallel()
	documented, ok := loadContract(t).Extensions["x-problems"].(map[string]any)
	if !ok {
		t.Fatal("the contract has no x-problems")
	}
	type row struct {
		Title  string
		Status int
	}
	want, got := map[string]row{}, map[string]row{}
	for name, description := range documented {
		fields, _ := description.(map[string]any)
		title, _ := fields["title"].(string)
		status, _ := fields["status"].(float64)
		want[name] = row{Title: title, Status: int(status)}
	}
	for _, k := range []kind{
		kindInvalidRequest, kindUnauthorized, kindTooManyRequests, kindOverloaded, kindEventsClosed, kindNotInvalidated, kindNotFound, kindMethodNotAllowed, kindRequestTimeout, kindCursorExpired,
		kindBodyTooLarge, kindUnsupportedMediaType, kindInternal, kindNoAnswer,
	} {
		status, title := k.describe()
		got[string(k)] = row{Title: title, Status: status}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-documented +built):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := newDecoder(time.Second).queryNames
	for name, want := range map[string]string{
		"child":         "children",
		"adult":         "adults",
		"departureDate": "departure_date",
		"return":        "return_date",
		"orign":         "origin",
		"maxStops":      "max_stops",
		"max-price":     "max_price",
		"CABIN":         "cabin",
		"pets":          "",
		"x":             "",
		"":              "",
		"utm_source":    "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

package api_test

import (
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/hedgehop/hedgehop/api"
)

// TestFieldOrder: x-order decides in which order an answer shows its fields; a
// schema that has it numbers all of them from one.
func TestFieldOrder(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	ordered := 0
	for name, schema := range doc.Components.Schemas {
		var orders []float64
		for _, property := range schema.Value.Properties {
			order, ok := property.Extensions["x-order"].(float64)
			if property.Ref == "" {
				order, ok = property.Value.Extensions["x-order"].(float64)
			}
			if ok {
				orders = append(orders, order)
			}
		}
		slices.Sort(orders)
		for i, order := range orders {
			if order != float64(i+1) || len(orders) != len(schema.Value.Properties) {
				t.Errorf("%s has %d fields and the orders %v", name, len(schema.Value.Properties), orders)
				break
			}
		}
		ordered += len(orders)
	}
	if ordered == 0 {
		t.Error("no field has an order")
	}
}

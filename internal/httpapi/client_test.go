package httpapi_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/api/client"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

// TestGeneratedClient: what the client of the contract writes is what is read
// here, and the other way round.
func TestGeneratedClient(t *testing.T) {
	t.Parallel()
	s := &searcher{answer: func(_ context.Context, req search.Request) (*search.Result, error) { return fullResult(t, req), nil }}
	server := httptest.NewServer(httpapi.New(options(s)))
	defer server.Close()
	c, err := client.NewClientWithResponses(server.URL, client.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}

	byQuery, err := c.SearchFlightsWithResponse(t.Context(), &api.SearchFlightsParams{
		Origin: "JFK", Destination: "LHR", DepartureDate: "2026-12-15",
		Adults: new(2), ChildAges: []int{7, 12}, Carriers: []string{"BA", "AA"}, MaxPrice: new("900.00"), CheckedBag: new(true),
	})
	if err != nil || byQuery.JSON200 == nil {
		t.Fatalf("%v %s", err, byQuery.Body)
	}
	asked := s.last(t)
	byBody, err := c.PostFlightSearchWithResponse(t.Context(), api.SearchRequest{
		Slices: []api.SliceRequest{{Origin: "JFK", Destination: "LHR", DepartureDate: "2026-12-15"}},
		Adults: new(2), ChildAges: []int{7, 12}, Carriers: []string{"BA", "AA"}, MaxPrice: new("900.00"), CheckedBag: new(true),
	})
	if err != nil || byBody.JSON200 == nil {
		t.Fatalf("%v %s", err, byBody.Body)
	}
	if diff := cmp.Diff(asked, s.last(t)); diff != "" {
		t.Errorf("asked (-query +body):\n%s", diff)
	}
	if diff := cmp.Diff(byQuery.JSON200, byBody.JSON200); diff != "" {
		t.Errorf("answered (-query +body):\n%s", diff)
	}
	if got := byBody.JSON200.Itineraries[0].Offers[2]; got.Price != nil || got.OriginalPrice.Amount != "90.000" {
		t.Errorf("an offer without a rate came as %+v", got)
	}

	refused, err := c.SearchFlightsWithResponse(t.Context(), &api.SearchFlightsParams{Origin: "JFK", Destination: "JFK", DepartureDate: "2026-12-15"})
	if err != nil || refused.ApplicationProblemJSON400 == nil || len(refused.ApplicationProblemJSON400.Errors) != 1 {
		t.Errorf("%v %s", err, refused.Body)
	}
}

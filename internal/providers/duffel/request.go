package duffel

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

const (
	// maxConnections per slice; Duffel's own default of 1 would hide long routes.
	maxConnections = 2
	// infantAge stands for every lap infant: all ages under 2 travel alike.
	infantAge = 1
	// pageSize is the most that one page of a list can have.
	pageSize = 200
)

// Bounds of supplier_timeout; a value outside them is silently ignored
// (https://duffel.com/docs/api/v2/offer-requests/create-offer-request).
const (
	minSupplierTimeout = 2 * time.Second
	maxSupplierTimeout = time.Minute
	// transferTime is kept back from the deadline, for Duffel's own work and for
	// the way here: whoever waits as long as its airlines gets nothing at all.
	transferTime = time.Second
)

// searchBody is the offer request for q.
func searchBody(q flight.Query) ([]byte, error) {
	search := wireSearch{
		Passengers:     passengers(q.Passengers),
		CabinClass:     string(q.Cabin),
		MaxConnections: maxConnections,
	}
	for _, s := range q.Slices {
		search.Slices = append(search.Slices, wireSearchSlice{
			Origin: s.Origin, Destination: s.Destination, DepartureDate: s.Departure.String(),
		})
	}
	body, err := json.Marshal(wireOfferRequest{Data: search})
	if err != nil {
		return nil, fmt.Errorf("writing the offer request: %w", err)
	}
	return body, nil
}

// passengers are named by type where they are adults and by age where they are
// not; Duffel types infants by their age itself.
func passengers(party flight.Passengers) []wireSearchPassenger {
	var all []wireSearchPassenger
	for range party.Adults {
		all = append(all, wireSearchPassenger{Type: "adult"})
	}
	for _, age := range party.ChildAges {
		all = append(all, wireSearchPassenger{Age: &age})
	}
	for range party.Infants {
		age := infantAge
		all = append(all, wireSearchPassenger{Age: &age})
	}
	return all
}

// searchAddress asks for all offers in the answer itself, and for an answer
// before ctx's deadline.
func searchAddress(ctx context.Context, base *url.URL) string {
	address := base.JoinPath("air/offer_requests")
	query := url.Values{"return_offers": {"true"}}
	if deadline, ok := ctx.Deadline(); ok {
		wait := min(max(time.Until(deadline)-transferTime, minSupplierTimeout), maxSupplierTimeout)
		query.Set("supplier_timeout", strconv.FormatInt(wait.Milliseconds(), 10))
	}
	address.RawQuery = query.Encode()
	return address.String()
}

// listAddress is a page of the offers of a request, the first where after is
// empty.
func listAddress(base *url.URL, requestID, after string) string {
	address := base.JoinPath("air/offers")
	query := url.Values{"offer_request_id": {requestID}, "limit": {strconv.Itoa(pageSize)}}
	if after != "" {
		query.Set("after", after)
	}
	address.RawQuery = query.Encode()
	return address.String()
}

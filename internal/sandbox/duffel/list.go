package duffel

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

var errNotFound = errors.New("no such resource")

// listing is a request for a page of offers.
type listing struct {
	query       flight.Query
	made        wire.Stamp
	connections int
	order       string
	limit       int
	after       int
}

// listOffers pages through the offers of an offer request
// (https://duffel.com/docs/api/v2/offers/get-offers).
func (s *service) listOffers(w http.ResponseWriter, r *http.Request) {
	l, faults := parseListing(r.URL.Query())
	if len(faults) > 0 {
		s.fail(w, statusOf(faults), faults...)
		return
	}
	found := s.answer(l.query, flight.DateOf(l.made.Made), s.Factor(r))
	page, next := l.page(found.within(l.connections))
	after := "null"
	if next > 0 {
		after = strconv.Quote(cursor(next))
	}
	meta := fmt.Sprintf(`,"meta":{"limit":%d,"before":null,"after":%s}}`, l.limit, after)
	send(w, http.StatusOK, []byte(`{"data":`), page, newFilling(l.made), meta)
}

func parseListing(v url.Values) (listing, []fault) {
	l := listing{connections: 2, limit: 50, order: v.Get("sort")}
	var faults []fault
	number := func(name string, low, high int, into *int) {
		if !v.Has(name) {
			return
		}
		n, err := strconv.Atoi(v.Get(name))
		if err != nil || n < low || n > high {
			faults = append(faults, invalid(name, fmt.Sprintf("must be from %d to %d", low, high)))
			return
		}
		*into = n
	}
	number("limit", 1, 200, &l.limit)
	number("max_connections", 0, 2, &l.connections)
	if !slices.Contains([]string{"", "total_amount", "-total_amount", "total_duration", "-total_duration"}, l.order) {
		faults = append(faults, invalid("sort", "must be total_amount or total_duration, with a leading - for descending order"))
	}
	var err error
	if l.after, err = parseCursor(v.Get("after")); err != nil {
		faults = append(faults, invalid("after", "is not a cursor of this list"))
	}
	if l.query, l.made, err = parseRequestID(v.Get("offer_request_id")); err != nil {
		faults = append(faults, invalid("offer_request_id", "is not a known offer request"))
	}
	return l, faults
}

// page cuts the page out of the sorted offers and tells where the next begins, 0
// after the last.
func (l listing) page(offers []rendered) ([]rendered, int) {
	by, descending := strings.CutPrefix(l.order, "-")
	slices.SortStableFunc(offers, func(a, b rendered) int {
		if descending {
			a, b = b, a
		}
		switch by {
		case "total_amount":
			return cmp.Compare(a.cents, b.cents)
		case "total_duration":
			return cmp.Compare(a.minutes, b.minutes)
		default:
			return 0
		}
	})
	start := min(l.after, len(offers))
	end := min(start+l.limit, len(offers))
	if end == len(offers) {
		return offers[start:end], 0
	}
	return offers[start:end], end
}

func cursor(n int) string { return fmt.Sprintf("g3QAAAAB%04d", n) }

func parseCursor(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(s, "g3QAAAAB")
	n, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil {
		return 0, errNotFound
	}
	return int(n), nil
}

func parseRequestID(id string) (flight.Query, wire.Stamp, error) {
	rest, ok := strings.CutPrefix(id, "orq_0000")
	if !ok || len(rest) < wire.StampLength {
		return flight.Query{}, wire.Stamp{}, errNotFound
	}
	return unpack(rest[:wire.StampLength], rest[wire.StampLength:])
}

func unpack(stamp, pack string) (flight.Query, wire.Stamp, error) {
	made, err := wire.UnpackStamp(stamp)
	if err != nil {
		return flight.Query{}, wire.Stamp{}, err
	}
	q, err := wire.Unpack(pack)
	return q, made, err
}

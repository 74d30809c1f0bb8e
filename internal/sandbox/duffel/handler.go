package duffel

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// createOfferRequest searches. supplier_timeout is accepted and needs no
// keeping: the sandbox's airlines answer at once.
func (s *service) createOfferRequest(w http.ResponseWriter, r *http.Request) {
	a, faults := s.parse(r)
	if len(faults) > 0 {
		s.fail(w, statusOf(faults), faults...)
		return
	}
	found := s.answer(a.query, s.Today(), s.Factor(r))
	f := s.filling()
	head := found.head.appendTo([]byte(`{"data":`), f)
	if r.URL.Query().Get("return_offers") == "false" {
		wire.Bytes(w, http.StatusCreated, head, []byte("}}"))
		return
	}
	head = append(head, `,"offers":`...)
	send(w, http.StatusCreated, head, found.within(a.connections), f, "}}")
}

func statusOf(faults []fault) int {
	if faults[0].Type == "validation_error" {
		return http.StatusUnprocessableEntity
	}
	return http.StatusBadRequest
}

// answer renders a query as of a day, or finds it rendered.
func (s *service) answer(q flight.Query, today flight.Date, factor int64) *answer {
	key := fmt.Sprintf("%s %s %d", q.Key(), today, factor)
	return s.answers.Get(key, func() *answer {
		r := s.renderer(q, factor)
		found := &answer{head: newStencil(open(encode(r.request())))}
		for i, f := range s.World.Fares(vantage, world.Query{Slices: q.Slices, Cabin: q.Cabin}, today) {
			found.offers = append(found.offers, r.rendered(f, i))
		}
		return found
	})
}

func (r *renderer) request() offerRequest {
	request := offerRequest{
		ID: "orq_0000" + markStamp + r.pack, CreatedAt: markCreated, CabinClass: text(string(r.query.Cabin)),
		ClientKey: "sandbox." + markStamp, Passengers: r.passengers,
	}
	for _, s := range r.query.Slices {
		origin, destination := r.place(s.Origin), r.place(s.Destination)
		request.Slices = append(request.Slices, requestSlice{
			OriginType: origin.Type, Origin: origin, DestinationType: destination.Type, Destination: destination,
			DepartureDate: s.Departure.String(),
		})
	}
	return request
}

func (r *renderer) rendered(f *world.Fare, index int) rendered {
	o := r.offer(f, index)
	total, _ := flight.ParseMoney(o.TotalAmount, currency)
	found := rendered{stencil: newStencil(encode(o)), cents: total.Minor}
	for _, j := range f.Journeys {
		found.minutes += int(j.Duration() / time.Minute)
		found.connections = max(found.connections, len(j.Flights)-1)
	}
	return found
}

// getOffer is the offer again, at the price of this moment. One that has expired
// is no longer available.
func (s *service) getOffer(w http.ResponseWriter, r *http.Request) {
	q, stamp, index, err := parseOfferID(r.PathValue("id"))
	if err != nil {
		s.refuse(w, http.StatusNotFound)
		return
	}
	if s.Now().After(stamp.Made.Add(lifetime)) {
		s.fail(w, http.StatusUnprocessableEntity, fault{"invalid_state_error", "offer_no_longer_available", "Offer no longer available", "The provided offer is no longer available. Please select another offer or create a new offer request to get the latest availability.", documentation, nil})
		return
	}
	found := s.answer(q, flight.DateOf(stamp.Made), s.Factor(r))
	if index >= len(found.offers) {
		s.refuse(w, http.StatusNotFound)
		return
	}
	wire.Bytes(w, http.StatusOK, found.offers[index].appendTo([]byte(`{"data":`), newFilling(stamp)), []byte("}"))
}

const idPrefix = len("off_0000")

func parseOfferID(id string) (flight.Query, wire.Stamp, int, error) {
	if len(id) < idPrefix+wire.StampLength+3 || id[:idPrefix] != "off_0000" {
		return flight.Query{}, wire.Stamp{}, 0, errNotFound
	}
	rest := id[idPrefix+wire.StampLength:]
	index, err := strconv.ParseUint(rest[:3], 10, 16)
	if err != nil {
		return flight.Query{}, wire.Stamp{}, 0, errNotFound
	}
	q, stamp, err := unpack(id[idPrefix:idPrefix+wire.StampLength], rest[3:])
	return q, stamp, int(index), err
}

package duffel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// page is one answer of Duffel, or one page of it, without its offers.
type page struct {
	// requestID names the offer request, for listing its offers.
	requestID string
	// after is the cursor of the next page, empty on the last.
	after string
	// listed tells that offers were part of the answer, none included.
	listed bool
	// failures are Duffel's errors, which a 2xx answer can have too.
	failures []wireError
}

// maxPart bounds each offer, and what stands between two of them, in bytes. The
// vendor's own, of two slices, have about 20,000.
const maxPart = 2 << 20

var (
	errNoData   = errors.New("the answer has neither data nor errors")
	errTrailing = errors.New("the answer goes on after its end")
)

// input is the text of one answer. Its buffer holds an offer at a time, so its
// limit is what an answer can cost beside the offers that come of it.
type input struct {
	*json.Decoder
	part *providers.LimitedBody
}

// decoder gathers the offers of one search, page after page. It reads an offer
// at a time, so that what it holds is the offers and never the whole text.
type decoder struct {
	zones  providers.Zones
	answer providers.Answer
	// earlier has the ids of the offers on the pages before this one.
	earlier map[string]bool
	// named are the zones that the answer itself named, by IANA name; nil for a
	// name that means nothing.
	named map[string]*time.Location
}

func newDecoder(zones providers.Zones) *decoder {
	return &decoder{
		zones:   zones,
		answer:  providers.Answer{Rejects: map[providers.Reject]int{}},
		earlier: map[string]bool{},
		named:   map[string]*time.Location{},
	}
}

// read adds the offers of one answer: an offer request ({"data": {"offers":
// […]}}) or a list of offers ({"data": […]}). Its error means that the text is
// not such an answer or ended early.
func (d *decoder) read(r io.Reader) (page, error) {
	for _, offer := range d.answer.Offers[len(d.earlier):] {
		d.earlier[offer.Ref] = true
	}
	part := providers.LimitBody(r, maxPart)
	in := input{Decoder: json.NewDecoder(part), part: part}
	var p page
	var found bool
	err := object(in, func(name string) error {
		switch name {
		case "data":
			found = true
			return d.data(in, &p)
		case "errors":
			return lenient(in.Decode(&p.failures))
		case "meta":
			var meta wireMeta
			err := lenient(in.Decode(&meta))
			p.after = meta.After
			return err
		default:
			return skip(in)
		}
	})
	if err != nil {
		return page{}, err
	}
	if !found && len(p.failures) == 0 {
		return page{}, errNoData
	}
	// Reading to the very end lets the connection be used again.
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return page{}, errors.Join(errTrailing, err)
	}
	return p, nil
}

func (d *decoder) data(in input, p *page) error {
	switch token, err := in.Token(); {
	case err != nil:
		return err
	case token == json.Delim('['):
		p.listed = true
		return d.offers(in)
	case token == json.Delim('{'):
		return d.offerRequest(in, p)
	default:
		return errNoData
	}
}

// offerRequest reads on after the opening brace.
func (d *decoder) offerRequest(in input, p *page) error {
	err := members(in, func(name string) error {
		switch name {
		case "id":
			return lenient(in.Decode(&p.requestID))
		case "offers":
			token, err := in.Token()
			if err != nil || token == nil {
				return err
			}
			if token != json.Delim('[') {
				return fmt.Errorf("offers are no list: %w", errNoData)
			}
			p.listed = true
			return d.offers(in)
		default:
			return skip(in)
		}
	})
	if err == nil && !p.listed && p.requestID == "" {
		return errNoData
	}
	return err
}

// offers reads on after the opening bracket.
func (d *decoder) offers(in input) error {
	for in.More() {
		var wire wireOffer
		if err := lenient(in.Decode(&wire)); err != nil {
			return err
		}
		in.part.Restart()
		d.add(wire)
	}
	_, err := in.Token()
	return err
}

// add keeps one offer, or counts why not. One that moved here from an earlier
// page, while they were read, is passed over.
func (d *decoder) add(wire wireOffer) {
	if d.earlier[wire.ID] {
		return
	}
	offer, reject := d.offer(wire)
	if reject != "" {
		d.answer.Rejects[reject]++
		return
	}
	d.answer.Offers = append(d.answer.Offers, offer)
}

// cut marks the answer as short of offers that Duffel has.
func (d *decoder) cut(warning string) {
	d.answer.Cut = true
	d.answer.Warnings = append(d.answer.Warnings, warning)
}

// location is where an airport's clock is set: by our own table, else by the
// zone that the answer names, else unknown.
func (d *decoder) location(airport wireAirport) *time.Location {
	if zone := d.zones(airport.IATACode); zone != nil {
		return zone
	}
	zone, known := d.named[airport.TimeZone]
	if !known {
		zone = loadZone(airport.TimeZone)
		d.named[airport.TimeZone] = zone
	}
	return zone
}

// loadZone does not let time.LoadLocation take the two names that it reads as
// UTC and as this machine's own zone.
func loadZone(name string) *time.Location {
	if name == "" || name == "Local" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// object hands each member's name to read, which consumes its value.
func object(in input, read func(name string) error) error {
	token, err := in.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return errNoData
	}
	return members(in, read)
}

// members is object after the opening brace.
func members(in input, read func(name string) error) error {
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		if err := read(name.(string)); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

func skip(in input) error {
	var value json.RawMessage
	return in.Decode(&value)
}

// lenient passes over a value of an unexpected type: encoding/json has left that
// field alone and filled the others.
func lenient(err error) error {
	if _, mismatch := errors.AsType[*json.UnmarshalTypeError](err); mismatch {
		return nil
	}
	return err
}

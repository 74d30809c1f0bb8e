package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// maxBody is the most bytes that a body may have, as the contract says.
const maxBody = 1 << 20

// mediaTypeJSON is that of bodies, unless they are events.
const mediaTypeJSON = "application/json"

// readBody checks that a body is declared as one of the media types and reads it
// within its bound.
func readBody(w http.ResponseWriter, r *http.Request, mediaTypes ...string) ([]byte, error) {
	if err := checkMediaType(r.Header, mediaTypes); err != nil {
		return nil, err
	}
	tooLarge := &problem{kind: kindBodyTooLarge, detail: fmt.Sprintf("A body may have %d bytes.", maxBody)}
	if r.ContentLength > maxBody { // Unread, so that who waits for 100 Continue does not send it.
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case large:
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &problem{kind: kindRequestTimeout, detail: "The body was not complete when the time to send it was over; send the request again."}
	case err != nil:
		return nil, wholeBody(fmt.Errorf("ended before it was complete: %w", err))
	}
	return body, nil
}

// checkMediaType wants JSON in UTF-8 as it is, under one of the names.
func checkMediaType(h http.Header, allowed []string) error {
	declared := h.Get("Content-Type")
	refused := &problem{kind: kindUnsupportedMediaType, header: http.Header{"Accept": {strings.Join(allowed, ", ")}}}
	wanted := strings.Join(allowed, " or ")
	mediaType, parameters, err := mime.ParseMediaType(declared)
	charset, coding := parameters["charset"], h.Get("Content-Encoding")
	switch {
	case declared == "":
		refused.detail = fmt.Sprintf("The body is not declared; send Content-Type: %s.", wanted)
	case err != nil || !slices.Contains(allowed, mediaType):
		refused.detail = fmt.Sprintf("The body is declared as %s; send Content-Type: %s.", shown(declared), wanted)
	case charset != "" && !strings.EqualFold(charset, "utf-8"):
		refused.detail = fmt.Sprintf("The body is declared as %s; send JSON in UTF-8.", shown(charset))
	case coding != "" && !strings.EqualFold(coding, "identity"):
		refused.detail = fmt.Sprintf("The body is coded as %s; send it as it is.", shown(coding))
	default:
		return nil
	}
	return refused
}

// body reads a search from a JSON body. One that is no JSON object is a single
// fault; else every member is judged.
func (d decoder) body(body []byte) (question, error) {
	whole, twice, err := parseJSON(body)
	if err != nil {
		return question{}, wholeBody(err)
	}
	if whole.kind != jsonObject {
		return question{}, wholeBody(fmt.Errorf("must be an object, not %s", whole.describe()))
	}
	draft := newDraft()
	draft.faults = twice
	for _, m := range whole.members {
		switch f, ok := d.fields[m.name]; {
		case ok:
			if err := f.read(draft, m.value); err != nil {
				draft.fault(m.name, flight.NoSlice, err.Error())
			}
		case m.name == flight.FieldSlices:
			draft.readSlices(m.value)
		default:
			draft.fault(escaped(m.name), flight.NoSlice, d.unknownMember(m.name))
		}
	}
	draft.finish()
	return question{request: draft.request, faults: draft.faults, form: bodyForm{}}, nil
}

func (d decoder) unknownMember(name string) string {
	if isPlaceOrDate(name) {
		return `belongs into slices: [{"origin", "destination", "departure_date"}, …], one for each direction of travel`
	}
	return "is not a field of a search" + suggestion(name, d.bodyNames)
}

func (d *draft) readSlices(v jsonValue) {
	if v.kind != jsonArray {
		d.fault(flight.FieldSlices, flight.NoSlice, fmt.Sprintf("must be an array, not %s", v.describe()))
		return
	}
	d.request.Query.Slices = make([]flight.SliceQuery, len(v.items))
	// More slices than a search can have are one fault, which the query finds.
	for i, item := range v.items[:min(len(v.items), flight.MaxSlices)] {
		d.request.Query.Slices[i] = d.readSlice(item, i)
	}
}

func (d *draft) readSlice(v jsonValue, i int) flight.SliceQuery {
	if v.kind != jsonObject {
		d.fault(fmt.Sprintf("%s/%d", flight.FieldSlices, i), flight.NoSlice, fmt.Sprintf("must be an object, not %s", v.describe()))
		return flight.SliceQuery{}
	}
	var slice flight.SliceQuery
	for _, m := range v.members {
		switch m.name {
		case flight.FieldOrigin:
			slice.Origin = d.place(m.value, m.name, i)
		case flight.FieldDestination:
			slice.Destination = d.place(m.value, m.name, i)
		case flight.FieldDeparture:
			slice.Departure = d.date(m.value, i)
		default:
			names := []string{flight.FieldOrigin, flight.FieldDestination, flight.FieldDeparture}
			d.fault(escaped(m.name), i, "is not a field of a slice"+suggestion(m.name, names))
		}
	}
	return slice
}

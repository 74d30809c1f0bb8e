package httpapi

import (
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
)

// The types of events that are understood, and the one in which Eventarc hands
// on the messages of Pub/Sub
// (https://cloud.google.com/eventarc/docs/workflows/cloudevents).
const (
	fareChanged      = "fare.changed"
	refdataChanged   = "refdata.changed"
	messagePublished = "google.cloud.pubsub.topic.v1.messagePublished"
)

// mediaTypeEvent is that of an event in structured form.
const mediaTypeEvent = "application/cloudevents+json"

// cloudEvent is an event as far as it could be read: faults are those of its
// attributes, and of data that is not there or no object.
type cloudEvent struct {
	kind   string
	data   jsonValue
	form   eventForm
	faults []api.Fault
}

// eventForm names places in the data of an event by pointers into the body that
// was sent.
type eventForm struct {
	bodyForm
	// root is the pointer of the data itself.
	root string
}

func (f eventForm) place(fault flight.Fault) string { return f.root + "/" + fault.Field }

// readEvent reads an event in any of its forms (CloudEvents 1.0.2, HTTP protocol
// binding, section 3) or out of the envelope of Pub/Sub. An event of a type that
// is not known, or whose data is no object, is refused with all its faults.
func readEvent(w http.ResponseWriter, r *http.Request) (cloudEvent, error) {
	body, err := readBody(w, r, mediaTypeEvent, mediaTypeJSON)
	if err != nil {
		return cloudEvent{}, err
	}
	var event cloudEvent
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case mediaType == mediaTypeEvent:
		event, err = structured(body, "")
	case isBinary(r.Header):
		event, err = binary(r.Header, body)
	default:
		event, err = pushed(body)
	}
	if err != nil {
		return cloudEvent{}, err
	}
	if event.kind != fareChanged && event.kind != refdataChanged || event.data.kind != jsonObject {
		return cloudEvent{}, invalid(event.faults)
	}
	return event, nil
}

// bodyObject reads the one JSON object of a body, or of what stands in it at a
// pointer. Names given twice are the second result.
func bodyObject(body []byte, at string) (jsonValue, []api.Fault, error) {
	whole, twice, err := parseJSON(body)
	if err == nil && whole.kind != jsonObject {
		err = fmt.Errorf("must be an object, not %s", whole.describe())
	}
	if err != nil {
		return jsonValue{}, nil, invalid([]api.Fault{pointed(at, err.Error())})
	}
	var faults []api.Fault
	for _, f := range twice {
		faults = append(faults, pointed(at+"/"+f.Field, f.Detail))
	}
	return whole, faults, nil
}

func pointed(at, detail string) api.Fault { return bodyForm{}.at(at, detail) }

// structured reads an event that stands at a pointer of the body, "" for the
// whole of it (CloudEvents 1.0.2, JSON event format).
func structured(body []byte, at string) (cloudEvent, error) {
	whole, faults, err := bodyObject(body, at)
	if err != nil {
		return cloudEvent{}, err
	}
	attributes, more := attributesOf(whole, at)
	event := cloudEvent{faults: append(faults, more...), form: eventForm{root: at + "/data"}}
	event.judge(func(name string) (string, bool) { v, ok := attributes[name]; return v, ok },
		func(name, detail string) api.Fault { return pointed(at+"/"+name, detail) })
	data, inline := whole.member("data")
	coded, encoded := whole.member("data_base64")
	switch {
	case inline && encoded:
		event.faults = append(event.faults, pointed(at+"/data_base64", "stands beside data; send one of the two"))
	case encoded:
		event.form.root = at + "/data_base64"
		data, faults, err = unpacked(coded, event.form.root)
		event.faults = append(event.faults, faults...)
	case !inline:
		err = errors.New("is missing; it says what has changed")
	case data.kind != jsonObject:
		err = fmt.Errorf("must be an object, not %s", data.describe())
	}
	if err != nil {
		event.faults = append(event.faults, faultAt(event.form.root, err)...)
	}
	event.data = data
	return event, nil
}

// faultAt makes faults of an error, which may be a problem that has them.
func faultAt(at string, err error) []api.Fault {
	if p, ok := errors.AsType[*problem](err); ok && len(p.errors) > 0 {
		return p.errors
	}
	return []api.Fault{pointed(at, err.Error())}
}

// unpacked reads a JSON object out of Base64.
func unpacked(v jsonValue, at string) (jsonValue, []api.Fault, error) {
	raw, err := fromBase64(v)
	if err != nil {
		return jsonValue{}, nil, err
	}
	return bodyObject(raw, at)
}

func fromBase64(v jsonValue) ([]byte, error) {
	if v.kind != jsonString {
		return nil, fmt.Errorf("must be a string, not %s", v.describe())
	}
	raw, err := base64.StdEncoding.DecodeString(v.literal)
	if err != nil {
		return nil, errors.New("is not Base64 (RFC 4648, section 4)")
	}
	return raw, nil
}

// headerPrefix begins the headers that carry attributes in binary form.
const headerPrefix = "Ce-"

func isBinary(h http.Header) bool {
	for name := range h {
		if strings.HasPrefix(name, headerPrefix) {
			return true
		}
	}
	return false
}

// binary reads an event whose attributes are headers and whose data is the body.
func binary(h http.Header, body []byte) (cloudEvent, error) {
	var event cloudEvent
	attribute := func(name string) (string, bool) {
		values := h.Values(headerPrefix + name)
		if len(values) == 0 {
			return "", false
		}
		// Values are percent-encoded where they have other than plain characters.
		if plain, err := url.PathUnescape(values[0]); err == nil {
			return plain, true
		}
		return values[0], true
	}
	if kind, _ := attribute("type"); kind == messagePublished {
		return pushed(body)
	}
	named := func(name, detail string) api.Fault { return api.Fault{Parameter: new("ce-" + name), Detail: detail} }
	event.judge(attribute, named)
	for name, values := range h {
		if len(values) > 1 && strings.HasPrefix(name, headerPrefix) {
			event.faults = append(event.faults, named(strings.ToLower(strings.TrimPrefix(name, headerPrefix)), "is given more than once; give it once"))
		}
	}
	data, faults, err := bodyObject(body, "")
	if err != nil {
		event.faults = append(event.faults, faultAt("", err)...)
	}
	event.data, event.faults = data, append(event.faults, faults...)
	return event, nil
}

// pushed reads an event out of the envelope of a Pub/Sub push
// (https://cloud.google.com/pubsub/docs/push#receive_push), which may have more
// fields than are known here.
func pushed(body []byte) (cloudEvent, error) {
	envelope, _, err := bodyObject(body, "")
	if err != nil {
		return cloudEvent{}, err
	}
	message, ok := envelope.member("message")
	if !ok || message.kind != jsonObject {
		return cloudEvent{}, invalid([]api.Fault{pointed("/message",
			"is missing: the body is no envelope of Pub/Sub; send an event as "+mediaTypeEvent+", or its attributes as ce-* headers")})
	}
	coded, ok := message.member("data")
	if !ok {
		return cloudEvent{}, invalid([]api.Fault{pointed("/message/data", "is missing; it is the event in Base64")})
	}
	raw, err := fromBase64(coded)
	if err != nil {
		return cloudEvent{}, invalid([]api.Fault{pointed("/message/data", err.Error())})
	}
	return structured(raw, "/message/data")
}

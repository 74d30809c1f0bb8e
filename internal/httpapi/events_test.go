package httpapi_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/googletoken"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

const eventsToken = "token of the events"

// fares stand in for the search: JFK, LHR and duffel exist. They remember what
// was withdrawn.
type fares struct {
	withdrawn []search.Scope
	err       error
}

func (f *fares) ScopeFaults(scope search.Scope) []flight.Fault {
	var faults []flight.Fault
	for field, code := range map[string]string{"origin": scope.Origin, "destination": scope.Destination} {
		if market := scope.Origin+scope.Destination != ""; market && code != "JFK" && code != "LHR" {
			faults = append(faults, flight.Fault{Field: field, Slice: flight.NoSlice, Detail: "is unknown"})
		}
	}
	if scope.Provider != "" && scope.Provider != "duffel" {
		faults = append(faults, flight.Fault{Field: "provider", Slice: flight.NoSlice, Detail: "is unknown"})
	}
	return faults
}

func (f *fares) Invalidate(_ context.Context, scope search.Scope) error {
	f.withdrawn = append(f.withdrawn, scope)
	return f.err
}

// listening are the options of a service that takes events.
func listening(f *fares) httpapi.Options {
	o := options(&searcher{})
	o.Events = httpapi.Events{Token: eventsToken, Fares: f}
	return o
}

// sent is a request with the token, of a media type, with headers as pairs.
func sent(contentType, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/events", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+eventsToken)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func structured(data string) string {
	return `{"specversion":"1.0","id":"1","source":"/fares","type":"fare.changed","data":` + data + `}`
}

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// binary are the headers of an event in binary form.
func binary(kind string) []string {
	return []string{"ce-specversion", "1.0", "ce-id", "1", "ce-source", "/fares", "ce-type", kind}
}

func TestEventsWithdraw(t *testing.T) {
	t.Parallel()
	market := search.Scope{Origin: "JFK", Destination: "LHR"}
	day := market
	day.Date = flight.Date{Year: 2026, Month: 12, Day: 15}
	envelope := `{"message":{"data":"` + base64Of(structured(`{"provider":"duffel"}`)) +
		`","attributes":{"a":"b"},"messageId":"7","publishTime":"2026-12-01T08:00:00Z"},"subscription":"projects/p/subscriptions/s","deliveryAttempt":2}`
	for name, test := range map[string]struct {
		r    *http.Request
		want search.Scope
		said string
	}{
		"structured":              {sent("application/cloudevents+json; charset=utf-8", structured(`{"origin":" jfk","destination":"LHR"}`)), market, `{"origin":"JFK","destination":"LHR"}`},
		"binary":                  {sent("application/json", `{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}`, binary("fare%2Echanged")...), day, `{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}`},
		"push":                    {sent("application/json", envelope), search.Scope{Provider: "duffel"}, `{"provider":"duffel"}`},
		"push through Eventarc":   {sent("application/json", envelope, binary("google.cloud.pubsub.topic.v1.messagePublished")...), search.Scope{Provider: "duffel"}, `{"provider":"duffel"}`},
		"a market of a provider":  {sent("application/cloudevents+json", structured(`{"provider":"duffel","origin":"JFK","destination":"LHR"}`)), search.Scope{Provider: "duffel", Origin: "JFK", Destination: "LHR"}, `{"origin":"JFK","destination":"LHR"}`},
		"data in Base64":          {sent("application/cloudevents+json", `{"specversion":"1.0","id":"1","source":"s","type":"fare.changed","datacontenttype":"application/json","data_base64":"`+base64Of(`{"provider":"duffel"}`)+`"}`), search.Scope{Provider: "duffel"}, `{"provider":"duffel"}`},
		"with further attributes": {sent("application/cloudevents+json", strings.Replace(structured(`{"provider":"duffel"}`), `"id"`, `"traceparent":"00-1","retries":3,"good":true,"subject":null,"time":"2026-12-01T08:00:00Z","id"`, 1)), search.Scope{Provider: "duffel"}, `{"provider":"duffel"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fares{}
			w := ask(t, httpapi.New(listening(f)), test.r)
			if diff := cmp.Diff([]search.Scope{test.want}, f.withdrawn); diff != "" || w.Code != http.StatusOK {
				t.Errorf("%d %s\n%s", w.Code, w.Body, diff)
			}
			if want := `{"invalidated":` + test.said + "}\n"; w.Body.String() != want {
				t.Errorf("said %s, want %s", w.Body, want)
			}
		})
	}
}

func TestReferenceDataIsReloaded(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"airports", "airlines", "currencies"} {
		var reloaded string
		o := listening(&fares{})
		o.Events.RefdataChanged = func(_ context.Context, set string) error { reloaded = set; return nil }
		event := sent("application/json", `{"set":"`+set+`"}`, binary("refdata.changed")...)
		if w := ask(t, httpapi.New(o), event); w.Code != http.StatusOK || reloaded != set || w.Body.String() != `{"invalidated":{"set":"`+set+"\"}}\n" {
			t.Errorf("%s: %d %s, reloaded %q", set, w.Code, w.Body, reloaded)
		}
	}
	o := listening(&fares{}) // What cannot change is never out of date.
	if w := ask(t, httpapi.New(o), sent("application/json", `{"set":"airports"}`, binary("refdata.changed")...)); w.Code != http.StatusOK {
		t.Errorf("without a source: %d %s", w.Code, w.Body)
	}
}

func TestWhatDoesNotHoldIsSaid(t *testing.T) {
	t.Parallel()
	f := &fares{err: errors.New("redis://user:canary@host is down")}
	o := listening(f)
	o.Events.RefdataChanged = func(context.Context, string) error { return f.err }
	for _, r := range []*http.Request{
		sent("application/cloudevents+json", structured(`{"provider":"duffel"}`)),
		sent("application/json", `{"set":"airports"}`, binary("refdata.changed")...),
	} {
		w := ask(t, httpapi.New(o), r)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" || strings.Contains(w.Body.String(), "canary") {
			t.Errorf("%d, Retry-After %q: %s", w.Code, w.Header().Get("Retry-After"), w.Body)
		}
	}
}

// verifier stands in for Google's tokens.
type verifier map[string]error

func (v verifier) Verify(_ context.Context, token string) error {
	if err, known := v[token]; known {
		return err
	}
	return fmt.Errorf("%w: made up", googletoken.ErrRefused)
}

func TestTheTokenComesFirst(t *testing.T) {
	t.Parallel()
	google := verifier{"good": nil, "unjudged": errors.New("no keys")}
	for name, test := range map[string]struct {
		events  httpapi.Events
		given   []string
		status  int
		problem string
	}{
		"none configured":           {httpapi.Events{}, []string{"Bearer x"}, http.StatusForbidden, ""},
		"none configured nor sent":  {httpapi.Events{}, nil, http.StatusForbidden, ""},
		"none sent":                 {httpapi.Events{Token: "t"}, nil, http.StatusUnauthorized, `Bearer realm="events"`},
		"empty":                     {httpapi.Events{Token: "t"}, []string{"Bearer "}, http.StatusUnauthorized, `Bearer realm="events"`},
		"other scheme":              {httpapi.Events{Token: "t"}, []string{"Basic t"}, http.StatusUnauthorized, `Bearer realm="events"`},
		"two":                       {httpapi.Events{Token: "t"}, []string{"Bearer t", "Bearer t"}, http.StatusUnauthorized, `Bearer realm="events"`},
		"wrong":                     {httpapi.Events{Token: "t"}, []string{"Bearer tt"}, http.StatusUnauthorized, `Bearer realm="events", error="invalid_token"`},
		"the beginning of it":       {httpapi.Events{Token: "token"}, []string{"Bearer toke"}, http.StatusUnauthorized, `Bearer realm="events", error="invalid_token"`},
		"static, any case":          {httpapi.Events{Token: "t"}, []string{"bearer t"}, http.StatusOK, ""},
		"of Google":                 {httpapi.Events{Google: google}, []string{"Bearer good"}, http.StatusOK, ""},
		"of Google, refused":        {httpapi.Events{Google: google}, []string{"Bearer bad"}, http.StatusUnauthorized, `Bearer realm="events", error="invalid_token"`},
		"of Google, not judged":     {httpapi.Events{Google: google}, []string{"Bearer unjudged"}, http.StatusServiceUnavailable, ""},
		"static beside Google":      {httpapi.Events{Token: "t", Google: google}, []string{"Bearer t"}, http.StatusOK, ""},
		"of Google beside static":   {httpapi.Events{Token: "t", Google: google}, []string{"Bearer good"}, http.StatusOK, ""},
		"neither of the two counts": {httpapi.Events{Token: "t", Google: google}, []string{"Bearer x"}, http.StatusUnauthorized, `Bearer realm="events", error="invalid_token"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fares{}
			o := options(&searcher{})
			o.Events = test.events
			o.Events.Fares = f
			for _, body := range []string{structured(`{"provider":"duffel"}`), "no event at all"} {
				r := sent("application/cloudevents+json", body)
				r.Header["Authorization"] = test.given
				w := ask(t, httpapi.New(o), r)
				if want := test.status; w.Code != want && (want != http.StatusOK || w.Code != http.StatusBadRequest) {
					t.Errorf("%q: %d, want %d: %s", body, w.Code, want, w.Body)
				}
				if got := w.Header().Get("WWW-Authenticate"); got != test.problem {
					t.Errorf("challenge %q, want %q", got, test.problem)
				}
			}
			if withdrew := len(f.withdrawn) > 0; withdrew != (test.status == http.StatusOK) {
				t.Errorf("withdrew %t with status %d", withdrew, test.status)
			}
		})
	}
}

func TestEventsAreRefused(t *testing.T) {
	t.Parallel()
	const json, event = "application/json", "application/cloudevents+json"
	for name, test := range map[string]struct {
		r    *http.Request
		want []string
	}{
		"no JSON":   {sent(event, "{"), []string{": is not JSON: unexpected end of JSON input at line 1, column 2"}},
		"no object": {sent(event, "[]"), []string{": must be an object, not an array"}},
		"nothing in it": {sent(event, "{}"), []string{
			"/specversion: is missing; CloudEvents 1.0 asks for it", "/id: is missing; CloudEvents 1.0 asks for it",
			"/source: is missing; CloudEvents 1.0 asks for it", "/type: is missing; CloudEvents 1.0 asks for it",
			"/data: is missing; it says what has changed",
		}},
		"attributes": {sent(event, `{"specversion":1.0,"id":"","source":[],"type":"fares","time":"now","datacontenttype":"text/xml","dataType":"x","extension":{},"data":{}}`), []string{
			"/specversion: must be a string, not the number 1.0", "/source: must be a single value, not an array",
			"/dataType: is no attribute of an event; their names have letters a to z and digits", "/extension: must be a single value, not an object",
			"/id: must not be empty", "/source: is missing; CloudEvents 1.0 asks for it",
			`/type: "fares" is no type that is understood here; send fare.changed or refdata.changed`,
			`/datacontenttype: must be JSON, not "text/xml"`, `/time: "now" is no time of RFC 3339; write it as 2026-12-15T08:00:00Z`,
		}},
		"an older version, and data": {sent(event, `{"specversion":"0.3","id":"1","source":"s","type":"fare.changed","data":{"set":"airports"}}`), []string{
			`/specversion: must be 1.0, not "0.3"`,
			"/data/set: is not a field of fare.changed; /openapi.yaml lists those that exist",
			"/data/provider: is missing; name a provider, or origin and destination",
		}},
		"data twice":          {sent(event, `{"specversion":"1.0","id":"1","source":"s","type":"fare.changed","data":{"provider":"duffel"},"data_base64":"e30="}`), []string{"/data_base64: stands beside data; send one of the two"}},
		"data is no object":   {sent(event, structured(`"JFK"`)), []string{`/data: must be an object, not the string "JFK"`}},
		"no Base64":           {sent(event, `{"specversion":"1.0","id":"1","source":"s","type":"fare.changed","data_base64":"{}"}`), []string{"/data_base64: is not Base64 (RFC 4648, section 4)"}},
		"no JSON in Base64":   {sent(event, `{"specversion":"1.0","id":"1","source":"s","type":"fare.changed","data_base64":"`+base64Of("x")+`"}`), []string{"/data_base64: is not JSON…"}},
		"names given twice":   {sent(event, structured(`{"provider":"duffel","provider":"duffel"}`)), []string{"/data/provider: is given more than once; give it once"}},
		"no end":              {sent(event, structured(`{"origin":"JFK"}`)), []string{"/data/destination: is missing; a market has an origin and a destination"}},
		"a day of nothing":    {sent(event, structured(`{"departure_date":"2026-12-15"}`)), []string{"/data/origin: is missing; a market has an origin and a destination", "/data/destination: is missing; a market has an origin and a destination"}},
		"a day of a supplier": {sent(event, structured(`{"provider":"duffel","departure_date":"2026-12-15"}`)), []string{"/data/origin: is missing; a market has an origin and a destination", "/data/destination: is missing; a market has an origin and a destination"}},
		"one end twice":       {sent(event, structured(`{"origin":"JFK","destination":"jfk"}`)), []string{"/data/destination: is the same place as the origin, JFK; a market has two"}},
		"what the form and what the search finds": {sent(event, structured(`{"origin":7,"destination":"QQQ","departure_date":"2026-02-30","provider":"kiwi","carrier":"BA"}`)), []string{
			"/data/origin: must be a string, not the number 7",
			`/data/departure_date: "2026-02-30" is not a date…`,
			"/data/carrier: is not a field of fare.changed; /openapi.yaml lists those that exist",
			"/data/destination: is unknown", "/data/provider: is unknown",
		}},
		"binary": {sent(json, `{"origin":"JFK","destination":"QQQ"}`, "ce-specversion", "1.0", "ce-source", "", "ce-type", "fare.changed", "ce-type", "x"), []string{
			"ce-id: is missing; CloudEvents 1.0 asks for it", "ce-source: must not be empty", "ce-type: is given more than once; give it once", "/destination: is unknown",
		}},
		"binary without data": {sent(json, "", binary("fare.changed")...), []string{": is empty; send a JSON object"}},
		"neither form":        {sent(json, `{"provider":"duffel"}`), []string{"/message: is missing: the body is no envelope of Pub/Sub; send an event as application/cloudevents+json, or its attributes as ce-* headers"}},
		"an empty message":    {sent(json, `{"message":{"attributes":{}}}`), []string{"/message/data: is missing; it is the event in Base64"}},
		"a message of text":   {sent(json, `{"message":{"data":"`+base64Of("hello")+`"}}`), []string{"/message/data: is not JSON…"}},
		"a push": {sent(json, `{"message":{"data":"`+base64Of(structured(`{"provider":"kiwi"}`))+`"}}`), []string{
			"/message/data/data/provider: is unknown",
		}},
		"an unknown set": {sent(json, `{"set":"cities","sets":1}`, binary("refdata.changed")...), []string{
			`/set: "cities" is no set; send airports, airlines or currencies`, "/sets: is not a field of refdata.changed; did you mean set?",
		}},
		"no set":     {sent(json, `{}`, binary("refdata.changed")...), []string{"/set: is missing; send airports, airlines or currencies"}},
		"parameters": {httptest.NewRequest(http.MethodPost, "/v1/events?token=x", strings.NewReader("{}")), []string{"token: is not a parameter of this address; it has none"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fares{}
			test.r.Header.Set("Authorization", "Bearer "+eventsToken)
			w := ask(t, httpapi.New(listening(f)), test.r)
			if w.Code != http.StatusBadRequest || len(f.withdrawn) > 0 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(sortedLines(test.want), sortedLines(faults(decode[api.Problem](t, w))), orBeginning); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventBodies(t *testing.T) {
	t.Parallel()
	h := httpapi.New(listening(&fares{}))
	if w := ask(t, h, sent("application/cloudevents+json", structured(`{"provider":"duffel"}`)+strings.Repeat(" ", 1<<20))); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("more than 1 MiB: %d", w.Code)
	}
	for _, mediaType := range []string{"", "text/plain", "application/cloudevents-batch+json", "application/cloudevents+xml"} {
		w := ask(t, h, sent(mediaType, structured(`{"provider":"duffel"}`)))
		if w.Code != http.StatusUnsupportedMediaType || w.Header().Get("Accept") != "application/cloudevents+json, application/json" {
			t.Errorf("%q: %d, Accept %q", mediaType, w.Code, w.Header().Get("Accept"))
		}
	}
}

func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		"", "{}", structured(`{"provider":"duffel"}`), structured(`{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}`),
		`{"message":{"data":"` + base64Of(structured(`{}`)) + `"}}`, `{"set":"airports"}`, `{"data":{},"data_base64":7,"type":"fare.changed"}`,
	} {
		for form := range 3 {
			f.Add([]byte(seed), form)
		}
	}
	withdrawn := &fares{}
	h := httpapi.New(listening(withdrawn))
	f.Fuzz(func(t *testing.T, body []byte, form int) {
		r := sent("application/json", string(body))
		switch form {
		case 0:
			r = sent("application/cloudevents+json", string(body))
		case 1:
			r = sent("application/json", string(body), binary("fare.changed")...)
		}
		before := len(withdrawn.withdrawn)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		problem := w.Code == http.StatusBadRequest && len(decode[api.Problem](t, w).Errors) > 0
		if withdrew := len(withdrawn.withdrawn) > before; withdrew && w.Code != http.StatusOK || !withdrew && w.Code != http.StatusOK && !problem {
			t.Errorf("%d, withdrew %t: %s", w.Code, withdrew, w.Body)
		}
	})
}

func sortedLines(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

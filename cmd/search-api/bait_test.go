package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/hedgehop/hedgehop/api"
)

// TestNoInputIsAnAddressToCall puts the address of a listener into every
// parameter, field and header that a caller can send, beside an otherwise good
// search, and waits for nobody to call it.
func TestNoInputIsAnAddressToCall(t *testing.T) {
	var called atomic.Int64
	bait := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	defer bait.Close()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	a := &asker{base: startService(t, map[string]string{"EVENTS_TOKEN": "token"})}
	headers := []string{
		"Origin", bait.URL, "Referer", bait.URL, "X-Forwarded-Host", bait.URL[len("http://"):], "X-Forwarded-For", bait.URL, "Forwarded", "host=" + bait.URL,
		"X-Request-Id", bait.URL, "Traceparent", bait.URL, "If-None-Match", bait.URL, "Accept", bait.URL,
		"Authorization", "Bearer token", "Content-Type", "application/json", "ce-id", "1", "ce-source", bait.URL, "ce-type", "fare.changed", "ce-specversion", "1.0", "ce-dataschema", bait.URL,
	}
	tried := 0
	for _, parameter := range doc.Paths.Value("/v1/flights/search").Get.Parameters {
		query := url.Values{"origin": {"JFK"}, "destination": {"LHR"}, "departure_date": {inDays(40)}}
		query.Set(parameter.Value.Name, bait.URL)
		a.ask(t, http.MethodGet, "/v1/flights/search?"+query.Encode(), "", headers...)
		a.ask(t, http.MethodPost, "/v1/flights/search", `{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"`+inDays(41)+`"}],"`+parameter.Value.Name+`":"`+bait.URL+`"}`, headers...)
		tried++
	}
	for _, field := range []string{"provider", "origin", "destination", "departure_date", "set", "url"} {
		a.ask(t, http.MethodPost, "/v1/events", `{"`+field+`":"`+bait.URL+`"}`, headers...)
		tried++
	}
	for _, path := range []string{"/v1/airports/", "/v1/airlines/", "/"} {
		a.ask(t, http.MethodGet, path+url.PathEscape(bait.URL), "", headers...)
	}
	if called.Load() > 0 || tried < 25 {
		t.Errorf("%d calls after %d tries", called.Load(), tried)
	}
}

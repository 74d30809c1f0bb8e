// Package httpapi is the HTTP edge of the service: routes, middleware, strict
// decoding of requests, conversion between the contract's models and the domain,
// and the one table that turns errors into problems (RFC 9457).
//
// Requests are decoded by hand, for the contract wants every fault named at
// once, unknown parameters refused and bodies bounded; a test compares routes
// and parameters with api/openapi.yaml in both directions.
//
// Where to find what: a route's handler stands in the file of its noun
// (search.go, reference.go, health.go), what reads requests in decode_*.go, what
// makes answers in convert_*.go.
package httpapi

// Package providers holds what the adapters of fare providers share: the answer
// and the error they give, the HTTP clients and zones they are given, bounded
// reading of answers, and the token source.
//
// Each adapter is a package of its own below this one: wire.go (the provider's
// JSON), decode.go (pure: bytes to offers and counted rejects) and client.go.
package providers

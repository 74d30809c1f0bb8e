// Package providers holds what the adapters of fare providers share: the answer
// and the error they give, the HTTP clients and zones they are given, bounded
// reading of answers, the meaning of failures, local times put in their zones,
// and the token source.
//
// Each adapter is a package of its own below this one: wire.go (the provider's
// JSON), decode.go (pure: bytes to offers and counted rejects) and client.go. It
// passes the contract of package providertest.
package providers

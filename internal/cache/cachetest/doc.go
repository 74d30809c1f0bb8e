// Package cachetest runs real Redis servers and clusters for tests, breaks them
// in the ways that Redis breaks, and keeps the ledger by which a test decides
// whether a cache has answered with something that was invalidated.
package cachetest

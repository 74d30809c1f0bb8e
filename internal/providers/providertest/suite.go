// Package providertest is the contract that every adapter of a fare provider
// passes, tried against a server in memory that answers what a Suite scripts:
// good answers, empty ones, and everything that goes wrong between two services.
package providertest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// Provider is what an adapter is to the search.
type Provider interface {
	// Name is the provider's, as the outside knows it.
	Name() string
	// Search answers a query with offers or none, or fails with a *providers.Error
	// or an error that wraps that of ctx.
	Search(ctx context.Context, q flight.Query) (providers.Answer, error)
}

// Suite is one adapter's part of the contract; all of it is required unless it
// says otherwise.
type Suite struct {
	// Name is the provider's, as the outside knows it.
	Name string
	// New builds the adapter; it is called inside the test's bubble.
	New func(s *Server) Provider
	// Secrets are the credentials that New uses. No error may show them.
	Secrets []string
	// Aside answers, by their path, the calls that are no searches, such as those
	// for a token. Optional.
	Aside map[string]http.Handler
	// Good has an answer for each form of query: one-way, return, several
	// cities, and a party of two adults, a child of 7 and an infant.
	Good []Good
	// Empty is the provider's way to say that nothing was found.
	Empty Reply
	// Failures are the provider's own forms of failure.
	Failures []Failure
}

// Good is a query, and an answer with offers.
type Good struct {
	Name  string
	Query flight.Query
	Reply Reply
	// Offers is how many come out, Rejects how many do not and why: an answer
	// with one bad offer among good ones belongs here too.
	Offers  int
	Rejects map[providers.Reject]int
	// Asked judges the search request. Optional.
	Asked func(t *testing.T, r Request)
}

// Failure is an answer without fares, and the error that must come of it.
type Failure struct {
	Name  string
	Reply Reply
	Kind  providers.Kind
	// Code is the provider's own, empty where it gives none.
	Code       string
	RetryAfter time.Duration
}

// Run tries the adapter against its whole contract.
func Run(t *testing.T, s Suite) {
	t.Helper()
	t.Run("good", s.good)
	t.Run("empty", s.empty)
	t.Run("failures", s.failures)
	t.Run("unreadable", s.unreadable)
	t.Run("deadline", s.deadline)
	t.Run("cancel", s.cancel)
	t.Run("concurrent", s.concurrent)
}

// serve builds the adapter against a server whose searches handler answers.
func (s Suite) serve(t testing.TB, handler http.Handler) (Provider, *Server) {
	t.Helper()
	server := NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if aside, ok := s.Aside[r.URL.Path]; ok {
			aside.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	return s.New(server), server
}

// query is one that the adapter supports.
func (s Suite) query() flight.Query { return s.Good[0].Query }

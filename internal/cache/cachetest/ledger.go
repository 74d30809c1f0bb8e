package cachetest

import (
	"fmt"
	"sync"
)

// Ledger decides whether answers were stale. Its source of truth is a version
// for each scope, which only grows: a source answers with the version that it
// read when it was asked; an invalidation, once acknowledged, raises the floor
// below which no later request may see. Safe for concurrent use, by several
// caches of one process or by services that are asked over HTTP.
//
//	changed := ledger.Change(scope)        // the fare changes …
//	if cache.Invalidate(scope) == nil {    // … and the event of it is held
//		ledger.Acknowledge(scope, changed)
//	}
//
//	floor := ledger.Floor(scope)           // a request begins …
//	version := ask(scope)                  // … and is answered
//	ledger.Check(scope, floor, version)
type Ledger struct {
	mu     sync.Mutex
	scopes map[string]*account
	report Report
}

type account struct{ version, floor int64 }

// Report is what a ledger has seen.
type Report struct {
	// Checked answers, and among them the Stale ones.
	Checked, Stale int64
	// Changes of versions, and among them those Acknowledged.
	Changes, Acknowledged int64
	// First describes the first stale answer.
	First string
}

// NewLedger returns a ledger in which every scope is at version 1.
func NewLedger() *Ledger { return &Ledger{scopes: map[string]*account{}} }

// scope must be called with mu held.
func (l *Ledger) scope(name string) *account {
	a := l.scopes[name]
	if a == nil {
		a = &account{version: 1}
		l.scopes[name] = a
	}
	return a
}

// Version is what a source reads when it is asked.
func (l *Ledger) Version(scope string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scope(scope).version
}

// Change raises a scope's version and returns it.
func (l *Ledger) Change(scope string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Changes++
	a := l.scope(scope)
	a.version++
	return a.version
}

// Acknowledge notes that an invalidation, begun after the change to version, was
// reported to hold.
func (l *Ledger) Acknowledge(scope string, version int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Acknowledged++
	a := l.scope(scope)
	a.floor = max(a.floor, version)
}

// Floor is the oldest version that a request which begins now may be answered.
func (l *Ledger) Floor(scope string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scope(scope).floor
}

// Check notes the answer to a request that began when the floor was floor, and
// reports whether it was fit to be given.
func (l *Ledger) Check(scope string, floor, version int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Checked++
	if version >= floor {
		return true
	}
	l.report.Stale++
	if l.report.First == "" {
		l.report.First = fmt.Sprintf("scope %s: version %d was acknowledged before the request, the answer was of version %d", scope, floor, version)
	}
	return false
}

// Report returns the counts so far.
func (l *Ledger) Report() Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.report
}

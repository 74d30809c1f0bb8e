// Package cache answers questions from memory and Redis and never answers with
// something older than an acknowledged invalidation.
//
// Every entry belongs to a scope, named by tokens: "all", "p:duffel",
// "m:LON-NYC". A token is a random value in Redis; an entry embeds the values
// that were read before its fetch began, and is valid only while each of them
// still equals the one read together with it. To invalidate a scope is to
// delete its token: whatever was fetched under it, in whichever instance, queue
// or running call, can never be equal again. No subscriber and no clock takes
// part in that.
//
// The order of use is: [Typed.Lookup] reads tokens and entries in one round
// trip, [Typed.Ask] fetches what was missing, once for all who ask the same
// under the same tokens, and fills the entry off the answer's path;
// [Cache.Invalidate] withdraws a scope and says so only when it holds.
//
// The promise: after Invalidate has returned nil, every value of that scope in
// the result of any later Lookup or Ask comes from a fetch that began after the
// tokens were deleted, on any instance. Two things are outside it, both bounded
// by the entry's lifetime: a failover of Redis that loses an acknowledged
// deletion, and a partitioned former primary that still answers.
//
// Redis is an optimisation: unreachable, slow, full or corrupt, it costs a
// lookup at most [Options.LookupLimit] and turns it into a [Bypass]. With no
// URL the same code runs on an in-memory twin.
//
// The package is generic: it knows questions, values and scopes, not what they
// are about.
package cache

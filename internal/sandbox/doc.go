// Package sandbox is three fare providers that nobody has to pay: one seeded
// world of flights (package world), spoken in the wire formats of Duffel, Amadeus
// and Skyscanner (packages of their names) under /duffel, /amadeus and
// /skyscanner.
//
// Latency follows a Law. Faults can be switched on for each provider and
// requests are counted; see Handler for the paths.
package sandbox

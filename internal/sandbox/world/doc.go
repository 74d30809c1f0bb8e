// Package world is the air transport that the sandbox providers sell: which
// airline flies where, when, with what, and for how much.
//
// Nothing is stored. Every fact is drawn by hashing the seed with the names that
// it concerns, so the same seed, route and date give the same schedule in every
// process, in any order of asking. Real airlines fly from their real hubs, over
// great circle distances, with the time zones of the reference data; flights
// start at an instant and last so many minutes, and local times follow from
// that, so clock changes and the date line come out right.
//
// Fares are per traveller, in cents of a US dollar. They depend on the days left
// before departure, hence on today's date, and on nothing else that moves.
package world

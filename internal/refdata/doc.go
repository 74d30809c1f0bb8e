// Package refdata knows the places, carriers and currencies of air travel, as
// one immutable Catalog: airports with their time zones, cities with their
// airports and other names, airlines with their alliance, currencies with the
// exchange rates of a day.
//
// A Catalog is embedded in the binary and decoded in a few milliseconds; time
// zones are loaded and the index of Suggest is built at first use. A newer set
// of exchange rates makes a new Catalog that shares the rest (WithRates). The
// program in the folder build makes the embedded file from its sources.
package refdata

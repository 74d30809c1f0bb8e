// Package refresh keeps the reference data of a running service current: it
// takes newer exchange rates and a newer catalogue while searches go on, and
// shows them all through one pointer that is swapped in one step.
//
// The embedded catalogue is the floor. Two things can lie above it:
//
//   - Exchange rates, from the address of the European Central Bank's daily file.
//     One instance fetches them after each publication and leaves them in the
//     cache for the others. A table older than the one that is held never
//     replaces it; of two tables of one day the later one counts.
//   - A catalogue of places, carriers and currencies from a newer release of
//     this program: each instance leaves its own in the cache where there is
//     none or an older one. The release of a catalogue is the day of the rates
//     that are embedded with it, since both are made in one run. It is taken only
//     if it knows everything that the embedded one knows, with the same city
//     codes: the scopes by which fares are invalidated are made of these, and
//     instances that disagree about them would keep fares that others withdrew.
//
// Whatever is of an older release, of another form, corrupt or implausible is
// passed over and counted. Without a shared cache that answers, each instance
// goes on with what it has.
package refresh

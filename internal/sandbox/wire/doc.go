// Package wire holds what the sandbox's renderings of the providers share: the
// parts that each of them is built from, money and durations as JSON has them,
// questions packed into opaque tokens, and a bounded store of rendered answers.
package wire

// Package duffel asks Duffel's flights API, version 2
// (https://duffel.com/docs/api), for offers.
package duffel

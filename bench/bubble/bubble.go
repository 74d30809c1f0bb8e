// Package bubble gives programs virtual time: within it nothing takes time but what
// waits, and waiting is over at once.
package bubble

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
)

// Main calls program with a function that runs another in virtual time, and ends
// the process: with status 1 where program fails.
//
// A bubble of testing/synctest belongs to a *testing.T, and outside "go test" only
// testing.Main makes one; it parses the process's arguments and exits by itself.
// Parse flags before.
func Main(program func(enclose func(func())) error) {
	os.Args = os.Args[:1]
	everything := testing.InternalTest{Name: "bubble", F: func(t *testing.T) {
		err := program(func(measurement func()) {
			synctest.Test(t, func(*testing.T) { measurement() })
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0) // Before testing reports on itself.
	}}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{everything}, nil, nil)
}

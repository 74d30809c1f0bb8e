package main

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
)

// inBubbles calls program with a function that runs another in virtual time, and
// ends the process.
//
// A bubble of testing/synctest belongs to a *testing.T, and outside "go test" only
// testing.Main makes one; it parses the process's arguments and exits by itself.
func inBubbles(program func(enclose func(func())) error) error {
	os.Args = os.Args[:1]
	everything := testing.InternalTest{Name: "laboratory", F: func(t *testing.T) {
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
	return nil
}

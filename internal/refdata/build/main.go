// Command build makes the reference data that internal/refdata embeds from the
// tables in the folder source; "make refdata" runs it after a change there.
// NOTICE names where the tables come from.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
)

//go:embed source
var embedded embed.FS

func main() {
	out := flag.String("o", "internal/refdata/data/catalog.tsv", "file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out string) error {
	source, err := fs.Sub(embedded, "source")
	if err != nil {
		return err
	}
	built, err := catalog(source)
	if err != nil {
		return err
	}
	return os.WriteFile(out, built.Encode(), 0o644)
}

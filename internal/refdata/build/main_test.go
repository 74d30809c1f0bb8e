package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestEmbeddedFileIsCurrent fails where a source changed and the embedded file
// was not made anew.
func TestEmbeddedFileIsCurrent(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "catalog.tsv")
	if err := run(out); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../data/catalog.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("internal/refdata/data/catalog.tsv differs from what its sources give; run make refdata")
	}
}

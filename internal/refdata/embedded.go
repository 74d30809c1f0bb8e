package refdata

import (
	_ "embed"
	"fmt"
)

//go:generate go run ./build -o data/catalog.tsv

//go:embed data/catalog.tsv
var embedded string

// Embedded decodes the Catalog that is part of the binary. Each call makes one
// of its own; a program needs one.
func Embedded() (*Catalog, error) {
	c, err := decode(embedded)
	if err != nil {
		return nil, fmt.Errorf("embedded reference data (make refdata writes it anew): %w", err)
	}
	return c, nil
}

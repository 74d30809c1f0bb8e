package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// row is a line of a table by the names of its columns.
type row map[string]string

// readTable reads a table whose first line must name these columns. Without
// columns the table has no such line, and they are called "1", "2" and so on.
func readTable(source fs.FS, name string, columns ...string) ([]row, error) {
	text, err := fs.ReadFile(source, name)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is empty", name)
	}
	if columns == nil {
		for i := range lines[0] {
			columns = append(columns, strconv.Itoa(i+1))
		}
		lines = append([][]string{columns}, lines...)
	}
	if !slices.Equal(lines[0], columns) {
		return nil, fmt.Errorf("%s begins with the columns %q; %q are wanted", name, lines[0], columns)
	}
	rows := make([]row, 0, len(lines)-1)
	for _, line := range lines[1:] {
		r := make(row, len(columns))
		for i, column := range columns {
			r[column] = strings.TrimSpace(line[i])
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// unaccented takes the accents off Latin letters.
func unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

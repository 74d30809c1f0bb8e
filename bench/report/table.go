package report

import (
	"fmt"
	"strings"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// Table is a Markdown table.
type Table struct {
	head []string
	rows [][]string
}

// NewTable begins a table with its column heads.
func NewTable(head ...string) *Table { return &Table{head: head} }

// Row adds a row.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// String renders it: the first column to the left, all others to the right.
func (t *Table) String() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.head)
	b.WriteString("|---" + strings.Repeat("|--:", len(t.head)-1) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// Whole renders a spread in whole numbers: the median and, where rounds differ,
// from which to which.
func Whole(s stat.Spread) string { return spread(s, "%.0f") }

// Decimals renders a spread with two decimals.
func Decimals(s stat.Spread) string { return spread(s, "%.2f") }

// Thousandths renders a spread with three decimals.
func Thousandths(s stat.Spread) string { return spread(s, "%.3f") }

// Percent renders a spread of shares in percent.
func Percent(s stat.Spread) string {
	return spread(stat.Spread{Median: 100 * s.Median, Least: 100 * s.Least, Most: 100 * s.Most}, "%.2f%%")
}

func spread(s stat.Spread, format string) string {
	median, least, most := fmt.Sprintf(format, s.Median), fmt.Sprintf(format, s.Least), fmt.Sprintf(format, s.Most)
	if least == most {
		return median
	}
	return fmt.Sprintf("%s (%s–%s)", median, least, most)
}

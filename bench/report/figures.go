package report

import (
	"fmt"
	"strings"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// Figure is one thing measured.
type Figure struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Reach string `json:"to_reach,omitempty"` // What it should be, as people say it.
	stat.Spread
}

// Section is a group of figures measured together.
type Section struct {
	Title   string   `json:"title"`
	About   string   `json:"about"`
	Figures []Figure `json:"figures"`
}

// Add adds a figure measured in several rounds.
func (s *Section) Add(name, unit, reach string, rounds ...float64) {
	s.Figures = append(s.Figures, Figure{name, unit, reach, stat.SpreadOf(rounds)})
}

// Page renders sections as Markdown.
func Page(title string, c Conditions, sections []Section) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", title, c)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", s.Title, s.About, s.table())
	}
	return b.String()
}

func (s *Section) table() string {
	t := NewTable("", "measured", "", "to reach")
	for _, f := range s.Figures {
		t.Row(f.Name, figure(f.Spread), f.Unit, f.Reach)
	}
	return t.String()
}

// figure keeps about three digits.
func figure(s stat.Spread) string {
	switch {
	case s.Median >= 100:
		return Whole(s)
	case s.Median >= 1:
		return Decimals(s)
	}
	return Thousandths(s)
}

package refdata

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold makes texts equal that a traveller would type for each other: case,
// accents and punctuation go, words are parted by one space.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		switch {
		case unicode.Is(unicode.Mn, r) || apostrophe(r):
			continue
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mc, r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			writeFolded(&b, unicode.ToLower(r))
		default:
			gap = true
		}
	}
	return b.String()
}

// apostrophe reports marks inside a word, as in O'Hare and Nukuʻalofa.
func apostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʻ', 'ʼ', '`', '´':
		return true
	}
	return false
}

// writeFolded writes a lower-case letter, those that do not decompose in the
// letters that stand for them on other keyboards.
func writeFolded(b *strings.Builder, r rune) {
	switch r {
	case 'ø':
		b.WriteByte('o')
	case 'ł':
		b.WriteByte('l')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'ı':
		b.WriteByte('i')
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'þ':
		b.WriteString("th")
	default:
		b.WriteRune(r)
	}
}

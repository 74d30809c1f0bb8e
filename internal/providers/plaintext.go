package providers

import (
	"strings"
	"unicode"
)

// maxPlainText is how many characters of a provider's sentence are shown.
const maxPlainText = 200

// PlainText makes a sentence of a provider fit to be shown and logged: one
// line, printable, short. It gives nothing at all where the text is markup or
// quotes one of the secrets, and never an ellipsis in place of a word.
func PlainText(text string, secrets ...string) string {
	if strings.ContainsAny(text, "<>") {
		return ""
	}
	for _, secret := range secrets {
		if secret != "" && strings.Contains(text, secret) {
			return ""
		}
	}
	return shorten(strings.Join(strings.FieldsFunc(text, unprintable), " "))
}

// unprintable holds for blanks too, so that runs of either become one blank.
func unprintable(r rune) bool {
	return r == unicode.ReplacementChar || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// shorten cuts after the last word that fits.
func shorten(text string) string {
	runes := []rune(text)
	if len(runes) <= maxPlainText {
		return text
	}
	text = string(runes[:maxPlainText])
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return text
}

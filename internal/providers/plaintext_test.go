package providers

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlainText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	for in, want := range map[string]string{
		"":                                 "",
		"Field 'slices' can't be blank":    "Field 'slices' can't be blank",
		"  two\r\n\tlines \x00and\x1b[2J ": "two lines and [2J",
		"right\u202eleft":                  "right left",
		"no\xffbyte":                       "no byte",
		"<html>":                           "",
		"a &lt; b":                         "a &lt; b",
		"a > b":                            "",
		"token t0ken refused":              "",
		"Zürich 東京":                        "Zürich 東京",
		long:                               strings.TrimSpace(long[:200]),
		strings.Repeat("é", 300):           strings.Repeat("é", 200),
	} {
		if got := PlainText(in, "", "t0ken"); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func FuzzPlainText(f *testing.F) {
	for _, seed := range []string{"a b", "<p>", "\x00", "secret", "se\x00cret", strings.Repeat("é ", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := PlainText(in, "secret")
		if utf8.RuneCountInString(got) > maxPlainText || !utf8.ValidString(got) || strings.ContainsAny(got, "<>\n") {
			t.Errorf("%q becomes %q", in, got)
		}
		if strings.Contains(got, "secret") || strings.IndexFunc(got, unicode.IsControl) >= 0 {
			t.Errorf("%q becomes %q", in, got)
		}
	})
}

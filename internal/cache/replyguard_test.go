package cache

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReplyGuard(t *testing.T) {
	for name, test := range map[string]struct {
		stream string
		want   bool
	}{
		"replies":                   {"+OK\r\n:1\r\n$5\r\nhello\r\n*2\r\n$-1\r\n_\r\n%1\r\n+a\r\n,1.5\r\n-ERR no\r\n", true},
		"a bulk at the bound":       {"$100\r\n" + strings.Repeat("x", 100) + "\r\n+OK\r\n", true},
		"bulk bytes like a header":  {"$12\r\n$999999999\r\n\r\n+OK\r\n", true},
		"a bulk beyond the bound":   {"$101\r\n", false},
		"a bulk beyond any integer": {"$99999999999999999999\r\n", false},
		"a verbatim beyond":         {"=101\r\n", false},
		"a blob error beyond":       {"!101\r\n", false},
		"an array beyond":           {"*65537\r\n", false},
		"a map beyond":              {"%9223372036854775807\r\n", false},
		"a push beyond":             {">99999999999999999999\r\n", false},
		"after a good one":          {"$5\r\nhello\r\n$101\r\n", false},
		"inside an array":           {"*1\r\n$101\r\n", false},
		"a line without an end":     {"+" + strings.Repeat("x", maxReplyLine+1), false},
		"no reply at all":           {"hello\r\n\r\n\n$\r\n$x\r\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			g := replyGuard{bulkLimit: 100}
			if got := g.accept([]byte(test.stream)); got != test.want {
				t.Errorf("accepted %v, want %v", got, test.want)
			}
		})
	}
}

// TestReplyGuardInPieces: where the network cuts a stream changes nothing.
func TestReplyGuardInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"+OK\r\n", "$5\r\nhello\r\n", "$2\r\n$9\r\n", "*3\r\n", "$101\r\n", "-ERR\r\n"})).Draw(t, "parts")
		stream := strings.Join(parts, "")
		whole := replyGuard{bulkLimit: 100}
		want := whole.accept([]byte(stream))
		pieces, got := replyGuard{bulkLimit: 100}, true
		for len(stream) > 0 && got {
			n := rapid.IntRange(1, len(stream)).Draw(t, "n")
			got = pieces.accept([]byte(stream[:n]))
			stream = stream[n:]
		}
		if got != want {
			t.Fatalf("in pieces %v, whole %v", got, want)
		}
	})
}

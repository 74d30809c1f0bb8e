package fanout

import (
	"fmt"
	"net/http"
)

// Class says who may be hedged. It belongs to a credential at a vendor: what one
// more request costs there.
//
// Classes are ordered from the freest to the strictest; where a transport and a
// call each name one, the stricter holds.
type Class int

const (
	// Unclassified is the zero value: GET and HEAD are hedged like [Free], since
	// HTTP calls them safe to repeat (RFC 9110, section 9.2.1); nothing else is.
	Unclassified Class = iota
	// Free requests cost nothing and are hedged within the full budget.
	Free
	// Metered requests are billed or counted: hedged late and within a small
	// budget of their own.
	Metered
	// Never is sent once: no hedge and no second try.
	Never
)

// String returns the name that [ParseClass] reads; Unclassified has none there.
func (c Class) String() string {
	switch c {
	case Unclassified:
		return "unclassified"
	case Free:
		return "free"
	case Metered:
		return "metered"
	case Never:
		return "never"
	}
	return fmt.Sprintf("Class(%d)", int(c))
}

// ParseClass reads "free", "metered" or "never".
func ParseClass(text string) (Class, error) {
	for _, class := range []Class{Free, Metered, Never} {
		if text == class.String() {
			return class, nil
		}
	}
	return Unclassified, fmt.Errorf("hedging class %q: want free, metered or never", text)
}

// UnmarshalText makes Class a configuration value; it accepts what [ParseClass] does.
func (c *Class) UnmarshalText(text []byte) error {
	class, err := ParseClass(string(text))
	if err != nil {
		return err
	}
	*c = class
	return nil
}

// MarshalText is the inverse of UnmarshalText.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// repeatable reports whether a second copy of the request may be sent at all:
// its class allows it and its body can be had again. A body is replayed through
// GetBody only, since two attempts must never share one reader.
func (c Class) repeatable(req *http.Request) bool {
	if c == Never || !replayable(req) {
		return false
	}
	return c != Unclassified || req.Method == "" || req.Method == http.MethodGet || req.Method == http.MethodHead
}

func replayable(req *http.Request) bool {
	return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
}

package fanout

import (
	"net/http"
	"strings"
	"testing"
)

func TestClassIsReadAndWritten(t *testing.T) {
	for _, class := range []Class{Free, Metered, Never} {
		text, err := class.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var read Class
		if err := read.UnmarshalText(text); err != nil || read != class {
			t.Errorf("%s was read as %v, %v", text, read, err)
		}
	}
}

func TestUnknownClassNamesWhatIsAllowed(t *testing.T) {
	for _, text := range []string{"", "FREE", "unclassified", "always"} {
		class := Metered
		err := class.UnmarshalText([]byte(text))
		if err == nil || !strings.Contains(err.Error(), "want free, metered or never") {
			t.Errorf("%q: %v", text, err)
		}
		if class != Metered {
			t.Errorf("%q changed the class to %v", text, class)
		}
	}
}

func TestWhoMayBeHedged(t *testing.T) {
	request := func(method string, body bool) *http.Request {
		req := &http.Request{Method: method}
		if body {
			req = must(http.NewRequest(method, "http://p/", strings.NewReader("x")))
		}
		return req
	}
	oneReader := request(http.MethodPost, true)
	oneReader.GetBody = nil
	for _, test := range []struct {
		name  string
		class Class
		req   *http.Request
		want  bool
	}{
		{"free POST with GetBody", Free, request(http.MethodPost, true), true},
		{"free POST without", Free, oneReader, false},
		{"metered GET", Metered, request(http.MethodGet, false), true},
		{"never GET", Never, request(http.MethodGet, false), false},
		{"unclassified GET", Unclassified, request(http.MethodGet, false), true},
		{"unclassified no method", Unclassified, request("", false), true},
		{"unclassified HEAD", Unclassified, request(http.MethodHead, false), true},
		{"unclassified POST", Unclassified, request(http.MethodPost, true), false},
		{"unclassified DELETE", Unclassified, request(http.MethodDelete, false), false},
	} {
		if got := test.class.repeatable(test.req); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// must is for values that cannot fail in a test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

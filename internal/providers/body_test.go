package providers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

func response(status int, contentType string, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(body)}
}

func TestReadBody(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		body   io.Reader
		kind   Kind
		detail string
	}{
		{"shorter", strings.NewReader("1234567"), "", ""},
		{"exactly the limit", strings.NewReader("12345678"), "", ""},
		{"a byte at a time", iotest.OneByteReader(strings.NewReader("12345678")), "", ""},
		{"data with its end", iotest.DataErrReader(strings.NewReader("12345678")), "", ""},
		{"one byte more", strings.NewReader("123456789"), KindMalformed, "the answer, or one part of it, is larger than 8 bytes"},
		{"one byte more, a byte at a time", iotest.OneByteReader(strings.NewReader("123456789")), KindMalformed, "the answer, or one part of it, is larger than 8 bytes"},
		{"broken off", iotest.ErrReader(io.ErrUnexpectedEOF), KindMalformed, "the answer broke off"},
		{"too slow", iotest.ErrReader(context.DeadlineExceeded), KindTimeout, "the answer did not end in time"},
		{"given up", iotest.ErrReader(context.Canceled), KindFailed, "the call was given up"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, err := ReadBody(response(200, "application/json", tt.body), 8)
			if tt.kind == "" {
				if err != nil || !strings.HasPrefix("12345678", string(body)) || len(body) < 7 { //nolint:gocritic // The body is the beginning.
					t.Errorf("got %q, %v", body, err)
				}
				return
			}
			var failure *Error
			if !errors.As(err, &failure) || failure.Kind != tt.kind || failure.Detail != tt.detail || failure.Status != 200 {
				t.Errorf("got %v, want %s: %s", err, tt.kind, tt.detail)
			}
		})
	}
}

func TestLimitedBodyRestart(t *testing.T) {
	t.Parallel()
	limited := LimitBody(strings.NewReader("12345678abcdefgh9"), 8)
	part := make([]byte, 8)
	for range 2 {
		if n, err := io.ReadFull(limited, part); err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
		limited.Restart()
	}
	if rest, err := io.ReadAll(limited); err != nil || string(rest) != "9" {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestLimitedBodyStaysPassed(t *testing.T) {
	t.Parallel()
	limited := LimitBody(strings.NewReader("123456789"), 8)
	part := make([]byte, 16)
	if n, err := limited.Read(part); n != 8 || err == nil {
		t.Errorf("%d bytes, %v; want 8 and an error", n, err)
	}
	limited.Restart()
	if n, err := limited.Read(part); n != 0 || err == nil || errors.Is(err, io.EOF) {
		t.Errorf("then %d bytes, %v; want the same error", n, err)
	}
}

func TestErrorBody(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		contentType string
		body        io.Reader
		want        string
	}{
		"json":               {"application/json; charset=utf-8", strings.NewReader("{}"), "{}"},
		"a vendor's json":    {"application/vnd.amadeus+json", strings.NewReader("{}"), "{}"},
		"no type":            {"", strings.NewReader("{}"), "{}"},
		"html":               {"text/html", strings.NewReader("<p>"), ""},
		"text":               {"text/plain", strings.NewReader("{}"), ""},
		"unreadable type":    {"/;", strings.NewReader("{}"), ""},
		"longer than is due": {"application/json", strings.NewReader(strings.Repeat(" ", MaxErrorBody+1)), ""},
		"broken off":         {"application/json", iotest.ErrReader(io.ErrUnexpectedEOF), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(ErrorBody(response(500, tt.contentType, tt.body))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

package providertest

import (
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// Reply is one answer of a provider. It is an http.Handler that always gives it.
type Reply struct {
	// Status is 200 where it is 0.
	Status int
	// Header is added to Content-Type, which is application/json unless given.
	Header http.Header
	Body   string
}

// ServeHTTP gives the reply.
func (r Reply) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.head(w)
	_, _ = io.WriteString(w, r.Body)
}

func (r Reply) head(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	maps.Copy(w.Header(), r.Header)
	w.WriteHeader(max(r.Status, http.StatusOK))
}

// Script gives one handler after another, and the last one for ever.
func Script(handlers ...http.Handler) http.Handler {
	next := make(chan http.Handler, len(handlers))
	for _, handler := range handlers {
		next <- handler
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case handler := <-next:
			handler.ServeHTTP(w, r)
		default:
			handlers[len(handlers)-1].ServeHTTP(w, r)
		}
	})
}

// Hang answers never: it holds the request until its sender gives up.
func Hang() http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
}

// HangAfter sends the head and the first half of a reply, and no more.
func HangAfter(r Reply) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.head(w)
		_, _ = io.WriteString(w, r.Body[:len(r.Body)/2])
		_ = http.NewResponseController(w).Flush()
		<-req.Context().Done()
	})
}

// Truncate announces the whole reply and closes after half of it.
func Truncate(r Reply) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(r.Body)))
		r.head(w)
		_, _ = io.WriteString(w, r.Body[:len(r.Body)/2])
	})
}

// Huge begins with text and goes on with blanks, which JSON allows between its
// tokens, until it is twice as long as any answer may be.
func Huge(text string) http.Handler {
	blanks := strings.Repeat(" ", 64<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		Reply{}.head(w)
		sent, err := io.WriteString(w, text)
		for err == nil && sent < 2*providers.MaxAnswer {
			_, err = io.WriteString(w, blanks)
			sent += len(blanks)
		}
	})
}

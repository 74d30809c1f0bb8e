package sandbox

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
)

// capture keeps an answer instead of sending it.
type capture struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *capture) Header() http.Header         { return c.header }
func (c *capture) WriteHeader(status int)      { c.status = status }
func (c *capture) Write(b []byte) (int, error) { return c.body.Write(b) }

// answerOf is what a provider would have said.
func answerOf(r *http.Request, next http.Handler) *capture {
	c := &capture{header: http.Header{}, status: http.StatusOK}
	next.ServeHTTP(c, r)
	return c
}

// malform sends the first half of the true answer and then nonsense, as a whole
// and with status 200.
func malform(w http.ResponseWriter, r *http.Request, next http.Handler) {
	c := answerOf(r, next)
	maps.Copy(w.Header(), c.header)
	c.body.Truncate(c.body.Len() / 2)
	c.body.WriteString(`}]"{`)
	_, _ = w.Write(c.body.Bytes()) // A client that has left needs nothing.
}

// truncate promises the true answer and breaks the connection half way.
func truncate(w http.ResponseWriter, r *http.Request, next http.Handler) {
	c := answerOf(r, next)
	maps.Copy(w.Header(), c.header)
	w.Header().Set("Content-Length", strconv.Itoa(c.body.Len()))
	w.WriteHeader(c.status)
	_, _ = w.Write(c.body.Bytes()[:c.body.Len()/2])
	_ = http.NewResponseController(w).Flush() // Else the half might be dropped too.
	panic(http.ErrAbortHandler)
}

// Size of a huge answer in chunks: a gigabyte in all.
const (
	chunk  = 64 << 10
	chunks = 16 << 10
)

// swell sends an object that goes on and on with blanks.
func swell(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	blanks := bytes.Repeat([]byte{' '}, chunk)
	_, err := w.Write([]byte("{"))
	for range chunks {
		if err != nil || r.Context().Err() != nil {
			return
		}
		_, err = w.Write(blanks)
	}
	_, _ = w.Write([]byte("}"))
}

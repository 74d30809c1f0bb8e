package fanout

import (
	"io"
	"net/http"
)

// drainLimit is how much of an unwanted answer is read so that its connection can
// be used again; closing the connection is cheaper than reading more.
const drainLimit = 64 << 10

// tie makes the end of the response's body the end of its attempt. The attempt's
// context must live until then: cancelled when the headers came, it would cut the
// body off (cristalhq/hedgedhttp#1).
//
// end may be called more than once.
func tie(resp *http.Response, end func()) {
	if resp.Body == nil || resp.Body == http.NoBody {
		end()
		return
	}
	resp.Body = &tiedBody{ReadCloser: resp.Body, end: end}
}

type tiedBody struct {
	io.ReadCloser
	end func()
}

func (b *tiedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end()
	}
	return n, err
}

func (b *tiedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// discard drains and closes the body of an answer that nobody wants.
func discard(resp *http.Response) {
	if resp == nil || resp.Body == nil {
		return
	}
	// What is left unread, or cannot be read, is the connection's loss alone.
	_, _ = io.CopyN(io.Discard, resp.Body, drainLimit)
	_ = resp.Body.Close()
}

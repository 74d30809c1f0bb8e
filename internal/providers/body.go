package providers

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// MaxAnswer is the size in bytes, after decompression, beyond which no provider's
// answer is read: some six thousand offers of the wordiest vendor.
const MaxAnswer = 64 << 20

// MaxErrorBody is how much of an answer with a failure status is read; the
// vendors' own problem documents are below 1 KiB.
const MaxErrorBody = 64 << 10

// ReadBody reads an answer to its end and closes it. One that is longer than
// limit bytes, or breaks off, is an *Error of KindMalformed; one that comes too
// slowly for the request's context is a KindTimeout.
func ReadBody(resp *http.Response, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(LimitBody(resp.Body, limit))
	if err != nil {
		return nil, BodyError(resp.StatusCode, err)
	}
	return body, nil
}

// ErrorBody reads what a provider says about a failure status, at most
// MaxErrorBody, and closes the answer. It is nil where that is not JSON: a
// gateway's HTML page is neither parsed nor shown.
func ErrorBody(resp *http.Response) []byte {
	defer resp.Body.Close()
	if !isJSON(resp.Header.Get("Content-Type")) {
		return nil
	}
	body, err := io.ReadAll(LimitBody(resp.Body, MaxErrorBody))
	if err != nil {
		return nil
	}
	return body
}

// isJSON also takes an answer that does not name its type: the parser decides.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return contentType == "" || err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// LimitBody is r for a decoder that reads as it goes: beyond limit bytes it
// fails, where io.LimitReader would pretend that the answer ended.
func LimitBody(r io.Reader, limit int64) *LimitedBody {
	return &LimitedBody{r: r, left: limit, limit: limit}
}

// LimitedBody is a bounded reader; see LimitBody.
type LimitedBody struct {
	r           io.Reader
	left, limit int64
	// err stays: a decoder drops an error that comes along with data.
	err error
}

// Restart counts from nothing again, where the limit is on the parts of an
// answer and one of them is complete. A limit once passed stays so.
func (b *LimitedBody) Restart() { b.left = b.limit }

// Read implements io.Reader.
func (b *LimitedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	// One byte more than is left tells an answer of exactly limit bytes from a
	// longer one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if int64(n) > b.left {
		b.err = &tooLargeError{limit: b.limit}
		n, err = int(b.left), b.err
	}
	b.left -= int64(n)
	return n, err
}

type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the answer, or one part of it, is larger than %d bytes", e.limit)
}

// BodyError is the *Error for an answer of the given status whose body could
// not be read or decoded: too large, broken off, not JSON, or too slow. The
// text quotes nothing of the body.
func BodyError(status int, err error) *Error {
	failure := &Error{Kind: KindMalformed, Status: status, Detail: "the answer is not the JSON that was expected", Err: err}
	var large *tooLargeError
	switch {
	case isTimeout(err):
		failure.Kind, failure.Detail = KindTimeout, "the answer did not end in time"
	case isCanceled(err):
		failure.Kind, failure.Detail = KindFailed, "the call was given up"
	case errors.Is(err, errNoMemory):
		failure.Kind, failure.Detail = KindFailed, errNoMemory.Error()
	case errors.As(err, &large):
		failure.Detail = large.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), isNetwork(err):
		failure.Detail = "the answer broke off"
	}
	return failure
}

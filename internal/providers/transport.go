package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"
)

// TransportError is the *Error for a request that got no answer at all. The
// cause stays visible to errors.Is and errors.As; where it is context.Canceled,
// it was the caller who left.
func TransportError(err error) *Error {
	kind := KindFailed
	if isTimeout(err) {
		kind = KindTimeout
	}
	return &Error{Kind: kind, Detail: transportDetail(err), Err: err}
}

// transportDetail tells the causes apart that an operator mends differently. It
// never uses the cause's own text: net/http quotes addresses, and whatever a
// broken server sent.
func transportDetail(err error) string {
	var (
		unresolved  *net.DNSError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case isTimeout(err):
		return "no answer in time"
	case isCanceled(err):
		return "the call was given up"
	case errors.As(err, &unresolved):
		return "the host name could not be resolved"
	case errors.As(err, &certificate):
		return "the certificate is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before an answer"
	default:
		return "the request got no answer"
	}
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

func isCanceled(err error) bool { return errors.Is(err, context.Canceled) }

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network)
}

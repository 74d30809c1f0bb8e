package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestTransportError(t *testing.T) {
	t.Parallel()
	tests := []struct {
		cause  error
		kind   Kind
		detail string
	}{
		{context.DeadlineExceeded, KindTimeout, "no answer in time"},
		{os.ErrDeadlineExceeded, KindTimeout, "no answer in time"},
		{context.Canceled, KindFailed, "the call was given up"},
		{&net.DNSError{Err: "no such host", Name: "secret.internal"}, KindFailed, "the host name could not be resolved"},
		{&tls.CertificateVerificationError{Err: errors.New("secret")}, KindFailed, "the certificate is not trusted"},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, KindFailed, "the connection was refused"},
		{syscall.ECONNRESET, KindFailed, "the connection was closed before an answer"},
		{io.EOF, KindFailed, "the connection was closed before an answer"},
		{errors.New(`malformed HTTP response "secret"`), KindFailed, "the request got no answer"},
		{errors.Join(errors.New("secret"), context.DeadlineExceeded), KindTimeout, "no answer in time"},
	}
	for _, tt := range tests {
		t.Run(tt.cause.Error(), func(t *testing.T) {
			t.Parallel()
			got := TransportError(&url.Error{Op: "Post", URL: "https://provider.example?key=secret", Err: tt.cause})
			if got.Kind != tt.kind || got.Detail != tt.detail || !errors.Is(got, tt.cause) {
				t.Errorf("got %v with cause %v", got, got.Err)
			}
			if text := fmt.Sprint(got); strings.Contains(text, "secret") {
				t.Errorf("%q quotes the cause", text)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	for want, failure := range map[string]Error{
		"timeout":                                {Kind: KindTimeout},
		"failed (status 502): Bad Gateway":       {Kind: KindFailed, Status: 502, Detail: "Bad Gateway"},
		"rejected (status 422) [past]: too late": {Kind: KindRejected, Status: 422, Code: "past", Detail: "too late", Err: errors.New("x")},
	} {
		if got := failure.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package providers_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// answering is a transport that answers with so many bytes.
type answering int

func (n answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(strings.Repeat(" ", int(n))))}, nil
}

// read asks for an answer of n bytes and reads it to its end.
func read(ctx context.Context, n int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://provider", http.NoBody)
	if err != nil {
		return err
	}
	resp, err := providers.MemoryTransport{Next: answering(n)}.RoundTrip(req)
	if err != nil {
		return err
	}
	_, err = providers.ReadBody(resp, providers.MaxAnswer)
	return err
}

func TestAnswersThatAreReadAtATimeAreBounded(t *testing.T) {
	t.Parallel()
	memory := providers.NewMemory(1 << 20)
	first, releaseFirst := memory.Hold(t.Context())
	second, releaseSecond := memory.Hold(t.Context())
	defer releaseSecond()
	if err := read(first, 700<<10); err != nil {
		t.Fatal(err)
	}
	if err := read(second, 256<<10); err != nil {
		t.Fatalf("there was room: %v", err)
	}
	err := read(second, 256<<10) // All answers of one call count together.
	failure, ok := errors.AsType[*providers.Error](err)
	if !ok || failure.Kind != providers.KindFailed || failure.Detail != "too many bytes of answers are being read at a time" {
		t.Errorf("beyond the bound: %v", err)
	}
	releaseFirst()
	if err := read(second, 256<<10); err != nil {
		t.Errorf("what was read is not free again: %v", err)
	}
	if err := read(first, 1); err == nil {
		t.Error("a call reads on after it was over")
	}
}

func TestWithoutAMemoryNothingIsCounted(t *testing.T) {
	t.Parallel()
	var none *providers.Memory
	ctx, release := none.Hold(t.Context())
	defer release()
	for range 3 {
		if err := read(ctx, 1<<20); err != nil {
			t.Error(err)
		}
	}
}

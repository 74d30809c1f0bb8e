package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// Mode is a way in which a provider can be out of order.
type Mode string

// The modes of a fault.
const (
	ModeHang         Mode = "hang"         // Never answers.
	ModeError        Mode = "error"        // Answers with Status.
	ModeRateLimit    Mode = "rate_limit"   // Answers 429, with the vendor's headers.
	ModeMalformed    Mode = "malformed"    // Answers 200 with broken JSON.
	ModeTruncated    Mode = "truncated"    // Breaks the connection in the middle of the body.
	ModeHuge         Mode = "huge"         // Answers a gigabyte.
	ModeUnauthorized Mode = "unauthorized" // Answers 401.
	ModeSlow         Mode = "slow"         // Answers Delay later than usual.
	ModeReprice      Mode = "reprice"      // Multiplies every fare by Factor.
)

var modes = []Mode{
	ModeHang, ModeError, ModeRateLimit, ModeMalformed, ModeTruncated, ModeHuge, ModeUnauthorized, ModeSlow, ModeReprice,
}

// Fault is what is wrong with a provider. Fields that its mode has no use for
// must still be valid.
type Fault struct {
	Mode Mode
	// Share of the requests that it strikes, 0 to 1; decided for each alone.
	Share float64
	// Status of ModeError, 400 to 599.
	Status int
	// Delay before the fault shows, up to ten minutes; that is all of ModeSlow.
	Delay time.Duration
	// Factor of ModeReprice in millionths, above 0 and at most 100 times.
	Factor int64
}

// Bounds and defaults of a fault.
const (
	defaultStatus  = http.StatusServiceUnavailable
	defaultDelay   = 3 * time.Second
	defaultFactor  = wire.Unchanged * 12 / 10
	maxDelay       = 10 * time.Minute
	maxFactor      = 100 * wire.Unchanged
	maxFaultLength = 4096 // Bytes of a request that sets a fault.
)

// decodeFault reads the JSON of a fault strictly. The error has one line for
// each thing that is wrong with it.
func decodeFault(body io.Reader) (Fault, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxFaultLength+1))
	if err != nil {
		return Fault{}, fmt.Errorf("the body could not be read: %w", err)
	}
	if len(raw) > maxFaultLength {
		return Fault{}, fmt.Errorf("the body is longer than %d bytes", maxFaultLength)
	}
	var fields map[string]json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if err := decoder.Decode(&fields); err != nil || fields == nil {
		return Fault{}, errors.New(`the body is not a JSON object; write for example {"mode": "hang"}`)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Fault{}, errors.New("something follows the JSON object; send one object alone")
	}
	return faultOf(fields)
}

func faultOf(fields map[string]json.RawMessage) (Fault, error) {
	f := Fault{Share: 1, Status: defaultStatus, Factor: defaultFactor}
	readers := map[string]func(json.RawMessage) error{
		"mode": f.readMode, "share": f.readShare, "status": f.readStatus, "delay": f.readDelay, "factor": f.readFactor,
	}
	var faults []error
	if _, ok := fields["mode"]; !ok {
		faults = append(faults, fmt.Errorf("mode is missing; use one of %s", modeList()))
	}
	for name, value := range fields {
		read, ok := readers[name]
		if !ok {
			faults = append(faults, fmt.Errorf("%q is not a field of a fault; it has mode, share, status, delay and factor", name))
			continue
		}
		if err := read(value); err != nil {
			faults = append(faults, fmt.Errorf("%s %s %w", name, value, err))
		}
	}
	if _, ok := fields["delay"]; !ok && f.Mode == ModeSlow {
		f.Delay = defaultDelay
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return f, errors.Join(faults...)
}

func (f *Fault) readMode(value json.RawMessage) error {
	if json.Unmarshal(value, &f.Mode) != nil || !slices.Contains(modes, f.Mode) {
		return fmt.Errorf("is not a mode; use one of %s", modeList())
	}
	return nil
}

func (f *Fault) readShare(value json.RawMessage) error {
	if json.Unmarshal(value, &f.Share) != nil || f.Share < 0 || f.Share > 1 {
		return errors.New("is not a share; use a number from 0 to 1")
	}
	return nil
}

func (f *Fault) readStatus(value json.RawMessage) error {
	if json.Unmarshal(value, &f.Status) != nil || f.Status < 400 || f.Status > 599 {
		return errors.New("is not the status of an error; use 400 to 599")
	}
	return nil
}

func (f *Fault) readDelay(value json.RawMessage) error {
	var text string
	err := json.Unmarshal(value, &text)
	if err == nil {
		f.Delay, err = time.ParseDuration(text)
	}
	if err != nil || f.Delay < 0 || f.Delay > maxDelay {
		return fmt.Errorf(`is not a delay; use "0s" to "%s", for example "1.5s"`, maxDelay)
	}
	return nil
}

// readFactor keeps the decimal exact: fares are money.
func (f *Fault) readFactor(value json.RawMessage) error {
	var number json.Number
	factor, ok := new(big.Rat), false
	if json.Unmarshal(value, &number) == nil && len(number) < 20 && !strings.ContainsAny(string(number), "eE") {
		factor, ok = factor.SetString(string(number))
	}
	factor.Mul(factor, big.NewRat(wire.Unchanged, 1))
	if !ok || !factor.IsInt() || factor.Sign() <= 0 || factor.Cmp(big.NewRat(maxFactor, 1)) > 0 {
		return errors.New("is not a factor; use a decimal above 0 and up to 100 with at most six places")
	}
	f.Factor = factor.Num().Int64()
	return nil
}

func modeList() string {
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}

package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"
)

func TestJSONLinesUseGoogleNamesAndCarryTheTrace(t *testing.T) {
	span := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
	})
	ctx := trace.ContextWithSpanContext(context.Background(), span)
	var out bytes.Buffer
	logger := NewLogger(&out, LogOptions{Format: FormatJSON, Project: "acme"}).With("room", "search").WithGroup("fares")
	logger.WarnContext(ctx, "stale", "level", "old")

	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("not one JSON object: %v", err)
	}
	if line["severity"] != "WARNING" || line["message"] != "stale" || line["room"] != "search" {
		t.Errorf("names are not Google's: %s", out.String())
	}
	fares, _ := line["fares"].(map[string]any)
	if fares["level"] != "old" || fares["logging.googleapis.com/trace"] != "projects/acme/traces/"+span.TraceID().String() {
		t.Errorf("group or trace lost: %s", out.String())
	}
}

func TestLinesBelowTheLevelAndWithoutSpan(t *testing.T) {
	var out bytes.Buffer
	logger := NewLogger(&out, LogOptions{Format: FormatText})
	logger.Debug("hidden")
	logger.Info("shown")
	if got := out.String(); strings.Contains(got, "hidden") || !strings.Contains(got, "msg=shown") || strings.Contains(got, "trace") {
		t.Errorf("unexpected lines: %q", got)
	}
}

func TestFormatRefusesOtherWords(t *testing.T) {
	var f Format
	if err := f.UnmarshalText([]byte("xml")); err == nil {
		t.Error("xml was taken for a log format")
	}
}

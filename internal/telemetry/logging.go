package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Format is how a log line is written.
type Format string

// The formats: JSON for machines, text for people.
const (
	FormatJSON Format = "json"
	FormatText Format = "text"
)

// UnmarshalText accepts json and text.
func (f *Format) UnmarshalText(text []byte) error {
	switch format := Format(text); format {
	case FormatJSON, FormatText:
		*f = format
		return nil
	default:
		return fmt.Errorf("%q is no log format", text)
	}
}

// LogOptions say what is logged, and how.
type LogOptions struct {
	// Level is the least severe one that is written.
	Level  slog.Level
	Format Format
	// Project is the Google Cloud project that traces belong to. With it Cloud
	// Logging shows a line beside its trace; without, ids stand alone.
	Project string
}

// NewLogger writes to w. JSON lines use the names of Google's structured logging
// (severity, message, logging.googleapis.com/trace):
// https://cloud.google.com/logging/docs/structured-logging. Both formats add the
// ids of the span in the record's context.
func NewLogger(w io.Writer, o LogOptions) *slog.Logger {
	options := &slog.HandlerOptions{Level: o.Level}
	traces := ""
	if o.Project != "" {
		traces = "projects/" + o.Project + "/traces/"
	}
	if o.Format == FormatText {
		return slog.New(traced{slog.NewTextHandler(w, options), traces})
	}
	options.ReplaceAttr = googleNames
	return slog.New(traced{slog.NewJSONHandler(w, options), traces})
}

func googleNames(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.MessageKey:
		a.Key = "message"
	case slog.LevelKey:
		level, _ := a.Value.Any().(slog.Level)
		return slog.String("severity", severity(level))
	}
	return a
}

// severity names a level in Cloud Logging's words, where WARN is WARNING.
func severity(level slog.Level) string {
	if level >= slog.LevelWarn && level < slog.LevelError {
		return "WARNING"
	}
	return level.String()
}

// traced adds the ids of the context's span to each record.
type traced struct {
	slog.Handler
	prefix string // Of trace ids.
}

// Handle adds trace and span ids where the context has a valid span.
func (h traced) Handle(ctx context.Context, record slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(
			slog.String("logging.googleapis.com/trace", h.prefix+span.TraceID().String()),
			slog.String("logging.googleapis.com/spanId", span.SpanID().String()),
			slog.Bool("logging.googleapis.com/trace_sampled", span.IsSampled()),
		)
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps the trace ids on derived loggers.
func (h traced) WithAttrs(attrs []slog.Attr) slog.Handler {
	return traced{h.Handler.WithAttrs(attrs), h.prefix}
}

// WithGroup keeps the trace ids on derived loggers.
func (h traced) WithGroup(name string) slog.Handler {
	return traced{h.Handler.WithGroup(name), h.prefix}
}

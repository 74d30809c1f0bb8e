// Package telemetry sets up what operators see: traces and metrics through
// OpenTelemetry, /metrics for Prometheus, and structured logs that carry trace
// ids, in the field names that Google Cloud Logging understands.
//
// Rooms record to the global providers, or to those that they are handed; which
// spans and metrics there are is in docs/operations.md. Nothing leaves the process
// unless [Options] name where to.
//
// The package decodes no environment: main does, and hands over what is set. The
// variables that no option stands for (certificates, compression, batch sizes,
// limits of spans) are read by OpenTelemetry's own exporters from the process's
// environment:
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
package telemetry

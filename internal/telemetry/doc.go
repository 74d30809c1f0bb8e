// Package telemetry sets up what operators see: structured logs that carry trace
// ids, in the field names that Google Cloud Logging understands.
package telemetry

// Package api holds the HTTP contract: openapi.yaml, written by hand, and the
// models that are generated from it.
//
// Only openapi.yaml is edited; go generate makes models.gen.go and
// client/client.gen.go from it, and a test fails where they have drifted apart.
package api

import _ "embed"

// Spec is openapi.yaml as it was when this program was built. Nobody may write
// to it.
//
//go:embed openapi.yaml
var Spec []byte

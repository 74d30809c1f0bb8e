package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sethvargo/go-envconfig"
)

// readConfig decodes and checks the configuration. Its error has one line for
// each fault, so that all can be mended at once; secrets are never printed.
func readConfig(ctx context.Context, env envconfig.Lookuper) (Config, error) {
	var c Config
	env = onlySet{env}
	faults := decodeFields(ctx, env, reflect.ValueOf(&c).Elem())
	if len(faults) == 0 {
		faults = c.faults()
	}
	return c, errors.Join(faults...)
}

// decodeFields decodes field by field: go-envconfig stops at the first fault of
// a struct, and a person who mends one variable at a time starts the service
// once for each.
func decodeFields(ctx context.Context, env envconfig.Lookuper, v reflect.Value) []error {
	var faults []error
	for field, value := range v.Fields() {
		if field.Anonymous {
			faults = append(faults, decodeFields(ctx, env, value)...)
			continue
		}
		if _, set := env.Lookup(variable(field)); !set && !strings.Contains(field.Tag.Get("env"), "default=") {
			continue
		}
		single := reflect.New(reflect.StructOf([]reflect.StructField{{Name: field.Name, Type: field.Type, Tag: field.Tag}}))
		if err := envconfig.ProcessWith(ctx, &envconfig.Config{Target: single.Interface(), Lookuper: env}); err != nil {
			faults = append(faults, refusal(env, field))
			continue
		}
		value.Set(single.Elem().Field(0))
	}
	return faults
}

func refusal(env envconfig.Lookuper, field reflect.StructField) error {
	name := variable(field)
	value, _ := env.Lookup(name)
	return fault(field, value)
}

// fault is the line for a value that cannot be used.
func fault(field reflect.StructField, value string) error {
	shown := fmt.Sprintf("%q", value)
	if field.Tag.Get("secret") != "" {
		shown = "(secret)"
	}
	return fmt.Errorf("%s=%s cannot be used; allowed: %s", variable(field), shown, field.Tag.Get("allowed"))
}

// onlySet takes a variable that is set to nothing for one that is not set, as
// manifests and compose files write them.
type onlySet struct{ envconfig.Lookuper }

// Lookup finds variables that have a value.
func (l onlySet) Lookup(name string) (string, bool) {
	value, ok := l.Lookuper.Lookup(name)
	return value, ok && value != ""
}

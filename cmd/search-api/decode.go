package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/sethvargo/go-envconfig"
)

// readConfig decodes and checks the configuration. Its error has one line for
// each fault, so that all can be mended at once; secrets are never printed.
func readConfig(ctx context.Context, env envconfig.Lookuper) (Config, error) {
	var c Config
	found := &findings{unread: map[string]bool{}}
	decodeFields(ctx, onlySet{env}, reflect.ValueOf(&c).Elem(), found)
	c.judge(found)
	return c, errors.Join(found.lines...)
}

// decodeFields decodes field by field: go-envconfig stops at the first fault of
// a struct, and a person who mends one variable at a time starts the service
// once for each.
func decodeFields(ctx context.Context, env envconfig.Lookuper, v reflect.Value, found *findings) {
	for field, value := range v.Fields() {
		if field.Anonymous {
			decodeFields(ctx, env, value, found)
			continue
		}
		text, set := env.Lookup(variable(field))
		if !set && !strings.Contains(field.Tag.Get("env"), "default=") {
			continue
		}
		single := reflect.New(reflect.StructOf([]reflect.StructField{{Name: field.Name, Type: field.Type, Tag: field.Tag}}))
		err := envconfig.ProcessWith(ctx, &envconfig.Config{Target: single.Interface(), Lookuper: env})
		if err != nil || set && !isDecimal(field.Type, text) {
			found.refuse(true, field.Name, text)
			found.unread[field.Name] = true
			continue
		}
		value.Set(single.Elem().Field(0))
	}
}

// isDecimal refuses whole numbers in Go's other notations, which go-envconfig
// reads: PORT=010 is not 8.
func isDecimal(kind reflect.Type, text string) bool {
	switch kind {
	case reflect.TypeFor[int]():
		n, err := strconv.Atoi(text)
		return err == nil && strconv.Itoa(n) == text
	case reflect.TypeFor[uint64]():
		n, err := strconv.ParseUint(text, 10, 64)
		return err == nil && strconv.FormatUint(n, 10) == text
	default:
		return true
	}
}

// fault is the line for a value that cannot be used.
func fault(field reflect.StructField, value string) error {
	shown := strconv.Quote(withoutUser(value))
	if field.Tag.Get("secret") != "" {
		shown = "(secret)"
	}
	return fmt.Errorf("%s=%s cannot be used; allowed: %s", variable(field), shown, field.Tag.Get("allowed"))
}

// withoutUser hides all that may be the user and password of an address, be it
// as malformed as it may.
func withoutUser(value string) string {
	end := strings.LastIndexByte(value, '@')
	if end < 0 {
		return value
	}
	for _, scheme := range []string{"http://", "https://"} {
		if strings.HasPrefix(value, scheme) {
			return scheme + "…" + value[end:]
		}
	}
	return "…" + value[end:]
}

// variable is the environment variable of a field.
func variable(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}

// onlySet takes a variable that is set to nothing, or to blanks, for one that is
// not set, as manifests and compose files write them; blanks around a value, such
// as the line end of a secret's file, are no part of it.
type onlySet struct{ envconfig.Lookuper }

// Lookup finds variables that have a value.
func (l onlySet) Lookup(name string) (string, bool) {
	value, ok := l.Lookuper.Lookup(name)
	value = strings.TrimSpace(value)
	return value, ok && value != ""
}

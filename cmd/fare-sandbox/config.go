package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/sandbox"
)

// config is what the environment says.
type config struct {
	port      uint16
	latency   sandbox.Law
	seed      uint64
	logLevel  slog.Level
	logFormat string
}

// variable is one that the program reads.
type variable struct {
	name, fallback, allowed string
	take                    func(value string) error
}

func (c *config) variables(onCloudRun bool) []variable {
	format := "text"
	if onCloudRun {
		format = "json"
	}
	return []variable{
		{"PORT", "9090", "a port from 0 (any free one) to 65535", c.takePort},
		{"SANDBOX_LATENCY", string(sandbox.LawLongTail), "none, longtail or slow", func(v string) error {
			return c.latency.UnmarshalText([]byte(v))
		}},
		{"SANDBOX_SEED", "1", "a whole number, 0 or more", c.takeSeed},
		{"LOG_LEVEL", "info", "debug, info, warn or error", func(v string) error {
			return c.logLevel.UnmarshalText([]byte(v))
		}},
		{"LOG_FORMAT", format, "json or text", c.takeLogFormat},
	}
}

func (c *config) takePort(value string) error {
	port, err := strconv.ParseUint(value, 10, 16)
	c.port = uint16(port)
	return err
}

func (c *config) takeSeed(value string) error {
	seed, err := strconv.ParseUint(value, 10, 64)
	c.seed = seed
	return err
}

func (c *config) takeLogFormat(value string) error {
	if c.logFormat = value; value != "json" && value != "text" {
		return errors.New("unknown format")
	}
	return nil
}

// load reads the environment. The error has one line for each unusable value:
// the variable, the value and what is allowed.
func load(env envconfig.Lookuper) (config, error) {
	var c config
	var faults []error
	_, onCloudRun := env.Lookup("K_SERVICE")
	for _, v := range c.variables(onCloudRun) {
		value, set := env.Lookup(v.name)
		if !set || value == "" {
			value = v.fallback
		}
		if err := v.take(value); err != nil {
			faults = append(faults, fmt.Errorf("%s=%q: use %s", v.name, value, v.allowed))
		}
	}
	return c, errors.Join(faults...)
}

package main

import (
	"context"
	"net/http"
	"net/url"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox"
)

// embedded is the sandbox inside the service, asked over real HTTP on a loopback
// port like any other provider.
type embedded struct {
	world   *sandbox.Sandbox
	address string
}

// startSandbox starts it where some provider has neither credential nor base
// address; else it is nil.
func (s *service) startSandbox(ctx context.Context, c Config, catalog *refdata.Catalog) (*embedded, error) {
	if !c.needsSandbox() {
		return nil, nil //nolint:nilnil // No sandbox is no failure.
	}
	listener, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	world := sandbox.New(catalog, sandbox.Options{Seed: c.Seed, Latency: c.Latency})
	s.serve("the sandbox", listener, world.Handler(), 0)
	s.teardown.add("requests that hang in the sandbox", func(context.Context) error {
		world.Close()
		return nil
	})
	return &embedded{world: world, address: listener.Addr().String()}, nil
}

func (c Config) needsSandbox() bool {
	for _, name := range c.Names {
		if set := vendors[name].set(c); !set.hasCredential() && len(set.bases) == 0 {
			return true
		}
	}
	return false
}

// base is where the embedded sandbox speaks for one provider.
func (e *embedded) base(path string) *url.URL {
	return &url.URL{Scheme: "http", Host: e.address, Path: path}
}

// control is the switchboard of the sandbox where it is asked for and there is
// one.
func (e *embedded) control(c Config) http.Handler {
	if e == nil || !c.Control {
		return nil
	}
	return e.world.Control()
}

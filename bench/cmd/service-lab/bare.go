package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/bench/process"
)

// serveBare is the yardstick: a net/http handler that writes a file's bytes and
// does nothing else.
func serveBare(ctx context.Context, path string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	length := strconv.Itoa(len(body))
	server := &http.Server{
		Addr: net.JoinHostPort("127.0.0.1", os.Getenv("PORT")), ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", length)
			_, _ = w.Write(body) // Fails only where nobody reads any more.
		}),
	}
	go func() {
		<-ctx.Done()
		_ = server.Close() // Nothing is lost.
	}()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// startBare runs this program again as the yardstick with some bytes.
func startBare(ctx context.Context, folder string, body []byte) (*process.Process, error) {
	path := filepath.Join(folder, "bare-body")
	if err := os.WriteFile(path, body, 0o600); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	port, err := process.FreePort()
	if err != nil {
		return nil, err
	}
	return process.Start(ctx, process.Server{Path: self, Args: []string{"-bare", path}, Port: port})
}

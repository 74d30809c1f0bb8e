// Package process builds the product's commands and runs them, and redis-server
// beside them, for as long as a measurement takes.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Build compiles the product's commands as they are shipped, stripped, from the
// module in a folder, and returns the folder of the binaries; clean removes it.
func Build(ctx context.Context, module string) (folder string, clean func(), err error) {
	folder, err = os.MkdirTemp("", "hedgehop-bench-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(folder) } // Of the temporary folder.
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags", "grpcnotrace", "-ldflags=-s -w", "-o", folder+string(filepath.Separator), "./cmd/...")
	build.Dir = module
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		clean()
		return "", nil, fmt.Errorf("building the commands in %s: %w\n%s", module, err, out)
	}
	return folder, clean, nil
}

// Process is a running server.
type Process struct {
	Name string
	Port int
	// Ready is how long it took from its start to the first good answer.
	Ready time.Duration

	command *exec.Cmd
	log     *tail
	ended   chan struct{} // Closed once it has ended, with what Wait said in err.
	err     error
}

// Server describes a process to start.
type Server struct {
	Path   string
	Args   []string
	Env    []string // Added to PATH and HOME alone, so that nobody's settings leak in.
	Port   int
	Health string // A path that answers 200 when it is ready; empty: the port takes connections.
}

// startTimeout is generous: machines that run benchmarks are busy.
const startTimeout = 20 * time.Second

// Start runs a server and waits until it is ready.
func Start(ctx context.Context, s Server) (*Process, error) {
	p := &Process{Name: filepath.Base(s.Path), Port: s.Port, log: &tail{}, ended: make(chan struct{})}
	p.command = exec.CommandContext(ctx, s.Path, s.Args...)
	p.command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PORT=" + strconv.Itoa(s.Port)}, s.Env...)
	p.command.Stdout, p.command.Stderr = p.log, p.log
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 10 * time.Second
	began := time.Now()
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.Name, err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	if err := p.await(ctx, s.Health); err != nil {
		p.Kill()
		return nil, fmt.Errorf("%s did not become ready: %w\n%s", p.Name, err, p.log)
	}
	p.Ready = time.Since(began)
	return p, nil
}

// await asks again and again until the server is ready.
func (p *Process) await(ctx context.Context, health string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		if p.isReady(ctx, health) {
			return nil
		}
		select {
		case <-ticker.C:
		case <-p.ended:
			return fmt.Errorf("it ended: %w", errors.Join(p.err, errors.New("see its log")))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *Process) isReady(ctx context.Context, health string) bool {
	if health == "" {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.Address())
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+health, http.NoBody)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Address is host and port.
func (p *Process) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port)) }

// URL is the root of its HTTP tree.
func (p *Process) URL() string { return "http://" + p.Address() }

// Stop ends it in the orderly way and waits for it.
func (p *Process) Stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM) // Fails where it has ended already.
	select {
	case <-p.ended:
	case <-time.After(12 * time.Second):
		p.Kill()
	}
}

// Kill ends it at once.
func (p *Process) Kill() {
	_ = p.command.Process.Kill() // Fails where it has ended already.
	<-p.ended
}

// FreePort returns a port that nobody listens on now.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }() // Nothing was accepted.
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// tail keeps the end of a log, to show when something went wrong.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps the last 4 KiB.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if excess := len(t.text) - 4096; excess > 0 {
		t.text = bytes.Clone(t.text[excess:])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

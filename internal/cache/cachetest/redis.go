package cachetest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// readyWithin bounds how long a server may take to answer.
const readyWithin = 20 * time.Second

// Server is one redis-server process. Its methods fail the test when they
// cannot do what they say; they are for one goroutine at a time.
type Server struct {
	tb   testing.TB
	dir  string
	addr string
	args []string
	cmd  *exec.Cmd
}

// Redis starts a server of its own on a free port of the loopback interface,
// in memory only, with args appended to its command line. It ends with the test.
func Redis(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := prepare(tb, args...)
	s.start()
	s.awaitReady()
	return s
}

func prepare(tb testing.TB, args ...string) *Server {
	tb.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		tb.Fatal(err)
	}
	s := &Server{tb: tb, dir: dir, addr: FreeAddr(tb), args: args}
	tb.Cleanup(func() {
		s.Kill()
		_ = os.RemoveAll(dir)
	})
	return s
}

// FreeAddr returns a loopback address that was free a moment ago.
func FreeAddr(tb testing.TB) string {
	tb.Helper()
	l, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (s *Server) start() {
	s.tb.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		s.tb.Fatal("install redis-server (apt-get install redis-server), make test does it")
	}
	_, port, _ := net.SplitHostPort(s.addr)
	args := append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--unixsocket", s.Socket(),
		"--save", "", "--appendonly", "no", "--logfile", filepath.Join(s.dir, "log"),
	}, s.args...)
	s.cmd = exec.CommandContext(s.tb.Context(), path, args...)
	if err := s.cmd.Start(); err != nil {
		s.tb.Fatal(err)
	}
}

func (s *Server) awaitReady() {
	s.tb.Helper()
	client := s.Client()
	defer func() { _ = client.Close() }()
	until := time.Now().Add(readyWithin)
	for !answers(client) {
		if time.Now().After(until) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			s.tb.Fatalf("redis-server at %s did not get ready:\n%s", s.addr, log)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// answers reports whether a server serves, be it only those who sign in.
func answers(client *redis.Client) bool {
	err := client.Ping(context.Background()).Err()
	return err == nil || redis.HasErrorPrefix(err, "NOAUTH")
}

// Addr is where the server listens, host:port.
func (s *Server) Addr() string { return s.addr }

// Port is the port of Addr.
func (s *Server) Port() int {
	_, port, _ := net.SplitHostPort(s.addr)
	n, _ := strconv.Atoi(port)
	return n
}

// URL is the server's redis:// URL.
func (s *Server) URL() string { return "redis://" + s.addr }

// Socket is the path of the server's unix socket.
func (s *Server) Socket() string { return filepath.Join(s.dir, "sock") }

// Client returns a plain client, for looking and breaking. Close it.
func (s *Server) Client() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.addr, DisableIdentity: true, MaxRetries: -1})
}

// Do runs one command on the server.
func (s *Server) Do(args ...any) any {
	s.tb.Helper()
	client := s.Client()
	defer func() { _ = client.Close() }()
	reply, err := client.Do(context.Background(), args...).Result()
	if err != nil {
		s.tb.Fatalf("%v on %s: %v", args, s.addr, err)
	}
	return reply
}

// Pause stops the process where it is: it keeps its connections and answers
// nothing.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume lets a paused process go on.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.tb.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.tb.Fatalf("signalling redis-server: %v", err)
	}
}

// Kill ends the process at once, with all it held. Killing twice is harmless.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart starts a killed server again, empty, at the same address.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	s.start()
	s.awaitReady()
}

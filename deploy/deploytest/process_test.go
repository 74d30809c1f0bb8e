//go:build image

package deploytest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait; nothing comes near it unless it is broken.
const patience = time.Minute

// jail runs a program in the image's files as the image's user: the root is bound
// onto itself read-only, in mounts that nobody else sees, so that the program is
// held to what Cloud Run and compose.yaml allow it.
const jail = `set -e
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
exec chroot --userspec="$2" "$1" "$3"`

// process is a running container, as far as a test needs one.
type process struct {
	command *exec.Cmd
	address string
	log     *bytes.Buffer
	drained chan struct{}
}

// start runs the image with these variables and nothing else of this machine's
// environment, on a free port, until it says where it listens.
func start(t *testing.T, image image, env map[string]string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	command := exec.CommandContext(ctx, "unshare", "--mount", "sh", "-c", jail, "sh", image.root, image.User, image.Entrypoint[0])
	command.Env = append([]string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, image.Env...)
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Env = append(command.Env, "PORT=0", "LOG_FORMAT=json", "SANDBOX_LATENCY=none")
	output, input := io.Pipe()
	command.Stdout, command.Stderr = input, input
	p := &process{command: command, log: new(bytes.Buffer), drained: make(chan struct{})}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = input.CloseWithError(command.Wait()) }()
	t.Cleanup(func() {
		_ = command.Process.Kill() // Gone already where the test went well.
		<-p.drained
	})
	p.address = p.listens(t, output)
	return p
}

// listens reads the log up to the line with the address, then goes on reading for
// the sake of what is said later.
func (p *process) listens(t *testing.T, output io.Reader) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		defer close(p.drained)
		defer close(found)
		lines := bufio.NewScanner(io.TeeReader(output, p.log))
		for lines.Scan() {
			var line struct{ Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" && len(found) == 0 {
				found <- line.Address
			}
		}
	}()
	address, ok := <-found
	if !ok {
		t.Fatalf("it ended without listening:\n%s", p.log)
	}
	return "127.0.0.1" + address[strings.LastIndex(address, ":"):]
}

// get decodes a good answer; nil only wants it good.
func (p *process) get(t *testing.T, path string, into any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s (%v)\n%s", path, answer.Status, err, text)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v\n%.500s", path, err, text)
	}
}

// unprivileged asks the kernel what the process may do.
func (p *process) unprivileged(t *testing.T) {
	t.Helper()
	status := p.proc(t, "status")
	for _, want := range []string{"Uid:\t65532\t65532\t65532\t65532", "CapEff:\t0000000000000000"} {
		if !strings.Contains(status, want) {
			name, _, _ := strings.Cut(want, "\t")
			t.Errorf("the kernel says %q; want %q", regexp.MustCompile("(?m)^"+name+".*$").FindString(status), want)
		}
	}
	for mount := range strings.Lines(p.proc(t, "mountinfo")) {
		if fields := strings.Fields(mount); fields[4] == "/" && !strings.HasPrefix(fields[5]+",", "ro,") {
			t.Errorf("its root may be written: %s", mount)
		}
	}
}

func (p *process) proc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.command.Process.Pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stop asks it to end, as Cloud Run does, and wants a clean end.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("it has ended by itself: %v\n%s", err, p.log)
	}
	<-p.drained
	if code := p.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d:\n%s", code, p.log)
	}
}

// nextJanuary is a day in January to come, within the 361 days that can be asked for.
func nextJanuary() string {
	now := time.Now()
	day := time.Date(now.Year(), time.January, 15, 0, 0, 0, 0, time.UTC)
	if !day.After(now.AddDate(0, 0, 1)) {
		day = day.AddDate(1, 0, 0)
	}
	return day.Format(time.DateOnly)
}

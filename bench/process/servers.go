package process

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// StartSandbox runs fare-sandbox with a latency law.
func StartSandbox(ctx context.Context, folder, latency string) (*Process, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	return Start(ctx, Server{
		Path: filepath.Join(folder, "fare-sandbox"), Port: port, Health: "/health/live",
		Env: []string{"SANDBOX_LATENCY=" + latency, "LOG_LEVEL=error"},
	})
}

// StartService runs search-api. It asks the sandbox, or its embedded one where that
// is nil.
func StartService(ctx context.Context, folder string, sandbox *Process, env ...string) (*Process, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	env = append([]string{"LOG_LEVEL=error"}, env...)
	if sandbox != nil {
		for _, provider := range []string{"duffel", "amadeus", "skyscanner"} {
			env = append(env, fmt.Sprintf("%s_BASE_URLS=%s/%s", strings.ToUpper(provider), sandbox.URL(), provider))
		}
	}
	return Start(ctx, Server{Path: filepath.Join(folder, "search-api"), Port: port, Health: "/health/ready", Env: env})
}

// StartRedis runs a redis-server that writes nothing to disk.
func StartRedis(ctx context.Context) (*Process, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	return Start(ctx, Server{Path: "redis-server", Port: port, Args: []string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", os.TempDir(),
	}})
}

// Requests returns how many search requests reached the sandbox since the last
// reset, polls included.
func Requests(ctx context.Context, sandbox *Process) (int, error) {
	var stats map[string]int
	if err := stat(ctx, sandbox, http.MethodGet, &stats); err != nil {
		return 0, err
	}
	sum := 0
	for _, n := range stats {
		sum += n
	}
	return sum, nil
}

// ResetRequests sets the sandbox's counts to nought.
func ResetRequests(ctx context.Context, sandbox *Process) error {
	return stat(ctx, sandbox, http.MethodDelete, nil)
}

func stat(ctx context.Context, sandbox *Process, method string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, sandbox.URL()+"/stats", http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s /stats of the sandbox: %s", method, response.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// Memory returns the resident memory of a process in bytes, as Linux counts it.
func (p *Process) Memory() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kilobytes, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kilobytes), " kB"), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("no VmRSS in the status of %s", p.Name)
}

// clockTick is Linux's USER_HZ, which is 100 on every architecture that Go runs on.
const clockTick = 100

// CPU returns the processor time that a process has used so far, in seconds.
func (p *Process) CPU() (float64, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name in brackets may hold blanks; utime and stime are fields 14 and 15.
	_, rest, _ := strings.Cut(string(line), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("stat of %s is too short", p.Name)
	}
	user, userErr := strconv.ParseFloat(fields[11], 64)
	system, systemErr := strconv.ParseFloat(fields[12], 64)
	if userErr != nil || systemErr != nil {
		return 0, fmt.Errorf("stat of %s: %q, %q are no numbers", p.Name, fields[11], fields[12])
	}
	return (user + system) / clockTick, nil
}

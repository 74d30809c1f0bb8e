package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// idle is how long a service is left alone before its memory is read.
const idle = 3 * time.Second

// footprint measures start, memory and size of the service.
func footprint(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{
		Title: "Start and size",
		About: "From exec to the first 200 of /health/ready, asked every millisecond, with all reference data; " +
			"resident memory after three idle seconds, the embedded sandbox included or not; the binary as shipped.",
	}
	sandbox, err := process.StartSandbox(ctx, b.folder, "none")
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	for _, kind := range []struct {
		name    string
		sandbox *process.Process
	}{{"sandbox elsewhere", sandbox}, {"sandbox embedded", nil}} {
		ready, memory, err := starts(ctx, b, kind.sandbox)
		if err != nil {
			return s, err
		}
		s.Add("exec to ready, "+kind.name, "ms", "≤ 50", ready...)
		s.Add("idle memory, "+kind.name, "MiB", "≤ 40", memory...)
	}
	info, err := os.Stat(filepath.Join(b.folder, "search-api"))
	if err != nil {
		return s, err
	}
	s.Add("stripped binary", "MB", "≤ 25", float64(info.Size())/1e6)
	return s, nil
}

func starts(ctx context.Context, b bench, sandbox *process.Process) (ready, memory []float64, err error) {
	for range b.rounds {
		service, err := process.StartService(ctx, b.folder, sandbox)
		if err != nil {
			return nil, nil, err
		}
		ready = append(ready, service.Ready.Seconds()*1e3)
		pause(ctx, idle)
		bytes, err := service.Memory()
		service.Stop()
		if err != nil {
			return nil, nil, err
		}
		memory = append(memory, float64(bytes)/(1<<20))
	}
	return ready, memory, nil
}

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Package report writes what the laboratory found: Markdown tables for people, JSON
// for programs.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Conditions are what a run's figures depend on besides the code.
type Conditions struct {
	Date     string `json:"date"`
	Go       string `json:"go"`
	CPUs     int    `json:"cpus"`
	Revision string `json:"revision,omitempty"` // Of the product's source.
	// Load is the machine's load average before the run: far above the CPUs, the
	// figures are of a busy machine.
	Load string `json:"load,omitempty"`
	Note string `json:"note"`
}

// ConditionsNow describes this machine and moment; note says how it was measured.
func ConditionsNow(note string) Conditions {
	c := Conditions{Date: time.Now().UTC().Format(time.RFC3339), Go: runtime.Version(), CPUs: runtime.NumCPU(), Note: note}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c.Revision = s.Value
			}
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		c.Load = strings.Join(strings.Fields(string(load))[:3], " ")
	}
	return c
}

// String is a line for the top of a page.
func (c Conditions) String() string {
	line := fmt.Sprintf("%s, %s, %d CPUs", c.Date, c.Go, c.CPUs)
	if c.Load != "" {
		line += ", load before the run " + c.Load
	}
	return line + ". " + c.Note
}

// Save writes name.md and name.json to a folder, which it makes.
func Save(folder, name, markdown string, data any) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	encoded, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), append(encoded, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".md"), []byte(markdown), 0o644)
}

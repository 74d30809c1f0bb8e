package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/bench/process"
)

// answer is what the service said to one search.
type answer struct {
	took     time.Duration
	body     []byte
	timing   map[string]float64 // Server-Timing, in milliseconds.
	complete bool
	offers   int
}

// search asks once.
func search(ctx context.Context, service *process.Process, path string) (answer, error) {
	began := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, service.URL()+path, http.NoBody)
	if err != nil {
		return answer{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	a := answer{took: time.Since(began), body: body, timing: serverTiming(response.Header.Get("Server-Timing"))}
	if err != nil {
		return a, err
	}
	if response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("GET %s: %s: %.300s", path, response.Status, body)
	}
	return a, a.read()
}

// read takes from the answer what is checked.
func (a *answer) read() error {
	var said struct {
		Complete bool `json:"complete"`
		Summary  struct {
			Offers int `json:"offers"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(a.body, &said); err != nil {
		return err
	}
	a.complete, a.offers = said.Complete, said.Summary.Offers
	return nil
}

// serverTiming reads the header of that name: "total;dur=1.5, cache;dur=0.1".
func serverTiming(header string) map[string]float64 {
	timing := map[string]float64{}
	for entry := range strings.SplitSeq(header, ",") {
		name, duration, found := strings.Cut(strings.TrimSpace(entry), ";dur=")
		if ms, err := strconv.ParseFloat(duration, 64); found && err == nil {
			timing[name] = ms
		}
	}
	return timing
}

// slowest returns the time of the slowest provider call, in milliseconds.
func (a answer) slowest() float64 {
	return max(a.timing["duffel"], a.timing["amadeus"], a.timing["skyscanner"])
}

// inTurn gives the paths one after the other, over and over.
func inTurn(paths []string) func() string {
	var next atomic.Int64
	return func() string { return paths[int(next.Add(1)-1)%len(paths)] }
}

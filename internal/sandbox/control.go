package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// control mounts the counters and the fault switches.
func (s *Sandbox) control(mux *http.ServeMux) {
	mux.HandleFunc("GET /stats", s.getStats)
	mux.HandleFunc("DELETE /stats", s.deleteStats)
	mux.HandleFunc("PUT /faults/{provider}", s.putFault)
	mux.HandleFunc("DELETE /faults/{provider}", s.deleteFault)
}

func (s *Sandbox) getStats(w http.ResponseWriter, _ *http.Request) {
	counts := map[string]int64{}
	for name, g := range s.gates {
		counts[name] = g.requests.Load()
	}
	writeJSON(w, http.StatusOK, "application/json", counts)
}

func (s *Sandbox) deleteStats(w http.ResponseWriter, _ *http.Request) {
	for _, g := range s.gates {
		g.requests.Store(0)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Sandbox) putFault(w http.ResponseWriter, r *http.Request) {
	g, ok := s.gate(w, r)
	if !ok {
		return
	}
	fault, err := decodeFault(r.Body)
	if err != nil {
		problem(w, http.StatusBadRequest, "The fault cannot be set", strings.Split(err.Error(), "\n")...)
		return
	}
	g.fault.Store(&fault)
	w.WriteHeader(http.StatusNoContent)
}

func (s *Sandbox) deleteFault(w http.ResponseWriter, r *http.Request) {
	if g, ok := s.gate(w, r); ok {
		g.fault.Store(nil)
		w.WriteHeader(http.StatusNoContent)
	}
}

// gate finds that of the provider in the path, or answers that there is none.
func (s *Sandbox) gate(w http.ResponseWriter, r *http.Request) (*gate, bool) {
	name := r.PathValue("provider")
	g, ok := s.gates[name]
	if !ok {
		problem(w, http.StatusNotFound, "No such provider",
			fmt.Sprintf("%q is not a provider of the sandbox; it has %s", name, strings.Join(slices.Sorted(maps.Keys(s.gates)), ", ")))
	}
	return g, ok
}

// problem answers in the form of RFC 9457, with a line for each fault.
func problem(w http.ResponseWriter, status int, title string, details ...string) {
	type detail struct {
		Detail string `json:"detail"`
	}
	errors := make([]detail, len(details))
	for i, d := range details {
		errors[i].Detail = d
	}
	writeJSON(w, status, "application/problem+json", map[string]any{
		"type": "about:blank", "title": title, "status": status, "detail": strings.Join(details, "; "), "errors": errors,
	})
}

func writeJSON(w http.ResponseWriter, status int, contentType string, v any) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // Plain maps encode; a client that has left needs nothing.
}

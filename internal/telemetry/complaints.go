package telemetry

import (
	"log/slog"
	"sync"
	"time"
)

// complaintEvery is how often a complaint is logged: exporters complain about
// every batch while their receiver is away.
const complaintEvery = time.Minute

// complaints logs what OpenTelemetry's parts cannot return to anybody.
type complaints struct {
	now func() time.Time

	mu   sync.Mutex
	next time.Time
	held int
}

// Handle logs err, or counts it towards the next line.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if now.Before(c.next) {
		c.held++
		return
	}
	slog.Warn("telemetry was lost or refused", "error", err, "unlogged", c.held)
	c.next, c.held = now.Add(complaintEvery), 0
}

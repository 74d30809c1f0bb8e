package day

import (
	"sync"
	"time"
)

// shutAfter is how long a container stays without work, as Cloud Run keeps them for
// a while.
const shutAfter = 5 * time.Minute

// platform is Cloud Run in miniature: a request goes to a container with a free
// place, the fullest first; where there is none, a new one is started and the
// request waits for it.
type platform struct {
	places    int           // Requests at a time in one container.
	coldStart time.Duration // From the request to a container that answers.
	keep      int           // So many containers are never shut.
	open      func() (searcher, func())

	mu         sync.Mutex
	containers []*container
	most       int
}

// container is one running instance.
type container struct {
	searcher searcher
	close    func()
	ready    time.Time
	busy     int
	idle     time.Time // Since when, where busy is 0.
}

// search answers a question on some container.
func (p *platform) search(question int) seen {
	c := p.take()
	if wait := time.Until(c.ready); wait > 0 {
		sleep(wait)
	}
	defer p.release(c)
	return c.searcher.search(question)
}

func (p *platform) take() *container {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut()
	var fullest *container
	for _, c := range p.containers {
		if c.busy < p.places && (fullest == nil || c.busy > fullest.busy) {
			fullest = c
		}
	}
	if fullest == nil {
		fullest = p.start(p.coldStart)
	}
	fullest.busy++
	return fullest
}

// start adds a container. The caller holds mu, or is alone.
func (p *platform) start(after time.Duration) *container {
	c := &container{ready: time.Now().Add(after)}
	c.searcher, c.close = p.open()
	p.containers = append(p.containers, c)
	p.most = max(p.most, len(p.containers))
	return c
}

// shut ends containers that have been idle for long. The caller holds mu.
func (p *platform) shut() {
	var kept []*container
	for i, c := range p.containers {
		if i >= p.keep && c.busy == 0 && time.Since(c.idle) > shutAfter {
			c.close()
			continue
		}
		kept = append(kept, c)
	}
	p.containers = kept
}

func (p *platform) release(c *container) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.busy--
	c.idle = time.Now()
}

// end closes all containers.
func (p *platform) end() {
	for _, c := range p.containers {
		c.close()
	}
}

// sleep waits in virtual time.
func sleep(d time.Duration) { <-time.After(d) }

package day

import (
	"context"
	"sync"
	"time"
)

// seen is what a caller was told.
type seen struct {
	hit      bool           // No provider was waited for.
	versions [suppliers]int // -1: nothing from that provider.
}

// searcher answers questions in one container.
type searcher interface {
	search(question int) seen
}

// model is the service in miniature, with the parts that its step has.
type model struct {
	world     *world
	suppliers []supplier
	renewals  sync.WaitGroup
}

func (m *model) search(question int) seen {
	s := seen{hit: m.world.step.Store}
	if m.world.step.Store {
		sleep(roundTrip)
	}
	missing := m.fromStore(question, &s)
	if len(missing) > 0 {
		s.hit = false
	}
	var asking sync.WaitGroup
	for _, n := range missing {
		if m.world.step.Parallel {
			asking.Go(func() { s.versions[n] = m.ask(n, question) })
			continue
		}
		s.versions[n] = m.ask(n, question)
	}
	asking.Wait()
	return s
}

// fromStore takes what the store has and returns which providers are missing.
func (m *model) fromStore(question int, s *seen) (missing []int) {
	for n := range suppliers {
		key := [2]int{n, question}
		version, fresh, renew := m.world.store.look(key)
		switch {
		case !m.world.step.Store || !fresh:
			missing = append(missing, n)
			continue
		case renew && m.world.step.Ahead:
			m.renewals.Go(func() { m.ask(n, question) })
		}
		s.versions[n] = version
	}
	return missing
}

// ask asks a provider, or waits for whoever asks it the same; -1 is a failure.
func (m *model) ask(n, question int) int {
	key := [2]int{n, question}
	if !m.world.step.Coalesce {
		return m.call(n, question)
	}
	call, mine := m.world.store.join(key)
	if !mine {
		<-call.done
		return call.version
	}
	call.version = m.call(n, question)
	m.world.store.finish(key, call)
	return call.version
}

// call asks the provider and fills the store.
func (m *model) call(n, question int) int {
	began := time.Now()
	version, err := m.suppliers[n].ask(context.Background(), question)
	if err != nil {
		return -1
	}
	if m.world.step.Store {
		m.world.store.fill([2]int{n, question}, version, began)
	}
	return version
}

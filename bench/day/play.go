package day

import (
	"context"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// Result is a day under one step.
type Result struct {
	Step                Step
	Whole, Hits, Misses stat.Sample
	CallsPerSearch      float64
	Accuracy            float64 // Share of the fares shown that were still the provider's.
	Complete            float64 // Share of searches with fares of every provider.
	Failed              int     // Searches without any fare.
	Containers          int     // At most at a time.
}

// Play plays the day. It must run in virtual time.
func Play(t Traffic, step Step) (Result, error) {
	w := newWorld(t, step)
	d := &play{world: w, platform: &platform{places: step.Places, coldStart: step.coldStart(), keep: step.keep()}}
	end, err := d.build(t)
	if err != nil {
		return Result{}, err
	}
	if step.Warm {
		d.platform.start(0)
	}
	began := time.Now()
	var callers sync.WaitGroup
	for _, a := range t.arrivals() {
		sleep(a.at - time.Since(began))
		if a.change {
			if err := d.change(a.question); err != nil {
				return Result{}, err
			}
			continue
		}
		callers.Go(func() { d.search(a.question) })
	}
	callers.Wait()
	return d.result(step), end()
}

// play is a day under way.
type play struct {
	world    *world
	platform *platform
	change   func(question int) error

	mu             sync.Mutex
	hits, misses   []time.Duration
	shown, correct int
	complete       int
	failed         int
}

// build makes what answers: the model or the product; end takes it down.
func (d *play) build(t Traffic) (end func() error, err error) {
	if d.world.step.Product {
		return d.buildProduct(t)
	}
	d.change = func(question int) error {
		d.world.fares.change(question)
		d.world.store.forget(question)
		return nil
	}
	var renewing []*model
	d.platform.open = func() (searcher, func()) {
		all, end := d.world.suppliers()
		m := &model{world: d.world, suppliers: all}
		renewing = append(renewing, m)
		return m, end
	}
	return func() error {
		for _, m := range renewing {
			m.renewals.Wait()
		}
		d.platform.end()
		return nil
	}, nil
}

func (d *play) buildProduct(t Traffic) (end func() error, err error) {
	shop, err := newShop(d.world, t.Questions)
	if err != nil {
		return nil, err
	}
	d.platform.open = shop.open
	announcer, endAnnouncer := shop.open()
	d.change = func(question int) error {
		d.world.fares.change(question)
		return shop.forget(context.Background(), announcer.(*product), question)
	}
	return func() error {
		err := shop.close(context.Background())
		endAnnouncer()
		d.platform.end()
		return err
	}, nil
}

// search is one caller.
func (d *play) search(question int) {
	began := time.Now()
	s := d.platform.search(question)
	took := time.Since(began)
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.hit {
		d.hits = append(d.hits, took)
	} else {
		d.misses = append(d.misses, took)
	}
	before := d.shown
	for n, version := range s.versions {
		if version < 0 {
			continue
		}
		d.shown++
		if version == d.world.fares.version(n, question) {
			d.correct++
		}
	}
	switch d.shown - before {
	case suppliers:
		d.complete++
	case 0:
		d.failed++
	}
}

func (d *play) result(step Step) Result {
	all := append(append([]time.Duration(nil), d.hits...), d.misses...)
	return Result{
		Step: step, Whole: stat.SampleOf(all), Hits: stat.SampleOf(d.hits), Misses: stat.SampleOf(d.misses),
		CallsPerSearch: float64(d.world.requests()) / float64(max(1, len(all))),
		Accuracy:       float64(d.correct) / float64(max(1, d.shown)),
		Complete:       float64(d.complete) / float64(max(1, len(all))),
		Failed:         d.failed, Containers: d.platform.most,
	}
}

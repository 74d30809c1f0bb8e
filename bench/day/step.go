package day

import "time"

// Step is one way to build the service. Steps are cumulative: each has what the one
// before has.
type Step struct {
	Name     string
	Parallel bool // All providers at once, instead of one after the other.
	Store    bool // Answers are kept for three minutes in a store that all containers share.
	Coalesce bool // Who asks what is being asked already waits for that answer.
	Ahead    bool // What is asked often is renewed before it ends.
	Hedge    bool // The product's hedged transport.
	Places   int  // Requests at a time in one container.
	Warm     bool // A container that starts in 200 ms, and one that is always there.
	Product  bool // The product's own search service and cache instead of this model.
}

// Steps returns the way from before to the product.
func Steps() []Step {
	s := Step{Name: "before: one after the other, no cache, one request per container", Places: 1}
	all := []Step{s}
	add := func(name string, change func(*Step)) {
		s.Name = name
		change(&s)
		all = append(all, s)
	}
	add("+ parallel", func(s *Step) { s.Parallel = true })
	add("+ shared cache", func(s *Step) { s.Store = true })
	add("+ coalescing", func(s *Step) { s.Coalesce = true })
	add("+ refresh ahead", func(s *Step) { s.Ahead = true })
	add("+ hedging", func(s *Step) { s.Hedge = true })
	add("+ concurrency 5", func(s *Step) { s.Places = 5 })
	add("+ warm start", func(s *Step) { s.Warm = true })
	add("hedgehop: all of it, its own search and cache", func(s *Step) { s.Product = true })
	return all
}

// Starts of a container, from the request that finds none to the first that it
// answers. The slow one is that of a runtime that loads and compiles; the quick one
// leaves 50 ms for the product and the rest for the platform.
const (
	slowStart  = 2500 * time.Millisecond
	quickStart = 200 * time.Millisecond
)

func (s Step) coldStart() time.Duration {
	if s.Warm {
		return quickStart
	}
	return slowStart
}

func (s Step) keep() int {
	if s.Warm {
		return 1
	}
	return 0
}

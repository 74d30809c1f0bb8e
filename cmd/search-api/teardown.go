package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// teardown undoes a start, last step first. A failed start runs it as a stop
// does.
type teardown struct {
	steps []step
}

type step struct {
	name string
	undo func(context.Context) error
}

// add puts a step that will be undone before all steps added so far.
func (t *teardown) add(name string, undo func(context.Context) error) {
	t.steps = append(t.steps, step{name, undo})
}

// run undoes every step, whether or not another one failed, and names the
// failed ones. It does nothing the second time.
func (t *teardown) run(ctx context.Context) error {
	var faults []error
	for _, s := range slices.Backward(t.steps) {
		if err := s.undo(ctx); err != nil {
			faults = append(faults, fmt.Errorf("stopping %s: %w", s.name, err))
		}
	}
	t.steps = nil
	return errors.Join(faults...)
}

func joined(errs ...error) error { return errors.Join(errs...) }

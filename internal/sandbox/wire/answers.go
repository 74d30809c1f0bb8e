package wire

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// Sized is a rendered answer that knows its own weight.
type Sized interface{ Size() int }

// Answers keeps rendered answers up to a number of bytes, for rendering is most
// of what an answer costs. Equal questions at the same time are rendered once.
type Answers[V Sized] struct{ kept *otter.Cache[string, V] }

// NewAnswers bounds the store to so many bytes.
func NewAnswers[V Sized](bytes uint64) *Answers[V] {
	return &Answers[V]{otter.Must(&otter.Options[string, V]{
		MaximumWeight: bytes,
		Weigher:       func(key string, v V) uint32 { return uint32(len(key) + v.Size()) },
	})}
}

// Get finds the answer of a key, rendered now if it is not kept.
func (a *Answers[V]) Get(key string, render func() V) V {
	v, err := a.kept.Get(context.Background(), key, otter.LoaderFunc[string, V](
		func(context.Context, string) (V, error) { return render(), nil },
	))
	if err != nil {
		return render() // The loader never fails; a panic in another's call must not spread.
	}
	return v
}

package refdata

import (
	"sync"
	"time"
)

// zone is a time zone that is loaded when it is first asked for. Loading all
// 350 at start would take longer than all else together.
type zone struct {
	name string
	once sync.Once
	loc  *time.Location
}

// location is the same for every caller, and nil where the program knows no
// zone of that name.
func (z *zone) location() *time.Location {
	z.once.Do(func() {
		if loc, err := time.LoadLocation(z.name); err == nil {
			z.loc = loc
		}
	})
	return z.loc
}

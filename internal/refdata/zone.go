package refdata

import (
	"sync"
	"time"
)

// zones keeps the time zones that were asked for. Loading all 350 at start
// would take longer than all else together.
type zones struct {
	loaded sync.Map // name to *time.Location, nil where there is none
}

// load finds a zone; every caller gets the same *time.Location.
func (z *zones) load(name string) *time.Location {
	if kept, ok := z.loaded.Load(name); ok {
		return kept.(*time.Location)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		loc = nil
	}
	kept, _ := z.loaded.LoadOrStore(name, loc)
	return kept.(*time.Location)
}

package refresh

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"
)

// Set is a part of the reference data that an event can name.
type Set string

// The sets of the contract.
const (
	Airports   Set = "airports"
	Airlines   Set = "airlines"
	Currencies Set = "currencies"
)

// epochBlob names the last withdrawal of the shared catalogue. Instances that
// held a catalogue from before it go back to their own, and none takes one that
// was left before it.
const (
	epochBlob = "refdata:epoch"
	epochTTL  = 7 * 24 * time.Hour
)

// Changed withdraws what the instances share of a set: this instance goes back
// to its embedded catalogue at once, the others within lookEvery, and the set
// currencies fetches the rates anew where there is a source. After an error it
// may hold in part; it can be repeated.
func (r *Refresher) Changed(ctx context.Context, set Set) error {
	if set != Airports && set != Airlines && set != Currencies {
		return fmt.Errorf("refresh: no set %q; there are %s, %s and %s", set, Airports, Airlines, Currencies)
	}
	if err := r.enter(ctx); err != nil {
		return err
	}
	defer r.leave()
	if err := r.withdraw(ctx); err != nil {
		return err
	}
	if set == Currencies && r.source != nil {
		return r.fetchRates(ctx)
	}
	return nil
}

// withdraw begins an epoch.
func (r *Refresher) withdraw(ctx context.Context) error {
	epoch := rand.Text()
	if err := r.o.Cache.SetBlob(ctx, epochBlob, []byte(epoch), epochTTL); err != nil {
		return err
	}
	r.beginEpoch(epoch)
	return nil
}

func (r *Refresher) beginEpoch(epoch string) {
	r.epoch = epoch
	r.showBase(r.o.Embedded)
}

// noticeWithdrawal reports that another instance began an epoch.
func (r *Refresher) noticeWithdrawal(ctx context.Context) bool {
	blob, _, err := r.o.Cache.Blob(ctx, epochBlob)
	if err != nil || string(blob) == r.epoch {
		return false
	}
	if blob == nil { // Redis lost it: those who start now must learn of it.
		_ = r.o.Cache.SetBlob(ctx, epochBlob, []byte(r.epoch), epochTTL)
		return false
	}
	r.beginEpoch(string(blob))
	return true
}

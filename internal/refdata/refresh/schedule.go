package refresh

import "time"

// The ECB publishes around 16:00 CET on every working day of the TARGET calendar
// (https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/).
const (
	// publishedAt is when a day's rates are out in winter as in summer, in UTC.
	publishedAt = 15*time.Hour + 30*time.Minute
	// fetchSpread keeps the instances, and the programs of the world, apart.
	fetchSpread = 30 * time.Minute
	// retryAfter follows a failed attempt.
	retryAfter = 10 * time.Minute
	// overdueAfter is two publications missed, or never heard.
	overdueAfter = 49 * time.Hour
	// clockError is how far instances' clocks may differ.
	clockError = time.Minute
)

// due reports that the source has not been read since the last publication.
func (r *Refresher) due(now time.Time) bool {
	return r.source != nil && now.Sub(r.attempted) >= retryAfter &&
		r.shown.Load().heard.Before(lastPublication(now.Add(-r.jitter)))
}

// lastPublication is the latest time of publication that is not after t. On days
// without one the file of the day before is read again.
func lastPublication(t time.Time) time.Time {
	day := t.UTC().Truncate(24 * time.Hour)
	if at := day.Add(publishedAt); !at.After(t) {
		return at
	}
	return day.Add(publishedAt - 24*time.Hour)
}

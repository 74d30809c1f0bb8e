package fanout

import (
	"net/http"
	"net/url"
	"sync/atomic"
)

// replicas spreads attempts over a provider's base addresses: calls start at each
// in turn, and a call's next attempt goes to the next one.
type replicas struct {
	bases []*url.URL
	turn  atomic.Uint64
}

// first returns the place of a call's first attempt.
func (r *replicas) first() uint64 {
	if len(r.bases) < 2 {
		return 0
	}
	return r.turn.Add(1) - 1
}

// aim points an attempt's own request at a replica: number 1 at the call's first,
// number k at the k-th from there, so that none is used twice while one is unused.
// A request that already names a replica, as after a redirect, keeps its address.
func (r *replicas) aim(req *http.Request, first uint64, number int) {
	if len(r.bases) == 0 || r.names(req.URL) {
		return
	}
	base := r.bases[(first+uint64(number-1))%uint64(len(r.bases))]
	req.URL = under(base, req.URL)
	req.Host = ""
}

func (r *replicas) names(u *url.URL) bool {
	for _, base := range r.bases {
		if u.Host == base.Host {
			return true
		}
	}
	return false
}

// under returns the address with the base's scheme, host and user, its path put
// before the address's own. An escaped path (%2F) stays escaped.
func under(base, address *url.URL) *url.URL {
	u := *address
	u.Scheme, u.Host, u.User = base.Scheme, base.Host, base.User
	prefix, escaped := trimSlash(base.Path), trimSlash(base.EscapedPath())
	u.Path, u.RawPath = prefix+address.Path, escaped+address.EscapedPath()
	return &u
}

func trimSlash(path string) string {
	for len(path) > 0 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	return path
}

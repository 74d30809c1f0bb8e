package search

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// Body is the part of an answer that depends on nothing but the fares and the
// view over them: the page, its summary, places, carriers, rates and cursor. It
// is the same for every search that hits the same fares, so its encoding is
// remembered.
type Body struct {
	// Name is equal for equal bodies, on every instance that has the same
	// reference data; empty where the fares behind it have no name.
	Name string
	// Encoded is what Remember was given for this name, shared: not to be changed.
	// Where it is set, the Result's fields of the body are not.
	Encoded []byte
	until   time.Time
}

// Remember keeps the encoding of a result's body for searches to come, where
// that can be of use, for as long as its fares are fresh.
func (s *Service) Remember(result *Result, encoded []byte) {
	if ttl := result.Body.until.Sub(s.now()); result.Body.Name != "" && ttl > 0 {
		s.options.Cache.KeepView(result.Body.Name, encoded, ttl)
	}
}

// recall finds the body of an answer by the fares and the view that make it.
func (s *Service) recall(req Request, all []heard, catalog *refdata.Catalog) Body {
	body := Body{Name: s.nameOf(req, all, catalog)}
	if body.Name == "" {
		return body
	}
	if encoded, known := s.options.Cache.View(body.Name); known {
		body.Encoded = encoded
		return body
	}
	body.until = freshUntil(all)
	return body
}

// nameOf covers everything that a body is made of: each source's fetch and
// whether its fares are marked stale, the view, and the catalogue.
func (s *Service) nameOf(req Request, all []heard, catalog *refdata.Catalog) string {
	view, err := json.Marshal(req.View)
	if err != nil {
		return ""
	}
	h := sha256.New()
	h.Write(view)
	writeText(h, s.edition.of(catalog))
	for _, heard := range all {
		if heard.usable() && heard.fetch == "" {
			return ""
		}
		writeText(h, heard.fetch)
		if heard.use == CacheStale {
			writeText(h, string(heard.use))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// freshUntil is when the first of the fares ends; at once where one is stale.
func freshUntil(all []heard) time.Time {
	var until time.Time
	for _, h := range all {
		switch {
		case !h.usable():
		case h.use == CacheStale:
			return time.Time{}
		case until.IsZero() || h.fresh.Before(until):
			until = h.fresh
		}
	}
	return until
}

// edition tells catalogues apart: by the date of their rates, so that instances
// agree, and by a number that changes with every swap in this process.
type edition struct {
	mu      sync.Mutex
	catalog *refdata.Catalog
	name    string
	swaps   byte
}

func (e *edition) of(catalog *refdata.Catalog) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.catalog != catalog {
		e.catalog = catalog
		e.name = catalog.Rates().AsOf.String() + string('A'+rune(e.swaps%26))
		e.swaps++
	}
	return e.name
}

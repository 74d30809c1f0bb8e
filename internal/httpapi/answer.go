package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// cachePolicy is a Cache-Control value; every answer has to choose one.
type cachePolicy string

const (
	// cacheNever: problems and probes are of the moment.
	cacheNever cachePolicy = "no-store"
	// cachePrivately: fares belong to one caller and are looked up for each use.
	cachePrivately cachePolicy = "private, no-cache"
	// cacheShared: reference data changes a few times a year, rates once a day.
	cacheShared cachePolicy = "public, max-age=3600"
)

// answer is a whole answer, encoded before its first byte is sent.
type answer struct {
	status      int
	contentType string
	cache       cachePolicy
	body        []byte
	rest        []byte // Follows body, for bytes that are kept and not to be copied.
}

func write(w http.ResponseWriter, a answer) {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", string(a.cache))
	h.Set("Content-Length", strconv.Itoa(len(a.body)+len(a.rest)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // Fails only where nobody reads any more.
	if len(a.rest) > 0 {
		_, _ = w.Write(a.rest)
	}
}

// encode makes JSON in which <, > and & stay as they are, ended by a line feed.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return b.Bytes(), nil
}

// serveJSON answers with v. It encodes first, so that what cannot be encoded is
// still a clean problem.
func serveJSON(w http.ResponseWriter, status int, cache cachePolicy, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	write(w, answer{status: status, contentType: "application/json", cache: cache, body: body})
	return nil
}

// serveShared answers 200 with what caches may share, or 304 to a caller whose
// copy is still right. The validator is weak, since compression changes bytes.
func serveShared(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	sum := sha256.Sum256(body)
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", string(cacheShared))
	h.Set("ETag", fmt.Sprintf(`W/"%x"`, sum[:8]))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

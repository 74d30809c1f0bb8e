package httpapi

import "net/http"

// keyHeader carries a frontend's key.
const keyHeader = "X-Api-Key"

// requireKey lets through who has one of the keys; without keys, everybody. All
// are compared, so that the time taken says nothing of which one was near.
func requireKey(keys []string) func(http.Handler) http.Handler {
	known := make([]digest, len(keys))
	for i, key := range keys {
		known[i] = digestOf(key)
	}
	return func(next http.Handler) http.Handler {
		if len(known) == 0 {
			return next
		}
		return handler(func(w http.ResponseWriter, r *http.Request) error {
			if err := judgeKey(known, r.Header.Values(keyHeader)); err != nil {
				return err
			}
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

func judgeKey(known []digest, given []string) error {
	refuse := func(detail string) error {
		return &problem{
			kind: kindUnauthorized, detail: detail,
			header: http.Header{"Www-Authenticate": {`ApiKey realm="flights", header="X-API-Key"`}},
		}
	}
	if len(given) != 1 || given[0] == "" {
		return refuse("The request has no key; send it as the header X-API-Key, once.")
	}
	sent, counts := digestOf(given[0]), false
	for _, key := range known {
		counts = key.equal(sent) || counts
	}
	if !counts {
		return refuse("The key does not count here; ask whoever runs the service for one.")
	}
	return nil
}

package googletoken

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// googleKeys is where Google publishes its keys as a JSON web key set (RFC 7517).
const googleKeys = "https://www.googleapis.com/oauth2/v3/certs"

// Bounds of fetching keys.
const (
	fetchLimit = 3 * time.Second
	maxKeySet  = 64 << 10 // Bytes; Google's has about two thousand.
	// pause between two fetches, whatever the reason: tokens with made-up key
	// names, or a source that is down, must not become a stream of requests.
	pause = 10 * time.Second
	// minAge and maxAge bound what the source says of how long its keys are good;
	// usualAge is taken where it says nothing.
	minAge, usualAge, maxAge = time.Minute, time.Hour, 24 * time.Hour
)

// unavailableError: the keys could not be fetched, which is not the token's
// fault.
type unavailableError struct{ cause error }

func (e *unavailableError) Error() string {
	return "the keys to judge the token by: " + e.cause.Error()
}
func (e *unavailableError) Unwrap() error { return e.cause }

// keys are Google's, fetched when they are needed and kept as long as they are
// good.
type keys struct {
	url    string
	client *http.Client

	// turn is held by whoever reads or fetches; a channel, so that a caller who
	// leaves need not wait for it.
	turn    chan struct{}
	byID    map[string]*rsa.PublicKey
	until   time.Time // The keys are good until then.
	fetched time.Time // The last attempt, successful or not.
	failure error     // Of the last attempt.
}

func newKeys(url string, client *http.Client) *keys {
	if url == "" {
		url = googleKeys
	}
	if client == nil {
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &keys{url: url, client: client, turn: make(chan struct{}, 1)}
}

// find gives the key of that name. Keys that are no longer good, or do not have
// the name, are fetched anew, but not sooner than pause after the last time.
func (k *keys) find(ctx context.Context, id string) (*rsa.PublicKey, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, &unavailableError{context.Cause(ctx)}
	}
	now := time.Now()
	if key, known := k.byID[id]; known && now.Before(k.until) {
		return key, nil
	}
	if k.fetched.IsZero() || now.Sub(k.fetched) >= pause {
		k.refresh(ctx, now)
	}
	if k.failure != nil || !now.Before(k.until) {
		return nil, &unavailableError{k.failure}
	}
	if key, known := k.byID[id]; known {
		return key, nil
	}
	return nil, errors.New("it is signed with no key of Google's")
}

// refresh keeps the keys as they are where it fails: each is still good until
// its time. A caller who leaves does not end it, for others wait for it too.
func (k *keys) refresh(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchLimit)
	defer cancel()
	byID, age, err := k.fetch(ctx)
	k.fetched, k.failure = now, err
	if err == nil {
		k.byID, k.until = byID, now.Add(age)
	}
}

func (k *keys) fetch(ctx context.Context) (map[string]*rsa.PublicKey, time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, http.NoBody)
	if err != nil {
		return nil, 0, err
	}
	resp, err := k.client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, 0, fmt.Errorf("status %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeySet+1))
	if err != nil {
		return nil, 0, err
	}
	if len(body) > maxKeySet {
		return nil, 0, fmt.Errorf("the answer has more than %d bytes", maxKeySet)
	}
	byID, err := parseKeys(body)
	return byID, ageOf(resp.Header.Get("Cache-Control")), err
}

var maxAgeDirective = regexp.MustCompile(`(?i)(?:^|[\s,])max-age=(\d{1,9})`)

// ageOf is how long an answer with that Cache-Control is good (RFC 9111, 5.2.2.1).
func ageOf(cacheControl string) time.Duration {
	found := maxAgeDirective.FindStringSubmatch(cacheControl)
	if found == nil {
		return usualAge
	}
	seconds, _ := strconv.Atoi(found[1]) // Nine digits always fit.
	return min(max(time.Duration(seconds)*time.Second, minAge), maxAge)
}

// parseKeys reads the RSA signing keys of a key set; others are left out.
func parseKeys(body []byte) (map[string]*rsa.PublicKey, error) {
	var set struct {
		Keys []struct {
			ID       string `json:"kid"`
			Kind     string `json:"kty"`
			Use      string `json:"use"`
			Modulus  string `json:"n"`
			Exponent string `json:"e"`
		} `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, errors.New("the answer is no key set")
	}
	byID := map[string]*rsa.PublicKey{}
	for _, found := range set.Keys {
		key, ok := rsaKey(found.Modulus, found.Exponent)
		if ok && found.ID != "" && found.Kind == "RSA" && (found.Use == "" || found.Use == "sig") {
			byID[found.ID] = key
		}
	}
	if len(byID) == 0 {
		return nil, errors.New("the key set has no key that can be used")
	}
	return byID, nil
}

// Sizes of a modulus in bits: less is weak, more costs time for nothing.
const minModulus, maxModulus = 2048, 8192

// rsaKey reads the two numbers of a key (RFC 7518, 6.3.1).
func rsaKey(modulus, exponent string) (*rsa.PublicKey, bool) {
	n, err := base64.RawURLEncoding.DecodeString(modulus)
	if err != nil || len(n) > maxModulus/8 {
		return nil, false
	}
	e, err := base64.RawURLEncoding.DecodeString(exponent)
	if err != nil || len(e) > 4 {
		return nil, false
	}
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	usable := key.N.BitLen() >= minModulus && key.E >= 3 && key.E%2 == 1 && key.E < 1<<31
	return key, usable
}

package googletoken

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	audience = "https://flights.example.com/v1/events"
	account  = "push@project.iam.gserviceaccount.com"
)

// key makes a key once for each name: making one takes a while.
var key = func() func(string) *rsa.PrivateKey {
	var mu sync.Mutex
	made := map[string]*rsa.PrivateKey{}
	return func(name string) *rsa.PrivateKey {
		mu.Lock()
		defer mu.Unlock()
		if made[name] == nil {
			k, err := rsa.GenerateKey(rand.Reader, 2048)
			if err != nil {
				panic(err)
			}
			made[name] = k
		}
		return made[name]
	}
}()

// source stands in for Google as a transport: it publishes the keys of those
// names, or answers whatever the test wants.
type source struct {
	names  []string
	header http.Header
	answer func() (*http.Response, error)
	asked  int
}

func (s *source) RoundTrip(*http.Request) (*http.Response, error) {
	s.asked++
	if s.answer != nil {
		return s.answer()
	}
	return ok(keySet(s.names...), s.header), nil
}

func ok(body string, header http.Header) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

func keySet(names ...string) string {
	var all []map[string]string
	for _, name := range names {
		public := key(name).PublicKey
		all = append(all, map[string]string{
			"kid": name, "kty": "RSA", "use": "sig", "alg": "RS256",
			"n": base64.RawURLEncoding.EncodeToString(public.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(public.E)).Bytes()),
		})
	}
	set, err := json.Marshal(map[string]any{"keys": all})
	if err != nil {
		panic(err)
	}
	return string(set)
}

func verifier(t *testing.T, s *source) *Verifier {
	t.Helper()
	v, err := New(Options{Audience: audience, Email: account, Client: &http.Client{Transport: s}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// good are the claims of a token that counts.
func good() jwt.MapClaims {
	return jwt.MapClaims{
		"iss": "https://accounts.google.com", "aud": audience, "email": account, "email_verified": true,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(), "sub": "1", "azp": "1",
	}
}

func with(changes jwt.MapClaims) jwt.MapClaims {
	claims := good()
	maps.Copy(claims, changes)
	return claims
}

func without(name string) jwt.MapClaims {
	claims := good()
	delete(claims, name)
	return claims
}

func signed(t *testing.T, claims jwt.Claims, keyName string) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = keyName
	text, err := token.SignedString(key(keyName))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTokens(t *testing.T) {
	now := time.Now()
	forged := jwt.NewWithClaims(jwt.SigningMethodRS256, good())
	forged.Header["kid"] = "a"
	foreign, err := forged.SignedString(key("foreign"))
	if err != nil {
		t.Fatal(err)
	}
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, good()).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	// The public key as an HMAC secret: the oldest trick of JSON web tokens.
	confused := jwt.NewWithClaims(jwt.SigningMethodHS256, good())
	confused.Header["kid"] = "a"
	hmac, err := confused.SignedString(key("a").N.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		token  string
		counts bool
	}{
		"good":                          {signed(t, good(), "a"), true},
		"the other key":                 {signed(t, good(), "b"), true},
		"the issuer's other form":       {signed(t, with(jwt.MapClaims{"iss": "accounts.google.com"}), "a"), true},
		"expired within the leeway":     {signed(t, with(jwt.MapClaims{"exp": now.Add(-20 * time.Second).Unix()}), "a"), true},
		"expired":                       {signed(t, with(jwt.MapClaims{"exp": now.Add(-time.Minute).Unix()}), "a"), false},
		"never expires":                 {signed(t, without("exp"), "a"), false},
		"issued tomorrow":               {signed(t, with(jwt.MapClaims{"iat": now.Add(24 * time.Hour).Unix()}), "a"), false},
		"not yet good":                  {signed(t, with(jwt.MapClaims{"nbf": now.Add(time.Hour).Unix()}), "a"), false},
		"other issuer":                  {signed(t, with(jwt.MapClaims{"iss": "https://accounts.google.com.example.org"}), "a"), false},
		"no issuer":                     {signed(t, without("iss"), "a"), false},
		"other audience":                {signed(t, with(jwt.MapClaims{"aud": "https://other.example.com"}), "a"), false},
		"no audience":                   {signed(t, without("aud"), "a"), false},
		"other account":                 {signed(t, with(jwt.MapClaims{"email": "someone@example.org"}), "a"), false},
		"no account":                    {signed(t, without("email"), "a"), false},
		"account not verified":          {signed(t, with(jwt.MapClaims{"email_verified": false}), "a"), false},
		"verification is not said":      {signed(t, without("email_verified"), "a"), false},
		"verification is a text":        {signed(t, with(jwt.MapClaims{"email_verified": "true"}), "a"), false},
		"signed by somebody else":       {foreign, false},
		"signed with an unknown key":    {signed(t, good(), "unknown"), false},
		"not signed":                    {unsigned, false},
		"signed with the public key":    {hmac, false},
		"changed after it was signed":   {strings.Replace(signed(t, good(), "a"), ".", ".eyJhIjoxfQ", 1), false},
		"empty":                         {"", false},
		"no token":                      {"secret", false},
		"three dots":                    {"...", false},
		"longer than is looked at":      {signed(t, with(jwt.MapClaims{"x": strings.Repeat("y", maxToken)}), "a"), false},
		"good, with blanks around it":   {" " + signed(t, good(), "a"), false},
		"good, and half a token behind": {signed(t, good(), "a") + ".x", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := verifier(t, &source{names: []string{"a", "b"}}).Verify(t.Context(), test.token)
			if (err == nil) != test.counts || err != nil && !errors.Is(err, ErrRefused) {
				t.Errorf("counts %t, want %t: %v", err == nil, test.counts, err)
			}
			if err != nil && test.token != "" && strings.Contains(err.Error(), test.token) {
				t.Errorf("the error shows the token: %v", err)
			}
		})
	}
}

func TestKeysAreKeptAsLongAsTheyAreGood(t *testing.T) {
	key("a")
	key("b")
	synctest.Test(t, func(t *testing.T) {
		s := &source{names: []string{"a"}, header: http.Header{"Cache-Control": {"public, max-age=1000, must-revalidate"}}}
		v := verifier(t, s)
		check := func(keyName string, counts bool, asked int) {
			t.Helper()
			err := v.Verify(t.Context(), signed(t, good(), keyName))
			if (err == nil) != counts || s.asked != asked {
				t.Errorf("counts %t after %d fetches, want %t after %d: %v", err == nil, s.asked, counts, asked, err)
			}
		}
		check("a", true, 1)
		time.Sleep(999 * time.Second)
		check("a", true, 1)
		time.Sleep(2 * time.Second)
		check("a", true, 2)
		check("b", false, 2) // Too soon after the last fetch.
		time.Sleep(pause)
		check("b", false, 3)
		check("b", false, 3)
		s.names = []string{"b"} // Google has turned its keys over.
		time.Sleep(pause)
		check("a", true, 3) // Still good.
		check("b", true, 4)
		check("a", false, 4)
	})
}

func TestKeysThatCannotBeFetched(t *testing.T) {
	for name, answer := range map[string]func() (*http.Response, error){
		"no connection": func() (*http.Response, error) { return nil, errors.New("refused") },
		"an error":      func() (*http.Response, error) { r := ok("", nil); r.StatusCode = 500; return r, nil },
		"no JSON":       func() (*http.Response, error) { return ok("<html>", nil), nil },
		"no keys":       func() (*http.Response, error) { return ok(`{"keys":[]}`, nil), nil },
		"a weak key": func() (*http.Response, error) {
			return ok(`{"keys":[{"kid":"a","kty":"RSA","n":"AQAB","e":"AQAB"}]}`, nil), nil
		},
		"endless": func() (*http.Response, error) { return ok(strings.Repeat(" ", maxKeySet+1)+keySet("a"), nil), nil },
	} {
		t.Run(name, func(t *testing.T) {
			key("a")
			synctest.Test(t, func(t *testing.T) {
				s := &source{answer: answer}
				v := verifier(t, s)
				for range 5 {
					err := v.Verify(t.Context(), signed(t, good(), "a"))
					if err == nil || errors.Is(err, ErrRefused) {
						t.Errorf("want an error that does not blame the token, got %v", err)
					}
				}
				if s.asked != 1 {
					t.Errorf("asked %d times at once, want once", s.asked)
				}
				time.Sleep(pause)
				s.answer, s.names = nil, []string{"a"}
				if err := v.Verify(t.Context(), signed(t, good(), "a")); err != nil {
					t.Errorf("not well again: %v", err)
				}
			})
		})
	}
}

func TestASourceThatHangs(t *testing.T) {
	key("a")
	synctest.Test(t, func(t *testing.T) {
		hanging := transport(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		v, err := New(Options{Audience: audience, Email: account, Client: &http.Client{Transport: hanging}})
		if err != nil {
			t.Fatal(err)
		}
		token, started := signed(t, good(), "a"), time.Now()
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() {
				if err := v.Verify(t.Context(), token); err == nil || errors.Is(err, ErrRefused) {
					t.Errorf("got %v", err)
				}
			})
		}
		left, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := v.Verify(left, token); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the one who left got %v", err)
		}
		callers.Wait()
		if took := time.Since(started); took != fetchLimit {
			t.Errorf("took %s, want %s for all together", took, fetchLimit)
		}
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestAgeOf(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"":                                usualAge,
		"public, max-age=19800":           19800 * time.Second,
		"max-age=7,public":                minAge,
		"Max-Age=999999999":               maxAge,
		"s-maxage=300, max-age=600":       10 * time.Minute,
		"no-cache":                        usualAge,
		"max-age=99999999999999999999999": maxAge,
		"max-age=-1":                      usualAge,
	} {
		if got := ageOf(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestBothOfAudienceAndAccountAreNeeded(t *testing.T) {
	for _, o := range []Options{{}, {Audience: audience}, {Email: account}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func FuzzKeySet(f *testing.F) {
	f.Add([]byte(keySet("a")))
	f.Add([]byte(`{"keys":[{"kid":"a","kty":"RSA","n":"","e":"AQAB"},{"kid":"","kty":"EC"}]}`))
	f.Add([]byte(`{"keys":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		found, err := parseKeys(body)
		if (err == nil) != (len(found) > 0) {
			t.Errorf("%d keys and %v", len(found), err)
		}
		for id, k := range found {
			if id == "" || k.N.BitLen() < minModulus || k.E < 3 {
				t.Errorf("unusable key %q", id)
			}
		}
	})
}

func FuzzToken(f *testing.F) {
	for _, seed := range []string{"", "..", "a.b.c", "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.AA", "eyJhbGciOiJub25lIn0.e30."} {
		f.Add(seed)
	}
	v, err := New(Options{Audience: audience, Email: account, Client: &http.Client{Transport: &source{names: []string{"a"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if err := v.Verify(t.Context(), token); !errors.Is(err, ErrRefused) {
			t.Errorf("not refused: %v", fmt.Sprint(err))
		}
	})
}

package amadeus

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// tokenLife is how long a token holds, as the vendor says it.
const tokenLife = 1799 * time.Second

// tokenKey signs tokens, so that every instance of the sandbox knows those of the
// others without remembering any. It guards nothing.
var tokenKey = []byte("a sandbox keeps no secrets")

// issueToken answers POST /v1/security/oauth2/token.
func (s *service) issueToken(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	refuseToken := func(status int, name, description string) {
		wire.JSON(w, status, map[string]any{"error": name, "error_description": description, "code": codeUnauthorized, "title": "Invalid parameters"})
	}
	id, secret := r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	switch {
	case r.PostFormValue("grant_type") != "client_credentials":
		refuseToken(http.StatusBadRequest, "unsupported_grant_type", "Only client_credentials value is allowed for the body parameter grant_type")
	case id == "" || secret == "":
		refuseToken(http.StatusUnauthorized, "invalid_client", "Client credentials are invalid")
	default:
		wire.JSON(w, http.StatusOK, map[string]any{
			"type": "amadeusOAuth2Token", "username": "sandbox@example.com", "application_name": "sandbox",
			"client_id": id, "token_type": "Bearer", "access_token": signToken(s.Now().Add(tokenLife)),
			"expires_in": int(tokenLife / time.Second), "state": "approved", "scope": "",
		})
	}
}

func signToken(expires time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(expires.UnixMilli()))
	return base64.RawURLEncoding.EncodeToString(append(b, signature(b)...))
}

func signature(b []byte) []byte {
	mac := hmac.New(sha256.New, tokenKey)
	mac.Write(b)
	return mac.Sum(nil)[:16]
}

// authorised demands a token that was issued here and has not expired.
func (s *service) authorised(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		token, bearer := strings.CutPrefix(header, "Bearer ")
		expires, ok := readToken(token)
		switch {
		case header == "":
			fail(w, http.StatusUnauthorized, fault{http.StatusUnauthorized, codeInvalidHeader, "Invalid HTTP header", "Missing or invalid format for mandatory Authorization header", nil})
		case !bearer || !ok:
			refuse(w, http.StatusUnauthorized)
		case s.Now().After(expires):
			fail(w, http.StatusUnauthorized, fault{http.StatusUnauthorized, codeTokenExpired, "Access token expired", "The access token is expired", nil})
		default:
			next(w, r)
		}
	})
}

func readToken(token string) (time.Time, bool) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) != 24 || !hmac.Equal(signature(b[:8]), b[8:]) {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(b))), true
}

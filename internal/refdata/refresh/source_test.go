package refresh_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

// TestRedirects asks a real server: those within its host are followed, those
// elsewhere are not even tried.
func TestRedirects(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a host that nobody configured was asked for %s", r.URL)
	}))
	defer elsewhere.Close()
	today := time.Now().UTC().Format(time.DateOnly)
	mux := http.NewServeMux()
	mux.HandleFunc("/daily.xml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(document(today, "1.5"))) })
	mux.Handle("/moved", http.RedirectHandler("/daily.xml", http.StatusMovedPermanently))
	mux.Handle("/away", http.RedirectHandler(elsewhere.URL, http.StatusFound))
	mux.Handle("/around", http.RedirectHandler("/around", http.StatusFound))
	bank := httptest.NewServer(mux)
	defer bank.Close()
	for path, want := range map[string]bool{"/daily.xml": true, "/moved": true, "/away": false, "/around": false} {
		address, err := url.Parse(bank.URL + path)
		mustSucceed(t, err)
		i := newInstance(t, shared(t), func(o *refresh.Options) { o.RatesURL = address })
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err = i.Changed(ctx, refresh.Currencies)
		cancel()
		if got := err == nil && dollar(i.Catalog()) == 150_00; got != want {
			t.Errorf("%s: taken: %v, want %v (%v)", path, got, want, err)
		}
	}
}

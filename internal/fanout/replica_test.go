package fanout

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddressUnderABase(t *testing.T) {
	for _, test := range []struct{ base, address, want string }{
		{"https://api.example.com", "http://duffel/air/offers?x=1", "https://api.example.com/air/offers?x=1"},
		{"http://127.0.0.1:9090/duffel", "http://duffel/air/offers", "http://127.0.0.1:9090/duffel/air/offers"},
		{"http://h/prefix/", "http://p/a", "http://h/prefix/a"},
		{"http://h/prefix", "http://p", "http://h/prefix"},
		{"http://h/a%2Fb", "http://p/c%2Fd", "http://h/a%2Fb/c%2Fd"},
		{"http://h", "http://p/c%2Fd", "http://h/c%2Fd"},
		{"http://user:pw@h", "http://p/a", "http://user:pw@h/a"},
	} {
		if got := under(must(url.Parse(test.base)), must(url.Parse(test.address))).String(); got != test.want {
			t.Errorf("%s under %s: %s, want %s", test.address, test.base, got, test.want)
		}
	}
}

func TestEachAttemptHasAReplicaOfItsOwn(t *testing.T) {
	r := &replicas{bases: []*url.URL{must(url.Parse("http://a")), must(url.Parse("http://b")), must(url.Parse("http://c"))}}
	starts := map[string]int{}
	for range 6 {
		first := r.first()
		var hosts []string
		for number := 1; number <= 3; number++ {
			req := must(http.NewRequest(http.MethodGet, "http://p/", http.NoBody))
			r.aim(req, first, number)
			hosts = append(hosts, req.URL.Host)
		}
		starts[hosts[0]]++
		slices.Sort(hosts)
		if diff := cmp.Diff([]string{"a", "b", "c"}, hosts); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(map[string]int{"a": 2, "b": 2, "c": 2}, starts); diff != "" {
		t.Error("first attempts:", diff)
	}
}

func TestAddressOfAReplicaIsKept(t *testing.T) {
	r := &replicas{bases: []*url.URL{must(url.Parse("http://a/prefix"))}}
	req := must(http.NewRequest(http.MethodGet, "http://a/prefix/moved", http.NoBody))
	r.aim(req, 0, 1)
	if got := req.URL.String(); got != "http://a/prefix/moved" {
		t.Errorf("redirected to %s", got)
	}
}

package providers

import (
	"net/http"
	"testing"
)

func TestClientsFor(t *testing.T) {
	t.Parallel()
	clients := Clients{Free: &http.Client{}, Metered: &http.Client{}, Never: &http.Client{}}
	for class, want := range map[Class]*http.Client{
		ClassFree: clients.Free, ClassMetered: clients.Metered, ClassNever: clients.Never, "unheard of": clients.Never,
	} {
		if clients.For(class) != want {
			t.Errorf("class %q has another's client", class)
		}
	}
}

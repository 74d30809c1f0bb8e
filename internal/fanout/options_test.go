package fanout

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestFaultyOptions(t *testing.T) {
	provider := roundTripFunc(nil)
	base := func(text string) *url.URL { return must(url.Parse(text)) }
	for want, spoil := range map[string]func(*Options){
		"Name is empty":                     func(o *Options) { o.Name = "" },
		"Class Class(9) is unknown":         func(o *Options) { o.Class = 9 },
		"MaxAttempts is 0: want 1 to 5":     func(o *Options) { o.MaxAttempts = 0 },
		"MaxAttempts is 6":                  func(o *Options) { o.MaxAttempts = 6 },
		"Budget is -0.1: want 0 to 1":       func(o *Options) { o.Budget = -0.1 },
		"Budget is 2: want 0 to 1":          func(o *Options) { o.Budget = 2 },
		"Budget is 0, so no hedge":          func(o *Options) { o.Budget = 0 },
		"Timeout is 0s":                     func(o *Options) { o.Timeout = 0 },
		"Delay is -1ns":                     func(o *Options) { o.Delay = -1 },
		"Delay 6s is not below Timeout 6s":  func(o *Options) { o.Delay = 6 * time.Second },
		"Typical is -1ns":                   func(o *Options) { o.Typical = -1 },
		"Typical 7s is not below":           func(o *Options) { o.Typical = 7 * time.Second },
		"Class never allows 1: set 1":       func(o *Options) { o.Class = Never },
		"MaxAttempts 1 sends no hedges":     func(o *Options) { o.MaxAttempts, o.Delay = 1, time.Second },
		"only one of Primary and Secondary": func(o *Options) { o.Secondary = nil },
		`base URL "ftp://a": want http`:     func(o *Options) { o.Bases = []*url.URL{base("ftp://a")} },
		`base URL "/path": want http`:       func(o *Options) { o.Bases = []*url.URL{base("/path")} },
		`"http://a?q=1": want no query`:     func(o *Options) { o.Bases = []*url.URL{base("http://a?q=1")} },
		`base URL "http://a" is given twice`: func(o *Options) {
			o.Bases = []*url.URL{base("http://a"), base("http://b"), base("http://a")}
		},
		"a base URL is nil": func(o *Options) { o.Bases = []*url.URL{nil} },
	} {
		t.Run(want, func(t *testing.T) {
			o := untuned(provider)
			spoil(&o)
			if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	err := Options{Class: Never, MaxAttempts: 3, Timeout: -1}.Validate()
	for _, want := range []string{"Name", "Never allows 1", "Timeout", "Budget"} {
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("no word about %s in: %v", want, err)
		}
	}
}

func TestPasswordsOfBasesStayOutOfErrors(t *testing.T) {
	o := untuned(roundTripFunc(nil))
	o.Bases = []*url.URL{must(url.Parse("ftp://user:secret@a"))}
	if err := o.Validate(); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestSoundOptions(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"as they are":           func(*Options) {},
		"own pools":             func(o *Options) { o.Primary, o.Secondary = nil, nil },
		"hedging off":           func(o *Options) { o.MaxAttempts = 1 },
		"never, sent once":      func(o *Options) { o.Class, o.MaxAttempts = Never, 1 },
		"a constant delay":      func(o *Options) { o.Delay = 4 * time.Second },
		"nothing known":         func(o *Options) { o.Typical = 0 },
		"one pool, hedging off": func(o *Options) { o.MaxAttempts, o.Secondary = 1, nil },
	} {
		o := untuned(roundTripFunc(func(*http.Request) (*http.Response, error) { return answer(200, ""), nil }))
		change(&o)
		transport, err := New(o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		transport.Close()
	}
}

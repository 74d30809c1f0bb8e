package providertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// faultVariable names the fault that the reference adapter is to have.
const faultVariable = "PROVIDERTEST_FAULT"

const secret = "s3cr3t"

// reference is the least adapter that passes: its provider's answer is
// {"offers": [{"id": "…", "price": "…"}]}.
type reference struct {
	server *Server
	fault  string
}

func (r reference) Name() string { return "reference" }

func (r reference) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	if r.fault == "ignores its context" {
		ctx = context.WithoutCancel(ctx)
	}
	if r.fault == "leaves a goroutine" {
		go func() { select {} }()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.server.Base.JoinPath("search").String(), http.NoBody)
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	resp, err := r.server.Clients.Never.Do(req)
	if err != nil && r.fault == "hides the cause" {
		return providers.Answer{}, &providers.Error{Kind: providers.KindTimeout, Detail: "?"}
	}
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	if resp.StatusCode != http.StatusOK {
		return providers.Answer{}, r.failure(resp)
	}
	if r.fault == "is not bounded" {
		defer resp.Body.Close()
		_, err := io.Copy(io.Discard, resp.Body)
		return providers.Answer{}, err
	}
	body, err := providers.ReadBody(resp, 1<<20)
	if err != nil {
		return providers.Answer{}, err
	}
	return r.decode(body, q)
}

func (r reference) failure(resp *http.Response) error {
	failure := providers.StatusError(resp)
	body, err := providers.ReadBody(resp, providers.MaxErrorBody)
	switch {
	case err != nil:
		return err
	case r.fault == "shows the body":
		failure.Detail = string(body)
	case r.fault == "shows the credential":
		failure.Detail = "refused " + secret
	case r.fault == "knows one kind":
		failure.Kind = providers.KindFailed
	case r.fault == "forgets to wait":
		failure.RetryAfter = 0
	case r.fault == "is of another type":
		return errors.New("failed")
	}
	return failure
}

func (r reference) decode(body []byte, q flight.Query) (providers.Answer, error) {
	var wire struct {
		Offers []struct{ ID, Price string }
	}
	err := json.Unmarshal(body, &wire)
	if wire.Offers == nil && r.fault != "finds nothing in anything" {
		err = errors.Join(err, errors.New("no offers"))
	}
	if err != nil {
		return providers.Answer{}, providers.BodyError(http.StatusOK, err)
	}
	if len(wire.Offers) == 0 && r.fault == "fails on nothing" {
		return providers.Answer{}, &providers.Error{Kind: providers.KindFailed, Status: 200, Detail: "nothing"}
	}
	answer := providers.Answer{Rejects: map[providers.Reject]int{}}
	for _, o := range wire.Offers {
		price, err := flight.ParseMoney(o.Price, "USD")
		if err != nil && r.fault == "loses all to one" {
			return providers.Answer{}, providers.BodyError(http.StatusOK, err)
		}
		if err != nil {
			answer.Rejects[providers.RejectPrice]++
			continue
		}
		offer := flight.Offer{Ref: o.ID, Price: price, Itinerary: itinerary(q, r.fault)}
		if r.fault == "fills what is not its own" {
			offer.FetchedAt = time.Now()
		}
		if r.fault == "gives one reference to all" {
			offer.Ref = "1"
		}
		answer.Offers = append(answer.Offers, offer)
	}
	return answer, nil
}

func itinerary(q flight.Query, fault string) flight.Itinerary {
	zone := time.UTC
	if fault == "knows no zones" {
		zone = nil
	}
	var it flight.Itinerary
	for _, s := range q.Slices {
		noon := flight.Wall(time.Date(s.Departure.Year, s.Departure.Month, s.Departure.Day, 12, 0, 0, 0, time.UTC))
		one := flight.Wall(time.Date(s.Departure.Year, s.Departure.Month, s.Departure.Day, 13, 0, 0, 0, time.UTC))
		segment := flight.Segment{
			Marketing: flight.Carrier{Code: "BA"}, FlightNumber: "1", Origin: s.Origin, Destination: s.Destination,
			Departure: noon.In(zone), Arrival: one.In(zone), Duration: time.Hour, Mode: flight.ModeFlight,
		}
		it.Slices = append(it.Slices, flight.Slice{Segments: []flight.Segment{segment}, Duration: time.Hour})
	}
	return it
}

// TestReference passes as it is, and fails with each fault of
// TestSuiteFindsFaults.
func TestReference(t *testing.T) {
	fault := os.Getenv(faultVariable)
	Run(t, Suite{
		Name:    "reference",
		New:     func(s *Server) Provider { return reference{server: s, fault: fault} },
		Secrets: []string{secret},
		Good: []Good{{
			Name: "one-way",
			Query: flight.Query{
				Slices:     []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: flight.Date{Year: 2026, Month: 12, Day: 15}}},
				Passengers: flight.Passengers{Adults: 1},
				Cabin:      flight.CabinEconomy,
			},
			Reply:   Reply{Body: `{"offers": [{"id": "a", "price": "412.30"}, {"id": "b"}, {"id": "c", "price": "415.00"}]}`},
			Offers:  2,
			Rejects: map[providers.Reject]int{providers.RejectPrice: 1},
		}},
		Empty: Reply{Body: `{"offers": []}`},
	})
}

// Each fault runs in a process of its own, where the test is to fail.
func TestSuiteFindsFaults(t *testing.T) {
	t.Parallel()
	for fault, test := range map[string]string{
		"shows the body":             "failures/502",
		"shows the credential":       "failures/401",
		"knows one kind":             "failures/429",
		"forgets to wait":            "failures/429",
		"is of another type":         "failures/500",
		"finds nothing in anything":  "unreadable/object",
		"is not bounded":             "unreadable/huge$",
		"fails on nothing":           "empty",
		"loses all to one":           "good",
		"fills what is not its own":  "good",
		"gives one reference to all": "good",
		"knows no zones":             "good",
		"hides the cause":            "deadline/before",
		"ignores its context":        "cancel",
		"leaves a goroutine":         "good",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReference$/^"+test, "-test.timeout=5s")
			child.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := child.CombinedOutput()
			if _, failed := errors.AsType[*exec.ExitError](err); !failed {
				t.Errorf("an adapter that %s passes (%v):\n%s", fault, err, out)
			}
		})
	}
}

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestStartsAndStopsLeaveNothing(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	before := goleak.IgnoreCurrent()
	for range 100 {
		_, stop := startStoppable(t, nil)
		stop()
	}
	goleak.VerifyNone(t, before)
}

func TestTheEndIsAnnounced(t *testing.T) {
	service, err := start(context.Background(), configOf(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	base := baseOf(service)
	if response, body := call(t, http.MethodGet, base+"/health/ready", ""); response.StatusCode != http.StatusOK {
		t.Errorf("before: %s %s", response.Status, body)
	}
	retired := make(chan struct{})
	go func() {
		defer close(retired)
		if err := service.retire(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	for {
		response, _ := call(t, http.MethodGet, base+"/health/ready", "")
		if response.StatusCode == http.StatusServiceUnavailable {
			if !response.Close {
				t.Error("the connection is kept")
			}
			break
		}
		select {
		case <-retired:
			t.Fatal("nobody was told")
		default:
		}
	}
	<-retired
	if err := service.stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestNoRequestIsDroppedAtTheStop: whoever got through to the service gets an
// answer; after the stop nobody gets through.
func TestNoRequestIsDroppedAtTheStop(t *testing.T) {
	service, err := start(context.Background(), configOf(t, map[string]string{"SANDBOX_LATENCY": "longtail"}))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	var answered atomic.Int64
	var clients sync.WaitGroup
	for n := range 8 {
		clients.Go(func() {
			for i := 0; ; i++ {
				err := askOnce(client, baseOf(service)+"/v1/flights/search?origin=JFK&destination=LHR&departure_date="+inDays(10+n+8*(i%20)))
				if errors.Is(err, syscall.ECONNREFUSED) {
					return
				}
				if err != nil {
					t.Errorf("dropped: %v", err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for answered.Load() < 20 {
		if t.Failed() {
			break
		}
		_ = askOnce(client, baseOf(service)+"/health/live")
	}
	if err := errors.Join(service.retire(context.Background()), service.stop(context.Background())); err != nil {
		t.Error(err)
	}
	clients.Wait()
	t.Logf("%d searches were answered", answered.Load())
}

func askOnce(client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

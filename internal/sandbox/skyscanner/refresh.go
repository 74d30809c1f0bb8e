package skyscanner

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// A refresh asks for one itinerary of a session again, at the prices of this
// moment: created with the session's token and the itinerary's id, polled with
// the token that this gives. Its answers have the form of a search's.

// refreshCreate answers POST /flights/live/itineraryrefresh/create/{token}.
func (s *service) refreshCreate(w http.ResponseWriter, r *http.Request) {
	at, status := s.session(r.PathValue("token"))
	if status != http.StatusOK {
		refuse(w, status)
		return
	}
	var body struct {
		ItineraryID string `json:"itineraryId"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.ItineraryID == "" {
		reject(w, []string{"itineraryId is missing"})
		return
	}
	index, found := s.find(at, body.ItineraryID)
	if !found {
		refuse(w, http.StatusNotFound)
		return
	}
	at.step = 0
	wire.JSON(w, http.StatusOK, map[string]any{
		"refreshSessionToken": fmt.Sprintf("r%03d%s", index, at.token()),
		"status":              "RESULT_STATUS_INCOMPLETE", "action": "RESULT_ACTION_OMITTED", "content": nil,
	})
}

// refreshPoll answers POST /flights/live/itineraryrefresh/poll/{token}.
func (s *service) refreshPoll(w http.ResponseWriter, r *http.Request) {
	token := r.PathValue("token")
	index, at, status := s.refreshSession(token)
	if status != http.StatusOK {
		refuse(w, status)
		return
	}
	n := 0
	for group := range s.fares(at) {
		if n++; n-1 == index {
			renderer := s.renderer(at, s.Factor(r))
			renderer.itinerary(group)
			wire.JSON(w, http.StatusOK, map[string]any{
				"refreshSessionToken": token, "status": "RESULT_STATUS_COMPLETE", "action": "RESULT_ACTION_REPLACED",
				"content": content{Results: renderer.results, Stats: renderer.stats(), SortingOptions: renderer.sorting()},
			})
			return
		}
	}
	refuse(w, http.StatusNotFound)
}

func (s *service) refreshSession(token string) (int, session, int) {
	const prefix = 4 // r and the place of the itinerary.
	if len(token) < prefix || token[0] != 'r' {
		return 0, session{}, http.StatusNotFound
	}
	index, err := strconv.ParseUint(token[1:prefix], 10, 16)
	if err != nil {
		return 0, session{}, http.StatusNotFound
	}
	at, status := s.session(token[prefix:])
	return int(index), at, status
}

// find is the place of an itinerary among those of a session.
func (s *service) find(at session, id string) (int, bool) {
	n := 0
	for group := range s.fares(at) {
		renderer := s.renderer(at, wire.Unchanged)
		renderer.itinerary(group)
		if renderer.ranks[0].id == id {
			return n, true
		}
		n++
	}
	return 0, false
}

// fares are those of a session's itineraries, the most attractive first.
func (s *service) fares(at session) func(yield func([]*world.Fare) bool) {
	q := at.query
	return groups(s.World.Fares(vantage, world.Query{Slices: q.Slices, Cabin: q.Cabin}, at.day()))
}

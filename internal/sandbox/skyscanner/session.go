package skyscanner

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// session is a search on its way. Step counts the answers given.
type session struct {
	asked
	made wire.Stamp
	step int
}

// sessionLife is how long a session can be polled.
const sessionLife = time.Hour

var errNoSession = errors.New("no such session")

// token is what the vendor calls sessionToken. The first letter is the form's.
func (s session) token() string {
	return fmt.Sprintf("s%d%s%s%s", s.step, s.made.Pack(), s.currency, wire.Pack(s.query))
}

// day is the date in UTC that the session's fares are of.
func (s session) day() flight.Date { return flight.DateOf(s.made.Made.UTC()) }

const tokenPrefix = 2 + wire.StampLength + 3

func parseToken(token string) (session, error) {
	if len(token) < tokenPrefix || token[0] != 's' || token[1] < '0' || token[1] > '9' {
		return session{}, errNoSession
	}
	s := session{step: int(token[1] - '0')}
	var err error
	if s.made, err = wire.UnpackStamp(token[2 : 2+wire.StampLength]); err != nil {
		return session{}, err
	}
	s.currency = token[tokenPrefix-3 : tokenPrefix]
	s.query, err = wire.Unpack(token[tokenPrefix:])
	return s, err
}

// twoPolls is how many of a thousand searches are complete after two polls
// instead of one.
const twoPolls = 30

// polls is how many polls a session takes to be complete.
func (s *service) polls(at session) int {
	if s.World.Facts("polls", at.query.Key()).Chance(0, twoPolls) {
		return 2
	}
	return 1
}

func (s *service) create(w http.ResponseWriter, r *http.Request) {
	a, faults := s.parse(r)
	if len(faults) > 0 {
		reject(w, faults)
		return
	}
	s.answer(w, r, session{asked: a, made: wire.Stamp{Made: s.Now(), Nonce: rand.Uint32()}})
}

func (s *service) poll(w http.ResponseWriter, r *http.Request) {
	at, status := s.session(r.PathValue("token"))
	if status != http.StatusOK {
		refuse(w, status)
		return
	}
	at.step = min(at.step+1, s.polls(at)+1)
	s.answer(w, r, at)
}

// session finds that of a token, or the status of its refusal.
func (s *service) session(token string) (session, int) {
	found, err := parseToken(token)
	switch {
	case err != nil || !s.World.Catalog().Rates().Known(found.currency):
		return session{}, http.StatusNotFound
	case s.Now().After(found.made.Made.Add(sessionLife)):
		return session{}, http.StatusGone
	default:
		return found, http.StatusOK
	}
}

// answer says how far a session has come. Whoever polls on after the end is told
// that nothing has changed.
func (s *service) answer(w http.ResponseWriter, r *http.Request, at session) {
	status, action, share := "RESULT_STATUS_INCOMPLETE", "RESULT_ACTION_REPLACED", firstShare
	switch polls := s.polls(at); {
	case at.step > polls:
		status, action = "RESULT_STATUS_COMPLETE", "RESULT_ACTION_NOT_MODIFIED"
	case at.step == polls:
		status, share = "RESULT_STATUS_COMPLETE", whole
	case at.step > 0:
		action = "RESULT_ACTION_NOT_MODIFIED"
	}
	head := fmt.Sprintf(`{"sessionToken":%q,"status":%q,"action":%q,"content":`, at.token(), status, action)
	body := rendered("null")
	if strings.HasSuffix(action, "REPLACED") {
		body = s.content(at, share, s.Factor(r))
	}
	wire.Bytes(w, http.StatusOK, []byte(head), body, []byte("}"))
}

// rendered is the JSON of a content object.
type rendered []byte

// Size is what the content weighs in memory.
func (r rendered) Size() int { return len(r) }

// content renders a share of the results, or finds it rendered.
func (s *service) content(at session, share int, factor int64) rendered {
	key := fmt.Sprintf("%s %s %s %d %d", at.query.Key(), at.currency, at.day(), share, factor)
	return s.contents.Get(key, func() rendered {
		return s.renderer(at, factor).content(share)
	})
}

package skyscanner

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// errLost marks a failure after which the session is of no more use, while a new
// one may succeed.
var errLost = errors.New("the search session is lost")

// failureOf is what an answer with a failure status says. It closes the answer.
func failureOf(resp *http.Response, secret string) *providers.Error {
	failure := providers.StatusError(resp)
	var wire failureAnswer
	if json.Unmarshal(providers.ErrorBody(resp), &wire) == nil {
		failure.Code = providers.PlainText(string(wire.Code), secret)
		if detail := providers.PlainText(wire.Message, secret); detail != "" {
			failure.Detail = detail
		}
	}
	return failure
}

// lostSession is the failure of a session that ended before its list was
// complete.
func lostSession(status int) *providers.Error {
	return &providers.Error{
		Kind: providers.KindFailed, Status: status, Detail: "the vendor ended the search before it was complete", Err: errLost,
	}
}

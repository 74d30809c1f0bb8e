package amadeus

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// The vendor's own codes that say more than the HTTP status
// (https://developers.amadeus.com/self-service/apis-docs/guides/developer-guides/common-errors/).
const (
	codeSystemError    text = "141"
	codeInvalidDate    text = "425"
	codeInvalidFormat  text = "477"
	codeNotFound       text = "1797"
	codeCombination    text = "2668"
	codeInvalidData    text = "4926"
	codeTooMany        text = "10661"
	codeMissing        text = "32171"
	codeInvalidToken   text = "38190"
	codeTokenExpired   text = "38192"
	codeTokenRevoked   text = "38193"
	codeRateLimit      text = "38194"
	codeQuota          text = "38195"
	codeForbidden      text = "38197"
	unsupportedJourney      = "ORIGIN AND DESTINATION NOT SUPPORTED"
)

// refusal reads an answer with a failure status and closes it. "Nothing found"
// comes in that form too and is no error: refusal then gives nil.
func refusal(resp *http.Response, secrets ...string) error {
	failure := providers.StatusError(resp)
	var wire errorAnswer
	// Whatever is not of this form says no more than the status.
	if json.Unmarshal(providers.ErrorBody(resp), &wire) != nil {
		return failure
	}
	if foundNothing(wire.Errors) {
		return nil
	}
	return issueError(failure, wire.Errors, secrets...)
}

// foundNothing recognises the two ways in which the vendor answers that it knows
// no fares: 404 with code 1797, and 500 with code 141 and one certain sentence.
// With any other sentence 141 is a true failure
// (amadeus4dev/amadeus-code-examples#72).
func foundNothing(issues []issue) bool {
	for _, i := range issues {
		if i.Code == codeNotFound || i.Code == codeSystemError && strings.EqualFold(i.Detail, unsupportedJourney) {
			return true
		}
	}
	return false
}

// issueError completes a failure with the first issue: its code and words, and
// the kind that they mean.
func issueError(failure *providers.Error, issues []issue, secrets ...string) *providers.Error {
	if len(issues) == 0 {
		return failure
	}
	first := issues[0]
	failure.Kind = first.kind(failure.Kind)
	failure.Code = providers.PlainText(string(first.Code), secrets...)
	if sentence := providers.PlainText(first.sentence(), secrets...); sentence != "" {
		failure.Detail = sentence
	}
	return failure
}

// kind goes by the code, then by the status inside the body, and where neither
// says anything by otherwise: gateways have been seen to pass a refusal on under
// another HTTP status.
func (i issue) kind(otherwise providers.Kind) providers.Kind {
	switch i.Code {
	case codeRateLimit, codeQuota:
		return providers.KindRateLimited
	case codeInvalidToken, codeTokenExpired, codeTokenRevoked, codeForbidden:
		return providers.KindUnauthorized
	case codeInvalidDate, codeInvalidFormat, codeCombination, codeInvalidData, codeTooMany, codeMissing:
		return providers.KindRejected
	case codeSystemError, codeNotFound: // The status says as much.
	}
	if status, err := strconv.Atoi(string(i.Status)); err == nil && status >= http.StatusBadRequest {
		return providers.KindOf(status)
	}
	return otherwise
}

// sentence is the fuller one of an issue's two texts, made fit to be shown.
func (i issue) sentence() string {
	if detail := providers.PlainText(i.Detail); detail != "" {
		return detail
	}
	return providers.PlainText(i.Title)
}

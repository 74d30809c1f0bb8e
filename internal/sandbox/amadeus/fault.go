package amadeus

import (
	"net/http"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// fault is one element of errors[]. Its codes are documented at
// https://developers.amadeus.com/self-service/apis-docs/guides/developer-guides/common-errors/.
type fault struct {
	Status int     `json:"status"`
	Code   int     `json:"code"`
	Title  string  `json:"title"`
	Detail string  `json:"detail,omitempty"`
	Source *source `json:"source,omitempty"`
}

// source is a query parameter or a place in the body.
type source struct {
	Parameter string `json:"parameter,omitempty"`
	Pointer   string `json:"pointer,omitempty"`
}

// The vendor's codes of bad requests.
const (
	codeInvalidDate   = 425
	codeInvalidFormat = 477
	codeInvalidOption = 572
	codeCombination   = 2668
	codeInvalidData   = 4926
	codeTooMany       = 10661
	codeMissing       = 32171
	codeInvalidToken  = 38190
	codeInvalidHeader = 38191
	codeTokenExpired  = 38192
	codeTooManyCalls  = 38194
	codeNotFound      = 38196
	codeInternal      = 38189
	codeFareNotFound  = 37200
	codeUnauthorized  = 38187
)

// maxFaults is how many faults one answer names.
const maxFaults = 20

var titles = map[int]string{
	codeInvalidDate: "INVALID DATE", codeInvalidFormat: "INVALID FORMAT", codeInvalidOption: "INVALID OPTION",
	codeCombination: "PARAMETER COMBINATION INVALID/RESTRICTED", codeInvalidData: "INVALID DATA RECEIVED",
	codeTooMany: "MAXIMUM NUMBER OF OCCURRENCES EXCEEDED", codeMissing: "MANDATORY DATA MISSING",
	codeFareNotFound: "FARE NOT APPLICABLE",
}

// bad is a fault of the request.
func bad(code int, detail string, at source) fault {
	return fault{http.StatusBadRequest, code, titles[code], detail, &at}
}

// refusals are the errors that a status stands for.
var refusals = map[int]fault{
	http.StatusUnauthorized:          {http.StatusUnauthorized, codeInvalidToken, "Invalid access token", "The access token provided in the Authorization header is invalid", nil},
	http.StatusNotFound:              {http.StatusNotFound, codeNotFound, "Resource not found", "The targeted resource doesn't exist", nil},
	http.StatusRequestEntityTooLarge: {http.StatusRequestEntityTooLarge, codeInvalidData, "INVALID DATA RECEIVED", "The body of the request is too large", nil},
	http.StatusTooManyRequests:       {http.StatusTooManyRequests, codeTooManyCalls, "Too many requests", "The network rate limit is exceeded, please try again later", nil},
}

// refuse answers a call with a status in Amadeus' own form of an error.
func refuse(w http.ResponseWriter, status int) {
	f, ok := refusals[status]
	if !ok {
		f = fault{status, codeInternal, "Internal error", "An internal error occurred, please contact your administrator", nil}
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "2") // Seconds; short, so that nobody who tries it out waits long.
	}
	fail(w, status, f)
}

func fail(w http.ResponseWriter, status int, faults ...fault) {
	wire.JSON(w, status, map[string]any{"errors": faults[:min(len(faults), maxFaults)]})
}

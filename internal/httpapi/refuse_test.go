package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
)

// orBeginning takes a wanted line that ends in … for the beginning of one: how the
// domain goes on in its own words is tested there.
var orBeginning = cmp.Comparer(func(a, b string) bool {
	begins := func(whole, start string) bool {
		start, cut := strings.CutSuffix(start, "…")
		return cut && strings.HasPrefix(whole, start)
	}
	return a == b || begins(a, b) || begins(b, a)
})

// refused sends a request that nobody may be asked about and gives its problem.
func refused(t *testing.T, r *http.Request, status int) api.Problem {
	t.Helper()
	s := &searcher{}
	w := ask(t, httpapi.New(options(s)), r)
	if w.Code != status {
		t.Fatalf("%d, want %d: %s", w.Code, status, w.Body)
	}
	if len(s.asked) > 0 {
		t.Error("a search was made of a refused request")
	}
	return decode[api.Problem](t, w)
}

func TestQueryIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		query string // Added to a good one where it begins with &.
		want  []string
	}{
		"nothing given": {"?", []string{
			"origin: is missing…",
			"destination: is missing…",
			"departure_date: is missing…",
		}},
		"two infants on one lap": {"&infants=2", []string{
			"infants: must be 0 to 1, not 2…",
		}},
		"ten seats": {"&adults=9&children=1", []string{
			"children: must be at most 0, not 1…",
		}},
		"fewer than no children": {"&children=-1", []string{
			"children: must be 0 to 8, not -1",
		}},
		"nine children": {"&children=9", []string{
			"children: must be 0 to 8, not 9",
		}},
		"child alone": {"&adults=0&children=1", []string{
			"adults: must be 1 to 9, not 0…",
		}},
		"89 adults": {"&adults=89", []string{
			"adults: must be 1 to 9, not 89…",
		}},
		"unknown parameter, near": {"&child=1", []string{
			"child: is not a parameter of this address; did you mean children?",
		}},
		"unknown parameter, far": {"&utm_source=x", []string{
			"utm_source: is not a parameter of this address; /openapi.yaml lists those that exist",
		}},
		"date without zeros": {"?origin=JFK&destination=LHR&departure_date=2023-7-8", []string{
			`departure_date: "2023-7-8" is not a date…`,
		}},
		"day that the calendar lacks": {"?origin=JFK&destination=LHR&departure_date=2026-02-30", []string{
			`departure_date: "2026-02-30" is not a date…`,
		}},
		"same place": {"?origin=LHR&destination=+lhr&departure_date=2026-12-15&return_date=2026-12-16", []string{
			"destination: is the same place as the origin, LHR…",
		}},
		"no place": {"?origin=London&destination=LHR&departure_date=2026-12-15&return_date=2026-12-16", []string{
			`origin: "London" is not an IATA airport or city code…`,
		}},
		"return the day before": {"&return_date=2026-12-14", []string{
			"return_date: 2026-12-14 is before…",
		}},
		"return on no day": {"&return_date=tomorrow", []string{
			`return_date: "tomorrow" is not a date…`,
		}},
		"given twice": {"&origin=LGA&adults=1&adults=2&adults=3", []string{
			"origin: is given more than once; give it once",
			"adults: is given more than once; give it once",
		}},
		"not encoded": {"&currency=%zz&%zz=1", []string{
			"currency: is not encoded as a query string; write % as %25",
			"%zz: is not encoded as a query string; write % as %25",
		}},
		"not numbers": {"&adults=two&infants=1.0&children=&limit=99999999999999999999&max_stops=%2B1", []string{
			`adults: must be a whole number, not "two"`,
			`infants: must be a whole number, not "1.0"`,
			`children: must be a whole number, not ""`,
			`limit: "99999999999999999999" is too large a number`,
			`max_stops: must be a whole number, not "+1"`,
		}},
		"unreadable adults are one fault": {"&adults=two&infants=2", []string{
			`adults: must be a whole number, not "two"`,
		}},
		"outside their bounds": {"&limit=0&timeout_ms=49&max_age_seconds=-1&max_stops=-1&max_duration_minutes=1000001&children=10", []string{
			"limit: must be 1 to 100, not 0",
			"timeout_ms: must be 50 to 8000, not 49",
			"max_age_seconds: must be 0 or more, not -1",
			"max_stops: must be 0 or more, not -1",
			"max_duration_minutes: must be at most 1000000, not 1000001",
			"children: must be 0 to 8, not 10",
		}},
		"longer than the search itself": {"&timeout_ms=8001", []string{"timeout_ms: must be 50 to 8000, not 8001"}},
		"words that do not exist": {"&cabin=ECONOMY&sort=price&checked_bag=1", []string{
			`sort: "price" is not an order; use best, cheapest, fastest or departure`,
			`checked_bag: must be true or false, not "1"`,
			`cabin: "ECONOMY" is not a cabin…`,
		}},
		"times of day": {"&depart_after=24:00&depart_before=8:00&arrive_after=08:60&arrive_before=0800", []string{
			`depart_after: "24:00" is not a time of day; write HH:MM, 00:00 to 23:59`,
			`depart_before: "8:00" is not a time of day; write HH:MM, 00:00 to 23:59`,
			`arrive_after: "08:60" is not a time of day; write HH:MM, 00:00 to 23:59`,
			`arrive_before: "0800" is not a time of day; write HH:MM, 00:00 to 23:59`,
		}},
		"carriers": {"&carriers=BA,BAW,,12", []string{
			`carriers: item 2: "BAW" is not an IATA airline code; write two letters or a letter and a digit, for example BA` +
				`; item 3: "" is not an IATA airline code; write two letters or a letter and a digit, for example BA` +
				`; item 4: "12" is not an IATA airline code; write two letters or a letter and a digit, for example BA`,
		}},
		"price finer than its currency": {"&max_price=10.555", []string{
			`max_price: "10.555" is not an amount of USD; write a decimal such as 412.00`,
		}},
		"half a yen": {"&currency=JPY&max_price=12345.50", []string{
			`max_price: "12345.50" is not an amount of JPY; write a decimal such as 412`,
		}},
		"price in words, below nothing": {"&max_price=-1", []string{"max_price: must be 0 or more, not -1.00"}},
		"empty price":                   {"&max_price=", []string{`max_price: "" is not an amount of USD; write a decimal such as 412.00`}},
		"empty cursor":                  {"&cursor=", []string{"cursor: is empty; leave it out for the first page"}},
		"ages that contradict": {"&children=2&child_ages=7", []string{
			"children: is 2, but child_ages has 1; give one age for each child, or only one of the two",
		}},
		"ages out of bounds": {"&child_ages=1,x", []string{`child_ages: item 2: must be a whole number, not "x"`}},
		"too long": {"&currency=" + strings.Repeat("x", 1025), []string{
			"currency: has 1025 bytes; at most 1024 make sense",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := oneWay + test.query
			if strings.HasPrefix(test.query, "?") {
				target = "/v1/flights/search" + test.query
			}
			problem := refused(t, get(target), http.StatusBadRequest)
			if diff := cmp.Diff(test.want, faults(problem), orBeginning); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

const slice = `{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}`

func TestBodyIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"empty":        {" \n", []string{": is empty; send a JSON object"}},
		"no object":    {`[1]`, []string{": must be an object, not an array"}},
		"broken":       {"{\"slices\": [],\n \"adults\" 2}", []string{": is not JSON: invalid character '2' after object key at line 2, column 11"}},
		"cut":          {"{\"é\": [", []string{": is not JSON: unexpected end of JSON input at line 1, column 8"}},
		"trailing":     {"{} {}", []string{": is not JSON: invalid character '{' after top-level value at line 1, column 4"}},
		"not UTF-8":    {"{\"a\":\"\xff\"}", []string{": is not UTF-8"}},
		"deep":         {`{"slices":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`, []string{": is nested deeper than 8 levels; no more than four are needed"}},
		"deeper still": {strings.Repeat("[", 500_000), []string{": is not JSON: …"}},
		"many values":  {`{"child_ages":[` + strings.Repeat("1,", 1000) + `1]}`, []string{": holds more than 1000 values; far fewer are needed"}},
		"nothing in it": {`{}`, []string{
			"/slices: must be 1 to 6…",
		}},
		"seven slices": {`{"slices":[` + strings.Repeat(slice+",", 6) + slice + `]}`, []string{
			"/slices: must be 1 to 6…",
		}},
		"types": {
			`{"slices":[` + slice + `],"adults":"2","infants":1.5,"children":null,"child_ages":"7","carriers":["BA",1],"checked_bag":"true","limit":{},"sort":1,"max_price":true,"depart_after":800}`,
			[]string{
				`/adults: must be a whole number, not the string "2"`,
				`/infants: must be a whole number, not the number 1.5`,
				`/children: must be a whole number, not null; leave it out where there is none`,
				`/child_ages: must be an array, not the string "7"`,
				`/carriers: item 2: must be a string, not the number 1`,
				`/checked_bag: must be true or false, not the string "true"`,
				`/limit: must be a whole number, not an object`,
				`/sort: must be a string, not the number 1`,
				`/max_price: must be a decimal in a string, not true`,
				`/depart_after: must be a string, not the number 800`,
			},
		},
		"what depends on what cannot be read": {
			`{"slices":[` + slice + `],"currency":1,"max_price":"0.555","children":2,"child_ages":[7.5]}`,
			[]string{
				"/currency: must be a string, not the number 1",
				"/child_ages: item 1: must be a whole number, not the number 7.5",
			},
		},
		"price in powers of ten": {`{"slices":[` + slice + `],"max_price":1e3}`, []string{
			`/max_price: "1e3" is not an amount of USD; write a decimal such as 412.00`,
		}},
		"slices of the wrong kind": {`{"slices":"JFK"}`, []string{`/slices: must be an array, not the string "JFK"`}},
		"a slice of the wrong kind": {`{"slices":["JFK",` + slice + `]}`, []string{
			`/slices/0: must be an object, not the string "JFK"`,
		}},
		"inside slices": {
			`{"slices":[` + slice + `,{"origin":7,"destination":"XX","date":"2026-12-16","departure_date":"2026-12-14","a/b~c":1}]}`,
			[]string{
				`/slices/1/origin: must be a string, not the number 7`,
				`/slices/1/date: is not a field of a slice; /openapi.yaml lists those that exist`,
				`/slices/1/a~1b~0c: is not a field of a slice; /openapi.yaml lists those that exist`,
				`/slices/1/destination: "XX" is not an IATA airport or city code…`,
				`/slices/1/departure_date: 2026-12-14 is before…`,
			},
		},
		"unknown fields": {`{"slices":[` + slice + `],"child":1,"origin":"JFK"}`, []string{
			"/child: is not a field of a search; did you mean children?",
			`/origin: belongs into slices: [{"origin", "destination", "departure_date"}, …], one for each direction of travel`,
		}},
		"names given twice": {`{"slices":[{"origin":"JFK","origin":"LGA","destination":"LHR","departure_date":"2026-12-15"}],"adults":1,"adults":1}`, []string{
			"/slices/0/origin: is given more than once; give it once",
			"/adults: is given more than once; give it once",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problem := refused(t, post(test.body), http.StatusBadRequest)
			if diff := cmp.Diff(test.want, faults(problem), orBeginning); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyFaultsAreBounded(t *testing.T) {
	t.Parallel()
	problem := refused(t, get(oneWay+"&"+strings.Join(strings.Split(strings.Repeat("x", 500), ""), "=&")+"="), http.StatusBadRequest)
	if n := len(problem.Errors); n != 2 { // Unknown, and given more than once.
		t.Errorf("%d faults for one name given 500 times", n)
	}
	var many strings.Builder
	many.WriteString(oneWay)
	for i := range 50_000 {
		fmt.Fprintf(&many, "&z%d", i)
	}
	if problem = refused(t, get(many.String()), http.StatusBadRequest); len(problem.Errors) != 98 { // 100 less 3 good ones, and the last.
		t.Errorf("%d faults of 50,000 parameters", len(problem.Errors))
	}
	var body strings.Builder
	body.WriteString(`{"slices":[` + slice + `]`)
	for i := range 300 {
		fmt.Fprintf(&body, `,"y%d":1`, i)
	}
	problem = refused(t, post(body.String()+"}"), http.StatusBadRequest)
	if len(problem.Errors) != 100 || !strings.HasSuffix(problem.Detail, "The first 100 are shown.") {
		t.Errorf("%d faults shown: %s", len(problem.Errors), problem.Detail)
	}
}

func TestBodyOfTwoMegabytes(t *testing.T) {
	t.Parallel()
	problem := refused(t, post(`{"slices":[`+slice+`]`+strings.Repeat(" ", 2<<20)+`}`), http.StatusRequestEntityTooLarge)
	if problem.Detail != "A body may have 1048576 bytes." {
		t.Error(problem.Detail)
	}
	s := &searcher{}
	exact := `{"slices":[` + slice + `]}`
	exact += strings.Repeat(" ", 1<<20-len(exact))
	if w := ask(t, httpapi.New(options(s)), post(exact)); w.Code != http.StatusOK {
		t.Errorf("a body of exactly 1 MiB: %d", w.Code)
	}
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

// TestBodyThatIsDeclaredTooLarge: a caller who waits for 100 Continue is told
// before sending it.
func TestBodyThatIsDeclaredTooLarge(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/v1/flights/search", unread{t})
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Expect", "100-continue")
	r.ContentLength = 1<<20 + 1
	refused(t, r, http.StatusRequestEntityTooLarge)
}

// TestStalledBody: the server's read timeout ends the request's context as well,
// and the caller is still there.
func TestStalledBody(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(httpapi.New(options(&searcher{})))
	server.Config.ReadTimeout = 50 * time.Millisecond
	server.Start()
	defer server.Close()
	connection, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprint(connection, "POST /v1/flights/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var problem api.Problem
	if err := json.NewDecoder(answer.Body).Decode(&problem); err != nil || answer.StatusCode != http.StatusRequestTimeout || problem.Status != answer.StatusCode {
		t.Errorf("%d, %+v, %v", answer.StatusCode, problem, err)
	}
}

func TestMediaType(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, coding, detail string
	}{
		"none":        {"", "", "The body is not declared; send Content-Type: application/json."},
		"text":        {"text/plain", "", `The body is declared as "text/plain"; send Content-Type: application/json.`},
		"form":        {"application/x-www-form-urlencoded", "", `The body is declared as "application/x-www-form-urlencoded"; send Content-Type: application/json.`},
		"nonsense":    {"application/json;;;=", "", `The body is declared as "application/json;;;="; send Content-Type: application/json.`},
		"other chars": {"application/json; charset=latin1", "", `The body is declared as "latin1"; send JSON in UTF-8.`},
		"compressed":  {"application/json", "gzip", `The body is coded as "gzip"; send it as it is.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := post(`{"slices":[` + slice + `]}`)
			r.Header.Set("Content-Type", test.contentType)
			if test.coding != "" {
				r.Header.Set("Content-Encoding", test.coding)
			}
			if problem := refused(t, r, http.StatusUnsupportedMediaType); problem.Detail != test.detail {
				t.Error(problem.Detail)
			}
		})
	}
	r := post(`{"slices":[` + slice + `]}`)
	r.Header.Set("Content-Type", "Application/JSON; charset=UTF-8")
	if w := ask(t, httpapi.New(options(&searcher{})), r); w.Code != http.StatusOK {
		t.Errorf("JSON in UTF-8, said aloud: %d %s", w.Code, w.Body)
	}
}

func TestParametersBesideABody(t *testing.T) {
	t.Parallel()
	r := post(`{"slices":[` + slice + `]}`)
	r.URL.RawQuery = "currency=EUR"
	problem := refused(t, r, http.StatusBadRequest)
	if diff := cmp.Diff([]string{"currency: goes into the body, with POST"}, faults(problem)); diff != "" {
		t.Error(diff)
	}
}

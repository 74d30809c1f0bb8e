// Package market has the questions that measurements ask the service: routes that
// people fly, on dates that lie ahead.
package market

import (
	"fmt"
	"time"
)

// Question is a one-way search.
type Question struct {
	Origin, Destination string
	Date                time.Time
}

// Path is the question as the service is asked it; more, if not empty, is added to
// the query, such as "limit=5".
func (q Question) Path(more string) string {
	path := fmt.Sprintf("/v1/flights/search?origin=%s&destination=%s&departure_date=%s", q.Origin, q.Destination, q.Date.Format(time.DateOnly))
	if more != "" {
		path += "&" + more
	}
	return path
}

// cities are those whose pairs are asked for.
func cities() []string {
	return []string{"JFK", "LHR", "CDG", "FRA", "AMS", "MAD", "LAX", "SFO", "ORD", "BOS", "DXB", "SIN", "HND", "FCO", "ZRH"}
}

// Routes returns so many different city pairs, at most 210, in an order that mixes
// short and long ones.
func Routes(n int) [][2]string {
	all := cities()
	var routes [][2]string
	for step := 1; step < len(all); step++ {
		for i := range all {
			if len(routes) == n {
				return routes
			}
			routes = append(routes, [2]string{all[i], all[(i+step)%len(all)]})
		}
	}
	return routes
}

// Cold returns so many questions over up to thirty big routes, no two of the same
// route and date, on days that begin a month after today.
func Cold(n int, today time.Time) []Question { return spread(Routes(min(n, 30)), n, today) }

// Thin is Cold over short routes with a few dozen offers, where a search costs
// little but its waiting: on big routes a machine with two processors measures
// itself.
func Thin(n int, today time.Time) []Question {
	return spread([][2]string{
		{"ARN", "HEL"}, {"OSL", "CPH"}, {"SEA", "YVR"}, {"MEX", "BOG"}, {"CPT", "NBO"}, {"BHX", "NCE"}, {"TLL", "BRU"}, {"AKL", "SYD"},
	}, n, today)
}

func spread(routes [][2]string, n int, today time.Time) []Question {
	questions := make([]Question, n)
	for i := range questions {
		route := routes[i%len(routes)]
		questions[i] = Question{route[0], route[1], today.AddDate(0, 0, 30+i/len(routes))}
	}
	return questions
}

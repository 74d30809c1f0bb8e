package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Bounds of a body beside its size: a search nests three levels, an event four,
// and both hold a few dozen values.
const (
	maxNesting = 8
	maxValues  = 1000
)

// jsonKind is what a JSON value is.
type jsonKind int

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// jsonValue is a value in a body. What counts depends on kind: literal is a
// string's text or a number's digits as they were written.
type jsonValue struct {
	kind     jsonKind
	truthful bool
	literal  string
	items    []jsonValue
	members  []member
}

// member of an object, in the order of the document; names are unique.
type member struct {
	name  string
	value jsonValue
}

// member finds a member of an object.
func (v jsonValue) member(name string) (jsonValue, bool) {
	for _, m := range v.members {
		if m.name == name {
			return m.value, true
		}
	}
	return jsonValue{}, false
}

// parseJSON reads one JSON value and nothing after it. Names that are given
// twice are faults beside the value; the error is what makes the body unusable
// as a whole.
func parseJSON(body []byte) (jsonValue, []flight.Fault, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return jsonValue{}, nil, errors.New("is empty; send a JSON object")
	}
	if !utf8.Valid(body) {
		return jsonValue{}, nil, errors.New("is not UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return jsonValue{}, nil, syntaxError(body, err)
	}
	p := parser{decoder: json.NewDecoder(bytes.NewReader(body))}
	p.decoder.UseNumber()
	value, err := p.value("", 0)
	return value, p.faults, err
}

// syntaxError says where in the body the first fault is, counting lines and
// characters from one.
func syntaxError(body []byte, err error) error {
	broken, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return fmt.Errorf("is not JSON: %w", err)
	}
	before := body[:min(max(int(broken.Offset)-1, 0), len(body))]
	if broken.Offset >= int64(len(body)) && strings.Contains(err.Error(), "unexpected end") {
		before = body
	}
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("is not JSON: %w at line %d, column %d", err, line, column)
}

// parser builds a tree from a body whose syntax is known to be right.
type parser struct {
	decoder *json.Decoder
	values  int
	faults  []flight.Fault
}

// value reads the next one, which stands at path (a JSON pointer without its
// first slash) below depth others.
func (p *parser) value(path string, depth int) (jsonValue, error) {
	if p.values++; p.values > maxValues {
		return jsonValue{}, fmt.Errorf("holds more than %d values; far fewer are needed", maxValues)
	}
	token, err := p.decoder.Token()
	if err != nil {
		return jsonValue{}, fmt.Errorf("is not JSON: %w", err)
	}
	switch t := token.(type) {
	case bool:
		return jsonValue{kind: jsonBool, truthful: t}, nil
	case json.Number:
		return jsonValue{kind: jsonNumber, literal: t.String()}, nil
	case string:
		return jsonValue{kind: jsonString, literal: t}, nil
	case json.Delim:
		if depth == maxNesting {
			return jsonValue{}, fmt.Errorf("is nested deeper than %d levels; no more than four are needed", maxNesting)
		}
		if t == '[' {
			return p.array(path, depth)
		}
		return p.object(path, depth)
	default:
		return jsonValue{kind: jsonNull}, nil
	}
}

func (p *parser) array(path string, depth int) (jsonValue, error) {
	array := jsonValue{kind: jsonArray}
	for p.decoder.More() {
		item, err := p.value(below(path, fmt.Sprint(len(array.items))), depth+1)
		if err != nil {
			return jsonValue{}, err
		}
		array.items = append(array.items, item)
	}
	_, err := p.decoder.Token() // The closing bracket.
	return array, err
}

func (p *parser) object(path string, depth int) (jsonValue, error) {
	object := jsonValue{kind: jsonObject}
	given := map[string]bool{}
	for p.decoder.More() {
		token, err := p.decoder.Token()
		if err != nil {
			return jsonValue{}, fmt.Errorf("is not JSON: %w", err)
		}
		name, _ := token.(string)
		inner := below(path, escaped(name))
		value, err := p.value(inner, depth+1)
		if err != nil {
			return jsonValue{}, err
		}
		if given[name] {
			p.faults = append(p.faults, flight.Fault{Field: inner, Slice: flight.NoSlice, Detail: "is given more than once; give it once"})
			continue
		}
		given[name] = true
		object.members = append(object.members, member{name: name, value: value})
	}
	_, err := p.decoder.Token() // The closing brace.
	return object, err
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// escaped is a name as a reference token of a JSON pointer (RFC 6901, 4).
func escaped(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(abbreviated(name))
}

// describe names the value for an error: the string "2", the number 2.5.
func (v jsonValue) describe() string {
	switch v.kind {
	case jsonBool:
		return fmt.Sprint(v.truthful)
	case jsonNumber:
		return "the number " + abbreviated(v.literal)
	case jsonString:
		return "the string " + shown(v.literal)
	case jsonArray:
		return "an array"
	case jsonObject:
		return "an object"
	default:
		return "null; leave it out where there is none"
	}
}

func (v jsonValue) text() (string, error) {
	if v.kind != jsonString {
		return "", fmt.Errorf("must be a string, not %s", v.describe())
	}
	return boundedText(v.literal)
}

func (v jsonValue) whole() (int, error) {
	if v.kind != jsonNumber {
		return 0, fmt.Errorf("must be a whole number, not %s", v.describe())
	}
	return wholeNumber(v.literal, v.describe())
}

func (v jsonValue) truth() (bool, error) {
	if v.kind != jsonBool {
		return false, fmt.Errorf("must be true or false, not %s", v.describe())
	}
	return v.truthful, nil
}

func (v jsonValue) decimal() (string, error) {
	if v.kind != jsonString && v.kind != jsonNumber {
		return "", fmt.Errorf("must be a decimal in a string, not %s", v.describe())
	}
	return boundedText(v.literal)
}

func (v jsonValue) list() ([]value, error) {
	if v.kind != jsonArray {
		return nil, fmt.Errorf("must be an array, not %s", v.describe())
	}
	items := make([]value, 0, len(v.items))
	for _, item := range v.items {
		items = append(items, item)
	}
	return items, nil
}

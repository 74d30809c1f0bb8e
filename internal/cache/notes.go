package cache

import "context"

// noteKind is the kind of a note's envelope.
const noteKind = "note"

func (n Note) seal(tokens []string, meta Meta) ([]byte, error) {
	if err := n.check(); err != nil {
		return nil, err
	}
	until := n.Until.UTC()
	e := envelope{
		Meta:   Meta{ID: meta.ID, FetchedAt: meta.FetchedAt, FreshUntil: until, StaleUntil: until},
		tokens: tokens, kind: noteKind, query: n.Name,
	}
	return e.seal(n.Value)
}

// NoteQuestion asks for one note.
type NoteQuestion struct {
	Name string
	// Tokens of the question whose fill wrote the note, in the same order.
	Tokens []string
}

// Notes returns the notes of one bucket that are valid now, by name, in one
// round trip: a month of them costs what one costs. What is absent, ended,
// invalidated or unreadable is left out. An error means that Redis could not be
// asked within LookupLimit. No token is created.
func (c *Cache) Notes(ctx context.Context, bucket string, questions []NoteQuestion) (map[string]Note, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.LookupLimit, errOverLimit)
	defer cancel()
	b := bucketOf(bucket)
	var set tokenSet
	for _, q := range questions {
		set.add(q.Tokens)
	}
	keys := c.tokenKeys(b, set.names)
	for _, q := range questions {
		keys = append(keys, c.keys.note(b, q.Name))
	}
	if len(questions) == 0 {
		return map[string]Note{}, nil
	}
	values, err := c.store.read(ctx, b, keys)
	if err != nil {
		return nil, err
	}
	set.values = values[:len(set.names)]
	return c.judgeNotes(ctx, questions, &set, values[len(set.names):]), nil
}

func (c *Cache) judgeNotes(ctx context.Context, questions []NoteQuestion, set *tokenSet, values [][]byte) map[string]Note {
	notes := make(map[string]Note, len(questions))
	for i, q := range questions {
		tokens, ok := set.of(q.Tokens)
		if !ok || values[i] == nil {
			continue
		}
		n, err := c.openNote(q.Name, values[i], tokens)
		if err != nil {
			c.count.odd(ctx, noteKind, err)
			continue
		}
		if n.Value != nil {
			notes[q.Name] = n
		}
	}
	return notes
}

// openNote returns a note without a value when it does not hold.
func (c *Cache) openNote(name string, b []byte, tokens []string) (Note, error) {
	e, err := openEnvelope(b)
	if err != nil {
		return Note{}, err
	}
	if e.kind != noteKind || e.query != name {
		return Note{}, errOther
	}
	if !c.equal(e.tokens, tokens) || !c.o.now().Before(e.FreshUntil) {
		return Note{}, nil
	}
	value, err := e.unpack(maxNote)
	return Note{Name: name, Value: value, FetchedAt: e.FetchedAt, Until: e.FreshUntil}, err
}

package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"assay/engine/research"
)

// Bounds of the search for the field that was changed.
const (
	maxTried     = 24 << 20 // bytes that are sealed again for it, of one audit
	maxShown     = 12       // fields that are named of one change
	maxAlternate = 24       // values that one kind of field has elsewhere and that are tried in its place
	maxDepth     = 64       // of a payload; a deeper one is not searched
)

// field is one value of a tree with its place.
type field struct {
	path string // "claims.c3.support.k"; what has an id is named by it, anything else in a list by its number
	kind string // path with * for ids and numbers
	set  func(any)
	old  any
}

// fieldsOf lists the values of a tree that are no object and no list, in order.
func fieldsOf(v any, fn func(field)) { walkFields(v, "", "", nil, 0, fn) }

func walkFields(v any, path, kind string, set func(any), depth int, fn func(field)) {
	if depth > maxDepth {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		for _, k := range keysOf(x) {
			part := k
			if idOf(x[k]) == k {
				part = "*"
			}
			walkFields(x[k], joined(path, k), joined(kind, part), func(v any) { x[k] = v }, depth+1, fn)
		}
	case []any:
		for i, e := range x {
			walkFields(e, path+element(e, i), kind+".*", func(v any) { x[i] = v }, depth+1, fn)
		}
	default:
		if set != nil {
			fn(field{path: path, kind: kind, set: set, old: v})
		}
	}
}

func joined(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// element is how an element of a list is named: by its id, or else by its place.
func element(v any, i int) string {
	if id := idOf(v); id != "" {
		return "." + id
	}
	return "[" + strconv.Itoa(i) + "]"
}

// idOf is the id of an object; "" when it has none.
func idOf(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	id, _ := m["id"].(string)
	return id
}

// twice knows what a record says more than once, to tell which value of a sealed part was changed: a value that another part of
// the record has in its place, and with which the seal holds again, is what stood there.
type twice struct {
	objects map[string][]map[string]any // by what names an object: its id, or the text or address of a document
	same    map[string][]any            // by kind of event and kind of field: the values that are there
}

// namesOf are the names by which copies of an object are found. Only a name in full tells: a number is no name.
func namesOf(m map[string]any) []string {
	var out []string
	for _, k := range []string{"id", "sha256", "location", "url"} {
		if s, _ := m[k].(string); s != "" {
			if k == "url" {
				k = "location"
			}
			out = append(out, k+" "+s)
		}
	}
	return out
}

// twiceIn reads all of a record.
func twiceIn(run research.Run) *twice {
	p := &twice{objects: map[string][]map[string]any{}, same: map[string][]any{}}
	if run.Digest != nil {
		p.add(general(run.Digest), 0)
	}
	for _, e := range run.Events {
		tree := decoded(e.Payload)
		p.add(tree, 0)
		fieldsOf(map[string]any{"": tree}, func(f field) {
			at := e.Kind + f.kind
			if len(p.same[at]) < maxAlternate && !has(p.same[at], f.old) {
				p.same[at] = append(p.same[at], f.old)
			}
		})
	}
	return p
}

func (p *twice) add(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		for _, n := range namesOf(x) {
			p.objects[n] = append(p.objects[n], x)
		}
		for _, k := range keysOf(x) {
			p.add(x[k], depth+1)
		}
	case []any:
		for _, e := range x {
			p.add(e, depth+1)
		}
	}
}

func has(list []any, v any) bool {
	for _, x := range list {
		if reflect.DeepEqual(x, v) {
			return true
		}
	}
	return false
}

// general is the generic value of v in the form that is sealed.
func general(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return decoded(raw)
}

// decoded is the generic value of a JSON text in the form that is sealed, numbers as text; nil when it is none.
func decoded(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(research.Canonical(raw)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// restored looks for the one value of a tree that was changed. holds says whether the tree as it is now is what was sealed; kind is that
// of the event, "" for another part of the record; whole are trees that should be the same as this one. It returns what was changed, "" when no other part of the record has the value that stood there.
func (c *checker) restored(tree any, kind string, whole []any, holds func() bool) string {
	if c.copies == nil {
		c.copies = twiceIn(c.run)
	}
	said, seen := "", map[string]bool{}
	try := func(path string, set func(any), old, v any) bool {
		if c.tried > maxTried || reflect.DeepEqual(v, old) {
			return false
		}
		if at := path + "=" + fmt.Sprint(v); seen[at] {
			return false
		} else {
			seen[at] = true
		}
		set(v)
		ok := holds()
		set(old)
		if ok {
			said = fmt.Sprintf("%s is %s, and %s was sealed", path, show(plain(old)), show(plain(v)))
		}
		return ok
	}
	for _, w := range whole {
		found := false
		for _, path := range differences(tree, w) {
			found = found || try(path.path, path.set, path.old, path.want)
		}
		if found {
			return said
		}
	}
	if c.fromCopies(tree, "", try, 0) {
		return said
	}
	box := map[string]any{"": tree}
	fieldsOf(box, func(f field) {
		for _, v := range c.copies.same[kind+f.kind] {
			if said == "" {
				try(strings.TrimPrefix(f.path, "."), f.set, f.old, v)
			}
		}
	})
	return said
}

// plain writes a number in the form that is sealed as people do: 1e1 is 10.
func plain(v any) any {
	if n, ok := v.(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return v
}

// fromCopies tries for each object of a tree what its copies elsewhere in the record have.
func (c *checker) fromCopies(v any, path string, try func(path string, set func(any), old, v any) bool, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch x := v.(type) {
	case map[string]any:
		for _, n := range namesOf(x) {
			for _, other := range c.copies.objects[n] {
				for _, d := range differences(x, other) {
					if try(joined(path, d.path), d.set, d.old, d.want) {
						return true
					}
				}
			}
		}
		for _, k := range keysOf(x) {
			if c.fromCopies(x[k], joined(path, k), try, depth+1) {
				return true
			}
		}
	case []any:
		for i, e := range x {
			if c.fromCopies(e, path+element(e, i), try, depth+1) {
				return true
			}
		}
	}
	return false
}

// changedField is a place where a tree has another value than a second one, and what that has.
type changedField struct {
	path      string
	set       func(any)
	old, want any
}

// differences lists where two trees differ, as deep as both go.
func differences(a, b any) []changedField {
	var out []changedField
	var walk func(path string, a, b any, set func(any), depth int)
	walk = func(path string, a, b any, set func(any), depth int) {
		switch x := a.(type) {
		case map[string]any:
			y, ok := b.(map[string]any)
			if !ok || depth > maxDepth {
				break
			}
			all := map[string]bool{}
			for k := range x {
				all[k] = true
			}
			for k := range y {
				all[k] = true
			}
			for _, k := range keysOf(all) {
				old, was := x[k]
				want, is := y[k]
				walk(joined(path, k), old, want, func(v any) {
					// What is absent stays absent: a key without a value would not be sealed so.
					if (!is && reflect.DeepEqual(v, want)) || (!was && reflect.DeepEqual(v, old)) {
						delete(x, k)
						return
					}
					x[k] = v
				}, depth+1)
			}
			return
		case []any:
			y, ok := b.([]any)
			if !ok || len(x) != len(y) || depth > maxDepth {
				break
			}
			for i := range x {
				walk(path+element(y[i], i), x[i], y[i], func(v any) { x[i] = v }, depth+1)
			}
			return
		}
		if set != nil && !reflect.DeepEqual(a, b) {
			out = append(out, changedField{path, set, a, b})
		}
	}
	walk("", a, b, nil, 0)
	return out
}

// changedEvent says which field of an event whose seal is broken was changed, or that it cannot be told.
func (c *checker) changedEvent(i int, e research.Event, before string) string {
	seal := c.run.Seals.Events[i]
	holds := func(e research.Event) bool {
		c.tried += len(e.Payload) + 256
		return sealOf(seal, before+"\n", e)
	}
	if i+1 < len(c.run.Seals.Events) && i+1 < len(c.run.Events) {
		if own, err := research.SealEvent(before, e); err == nil {
			next := c.run.Events[i+1]
			if s, err := research.SealEvent(own, next); err == nil && s == c.run.Seals.Events[i+1] {
				return fmt.Sprintf("it is its seal that was changed, seals.events[%d]: the next event is sealed after another", i)
			}
		}
	}
	for _, f := range []struct {
		name string
		was  any
		set  func(*research.Event)
	}{
		{"seq", e.Seq, func(e *research.Event) { e.Seq = int64(i) + 1 }},
		{"kind", e.Kind, func(e *research.Event) { e.Kind, _, _ = strings.Cut(e.Key, "/") }},
		{"kind", e.Kind, func(e *research.Event) { e.Kind, _, _ = strings.Cut(e.Key, " ") }},
		{"key", e.Key, func(e *research.Event) { e.Key = "" }},
		{"took_ms", e.TookMs, func(e *research.Event) { e.TookMs = 0 }},
	} {
		was := e
		f.set(&was)
		if holds(was) {
			return f.name + " is " + show(f.was) + ", and another was sealed"
		}
	}
	tree := decoded(e.Payload)
	box := map[string]any{"": tree} // so that a payload that is one value can be set too
	said := c.restored(tree, e.Kind, c.alike(i, e), func() bool {
		raw, err := json.Marshal(box[""])
		if err != nil {
			return false
		}
		was := e
		was.Payload = raw // in the form that is sealed, as what it was decoded from was
		return holds(was)
	})
	if said != "" {
		return "its field " + said
	}
	return "which of its fields cannot be told, as the record has what stood there nowhere else"
}

// alike are the values of a record that the payload of an event repeats whole.
func (c *checker) alike(i int, e research.Event) []any {
	var out []any
	switch {
	case e.Kind == research.EventRequest:
		out = append(out, general(c.run.Request))
	case e.Kind == research.EventState:
		out = append(out, general(c.run.State))
	case strings.HasPrefix(e.Kind, research.EventStage) && c.run.Digest != nil:
		d := general(c.run.Digest)
		out = append(out, d, map[string]any{"digest": d})
		if m, ok := d.(map[string]any); ok {
			out = append(out, m["understanding"], m["hypotheses"])
		}
	}
	for j, other := range c.run.Events { // the same stage done again
		if j != i && strings.HasPrefix(e.Kind, research.EventStage) && strings.HasPrefix(other.Kind, research.EventStage) && len(out) < maxAlternate {
			out = append(out, decoded(other.Payload))
		}
	}
	return out
}

// changedDigest says which fields of a digest whose seal is broken were changed, by what the record holds beside it.
func (c *checker) changedDigest() string {
	recorded, seq := c.lastDigest()
	if recorded != nil {
		if told := differences(normal(c.run.Digest), recorded); len(told) > 0 {
			return c.fieldsThatDiffer(told, seq)
		}
	}
	if recorded != nil {
		return fmt.Sprintf("event %d has it as it is: it is its seal that was changed, seals.digest", seq)
	}
	return "which of its fields cannot be told by its seal; what can be computed again follows"
}

// fieldsThatDiffer names fields of the digest that an event has otherwise.
func (c *checker) fieldsThatDiffer(fields []changedField, seq int64) string {
	var told []string
	for i, d := range fields {
		if i == maxShown {
			told = append(told, fmt.Sprintf("and %d more", len(fields)-i))
			break
		}
		told = append(told, fmt.Sprintf("digest.%s is %s, event %d has %s", d.path, show(d.old), seq, show(d.want)))
	}
	return strings.Join(told, "; ")
}

// changedHead says which of the fields before the events was changed.
func (c *checker) changedHead() string {
	seal := c.run.Seals.Head
	head := func(edit func(*research.Run)) bool {
		r := research.Run{Schema: c.run.Schema, Code: c.run.Code, ID: c.run.ID, Title: c.run.Title, State: c.run.State, Request: c.run.Request}
		edit(&r)
		return sealOf(seal, "", r)
	}
	for _, e := range c.run.Events {
		switch e.Kind {
		case research.EventRequest:
			var q research.Request
			if json.Unmarshal(e.Payload, &q) == nil && head(func(r *research.Run) { r.Request = q }) {
				for _, d := range differences(general(c.run.Request), general(q)) {
					return fmt.Sprintf("request.%s is %s, event %d has %s", d.path, show(d.old), e.Seq, show(d.want))
				}
			}
		case research.EventState:
			var s research.StateNews
			if json.Unmarshal(e.Payload, &s) == nil && head(func(r *research.Run) { r.State = s }) {
				for _, d := range differences(general(c.run.State), general(s)) {
					return fmt.Sprintf("state.%s is %s, event %d has %s", d.path, show(d.old), e.Seq, show(d.want))
				}
			}
		}
	}
	titles := []string{c.run.Request.Question}
	if d := c.run.Digest; d != nil {
		titles = append(titles, d.Title, d.Topic)
		if head(func(r *research.Run) { r.Schema = d.Schema }) {
			return fmt.Sprintf("schema is %d, the digest has %d", c.run.Schema, d.Schema)
		}
	}
	if head(func(r *research.Run) { r.Schema = research.SchemaVersion }) {
		return fmt.Sprintf("schema is %d, and %d was sealed", c.run.Schema, research.SchemaVersion)
	}
	for _, t := range titles {
		if head(func(r *research.Run) { r.Title = t }) {
			return fmt.Sprintf("title is %s, and %s was sealed", show(c.run.Title), show(t))
		}
	}
	return "which of them cannot be told: of code, id, title and state the record has no other copy"
}

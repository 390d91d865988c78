// Package answer turns the text of a model into JSON that fits a schema.
//
// Start at [Parse]. A small model wraps its object in prose, fences or reasoning, writes two of them, stops in the middle of
// a string, misspells a key or leaks control tokens; Parse survives these and says by [Repair] what it had to do. What it
// gives back always validates. clean.go drops what is not the answer, scan.go finds the objects, fit.go bends near misses to
// the schema, schema.go validates.
//
// Caveats: syntax is repaired by kaptinlin/jsonrepair, schemas are judged by santhosh-tekuri/jsonschema; both are used here
// only. A schema may not refer to anything outside itself.
package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Bounds of what is looked at. A call's answer budget is at most a few thousand tokens, so these are never met by an answer
// worth having.
const (
	maxText    = 1 << 20   // bytes of an answer that are read
	maxRepair  = 256 << 10 // bytes whose syntax is repaired
	maxStarts  = 64        // opening brackets at which an object is looked for
	maxCuts    = 32        // places at which a cut object is tried to be closed
	maxMends   = 8         // candidates whose syntax is repaired
	maxNesting = 64        // brackets within brackets
)

// Why there is no object. An error of [Parse] wraps one of them.
var (
	ErrEmpty  = errors.New("answer is empty")              // also: reasoning only
	ErrNoJSON = errors.New("answer holds no JSON")         // prose, a refusal
	ErrUnfit  = errors.New("answer does not fit its form") // wrong keys, or nothing complete in it
)

// Repair names what was done to an answer, in the order in which it was done, joined by "+"; empty when it fitted as it was.
type Repair string

// The kinds of repair.
const (
	Cleaned   Repair = "cleaned"   // reasoning or control tokens were dropped
	Extracted Repair = "extracted" // the object stood among other text
	Salvaged  Repair = "salvaged"  // the text was cut; the complete elements were kept
	Mended    Repair = "mended"    // the syntax was repaired
	Bent      Repair = "bent"      // keys, types or enum values were near misses
	Pruned    Repair = "pruned"    // list elements that did not fit were dropped
)

// with returns r with one more repair.
func (r Repair) with(more Repair) Repair {
	if r == "" {
		return more
	}
	return r + "+" + more
}

// Has reports whether r includes kind.
func (r Repair) Has(kind Repair) bool {
	for _, k := range strings.Split(string(r), "+") {
		if k == string(kind) {
			return true
		}
	}
	return false
}

// Parse reads the JSON value that text answers with, makes it fit schema and stores it in into. Of several objects it takes
// the last that fits, because models echo an example before they answer. It says what it had to repair. The error wraps
// [ErrEmpty], [ErrNoJSON] or [ErrUnfit], and into is then as it was; an unusable schema is an error of its own.
func Parse(text string, schema json.RawMessage, into any) (Repair, error) {
	sch, err := compile(schema)
	if err != nil {
		return "", err
	}
	v, how, err := find(text, sch)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode answer: %w", err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return "", fmt.Errorf("%w: %v", ErrUnfit, err)
	}
	return how, nil
}

// Fits says in an error what of a JSON text, of any length, is not as schema wants it; nothing is repaired. It is for what a program wrote.
func Fits(text []byte, schema json.RawMessage) error {
	sch, err := compile(schema)
	if err != nil {
		return err
	}
	v, ok := decode(string(text))
	if !ok {
		return fmt.Errorf("%w: it begins %q", ErrNoJSON, head(string(text[:min(len(text), maxQuoted)])))
	}
	if !sch.fits(v) {
		return fmt.Errorf("%w: %s", ErrUnfit, sch.misfit(v))
	}
	return nil
}

// maxQuoted bounds what of a text is looked at to quote its beginning, in bytes.
const maxQuoted = 1 << 10

// Value reads the JSON value in text, whatever its form: several that follow one another are a list, a text without any is a
// string. Numbers keep their digits. The error wraps [ErrEmpty] or [ErrNoJSON].
func Value(text string) (json.RawMessage, Repair, error) {
	v, how, err := find(text, nil)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, "", fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), how, nil
}

// attempt is one way to read a value from one candidate; done false means that it gave nothing.
type attempt func(c candidate, sch *form) (v any, how Repair, done bool)

// find tries the gentlest reading of every candidate first, then the next, and of equally gentle ones prefers the last
// candidate that says something and is not a part of another.
func find(text string, sch *form) (any, Repair, error) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	if v, ok := decode(text); ok {
		if how, ok := sch.accept(&v); ok {
			return v, how, nil
		}
		if _, quoted := v.(string); quoted && sch != nil {
			if v, ok := sch.bend(v); ok {
				return v, Bent, nil
			}
		}
	}
	body := Prose(text)
	if body == "" {
		return nil, "", ErrEmpty
	}
	var base Repair
	if body != strings.TrimSpace(text) {
		base = Cleaned
	}
	cands := candidates(body)
	if sch == nil {
		return anyValue(body, base, cands)
	}
	for k, try := range []attempt{asWritten, bentToFit, cutShort, mendedToFit, withoutMisfits} {
		var best any
		var bestHow Repair
		found, inner := false, false
		if k == 3 && len(cands) > maxMends {
			cands = cands[len(cands)-maxMends:]
		}
		for _, c := range cands {
			v, how, ok := try(c, sch)
			if !ok || found && (c.inner && !inner || hollow(v) && !hollow(best)) {
				continue
			}
			best, bestHow, found, inner = v, how, true, c.inner
		}
		if found {
			return best, joined(base, bestHow), nil
		}
	}
	if len(cands) == 0 {
		return nil, "", fmt.Errorf("%w: it begins %q", ErrNoJSON, head(body))
	}
	return nil, "", fmt.Errorf("%w: %s", ErrUnfit, sch.why(cands[len(cands)-1].text))
}

// anyValue is find without a schema, which has no way to tell a part from the whole: one object or list in prose is it, else
// all that stands there, repaired. A text without any bracket is a string.
func anyValue(body string, base Repair, cands []candidate) (any, Repair, error) {
	rest := unfenced(body)
	if v, ok := decode(rest); ok {
		return v, joined(base, Extracted), nil
	}
	if len(cands) == 1 && cands[0].closed && !strings.HasPrefix(rest, `"`) {
		_, after, _ := strings.Cut(body, cands[0].text)
		if v, ok := decode(cands[0].text); ok && !strings.HasPrefix(strings.TrimSpace(after), ",") {
			return v, joined(base, cands[0].how), nil
		}
	}
	if v, ok := mend(rest); ok {
		return v, joined(base, Mended), nil
	}
	return nil, "", fmt.Errorf("%w: it begins %q", ErrNoJSON, head(body))
}

func joined(a, b Repair) Repair {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "+" + b
}

func asWritten(c candidate, sch *form) (any, Repair, bool) {
	v, ok := decode(c.text)
	if !ok {
		return nil, "", false
	}
	how, ok := sch.accept(&v)
	return v, joined(c.how, how), ok
}

func bentToFit(c candidate, sch *form) (any, Repair, bool) {
	v, ok := decode(c.text)
	if !ok {
		return nil, "", false
	}
	v, ok = sch.bend(v)
	return v, c.how.with(Bent), ok
}

// cutShort closes a text that ends inside its object after its last complete list element, so that half a sentence is never
// taken for one.
func cutShort(c candidate, sch *form) (any, Repair, bool) {
	if c.closed {
		return nil, "", false
	}
	for _, s := range closings(c.text) {
		v, ok := decode(s)
		if !ok {
			continue
		}
		if _, ok := sch.accept(&v); ok {
			return v, c.how.with(Salvaged), true
		}
		if v, ok := sch.bend(v); ok {
			return v, c.how.with(Salvaged).with(Bent), true
		}
	}
	return nil, "", false
}

func mendedToFit(c candidate, sch *form) (any, Repair, bool) {
	v, ok := mendWhole(c)
	if !ok {
		return nil, "", false
	}
	if _, ok := sch.accept(&v); ok {
		return v, c.how.with(Mended), true
	}
	v, ok = sch.bend(v)
	return v, c.how.with(Mended).with(Bent), ok
}

// mendWhole repairs a candidate that was not cut: what is closed for it would be half a sentence.
func mendWhole(c candidate) (any, bool) {
	if !c.cut() {
		return mend(c.text)
	}
	// Its brackets do not match, perhaps because of a quotation mark in a string. Then they do when it is read loosely.
	if len(c.text) > maxRepair {
		return nil, false
	}
	v, cut, ok := readLoosely(c.text)
	return v, ok && !cut && !immense(v)
}

func withoutMisfits(c candidate, sch *form) (any, Repair, bool) {
	texts := closings(c.text)
	if !c.cut() {
		texts = append(texts, c.text)
	}
	for _, s := range texts {
		v, ok := decode(s)
		if !ok {
			continue
		}
		if v, ok := sch.prune(v); ok {
			return v, c.how.with(Pruned), true
		}
	}
	if v, ok := mendWhole(c); ok {
		if v, ok := sch.prune(v); ok {
			return v, c.how.with(Pruned), true
		}
	}
	return nil, "", false
}

// decode reads one JSON value and nothing after it, keeping the digits of numbers.
func decode(s string) (any, bool) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return nil, false
	}
	// More is false at a stray closing bracket as well.
	if strings.TrimSpace(s[dec.InputOffset():]) != "" || immense(v) {
		return nil, false
	}
	return v, true
}

// immense reports whether v holds a number with an exponent beyond that of a float64, which exact arithmetic spends seconds
// on.
func immense(v any) bool {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		digits, _, exp := strings.Cut(strings.ToLower(v.String()), "e")
		return err != nil || f == 0 && exp && strings.ContainsAny(digits, "123456789")
	case []any:
		return slices.ContainsFunc(v, immense)
	case map[string]any:
		for _, e := range v {
			if immense(e) {
				return true
			}
		}
	}
	return false
}

// hollow reports whether v says nothing: null, or only empty lists, objects and strings all the way down.
func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		for _, e := range v {
			if !hollow(e) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, e := range v {
			if !hollow(e) {
				return false
			}
		}
		return true
	}
	return false
}

// head is the beginning of s for an error message.
func head(s string) string {
	const n = 60
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "..."
}

package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// form is a compiled schema beside its JSON. A nil form takes everything.
type form struct {
	valid *jsonschema.Schema
	root  map[string]any
}

// sealed refuses to load anything: a schema stands alone.
type sealed struct{}

func (sealed) Load(url string) (any, error) {
	return nil, fmt.Errorf("load %s: a schema may not refer to another document", url)
}

// maxForms is how many forms are kept between answers. The engine has about a dozen, some of them with a list of names that
// differs from call to call.
const maxForms = 64

// forms are those that were compiled before, by the text of their schema. A form is only read once it is made.
var forms = struct {
	sync.Mutex
	of map[string]*form
}{of: map[string]*form{}}

// compile returns the form of a JSON Schema; nil for an empty one. Reading a schema takes longer than reading an answer, so
// that the forms are kept.
func compile(schema json.RawMessage) (*form, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return nil, nil
	}
	forms.Lock()
	known := forms.of[string(schema)]
	forms.Unlock()
	if known != nil {
		return known, nil
	}
	f, err := read(schema)
	if err != nil {
		return nil, err
	}
	forms.Lock()
	defer forms.Unlock()
	if len(forms.of) >= maxForms {
		clear(forms.of)
	}
	forms.of[string(schema)] = f
	return f, nil
}

// read compiles a schema.
func read(schema json.RawMessage) (*form, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(sealed{})
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	root, _ := doc.(map[string]any)
	return &form{valid: s, root: root}, nil
}

// fits reports whether v validates.
func (f *form) fits(v any) bool { return f == nil || f.valid.Validate(v) == nil }

// accept reports whether *v validates, after control tokens were taken out of its strings.
func (f *form) accept(v *any) (Repair, bool) {
	if !f.fits(*v) {
		return "", false
	}
	var how Repair
	clean, changed := strippedStrings(*v)
	if changed {
		how = Cleaned
	}
	*v = clean
	return how, f.fits(clean)
}

// why says in a clause what is wrong with a candidate.
func (f *form) why(text string) string {
	v, ok := decode(text)
	if !ok {
		if v, ok = mend(text); !ok {
			return fmt.Sprintf("no complete JSON in %q", head(text))
		}
	}
	if f == nil {
		return "not JSON"
	}
	if why := f.misfit(v); why != "" {
		return why
	}
	return "nothing complete in it"
}

// misfit says in a clause where a value does not fit; empty when it does.
func (f *form) misfit(v any) string {
	var ve *jsonschema.ValidationError
	if err := f.valid.Validate(v); errors.As(err, &ve) {
		for len(ve.Causes) > 0 {
			ve = ve.Causes[0]
		}
		lines := strings.Split(ve.Error(), "\n")
		return fmt.Sprintf("at /%s: %s", strings.Join(ve.InstanceLocation, "/"), strings.TrimSpace(lines[len(lines)-1]))
	}
	return ""
}

// prune bends v, then drops list elements and optional properties that do not fit until the rest does. A list that had elements
// must keep one.
func (f *form) prune(v any) (any, bool) {
	if f == nil {
		return nil, false
	}
	v, ok := f.bend(v)
	for round := 0; !ok && round < 8; round++ {
		var ve *jsonschema.ValidationError
		if !errors.As(f.valid.Validate(v), &ve) {
			return nil, false
		}
		dropped := false
		for _, path := range leaves(ve, nil) {
			dropped = f.dropAt(&v, path) || dropped
		}
		if !dropped {
			return nil, false
		}
		if v, ok = swept(v); !ok {
			return nil, false
		}
		ok = f.fits(v)
	}
	if !ok {
		return nil, false
	}
	v, _ = strippedStrings(v)
	return v, f.fits(v)
}

// leaves lists the places of the errors that have no cause of their own.
func leaves(ve *jsonschema.ValidationError, out [][]string) [][]string {
	if len(ve.Causes) == 0 {
		return append(out, ve.InstanceLocation)
	}
	for _, c := range ve.Causes {
		out = leaves(c, out)
	}
	return out
}

// dropped marks an element that is to go; indices stay true until all of a round are marked.
type dropped struct{}

// dropAt marks the innermost list element on the path to a misfit, or deletes the misfit itself when it is a property.
func (f *form) dropAt(v *any, path []string) bool {
	var list []any
	at := -1
	var parent map[string]any
	key := ""
	cur := *v
	for _, p := range path {
		switch c := cur.(type) {
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(c) {
				return false
			}
			list, at, parent = c, i, nil
			cur = c[i]
		case map[string]any:
			parent, key = c, p
			cur = c[p]
		default:
			return false
		}
	}
	switch {
	case list != nil:
		if _, already := list[at].(dropped); already {
			return true
		}
		list[at] = dropped{}
		return true
	case parent != nil:
		if _, ok := parent[key]; !ok {
			return false
		}
		delete(parent, key)
		return true
	}
	return false
}

// swept removes the marked elements; false when a list lost all it had.
func swept(v any) (any, bool) {
	switch v := v.(type) {
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			if _, gone := e.(dropped); gone {
				continue
			}
			e, ok := swept(e)
			if !ok {
				return nil, false
			}
			out = append(out, e)
		}
		return out, len(out) > 0 || len(v) == 0
	case map[string]any:
		for k, e := range v {
			e, ok := swept(e)
			if !ok {
				return nil, false
			}
			v[k] = e
		}
	}
	return v, true
}

package checks

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

var malformedoutput = &Check{
	ID: "C03", Name: "malformedoutput", Title: "MalformedOutput", Tier: Completion, Class: Hard,
	Scope: dispatchKeys, Eval: evalMalformedOutput,
	Cap: 2, LifeCap: 4, Repair: []Action{Split}, Terminal: Salvage,
}

func evalMalformedOutput(v View, k Key) []Hit {
	d, ok := v.dispatch(k)
	if !ok || d.Schema == "" || strings.TrimSpace(d.Visible) == "" {
		return nil
	}
	why := misfit(unfence(d.Visible), d.Schema)
	if why == "" {
		return nil
	}
	if n := len(CompleteElements(d.Visible)); n > 0 {
		return []Hit{{Where: k.ID, Code: "partial", Action: Continue, What: fmt.Sprintf("%s; %d complete elements survive", why, n)}}
	}
	return []Hit{{Where: k.ID, Code: "broken", What: why}}
}

// unfence takes off one surrounding code fence.
func unfence(s string) string {
	s = strings.TrimSpace(s)
	rest, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	_, body, ok := strings.Cut(rest, "\n")
	if body, closed := strings.CutSuffix(strings.TrimSpace(body), "```"); ok && closed {
		return strings.TrimSpace(body)
	}
	return s
}

// misfit says why text is not JSON that fits the schema; empty when it fits. A schema that is itself no JSON asks for
// nothing more than JSON.
func misfit(text, schema string) string {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return "the answer is not JSON: " + err.Error()
	}
	var s map[string]any
	if json.Unmarshal([]byte(schema), &s) != nil {
		return ""
	}
	return misfitValue(value, s, "the answer", 0)
}

// maxSchemaDepth bounds the walk; no schema of a role is half as deep.
const maxSchemaDepth = 16

// misfitValue holds a decoded value against the part of JSON Schema that the roles' schemas use: type, enum, const,
// properties, required, items, minItems, anyOf, oneOf. Keys that the schema does not name are allowed, and so is whatever
// another keyword would ask.
func misfitValue(v any, s map[string]any, where string, depth int) string {
	if depth > maxSchemaDepth {
		return ""
	}
	if t, ok := s["type"]; ok && !hasType(v, t) {
		return fmt.Sprintf("%s is not of type %v", where, t)
	}
	if enum, ok := s["enum"].([]any); ok && !contains(enum, v) {
		return fmt.Sprintf("%s is none of the values it may have", where)
	}
	if c, ok := s["const"]; ok && !reflect.DeepEqual(c, v) {
		return fmt.Sprintf("%s is not %v", where, c)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if why := misfitAny(v, s[key], where, depth); why != "" {
			return why
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return misfitObject(v, s, where, depth)
	case []any:
		if least, ok := s["minItems"].(float64); ok && float64(len(v)) < least {
			return fmt.Sprintf("%s has %d items of at least %v", where, len(v), least)
		}
		if items, ok := s["items"].(map[string]any); ok {
			for i, e := range v {
				if why := misfitValue(e, items, fmt.Sprintf("%s[%d]", where, i), depth+1); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

func misfitAny(v, branches any, where string, depth int) string {
	list, ok := branches.([]any)
	if !ok {
		return ""
	}
	for _, b := range list {
		if s, ok := b.(map[string]any); !ok || misfitValue(v, s, where, depth+1) == "" {
			return ""
		}
	}
	return where + " fits none of the forms it may have"
}

func misfitObject(v, s map[string]any, where string, depth int) string {
	required, _ := s["required"].([]any)
	for _, r := range required {
		if name, _ := r.(string); name != "" {
			if _, ok := v[name]; !ok {
				return fmt.Sprintf("%s lacks %q", where, name)
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		p, ok := properties[name].(map[string]any)
		if value, has := v[name]; ok && has {
			if why := misfitValue(value, p, where+"."+name, depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

// hasType reports whether v has a JSON Schema type, or one of a list of them.
func hasType(v, t any) bool {
	if list, ok := t.([]any); ok {
		for _, one := range list {
			if hasType(v, one) {
				return true
			}
		}
		return false
	}
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case float64:
		return t == "number" || t == "integer" && v == float64(int64(v))
	case []any:
		return t == "array"
	}
	return t == "object"
}

func contains(list []any, v any) bool {
	for _, e := range list {
		if reflect.DeepEqual(e, v) {
			return true
		}
	}
	return false
}

// CompleteElements returns the elements that are complete by themselves of a cut or broken JSON text: those of its array, or
// of the first array that is a member of its object and has any. It returns none when there is no such array, and never the
// elements of an array inside an element. It is what is kept of an answer that ended too early.
func CompleteElements(text string) []json.RawMessage {
	depth, quoted := 0, false
	for i := max(0, strings.IndexAny(text, "{[")); i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == '[':
			if depth <= 1 {
				if out := leading(text[i:]); len(out) > 0 {
					return out
				}
			}
			depth++
		}
	}
	return nil
}

// leading returns the complete elements at the head of an array.
func leading(array string) []json.RawMessage {
	dec := json.NewDecoder(strings.NewReader(array))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var out []json.RawMessage
	for dec.More() {
		var e json.RawMessage
		if dec.Decode(&e) != nil {
			break
		}
		out = append(out, e)
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	return slices.Sorted(maps.Keys(m))
}

package answer

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// maxDepth bounds how far a value is followed into its schema, which may refer to itself.
const maxDepth = 16

// bend changes what is a near miss into what the schema wants, where there is only one way to read it: a key in another
// spelling, a number in quotes, an enum value in another case, one object where a list was due, a wrapper around it all. The
// values themselves are never invented. It reports whether the result validates.
func (f *form) bend(v any) (any, bool) {
	if f == nil {
		return v, true
	}
	v = f.toward(v, f.root, 0)
	v, _ = strippedStrings(v)
	return v, f.fits(v)
}

// resolved follows a reference within the schema: "#/$defs/name".
func (f *form) resolved(node map[string]any) map[string]any {
	for range maxDepth {
		ref, ok := node["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			return node
		}
		cur := any(f.root)
		for _, p := range strings.Split(ref[2:], "/") {
			m, _ := cur.(map[string]any)
			cur = m[p]
		}
		if node, ok = cur.(map[string]any); !ok {
			return nil
		}
	}
	return nil
}

func (f *form) toward(v any, node map[string]any, depth int) any {
	node = f.resolved(node)
	if node == nil || depth > maxDepth {
		return v
	}
	if s, ok := v.(string); ok && !allows(node, "string") {
		if inner, ok := decode(s); ok { // JSON in a string
			v = inner
		}
	}
	switch {
	case node["enum"] != nil:
		return toEnum(v, node["enum"])
	case allows(node, "object"):
		return f.toObject(v, node, depth)
	case allows(node, "array"):
		return f.toArray(v, node, depth)
	case allows(node, "string"):
		return toString(v)
	case allows(node, "integer"), allows(node, "number"):
		return toNumber(v, !allows(node, "number"))
	case allows(node, "boolean"):
		return toBool(v)
	}
	return v
}

// allows reports whether the node's type is, or includes, name.
func allows(node map[string]any, name string) bool {
	switch t := node["type"].(type) {
	case string:
		return t == name
	case []any:
		for _, e := range t {
			if e == name {
				return true
			}
		}
		return false
	}
	_, props := node["properties"]
	_, items := node["items"]
	return name == "object" && props || name == "array" && items
}

func (f *form) toObject(v any, node map[string]any, depth int) any {
	props, _ := node["properties"].(map[string]any)
	switch t := v.(type) {
	case []any:
		if len(t) == 1 {
			if m, ok := t[0].(map[string]any); ok && f.known(m, props) > 0 {
				return f.toObject(m, node, depth+1)
			}
		}
		// A bare list where an object with one list was due.
		if name := soleList(f, props); name != "" {
			return f.toObject(map[string]any{name: t}, node, depth+1)
		}
		return v
	case map[string]any:
		if f.known(t, props) == 0 && len(t) == 1 && depth < maxDepth {
			for _, inner := range t { // one key: a wrapper such as {"result": {...}}
				switch in := inner.(type) {
				case map[string]any:
					if f.known(in, props) > 0 {
						return f.toObject(in, node, depth+1)
					}
				case []any:
					if name := soleList(f, props); name != "" {
						return f.toObject(map[string]any{name: in}, node, depth+1)
					}
				}
			}
		}
		return f.properties(t, node, props, depth)
	}
	return v
}

// properties renames, converts and drops the properties of one object.
func (f *form) properties(m map[string]any, node, props map[string]any, depth int) any {
	if len(props) == 0 {
		return m
	}
	byForm := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		byForm[plain(name)] = name
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		if _, ok := props[k]; ok {
			out[k] = v
		}
	}
	closed := node["additionalProperties"] == false
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if _, ok := props[k]; ok {
			continue
		}
		name, near := byForm[plain(k)]
		if _, taken := out[name]; near && !taken {
			out[name] = m[k]
		} else if !closed {
			out[k] = m[k]
		}
	}
	required := map[string]bool{}
	if list, ok := node["required"].([]any); ok {
		for _, r := range list {
			if s, ok := r.(string); ok {
				required[s] = true
			}
		}
	}
	for k, v := range out {
		child, ok := props[k].(map[string]any)
		if !ok {
			continue
		}
		if v == nil && !required[k] && !allows(f.resolvedOrEmpty(child), "null") {
			delete(out, k)
			continue
		}
		out[k] = f.toward(v, child, depth+1)
	}
	return out
}

func (f *form) resolvedOrEmpty(node map[string]any) map[string]any {
	if n := f.resolved(node); n != nil {
		return n
	}
	return map[string]any{}
}

// known counts the keys of m that are properties, in whatever spelling.
func (f *form) known(m, props map[string]any) int {
	n := 0
	for name := range props {
		for k := range m {
			if plain(k) == plain(name) {
				n++
				break
			}
		}
	}
	return n
}

// soleList names the only property that is a list; empty when there is none or more than one.
func soleList(f *form, props map[string]any) string {
	found := ""
	for name, p := range props {
		child, _ := p.(map[string]any)
		if allows(f.resolvedOrEmpty(child), "array") {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

func (f *form) toArray(v any, node map[string]any, depth int) any {
	items, _ := node["items"].(map[string]any)
	var list []any
	switch t := v.(type) {
	case []any:
		list = t
	case map[string]any:
		if props, _ := f.resolvedOrEmpty(items)["properties"].(map[string]any); f.known(t, props) > 0 {
			list = []any{t}
			break
		}
		if len(t) != 1 {
			return v
		}
		for _, inner := range t {
			l, ok := inner.([]any)
			if !ok {
				return v
			}
			list = l
		}
	case nil:
		return v
	default:
		list = []any{v}
	}
	if n, ok := node["maxItems"].(json.Number); ok {
		if most, err := n.Int64(); err == nil && most >= 0 && int64(len(list)) > most {
			list = list[:most]
		}
	}
	if items == nil {
		return list
	}
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = f.toward(e, items, depth+1)
	}
	return out
}

func toString(v any) any {
	switch t := v.(type) {
	case json.Number:
		return t.String()
	case bool:
		if t {
			return "true"
		}
		return "false"
	case []any:
		if len(t) == 1 {
			if s, ok := t[0].(string); ok {
				return s
			}
		}
	}
	return v
}

func toNumber(v any, whole bool) any {
	var s string
	switch t := v.(type) {
	case string:
		s = strings.TrimSpace(t)
	case json.Number:
		s = t.String()
	default:
		return v
	}
	if len(s) > 40 || strings.ContainsAny(s, "/xXpP_") {
		return v
	}
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(s, "+"))
	if !ok {
		return v
	}
	if whole {
		if !r.IsInt() {
			return v
		}
		return json.Number(r.Num().String())
	}
	if json.Valid([]byte(s)) {
		return json.Number(s)
	}
	return json.Number(strings.TrimRight(strings.TrimRight(r.FloatString(12), "0"), "."))
}

func toBool(v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes":
		return true
	case "false", "no":
		return false
	}
	return v
}

// toEnum finds the one value that v means: the same but for case, spaces and punctuation, or within one edit of exactly one.
func toEnum(v, enum any) any {
	s, ok := v.(string)
	list, _ := enum.([]any)
	if !ok {
		return v
	}
	var near []string
	for _, e := range list {
		name, ok := e.(string)
		if !ok {
			continue
		}
		if name == s || plain(name) == plain(s) && plain(s) != "" {
			return name
		}
		if len(name) >= 5 && oneEdit(plain(name), plain(s)) {
			near = append(near, name)
		}
	}
	if len(near) == 1 {
		return near[0]
	}
	return v
}

// plain is a name without case, spaces and punctuation.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// oneEdit reports whether a becomes b by one insertion, deletion or replacement of a byte.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

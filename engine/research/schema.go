package research

import (
	_ "embed"
	"reflect"
)

// DigestSchema is the JSON Schema (draft 2020-12) of [Digest]. It is made from the Go types by this package's tests
// (go test ./engine/research -update), so that it cannot say anything else than they do.
//
//go:embed digest.schema.json
var DigestSchema []byte

// Filled returns d with every list and map that is nil as an empty one, at every depth, so that its JSON holds [] and {}
// where the schema asks for them and never null. A nil Debate stays nil. The lists that d shares with others are not
// changed: what holds a nil is copied.
func Filled(d Digest) Digest {
	return fill(reflect.ValueOf(d)).Interface().(Digest)
}

// fill returns a copy of v without nil lists and maps.
func fill(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(fill(v.Field(i)))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(fill(v.Index(i)))
		}
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), fill(it.Value()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(fill(v.Elem()))
		}
	default:
		out.Set(v)
	}
	return out
}

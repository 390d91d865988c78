package research_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/engine/research"
)

var update = flag.Bool("update", false, "rewrite digest.schema.json from the Go types")

// enums are the values of the named string types; a value of another type is any string. Angle is empty for a source that
// was not found by a query.
var enums = map[string][]string{
	"Shape": {"auto", "debate", "survey", "fact"}, "Grade": {"primary", "secondary", "opinion"}, "Band": {"accept", "verify", "reject"},
	"Label":        {"", "reported by one source", "unconfirmed", "contested", "derived"},
	"QuantityKind": {"count", "percent", "money", "measure", "year", "version", "ordinal", "duration"}, "Stance": {"confirm", "contradict", "neutral"},
	"Intent":     {"FactQuery", "TrendAnalysis", "Comparison", "CausalAnalysis", "Prediction", "Comprehensive"},
	"AnswerType": {"any", "person", "organisation", "name", "place", "date", "quantity", "reason"},
	"Status":     {"unverified", "partial", "confirmed", "refuted"},
	"Verdict":    {"verified", "reject_ai", "reject_unauthored", "reject_dead", "reject_offsubject", "reject_duplicate", "reject_listing", "unread", "paywalled", "blocked", "needs_script", "struck"},
	"Origin":     {"academic", "government", "industry", "trade_press", "advocacy", "reference", "personal"},
	"Angle":      append([]string{""}, angleNames()...),
}

func angleNames() []string {
	var out []string
	for _, a := range research.Angles {
		out = append(out, string(a))
	}
	return out
}

// schemaOf makes the schema of a type; structs become entries of defs.
func schemaOf(t reflect.Type, defs map[string]any) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem(), defs), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), defs)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), defs)}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.String:
		if t.Name() == "Ratio" {
			return map[string]any{"type": "string", "pattern": "^(-?[0-9]+(/[0-9]+)?)?$"}
		}
		if e, ok := enums[t.Name()]; ok {
			return map[string]any{"type": "string", "enum": e}
		}
		return map[string]any{"type": "string"}
	case reflect.Struct:
		if _, ok := defs[t.Name()]; !ok {
			props, required := map[string]any{}, []string{}
			defs[t.Name()] = nil
			for i := range t.NumField() {
				name, opts, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				props[name] = schemaOf(t.Field(i).Type, defs)
				if !strings.Contains(opts, "omitempty") {
					required = append(required, name)
				}
			}
			defs[t.Name()] = map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	panic("no schema for " + t.String())
}

// TestDigestSchemaIsOfTheTypes holds digest.schema.json to the Go types.
func TestDigestSchemaIsOfTheTypes(t *testing.T) {
	defs := map[string]any{}
	root := schemaOf(reflect.TypeFor[research.Digest](), defs)
	root["$schema"], root["$id"] = "https://json-schema.org/draft/2020-12/schema", "urn:assay:digest:1"
	root["title"], root["$defs"] = "Assay digest", defs
	root["description"] = "What one research run concludes; the only input of the renderer. Computed numbers are exact fractions as text."
	want, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("digest.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(research.DigestSchema, want) {
		t.Error("digest.schema.json differs from the Go types; run go test ./engine/research -update and read the diff")
	}
}

// validate checks a digest's JSON against the published schema.
func validate(t *testing.T, doc any) error {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(research.DigestSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("digest.schema.json", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("digest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// full is the renderer's fixture, in which every field is in use.
func full(t *testing.T) map[string]any {
	t.Helper()
	b, err := os.ReadFile("../render/testdata/full.digest.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestDigestSchema(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(map[string]any)
		fails bool
	}{
		{"full", func(map[string]any) {}, false},
		{"number as text", func(d map[string]any) { d["schema"] = "1" }, true},
		{"confidence as number", func(d map[string]any) { first(d, "sections", "findings")["confidence"] = 0.5 }, true},
		{"refs as text", func(d map[string]any) { first(d, "sections", "findings")["refs"] = []any{"0"} }, true},
		{"decimal confidence", func(d map[string]any) { first(d, "sections", "findings")["confidence"] = "0.5" }, true},
		{"unknown band", func(d map[string]any) { first(d, "sections", "findings")["band"] = "sure" }, true},
		{"null list", func(d map[string]any) { d["gaps"] = nil }, true},
		{"unknown field", func(d map[string]any) { d["run_id"] = "r1" }, true},
		{"missing field", func(d map[string]any) { delete(d, "sources") }, true},
		{"unknown verdict", func(d map[string]any) { first(d, "sources")["verdict"] = "fine" }, true},
		{"without a debate", func(d map[string]any) { delete(d, "debate") }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := full(t)
			tc.spoil(d)
			if err := validate(t, d); (err != nil) != tc.fails {
				t.Errorf("validate: %v, want a fault %v", err, tc.fails)
			}
		})
	}
}

// first follows keys into the first element of each list.
func first(d map[string]any, keys ...string) map[string]any {
	for _, k := range keys {
		d = d[k].([]any)[0].(map[string]any)
	}
	return d
}

func TestFilled(t *testing.T) {
	d := research.Digest{Sections: []research.Section{{}}, Shape: research.ShapeSurvey, Understanding: research.Understanding{Intent: research.FactQuery, Shape: research.ShapeSurvey}}
	b, err := json.Marshal(research.Filled(d))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "null") {
		t.Errorf("Filled leaves null: %s", b)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, doc); err != nil {
		t.Errorf("an empty digest, filled, does not fit the schema: %v", err)
	}
	if d.Sections[0].Findings != nil {
		t.Error("Filled changed its argument")
	}
}

package answer

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// claims is the form of the tests: a list of claims, as the Reader is asked for.
const claims = `{
	"type": "object",
	"properties": {
		"claims": {"type": "array", "maxItems": 4, "items": {"$ref": "#/$defs/claim"}},
		"note": {"type": "string"}
	},
	"required": ["claims"],
	"additionalProperties": false,
	"$defs": {"claim": {
		"type": "object",
		"properties": {
			"text": {"type": "string", "minLength": 1},
			"passage": {"type": "integer", "minimum": 0},
			"evidence_grade": {"enum": ["primary", "secondary", "opinion"]}
		},
		"required": ["text", "passage"],
		"additionalProperties": false
	}}
}`

type claimList struct {
	Claims []struct {
		Text    string `json:"text"`
		Passage int    `json:"passage"`
		Grade   string `json:"evidence_grade"`
	} `json:"claims"`
	Note string `json:"note"`
}

func texts(c claimList) []string {
	var out []string
	for _, e := range c.Claims {
		out = append(out, e.Text)
	}
	return out
}

func TestParse(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
		how  Repair
		err  error
	}{
		{"as asked", `{"claims":[{"text":"A","passage":0}]}`, []string{"A"}, "", nil},
		{"nothing to report", `{"claims":[]}`, nil, "", nil},
		{"empty", "", nil, "", ErrEmpty},
		{"only space", " \n\t ", nil, "", ErrEmpty},
		{"thinking only", "<think>The passage says A.</think>", nil, "", ErrEmpty},
		{"thinking without an end", "<think>The passage says {\"claims\":[]} so", nil, "", ErrEmpty},
		{"thinking that holds an object", `<think>{"claims":[{"text":"no","passage":1}]}</think>{"claims":[{"text":"yes","passage":0}]}`, []string{"yes"}, "cleaned", nil},
		{"thinking without a beginning", `so A it is.</think>{"claims":[{"text":"A","passage":0}]}`, []string{"A"}, "cleaned", nil},
		{"prose before", "Here is the JSON you asked for:\n\n{\"claims\":[{\"text\":\"A\",\"passage\":0}]}", []string{"A"}, "extracted", nil},
		{"fence", "```json\n{\"claims\":[{\"text\":\"A\",\"passage\":0}]}\n```", []string{"A"}, "extracted", nil},
		{"fence without an end", "```json\n{\"claims\":[{\"text\":\"A\",\"passage\":0}]}", []string{"A"}, "extracted", nil},
		{"trailing junk", "{\"claims\":[{\"text\":\"A\",\"passage\":0}]}\nI hope this helps! }", []string{"A"}, "extracted", nil},
		{"two objects", `{"claims":[{"text":"example","passage":0}]} {"claims":[{"text":"A","passage":1}]}`, []string{"A"}, "extracted", nil},
		{"two objects, the second says nothing", `{"claims":[{"text":"A","passage":0}]} {"claims":[]}`, []string{"A"}, "extracted", nil},
		{"another object after it", `{"claims":[{"text":"A","passage":0}]} {"done":true}`, []string{"A"}, "extracted", nil},
		{"a bracket in the prose", `As [1] says, {"claims":[{"text":"A","passage":0}]}`, []string{"A"}, "extracted", nil},
		{"brace in a string", `{"claims":[{"text":"a } and a ]","passage":0}]} x`, []string{"a } and a ]"}, "extracted", nil},
		{"cut in a string", `{"claims":[{"text":"A","passage":0},{"text":"B","passage":1},{"text":"half a sent`, []string{"A", "B"}, "salvaged", nil},
		{"cut after a key", `{"claims":[{"text":"A","passage":0},{"text":`, []string{"A"}, "salvaged", nil},
		{"cut inside the only element", `{"claims":[{"text":"A","pass`, nil, "", ErrUnfit},
		{"cut after a comma", `{"note":"n","claims":[{"text":"A","passage":0},`, []string{"A"}, "salvaged", nil},
		{"keys in another spelling", `{"Claims":[{"Text":"A","Passage":0,"evidenceGrade":"primary"}]}`, []string{"A"}, "bent", nil},
		{"number in quotes", `{"claims":[{"text":"A","passage":"0"}]}`, []string{"A"}, "bent", nil},
		{"whole float", `{"claims":[{"text":"A","passage":3.0}]}`, []string{"A"}, "", nil},
		{"enum in another case", `{"claims":[{"text":"A","passage":0,"evidence_grade":"Primary "}]}`, []string{"A"}, "bent", nil},
		{"enum misspelt", `{"claims":[{"text":"A","passage":0,"evidence_grade":"secondry"}]}`, []string{"A"}, "bent", nil},
		{"enum unknown", `{"claims":[{"text":"A","passage":0},{"text":"B","passage":0,"evidence_grade":"great"}]}`, []string{"A"}, "pruned", nil},
		{"wrapper", `{"result":{"claims":[{"text":"A","passage":0}]}}`, []string{"A"}, "bent", nil},
		{"bare list", `[{"text":"A","passage":0}]`, []string{"A"}, "bent", nil},
		{"one object for a list", `{"claims":{"text":"A","passage":0}}`, []string{"A"}, "bent", nil},
		{"extra property", `{"claims":[{"text":"A","passage":0,"why":"x"}],"done":true}`, []string{"A"}, "bent", nil},
		{"null for an optional property", `{"claims":[{"text":"A","passage":0}],"note":null}`, []string{"A"}, "bent", nil},
		{"JSON in a string", `"{\"claims\":[{\"text\":\"A\",\"passage\":0}]}"`, []string{"A"}, "bent", nil},
		{"too many elements", `{"claims":[{"text":"1","passage":0},{"text":"2","passage":0},{"text":"3","passage":0},{"text":"4","passage":0},{"text":"5","passage":0}]}`, []string{"1", "2", "3", "4"}, "bent", nil},
		{"an element without its text", `{"claims":[{"passage":0},{"text":"B","passage":1}]}`, []string{"B"}, "pruned", nil},
		{"no element fits", `{"claims":[{"passage":0},{"text":""}]}`, nil, "", ErrUnfit},
		{"single quotes and a trailing comma", `{'claims': [{'text': 'A', 'passage': 0},]}`, []string{"A"}, "mended", nil},
		{"python words", `{"claims":[{"text":"A","passage":0}],"note":None}`, []string{"A"}, "mended+bent", nil},
		{"comments", "{\"claims\":[{\"text\":\"A\",\"passage\":0} // first\n]}", []string{"A"}, "mended", nil},
		{"raw line break in a string", "{\"claims\":[{\"text\":\"A\nB\",\"passage\":0}]}", []string{"A\nB"}, "mended", nil},
		{"marks in a string and prose after", "{\"claims\":[{\"text\":\"a 7\" pipe\",\"passage\":0}]}\nI hope this helps.", []string{`a 7" pipe`}, "mended", nil},
		{"marks in a string that is cut", "{\"claims\":[{\"text\":\"a 7\" pipe\",\"passage\":0},{\"text\":\"and then", nil, "", ErrUnfit},
		{"LaTeX", `{"claims":[{"text":"Transformer\upcite{ref6}","passage":0}]}`, []string{`Transformer\upcite{ref6}`}, "mended", nil},
		{"wrong keys", `{"Ollama简介":"…"}`, nil, "", ErrUnfit},
		{"other keys", `{"search":"x"}`, nil, "", ErrUnfit},
		{"refusal", "I'm sorry, but I can't help with that.", nil, "", ErrNoJSON},
		{"wrong language", "对不起，我无法回答这个问题。", nil, "", ErrNoJSON},
		{"echo of the schema", claims, nil, "", ErrUnfit},
		{"control tokens around", `<|im_start|>assistant` + "\n" + `{"claims":[{"text":"A","passage":0}]}<|im_end|>`, []string{"A"}, "cleaned", nil},
		{"control tokens inside", `{"claims":[{"text":"A<|eot_id|>","passage":0}]}`, []string{"A"}, "cleaned", nil},
		{"a control token is all there is", `{"claims":[{"text":"<|eot_id|>","passage":0}]}`, nil, "", ErrUnfit},
		{"harmony", `<|channel|>analysis<|message|>{"claims":[{"text":"no","passage":0}]}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"claims":[{"text":"A","passage":0}]}<|return|>`, []string{"A"}, "cleaned", nil},
		{"harmony without a final channel", `<|channel|>analysis<|message|>We need {"claims":[]}`, nil, "", ErrEmpty},
		{"repetition", `{"claims":[{"text":"A","passage":0},` + strings.Repeat(`{"text":"A","passage":0},`, 2000), []string{"A", "A", "A", "A"}, "salvaged+bent", nil},
		{"brackets without end", strings.Repeat("[", 50000), nil, "", ErrNoJSON},
		{"an immense number", `{"claims":[{"text":"A","passage":1e999999}]}`, nil, "", ErrUnfit},
		{"a minute number", `{"claims":[{"text":"A","passage":1e-999999}]}`, nil, "", ErrUnfit},
		{"an object in a list in a list", `[[[{"claims":[{"text":"A","passage":0}]}]]]`, nil, "", ErrUnfit},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var got claimList
			how, err := Parse(tc.text, json.RawMessage(claims), &got)
			if !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
				t.Fatalf("Parse error = %v, want %v", err, tc.err)
			}
			if how != tc.how {
				t.Errorf("Parse repair = %q, want %q", how, tc.how)
			}
			if !reflect.DeepEqual(texts(got), tc.want) {
				t.Errorf("Parse texts = %q, want %q", texts(got), tc.want)
			}
		})
	}
}

func TestParseList(t *testing.T) {
	schema := json.RawMessage(`{"type":"array","items":{"type":"string"},"minItems":1}`)
	var got []string
	how, err := Parse("[\"\"Are dogs loyal?\"\", \"\"What do they eat?\"\"]", schema, &got)
	if err != nil || len(got) != 2 || got[0] != "Are dogs loyal?" || got[1] != "What do they eat?" {
		t.Errorf("Parse of doubled quotes = %q, %q, %v", got, how, err)
	}
}

func TestParseSchemaFaults(t *testing.T) {
	for name, schema := range map[string]string{
		"not JSON":           `{`,
		"not a schema":       `{"type": 7}`,
		"refers to a file":   `{"$ref": "file:///etc/passwd"}`,
		"refers to the web":  `{"$ref": "http://example.org/schema.json"}`,
		"refers to nothing":  `{"$ref": "#/$defs/none"}`,
		"a number as schema": `3`,
	} {
		var v any
		if _, err := Parse(`{"a":1}`, json.RawMessage(schema), &v); err == nil || errors.Is(err, ErrUnfit) {
			t.Errorf("%s: Parse error = %v, want an error of the schema", name, err)
		}
	}
}

func TestParseLeavesIntoAlone(t *testing.T) {
	got := claimList{Note: "kept"}
	if _, err := Parse("no", json.RawMessage(claims), &got); err == nil || got.Note != "kept" {
		t.Errorf("Parse of prose = %v, %+v; want an error and the value as it was", err, got)
	}
}

func TestValue(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"as it is", `{"a": 12345678901234567890}`, `{"a":12345678901234567890}`},
		{"not closed", `{"key": ""`, `{"key":""}`},
		{"prose and not closed", `Here is your JSON: {"key": "value`, `{"key":"value"}`},
		{"angle brackets stay", `{"a":"x<y & z"}`, `{"a":"x<y & z"}`},
		{"marks in a string and prose after", "{\"a\": \"the \"old\" one\"}\nI hope this helps.", `{"a":"the \"old\" one"}`},
		{"zero", "0e+2", "0e+2"},
		{"two", `{"a":1}{"b":2}`, `[{"a":1},{"b":2}]`},
		{"list", "Sure:\n```json\n[1, 2,]\n```", `[1,2]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, _, err := Value(tc.text)
			if err != nil || string(got) != tc.want {
				t.Errorf("Value(%q) = %s, %v, want %s", tc.text, got, err, tc.want)
			}
		})
	}
}

func TestProse(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "A sentence.", "A sentence."},
		{"thinking", "<think>hm</think>\nA sentence.", "A sentence."},
		{"two thoughts", "<think>a</think>One.<think>b</think> Two.", "One. Two."},
		{"a thought in a thought", "<think>a<think>b</think>c</think>One.", "One."},
		{"magistral", "[THINK]a[/THINK]One.", "One."},
		{"control tokens", "<s>[INST] One.[/INST]</s>", "One."},
		{"a token in a token", "One.<|im_<|x|>end|>", "One."},
		{"deepseek", "One.<｜end▁of▁sentence｜>", "One."},
		{"less than", "a < b and c > d", "a < b and c > d"},
		{"zero bytes", "\ufeffO\x00ne.", "One."},
		{"bad UTF-8", "One\xff.", "One."},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := Prose(tc.text); got != tc.want {
				t.Errorf("Prose(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

// FuzzParse holds that whatever is given back validates and carries no control token, and that nothing panics.
func FuzzParse(f *testing.F) {
	f.Add(`{"claims":[{"text":"A","passage":0}]}`)
	f.Add("<think>x</think>```json\n{'claims': [{'text': 'A<|im_end|>', 'passage': '0'},")
	f.Add(`{"claims":[{"text":"\upcite","passage":1e999999}]}`)
	f.Add(`[[[[{"claims":{"claims":"{\"claims\":[]}"}}`)
	f.Add(`<|channel|>final<|message|>[{"TEXT":"a","passage":null}]`)
	sch, err := compile(json.RawMessage(claims))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, how, err := find(text, sch)
		if err != nil {
			return
		}
		if !sch.fits(v) {
			t.Errorf("find(%q) = %v (%s), which does not validate", text, v, how)
		}
		if again, changed := strippedStrings(v); changed {
			t.Errorf("find(%q) left a control token: %v", text, again)
		}
	})
}

// TestFits: a text that is longer than an answer may be is held against its schema whole, and nothing is repaired.
func TestFits(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"list":{"type":"array","items":{"type":"string"}}},"required":["list"]}`)
	long := `{"list":["` + strings.Repeat("a", maxText) + `","b"]}`
	if err := Fits([]byte(long), schema); err != nil {
		t.Errorf("a long text that fits: %v", err)
	}
	for name, tc := range map[string]struct {
		text string
		want error
	}{
		"another kind": {`{"list":[1]}`, ErrUnfit},
		"missing":      {`{}`, ErrUnfit},
		"cut":          {long[:maxText], ErrNoJSON},
		"nothing":      {"", ErrNoJSON},
	} {
		if err := Fits([]byte(tc.text), schema); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
}

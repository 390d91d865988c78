package answer

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// TestAcceptance holds the public bug reports of the acceptance list that an answer's text decides, by their number there. What
// the engine does after an error (one repair, a second path, a default plan) is tested where it does it.
func TestAcceptance(t *testing.T) {
	described := `{"type":"object","properties":{"description":{"type":"string","minLength":1}},"required":["description"],"additionalProperties":false}`
	listed := `{"type":"array","items":{"type":"string"},"minItems":1}`
	query := `{"type":"object","properties":{"query":{"type":"string","minLength":1}},"required":["query"],"additionalProperties":false}`
	for _, tc := range []struct {
		name, schema, text, want string // want is JSON, empty with err
		err                      error
	}{
		{"ACCEPTANCE 36: LaTeX in a string", described, `{"description":"…Transformer\upcite{ref6}…"}`, `{"description":"…Transformer\\upcite{ref6}…"}`, nil},
		{"ACCEPTANCE 37: valid JSON with other keys", described, `{"Ollama简介":"…"}`, "", ErrUnfit},
		{"ACCEPTANCE 39: doubled quotation marks", listed, `[""Are dogs loyal?"", ""What do dogs eat?""]`, `["Are dogs loyal?","What do dogs eat?"]`, nil},
		{"ACCEPTANCE 41: the answer after a thought that looks like one", query, `<think>{"query":"no"}</think>{"query":"yes"}`, `{"query":"yes"}`, nil},
		{"ACCEPTANCE 42: another key than asked", query, `{"search":"x"}`, "", ErrUnfit},
		{"ACCEPTANCE 44: nothing", query, "", "", ErrEmpty},
		{"ACCEPTANCE 44: nothing but a thought", query, "<think>The query is", "", ErrEmpty},
		{"ACCEPTANCE 46: no end of the fence", claims, "```json\n{\"claims\":[{\"text\":\"A\",\"passage\":0},{\"text\":\"B\",\"passage\":1}]}\n", `{"claims":[{"text":"A","passage":0},{"text":"B","passage":1}]}`, nil},
		{"ACCEPTANCE 46: no end of the fence nor of the last element", claims, "```json\n{\"claims\":[{\"text\":\"A\",\"passage\":0},{\"text\":\"B\",\"passage\":1},{\"text\":\"C and", `{"claims":[{"text":"A","passage":0},{"text":"B","passage":1}]}`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got any
			_, err := Parse(tc.text, json.RawMessage(tc.schema), &got)
			if !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
				t.Fatalf("Parse error = %v, want %v", err, tc.err)
			}
			if tc.err != nil {
				return
			}
			var want any
			if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("Parse = %s, want %s", inJSON(got), tc.want)
			}
		})
	}
}

package app

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestSlim(t *testing.T) {
	long := strings.Repeat("界", 4000)
	raw := func(v any) json.RawMessage {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, tc := range []struct {
		name    string
		ev      research.Event
		want    string // a part of the payload
		without string
		shown   bool
	}{
		{"stage is its counts", research.Event{Kind: "stage extract", Payload: raw(map[string]any{"claims": []int{1, 2}, "n": 7, "dropped": []int{}, "other": []int{1}})}, `{"claims":2,"dropped":0}`, "", true},
		{"a list inside", research.Event{Kind: "stage plan", Payload: raw(map[string]any{"plan": map[string]any{"tasks": []int{1, 2}}})}, `{"tasks":2}`, "", true},
		{"a result of another form", research.Event{Kind: "stage plan", Payload: raw("x")}, `{}`, "", true},
		{"a list has the stage's name", research.Event{Kind: "stage hypothesise", Payload: raw([]int{1, 2, 3})}, `{"hypotheses":3}`, "", true},
		{"source without passages", research.Event{Kind: "source", Payload: raw(research.Source{ID: "s", Verdict: research.RejectAI, Note: long, Passages: []research.Passage{{Text: "secret"}}})}, `"reject_ai"`, "secret", true},
		{"model without its words", research.Event{Kind: "model", Payload: raw(research.Answer{Text: "answer", Thinking: "thought", PromptTokens: 7, By: "x"})}, `"prompt_tokens":7`, "thought", true},
		{"check with few hits", research.Event{Kind: "check", Payload: raw(research.CheckNews{Check: "G09", Hits: make([]string, 99)})}, `"G09"`, "", true},
		{"read is only counted", research.Event{Kind: "read", Payload: raw(map[string]string{"title": "x"})}, "{}", "title", true},
		{"what is not shown", research.Event{Kind: "embed", Payload: raw("x")}, "", "", false},
		{"the request is not shown", research.Event{Kind: research.EventRequest, Payload: raw("x")}, "", "", false},
		{"damaged", research.Event{Kind: "note", Payload: json.RawMessage(`{"text":`)}, "{}", "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, shown := slim(tc.ev)
			if shown != tc.shown || !strings.Contains(got, tc.want) || tc.without != "" && strings.Contains(got, tc.without) {
				t.Errorf("slim = %s, %v", got, shown)
			}
			if shown && !json.Valid([]byte(got)) {
				t.Errorf("slim made no JSON: %s", got)
			}
			if len(got) > 8*maxText {
				t.Errorf("slim made %d bytes", len(got))
			}
		})
	}
}

func TestRunEventsAdd(t *testing.T) {
	e := RunEvents{Last: 4, Events: []RunEvent{}}
	for _, ev := range []research.Event{{Seq: 5, Kind: "note", Payload: json.RawMessage(`{}`)}, {Kind: "tick"}, {Seq: 6, Kind: "embed"}} {
		e.add(ev)
	}
	if len(e.Events) != 1 || e.Last != 6 {
		t.Errorf("add: %d events up to %d; want 1 up to 6: what is not shown counts as seen", len(e.Events), e.Last)
	}
}

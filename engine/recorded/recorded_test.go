package recorded

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"assay/engine/research"
)

func event(t *testing.T, kind string, in, out any) research.Event {
	t.Helper()
	key, err := research.EffectKey(kind, in)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return research.Event{Kind: kind, Key: key, Payload: b}
}

func TestChat(t *testing.T) {
	call := research.Call{Role: research.Reader, Prompt: "Read this.", Schema: json.RawMessage(`{"type":"object"}`), Budget: 100, Seed: 7}
	again := call
	again.Try = 1
	run := research.Run{Events: []research.Event{
		{Kind: research.EventNote, Payload: json.RawMessage(`{"level":"info","text":"x"}`)},
		event(t, research.EventModel, call, research.Answer{Text: "first", By: "ollama:tiny"}),
		event(t, research.EventEmbed, []string{"a"}, [][]float32{{1, 2}}),
	}}
	m := New(FromRun(run), research.Limits{Name: "ollama:tiny", NumCtx: 8192})
	withInput := call
	withInput.Input = struct{ A int }{1} // not a part of the key
	got, err := m.Chat(context.Background(), withInput)
	if err != nil || got.Text != "first" || got.By != "ollama:tiny" {
		t.Errorf("Chat = %+v, %v; want the recorded answer", got, err)
	}
	if _, err := m.Chat(context.Background(), again); !errors.Is(err, research.ErrUnrecorded) {
		t.Errorf("Chat of another try: error = %v, want ErrUnrecorded", err)
	}
	if v, err := m.Embed(context.Background(), []string{"a"}); err != nil || !reflect.DeepEqual(v, [][]float32{{1, 2}}) {
		t.Errorf("Embed = %v, %v; want the recorded vector", v, err)
	}
	if _, err := m.Embed(context.Background(), []string{"b"}); !errors.Is(err, research.ErrUnrecorded) {
		t.Errorf("Embed of another text: error = %v, want ErrUnrecorded", err)
	}
	key, err := research.EffectKey(research.EventModel, again)
	if err != nil {
		t.Fatal(err)
	}
	misses := m.Misses()
	if m.Hits() != 2 || len(misses) != 2 || misses[0] != (Miss{"model", research.Reader, key}) {
		t.Errorf("%d hits, misses %+v; want 2 hits, 2 misses, the first with key %s", m.Hits(), misses, key)
	}
	if m.Limits().NumCtx != 8192 {
		t.Errorf("Limits = %+v, want those it was given", m.Limits())
	}
}

func TestChatStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := New(FromRun(research.Run{}), research.Limits{})
	if _, err := m.Chat(ctx, research.Call{}); !errors.Is(err, context.Canceled) || len(m.Misses()) != 0 {
		t.Errorf("Chat after the end = %v with misses %v, want the context's error and no miss", err, m.Misses())
	}
}

func TestChatForeignPayload(t *testing.T) {
	call := research.Call{Prompt: "x"}
	run := research.Run{Events: []research.Event{event(t, research.EventModel, call, []int{1})}}
	if _, err := New(FromRun(run), research.Limits{}).Chat(context.Background(), call); err == nil || errors.Is(err, research.ErrUnrecorded) {
		t.Errorf("Chat over a foreign payload: error = %v, want one that says so", err)
	}
}

// TestKey pins the key, which old records are found by.
func TestKey(t *testing.T) {
	got, err := research.EffectKey("model", research.Call{Role: research.Planner, Prompt: "p", Budget: 5})
	if want := "model/97323fcb32a511960ecd9f8b"; err != nil || got != want {
		t.Errorf("EffectKey = %q, %v; want %q", got, err, want)
	}
}

func TestLimitsOf(t *testing.T) {
	run := research.Run{Events: []research.Event{
		{Kind: "limits", Payload: json.RawMessage(`[]`)},
		{Kind: "limits", Payload: json.RawMessage(`{"name":"ollama:tiny","num_ctx":4096,"tokens_per_byte":0.4,"embeds":false}`)},
	}}
	if l, ok := LimitsOf(run, "limits"); !ok || l.NumCtx != 4096 {
		t.Errorf("LimitsOf = %+v, %v; want the recorded ones", l, ok)
	}
	if _, ok := LimitsOf(run, "other"); ok {
		t.Error("LimitsOf of a kind without events = true, want false")
	}
}

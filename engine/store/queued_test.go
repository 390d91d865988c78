package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestQueuedBegins(t *testing.T) {
	h := open(t, t.TempDir())
	req := request()
	req.Now = ""
	place := research.Place{Priority: 3, Rank: 7, AddedMs: 9}
	id, err := h.Enqueue(req, "1.0", place, "/out")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := h.Show(id); err != nil || info.State != "queued" || info.Place != place {
		t.Fatalf("queued: %+v, %v", info, err)
	}
	refused := errors.New("refused")
	if _, err := h.Begin(id, "1.1", func(research.Request) (research.Request, error) { return req, refused }); !errors.Is(err, refused) {
		t.Errorf("begin = %v", err)
	}
	r, err := h.Begin(id, "1.1", func(q research.Request) (research.Request, error) { q.Now = "2026-05-06T07:08:09Z"; return q, nil })
	if err != nil {
		t.Fatal(err)
	}
	if r.Request().Now != "2026-05-06T07:08:09Z" || r.Out() != "/out" || r.Length() != 1 || r.Info().Code != "1.1" || r.State().State != "running" {
		t.Errorf("begun: %+v, out %q, %d events, %+v", r.Request(), r.Out(), r.Length(), r.Info())
	}
	events, err := r.Events(0, 0)
	if err != nil || len(events) != 1 || events[0].Seq != 1 || !strings.Contains(string(events[0].Payload), "2026-05-06") {
		t.Errorf("events = %+v, %v", events, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Begin(id, "1.1", func(q research.Request) (research.Request, error) { return q, nil }); !errors.Is(err, ErrBegun) {
		t.Errorf("begun twice: %v", err)
	}
}

// A record that is mirrored write by write can be restored elsewhere, and what is exported there is what is exported here.
func TestMirrorAndRestore(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	texts, events := map[string]string{}, []research.Event{}
	first, err := r.Events(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	events = append(events, first...)
	r.SetMirror(func(ts map[string]string, evs []research.Event) error {
		for sha, text := range ts {
			texts[sha] = text
		}
		events = append(events, evs...)
		return nil
	})
	if _, err := r.PutBlob("Gold melts."); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		appendKeyed(t, r, fmt.Sprint("k", i), `{"a": 1}`)
	}
	var here strings.Builder
	if err := r.Export(&here); err != nil {
		t.Fatal(err)
	}
	run := research.Run{Schema: research.SchemaVersion, Code: "1.0", ID: r.ID(), Request: r.Request(), State: r.State(), Events: events, Blobs: texts}
	other := open(t, t.TempDir())
	for range 2 { // the second replaces the first
		restored, err := other.Restore(run)
		if err != nil {
			t.Fatal(err)
		}
		var there strings.Builder
		if err := restored.Export(&there); err != nil {
			t.Fatal(err)
		}
		if there.String() != here.String() {
			t.Errorf("exported there:\n%s\nhere:\n%s", there.String(), here.String())
		}
		if _, ok := restored.Get("k3"); !ok {
			t.Error("what was done is not known to the restored record")
		}
		if err := restored.Close(); err != nil {
			t.Fatal(err)
		}
	}
	lost := errors.New("lost")
	r.SetMirror(func(map[string]string, []research.Event) error { return lost })
	if _, err := r.Append(research.Event{Kind: research.EventNote, Payload: json.RawMessage(`{}`)}); !errors.Is(err, lost) {
		t.Errorf("a write that was not mirrored: %v", err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	h := open(t, t.TempDir())
	good := research.Run{Schema: research.SchemaVersion, Code: "1.0", ID: "20260102-030405-abcdef", Request: request()}
	for name, change := range map[string]func(*research.Run){
		"an id that is a path": func(r *research.Run) { r.ID = "../../x" },
		"a newer schema":       func(r *research.Run) { r.Schema = 99 },
		"a text under a false hash": func(r *research.Run) {
			r.Events = []research.Event{{Seq: 1, Kind: research.EventRequest, Payload: json.RawMessage(`{}`)}}
			r.Blobs = map[string]string{"abc": "x"}
		},
		"a gap in the events": func(r *research.Run) {
			r.Events = []research.Event{{Seq: 1, Kind: "request"}, {Seq: 3, Kind: "note"}}
		},
		"a payload that is no JSON": func(r *research.Run) {
			r.Events = []research.Event{{Seq: 1, Kind: "request", Payload: json.RawMessage(`{`)}}
		},
	} {
		run := good
		change(&run)
		if _, err := h.Restore(run); err == nil {
			t.Errorf("%s was restored", name)
		}
	}
	if infos, err := h.List(); err != nil || len(infos) != 0 {
		t.Errorf("something is left: %+v, %v", infos, err)
	}
	held := create(t, h)
	good.ID = held.ID()
	if _, err := h.Restore(good); err == nil {
		t.Error("a run that is worked on was replaced")
	}
}

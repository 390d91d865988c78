package queue

import (
	"testing"

	"pgregory.net/rapid"

	"assay/engine/research"
)

func item(id string, change func(*Item)) Item {
	it := Item{ID: id, State: Queued, Request: research.Request{Model: "ollama:a"}}
	if change != nil {
		change(&it)
	}
	return it
}

func TestChoose(t *testing.T) {
	extractive := func(it *Item) { it.Request.Model = "extractive" }
	running := func(it *Item) { it.State = Running }
	one := Limits{Models: 1, Library: 2}
	for _, c := range []struct {
		name  string
		items []Item
		want  string
	}{
		{"nothing", nil, ""},
		{"the older first", []Item{item("b", nil), item("a", nil)}, "a"},
		{"rank before age", []Item{item("a", func(it *Item) { it.Rank = 5 }), item("b", nil)}, "b"},
		{"priority before rank", []Item{item("a", nil), item("b", func(it *Item) { it.Priority, it.Rank = 1, 9 })}, "b"},
		{"an interrupted one before those of its priority", []Item{item("a", nil), item("b", func(it *Item) { it.State, it.Rank = Interrupted, 9 })}, "b"},
		{"but not before a higher priority", []Item{item("a", func(it *Item) { it.Priority = 1 }), item("b", func(it *Item) { it.State = Interrupted })}, "a"},
		{"the model is taken", []Item{item("a", running), item("b", nil)}, ""},
		{"a run of the library goes past it", []Item{item("a", running), item("b", nil), item("c", extractive)}, "c"},
		{"paused, stopped, failed and completed wait for nobody", []Item{
			item("a", func(it *Item) { it.State = Paused }), item("b", func(it *Item) { it.State = Stopped }),
			item("c", func(it *Item) { it.State = Failed }), item("d", func(it *Item) { it.State = Completed }),
		}, ""},
	} {
		got, ok := Choose(c.items, one)
		if got.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s: chose %q, want %q", c.name, got.ID, c.want)
		}
	}
}

// Whatever waits, the limits hold, nothing of a lower priority goes before what could go, and all come to their turn.
func TestChooseAlways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := Limits{rapid.IntRange(1, 3).Draw(t, "models"), rapid.IntRange(1, 3).Draw(t, "library")}
		n := rapid.IntRange(0, 20).Draw(t, "n")
		items := make([]Item, n)
		for i := range items {
			items[i] = item(string(rune('a'+i)), func(it *Item) {
				it.Priority = rapid.IntRange(-2, 2).Draw(t, "priority")
				it.Rank = rapid.Int64Range(-3, 3).Draw(t, "rank")
				if rapid.Bool().Draw(t, "extractive") {
					it.Request.Model = "extractive"
				}
			})
		}
		for range 4 * n {
			got, ok := Choose(items, limits)
			if !ok || rapid.IntRange(0, 2).Draw(t, "end one") == 0 {
				for i := range items {
					if items[i].State == Running {
						items[i].State = Completed
						break
					}
				}
				continue
			}
			models, library := 0, 0
			for i := range items {
				if items[i].ID == got.ID {
					items[i].State = Running
				}
				if it := items[i]; it.Waits() && it.Priority > got.Priority && NeedsModel(it.Request) == NeedsModel(got.Request) {
					t.Fatalf("%q of priority %d went before %q of %d", got.ID, got.Priority, it.ID, it.Priority)
				}
				if items[i].State != Running {
					continue
				}
				if NeedsModel(items[i].Request) {
					models++
				} else {
					library++
				}
			}
			if models > limits.Models || library > limits.Library {
				t.Fatalf("%d and %d at once, limits %+v", models, library, limits)
			}
		}
	})
}

func TestTaken(t *testing.T) {
	it := Item{}
	for n := range MaxTakes {
		if !it.Taken(7) {
			t.Fatalf("refused at the %d. take", n+1)
		}
	}
	if it.Taken(7) {
		t.Error("taken once more although nothing was recorded")
	}
	if !it.Taken(8) || it.Takes != 1 {
		t.Errorf("what recorded something may go on: %+v", it)
	}
}

func TestRankBetween(t *testing.T) {
	a, b := &Item{Rank: 0}, &Item{Rank: 1}
	if _, ok := RankBetween(a, b); ok {
		t.Error("there is no place between 0 and 1")
	}
	for _, c := range []struct{ after, before *Item }{{nil, nil}, {a, nil}, {nil, b}, {a, &Item{Rank: 10}}, {&Item{Rank: -9}, b}} {
		r, ok := RankBetween(c.after, c.before)
		if !ok || c.after != nil && r <= c.after.Rank || c.before != nil && r >= c.before.Rank {
			t.Errorf("between %v and %v: %d, %v", c.after, c.before, r, ok)
		}
	}
}

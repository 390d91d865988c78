package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assay/engine"
	"assay/engine/research"
	"assay/engine/store"
)

// twoVoices is a library of two folders whose documents say the same.
func twoVoices(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, name := range []string{"mint", "assayer"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		text := map[string]string{
			"mint":    "The mint notes that gold melts at 1064 degrees Celsius, which was measured in its own workshop by the harbour.\n",
			"assayer": "In the tables of the assayer one reads that gold melts at 1064 degrees Celsius when nothing else is in it.\n",
		}[name]
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

func TestStrikeAndRestore(t *testing.T) {
	d := testDesk(t, realWiring(nil).run)
	dirs := twoVoices(t)
	req, out := request(dirs[0]), filepath.Join(t.TempDir(), "out")
	req.Libraries = dirs
	j := start(t, d, req, StartOptions{Out: out})
	if res := wait(t, j); res.Digest == nil {
		t.Fatalf("Result = %+v", res)
	}
	first := readFile(t, filepath.Join(out, FileDigest))
	res, err := d.Strike(t.Context(), j.ID(), []string{"mint"}, false)
	if err != nil || len(res.Struck) != 1 {
		t.Fatalf("Strike = %+v, %v", res, err)
	}
	if got := readFile(t, filepath.Join(out, FileDigest)); bytes.Equal(got, first) || !bytes.Equal(got, encoded(t, res.Digest)) {
		t.Error("digest.json is not that of the restated report")
	}
	for _, s := range res.Digest.Sources {
		if s.Voice == "mint" {
			t.Errorf("the report still rests on %s", s.URL)
		}
	}
	sound := func() {
		t.Helper()
		for _, name := range []string{j.ID(), filepath.Join(out, FileRun)} {
			if a, err := d.Audit(name, true); err != nil || !a.OK() {
				t.Errorf("Audit(%s) = %v, %v", name, a.Faults, err)
			}
		}
		run, err := d.ReadRun(j.ID())
		if err != nil {
			t.Fatal(err)
		}
		again, err := d.Replay(t.Context(), run, ReplayOptions{})
		if err != nil || !bytes.Equal(encoded(t, again.Digest), encoded(t, *run.Digest)) {
			t.Errorf("the replay differs: %v", err)
		}
	}
	sound()
	if list, err := d.Struck(j.ID()); err != nil || len(list) != 1 || list[0].Voice != "mint" || list[0].Verdict != research.Struck {
		t.Errorf("Struck = %+v, %v", list, err)
	}
	if _, err := d.Strike(t.Context(), j.ID(), []string{"nobody"}, false); !isUsage(err) {
		t.Errorf("Strike of nobody = %v", err)
	}
	if res, err = d.Strike(t.Context(), j.ID(), []string{"assayer"}, false); err != nil || res.Digest.Metrics.Findings != 0 {
		t.Errorf("without any source %d findings, %v", res.Digest.Metrics.Findings, err)
	}
	sound()
	if _, err = d.Strike(t.Context(), j.ID(), []string{"mint", "assayer"}, true); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(out, FileDigest)); !bytes.Equal(got, first) {
		t.Error("restored, digest.json is not what it was")
	}
	sound()
}

func TestStrikeNeedsAReport(t *testing.T) {
	d := testDesk(t, hang)
	j := start(t, d, request(folder(t)), StartOptions{})
	awaitKind(t, j, research.EventModel)
	var locked *store.LockedError
	if _, err := d.Strike(t.Context(), j.ID(), []string{"x"}, false); !errors.As(err, &locked) {
		t.Errorf("Strike of a run at work = %v", err)
	}
	j.Interrupt()
	wait(t, j)
	if _, err := d.Strike(t.Context(), j.ID(), []string{"x"}, false); !errors.Is(err, engine.ErrUnfinished) {
		t.Errorf("Strike of an unfinished run = %v", err)
	}
}

func isUsage(err error) bool {
	var u *UsageError
	return errors.As(err, &u)
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func encoded(t *testing.T, d research.Digest) []byte {
	t.Helper()
	b, err := EncodeDigest(d)
	if err != nil || !json.Valid(b) {
		t.Fatal(err)
	}
	return b
}

func TestAskFurther(t *testing.T) {
	d := testDesk(t, realWiring(nil).run)
	dirs := twoVoices(t)
	req := request(dirs[0])
	req.Libraries = dirs
	j := start(t, d, req, StartOptions{})
	wait(t, j)
	before, err := d.store.Events(j.ID(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Ask(t.Context(), j.ID(), "At how many degrees does gold melt?")
	if err != nil || !got.Answered || len(got.Digest.Sections[0].Findings[0].Citations) == 0 {
		t.Errorf("Ask = %+v, %v", got, err)
	}
	if got, err = d.Ask(t.Context(), j.ID(), "Who painted the ceiling of the chapel?"); err != nil || got.Answered {
		t.Errorf("Ask of what is not there = %+v, %v", got.Digest.Sections, err)
	}
	if _, err := d.Ask(t.Context(), j.ID(), " "); !isUsage(err) {
		t.Errorf("an empty question: %v", err)
	}
	if _, err := d.Strike(t.Context(), j.ID(), []string{"mint", "assayer"}, false); err != nil {
		t.Fatal(err)
	}
	if got, err = d.Ask(t.Context(), j.ID(), "At how many degrees does gold melt?"); err != nil || got.Answered {
		t.Errorf("struck sources answer: %+v, %v", got.Digest.Sections, err)
	}
	after, err := d.store.Events(j.ID(), int64(len(before)), 0)
	if err != nil || len(after) == 0 || after[len(after)-1].Kind != research.EventStage+"report" {
		t.Errorf("asking changed the record: %v, %v", after, err)
	}
	next, err := d.SearchFurther(t.Context(), j.ID(), "When does silver melt?", StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res := wait(t, next); res.Digest == nil || len(next.Request().Libraries) != 2 {
		t.Errorf("SearchFurther = %+v", res)
	}
}

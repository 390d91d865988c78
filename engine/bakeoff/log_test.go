package bakeoff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/engine/research"
)

const at = "2026-01-02T03:04:05Z"

func verdict(model string, o Outcome) Verdict {
	return Verdict{Candidate: Candidate{Model: model}, Outcome: o, Backend: "ollama", Version: "0.17.4", Reasons: []Reason{{4, "a < b & \u2028 \"quoted\""}}}
}

// book is a changelog of three verdicts, the first superseded by the second.
func book(t testing.TB) (Log, []Entry) {
	t.Helper()
	var l Log
	var es []Entry
	add := func(got Log, e Entry, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		l, es = got, append(es, e)
	}
	add(l.AddVerdict(at, "b1", verdict("ollama:a", Discard)))
	add(l.AddVerdict(at, "b2", verdict("ollama:a", Keep)))
	add(l.AddVerdict(at, "b2", verdict("ollama:b", Keep)))
	add(l.Supersede(at, es[0].ID, es[1].ID, "a bug of\nthe server"))
	return l, es
}

func TestLog(t *testing.T) {
	l, es := book(t)
	back, err := ReadLog(bytes.NewReader(l.Bytes()))
	if err != nil || !bytes.Equal(back.Bytes(), l.Bytes()) || fmt.Sprint(back.Entries()) == "" || len(back.Entries()) != 4 {
		t.Fatalf("ReadLog = %d entries, %v", len(back.Entries()), err)
	}
	by, gone := back.Superseded(es[0].ID)
	if !gone || by.ID != es[3].ID || by.Retest != es[1].ID || by.Reason != "a bug of the server" {
		t.Errorf("Superseded = %+v, %v", by, gone)
	}
	if _, gone := back.Superseded(es[1].ID); gone {
		t.Error("the retest counts as superseded")
	}
	if e, ok := back.Find(es[0].ID); !ok || e.Verdict.Outcome != Discard {
		t.Errorf("the superseded verdict was changed: %+v", e)
	}
	if back.Hash(es[2].ID) == "" || back.Hash("v") != "" {
		t.Error("Hash does not know its entries")
	}
	if l, err := ReadLog(strings.NewReader("")); err != nil || len(l.Entries()) != 0 {
		t.Errorf("an empty changelog: %v", err)
	}
}

// TestLogBranches holds that adding to a log leaves it as it was.
func TestLogBranches(t *testing.T) {
	l, _ := book(t)
	before := string(l.Bytes())
	for _, m := range []string{"ollama:x", "ollama:y"} {
		got, e, err := l.AddVerdict(at, "b3", verdict(m, Keep))
		if err != nil || got.Entries()[4].Verdict.Candidate.Model != m {
			t.Fatal(err)
		}
		if _, ok := l.Find(e.ID); ok || string(l.Bytes()) != before || len(l.Entries()) != 4 {
			t.Fatal("adding to a log changed it")
		}
		if _, err := ReadLog(bytes.NewReader(got.Bytes())); err != nil {
			t.Error(err)
		}
	}
}

// TestRemove holds that the removal of a bake-off's data is told and takes no verdict with it.
func TestRemove(t *testing.T) {
	l, es := book(t)
	if _, _, err := l.Remove(at, "b9"); err == nil || !strings.Contains(err.Error(), "no verdict of bake-off \"b9\"") {
		t.Errorf("Remove of a bake-off without a verdict = %v", err)
	}
	next, e, err := l.Remove(at, "b2")
	if err != nil || !bytes.HasPrefix(next.Bytes(), l.Bytes()) {
		t.Fatalf("Remove = %v, or it changed what was written before", err)
	}
	back, err := ReadLog(bytes.NewReader(next.Bytes()))
	if got, ok := back.Removed("b2"); err != nil || !ok || got != e {
		t.Fatalf("Removed = %+v, %v; ReadLog %v", got, ok, err)
	}
	if _, ok := back.Removed("b1"); ok || !back.Judged("b1") || !back.Judged("b2") || back.Judged("b9") {
		t.Error("another bake-off counts as removed, or its verdicts are not known")
	}
	for _, old := range es[:3] {
		if v, ok := back.Find(old.ID); !ok || v.Verdict == nil {
			t.Errorf("verdict %s went with the data", old.ID)
		}
	}
	if _, _, err := back.Remove(at, "b2"); err == nil || !strings.Contains(err.Error(), "were removed before") {
		t.Errorf("Remove again = %v", err)
	}
	if _, _, err := back.AddVerdict(at, "b2", verdict("ollama:a", Keep)); err == nil || !strings.Contains(err.Error(), "were removed before") {
		t.Errorf("a verdict on data that are gone = %v", err)
	}
	if _, _, err := back.Supersede(at, es[1].ID, e.ID, "why"); err == nil {
		t.Error("a removal is taken for a retest")
	}
}

func TestSupersedeRefuses(t *testing.T) {
	l, es := book(t)
	other := verdict("ollama:b", Keep)
	other.Role = research.Reader
	l, role, err := l.AddVerdict(at, "b3", other)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, id, retest, reason, want string }{
		{"no such verdict", "vx", es[1].ID, "why", "no verdict \"vx\" to supersede"},
		{"no such retest", es[2].ID, "vx", "why", "no verdict \"vx\" to be the retest"},
		{"a supersession is no verdict", es[3].ID, es[1].ID, "why", "no verdict"},
		{"a supersession is no retest", es[2].ID, es[3].ID, "why", "to be the retest"},
		{"itself", es[1].ID, es[1].ID, "why", "later verdict"},
		{"an earlier retest", es[2].ID, es[1].ID, "why", "later verdict"},
		{"another model", es[1].ID, es[2].ID, "why", "another model or role"},
		{"another role", es[2].ID, role.ID, "why", "another model or role"},
		{"superseded already", es[0].ID, es[1].ID, "why", "superseded already, by entry " + es[3].ID},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _, err := l.Supersede(at, tc.id, tc.retest, tc.reason)
			if err == nil || !strings.Contains(err.Error(), tc.want) || len(got.Entries()) != 5 {
				t.Errorf("Supersede = %v, want %q", err, tc.want)
			}
		})
	}
	l, again, err := l.AddVerdict(at, "b4", verdict("ollama:a", Discard))
	if err != nil {
		t.Fatal(err)
	}
	for reason, want := range map[string]string{" \n": "needs a reason", strings.Repeat("x", 1001): "longer than 1000"} {
		if _, _, err := l.Supersede(at, es[1].ID, again.ID, reason); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Supersede with %.5q = %v, want %q", reason, err, want)
		}
	}
}

// TestReadLogFindsDamage changes a log in every way a hand would and wants the line named.
func TestReadLogFindsDamage(t *testing.T) {
	l, _ := book(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(l.Bytes()), "\n"), "\n")
	lines[3] += "\n"
	all := func(change func([]string) []string) string {
		return strings.Join(change(append([]string{}, lines...)), "")
	}
	for _, tc := range []struct {
		name, text string
		line       int
		why        string
	}{
		{"an outcome", all(func(s []string) []string {
			s[1] = strings.Replace(s[1], `"outcome":"keep"`, `"outcome":"discard"`, 1)
			return s
		}), 2, "changed after"},
		{"a hash", all(func(s []string) []string {
			s[1] = strings.Replace(s[1], `{"hash":"`, `{"hash":"0`, 1)
			return s
		}), 2, "changed after"},
		{"a line taken out", all(func(s []string) []string { return append(s[:1], s[2:]...) }), 2, "line before it"},
		{"the first taken out", all(func(s []string) []string { return s[1:] }), 1, "line before it"},
		{"two exchanged", all(func(s []string) []string { s[1], s[2] = s[2], s[1]; return s }), 2, "line before it"},
		{"one twice", all(func(s []string) []string { return append(s, s[3]) }), 5, "line before it"},
		{"the end missing", strings.TrimSuffix(all(func(s []string) []string { return s }), "\n"), 4, "end is missing"},
		{"half a line", all(func(s []string) []string { s[3] = s[3][:20]; return s }), 4, "end is missing"},
		{"no JSON", lines[0] + "verdict: keep\n", 2, "no entry"},
		{"a blank line", lines[0] + "\n" + lines[1], 2, "no entry"},
		{"something behind", strings.Replace(lines[0], "}}\n", "}} x\n", 1), 1, "no entry"},
		{"an unknown field", strings.Replace(lines[0], `{"hash"`, `{"x":1,"hash"`, 1), 1, "no entry"},
		{"an entry that is none", `{"hash":"x","entry":7}` + "\n", 1, "no entry that can be read"},
		{"a key in capitals", strings.Replace(lines[0], `{"hash"`, `{"Hash"`, 1), 1, "no entry"},
		{"a key twice", strings.Replace(lines[0], `{"hash"`, `{"hash":"","hash"`, 1), 1, "no entry"},
		{"a key escaped", strings.Replace(lines[0], `"entry"`, `"\u0065ntry"`, 1), 1, "no entry"},
		{"other spaces", strings.Replace(lines[0], `,"entry":`, `, "entry": `, 1), 1, "no entry"},
		{"another end of the line", strings.Replace(lines[0], "\n", "\r\n", 1), 1, "no entry"},
		{"a long line", lines[0] + strings.Repeat("x", maxLine+1) + "\n", 2, "longer than"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ReadLog(strings.NewReader(tc.text))
			var d *DamagedError
			if !errors.As(err, &d) || d.Line != tc.line || !strings.Contains(d.Why, tc.why) {
				t.Fatalf("ReadLog = %v, want line %d and %q", err, tc.line, tc.why)
			}
			if len(got.Entries()) != tc.line-1 {
				t.Errorf("%d entries are left, want those before the damage", len(got.Entries()))
			}
		})
	}
}

// TestForgedEntries holds that a chain that is whole but tells what cannot be is refused as well.
func TestForgedEntries(t *testing.T) {
	for _, tc := range []struct{ entry, why string }{
		{`{"id":"v1","prev":""}`, "one of a verdict, a supersession and a removal"},
		{`{"id":"","prev":"","verdict":{}}`, "its id is empty"},
		{`{"id":"v1","prev":"","verdict":{},"reason":"x"}`, "no retest and no reason"},
		{`{"id":"v1","prev":"","supersedes":"v0","retest":"v2","reason":"x"}`, "no verdict"},
		{`{"id":"v1","prev":"","bakeoff":"b","removed":true}`, "no verdict of bake-off \"b\""},
		{`{"id":"v1","prev":"","bakeoff":"b","removed":true,"reason":"x"}`, "no retest and no reason"},
		{`{"id":"v1","prev":"","bakeoff":"b","removed":true,"verdict":{}}`, "one of a verdict"},
		{`{"id":"v1","prev":"","supersedes":"v1","verdict":{}}`, "one of a verdict, a supersession and a removal"},
	} {
		text := fmt.Sprintf(`{"hash":%q,"entry":%s}`+"\n", hashOf([]byte(tc.entry)), tc.entry)
		if _, err := ReadLog(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), tc.why) {
			t.Errorf("ReadLog(%s) = %v, want %q", tc.entry, err, tc.why)
		}
	}
}

// TestLogHolds: whatever is added, nothing before it changes, and no byte of the file can be changed unseen.
func TestLogHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Log
		for i := range rapid.IntRange(1, 8).Draw(t, "n") {
			before := l.Bytes()
			var err error
			if es := l.Entries(); rapid.Bool().Draw(t, "supersede") && len(es) > 1 {
				pick := func(name string) string { return es[rapid.IntRange(0, len(es)-1).Draw(t, name)].ID }
				if next, _, err := l.Supersede(at, pick("old"), pick("new"), "why"); err == nil {
					l = next
				}
			} else if rapid.Bool().Draw(t, "remove") && len(es) > 0 {
				if next, _, err := l.Remove(at, es[rapid.IntRange(0, len(es)-1).Draw(t, "of")].Bakeoff); err == nil {
					l = next
				}
			} else if l, _, err = l.AddVerdict(at, fmt.Sprint(i), verdict("ollama:a", Keep)); err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(l.Bytes(), before) {
				t.Fatal("what was written before was changed")
			}
		}
		text := l.Bytes()
		if back, err := ReadLog(bytes.NewReader(text)); err != nil || len(back.Entries()) != len(l.Entries()) {
			t.Fatalf("ReadLog = %v", err)
		}
		for _, e := range l.Entries() {
			if by, gone := l.Superseded(e.ID); gone {
				if r, ok := l.Find(by.Retest); !ok || r.Verdict == nil {
					t.Fatalf("%s is superseded without a retest", e.ID)
				}
			}
		}
		i := rapid.IntRange(0, len(text)-1).Draw(t, "byte")
		text[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		if back, err := ReadLog(bytes.NewReader(text)); err == nil {
			t.Fatalf("a changed byte %d was not seen: %d entries", i, len(back.Entries()))
		}
	})
}

// TestNoBitIsLoose holds that no bit of a line can be changed unseen.
func TestNoBitIsLoose(t *testing.T) {
	l, _, err := Log{}.AddVerdict(at, "b1", verdict("ollama:a", Keep))
	if err != nil {
		t.Fatal(err)
	}
	text := l.Bytes()
	for i := range text {
		for bit := range 8 {
			text[i] ^= 1 << bit
			if _, err := ReadLog(bytes.NewReader(text)); err == nil {
				t.Errorf("byte %d with bit %d changed was not seen: %s", i, bit, text)
			}
			text[i] ^= 1 << bit
		}
	}
}

func FuzzReadLog(f *testing.F) {
	l, _ := book(f)
	f.Add(l.Bytes())
	f.Add(l.Bytes()[:100])
	f.Add([]byte(`{"hash":"","entry":{"id":"v","prev":"","verdict":{}}}` + "\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadLog(bytes.NewReader(b))
		if err == nil && !bytes.Equal(got.Bytes(), b) || !bytes.HasPrefix(b, got.Bytes()) {
			t.Errorf("ReadLog kept %d bytes of %d: %v", len(got.Bytes()), len(b), err)
		}
		if _, _, err := got.AddVerdict(at, "b", verdict("m", Keep)); err != nil {
			t.Errorf("AddVerdict: %v", err)
		}
	})
}

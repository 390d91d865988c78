package engine

import (
	"testing"
	"time"

	"assay/engine/audit"
	"assay/engine/research"
	"assay/engine/store"
)

func testNow(t testing.TB) time.Time {
	t.Helper()
	now, err := time.Parse(time.RFC3339, testClock)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// overPages answers a question with the extractive channel over files in memory.
func overPages(t testing.TB, question string, files map[string]string) Config {
	t.Helper()
	shelf := shelfOf{}
	for name, content := range files {
		shelf[name] = pageOf(t, name, content)
	}
	c := config(t, question)
	c.Providers, c.Reader = []Provider{shelf}, shelf
	return c
}

// audited reports whether the record of a run holds, and says what does not.
func audited(t testing.TB, d research.Digest, rec *store.Memory) bool {
	t.Helper()
	if err := rec.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	rep := audit.Check(rec.Run())
	for _, f := range rep.Faults {
		t.Log(f.Where, f.What)
	}
	return rep.OK()
}

package bench

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// score runs a bench on a folder of our own and reads its result.
func score[T any](t *testing.T, name string, args ...string) T {
	t.Helper()
	code, stdout, stderr := bench(t, append([]string{name, "--json", "--data"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s T
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	return s
}

// TestExtract scores two pages of our own: one read as people copied it, one of which people copied the first half.
func TestExtract(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	s := score[extractScore](t, "extract", "testdata/pages", "--predictions", said)
	if s.N != 2 || s.Recall != 1 || s.Precision <= 0.6 || s.Precision >= 0.95 || s.F1 <= s.Precision {
		t.Errorf("score %+v, want 2 pages, all found, some too much", s)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("predictions %q, %v, want 2 lines", b, err)
	}
	if code, stdout, _ := bench(t, "extract", "--data", "testdata/pages"); code != 0 || !strings.Contains(stdout, "news.example/water") {
		t.Errorf("exit %d, printed %q, want the page with too much", code, stdout)
	}
	if code, _, _ := bench(t, "extract", "--data", "testdata/json"); code != 1 {
		t.Errorf("exit %d on other data, want 1", code)
	}
}

func TestShinglesAlike(t *testing.T) {
	for _, tc := range []struct {
		want, got         string
		precision, recall float64
	}{
		{"a b c d e", "a b c d e", 1, 1}, {"", "", 1, 1}, {"a b c d", "", 0, 0}, {"a b c d", "a b c d e f g", 0.25, 1}, {"a b c d a b c d", "a b c d", 1, 0.2}, {"a b", "a, b!", 1, 1},
	} {
		if p, r := shinglesAlike(wordRuns(tc.want), wordRuns(tc.got)); p != tc.precision || r != tc.recall {
			t.Errorf("%q and %q: precision %v, recall %v, want %v and %v", tc.want, tc.got, p, r, tc.precision, tc.recall)
		}
	}
}

// TestExtractPublished scores what other tools read from the same pages and compares with what was published of them. The set is
// no part of this repository: ASSAY_DATA is the folder with the labelled data.
func TestExtractPublished(t *testing.T) {
	set := filepath.Join(os.Getenv("ASSAY_DATA"), "eval", "a_article_extraction")
	if os.Getenv("ASSAY_DATA") == "" {
		t.Skip("ASSAY_DATA is not set: the labelled pages are not here")
	}
	truth, err := articleBodies(filepath.Join(set, "dev"))
	if err != nil {
		t.Skipf("the labelled pages are not here: %v", err)
	}
	for tool, want := range map[string]float64{"rs_trafilatura": 0.972, "go_trafilatura": 0.962, "go_readability_fork": 0.955} {
		f, err := os.Open(filepath.Join(set, "outputs", tool+".json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Output map[string]articleBody }
		if err := json.NewDecoder(z).Decode(&said); err != nil {
			t.Fatal(err)
		}
		var precision, recall float64
		for id, page := range truth {
			p, r := shinglesAlike(wordRuns(page.Body), wordRuns(said.Output[id].Body))
			precision, recall = precision+p/float64(len(truth)), recall+r/float64(len(truth))
		}
		if got := harmonic(precision, recall); math.Abs(got-want) > 0.001 {
			t.Errorf("%s scores %.4f, published %.3f", tool, got, want)
		}
	}
}

// TestSegments scores three pages: a piece that is missing, a piece that should not be there.
func TestSegments(t *testing.T) {
	s := score[segmentScore](t, "segments", "testdata/pages")
	if s.N != 3 || s.Found != 3 || s.Missing != 1 || s.Extra != 1 || s.LeftOut != 2 || s.Precision != 0.75 || s.Recall != 0.75 || s.F1 != 0.75 {
		t.Errorf("score %+v, want 3 of 4 found and one too much", s)
	}
	if code, stdout, _ := bench(t, "segments", "--data", "testdata/pages"); code != 0 || !strings.Contains(stdout, "missing \"a piece that") || !strings.Contains(stdout, "too much \"taken apart\"") {
		t.Errorf("exit %d, printed %q, want both pieces", code, stdout)
	}
}

// TestAuthors scores a right, a wrong and a missing author in two sets.
func TestAuthors(t *testing.T) {
	s := score[authorScore](t, "authors", "testdata/pages")
	if s.N != 3 || s.Wrong != 1 || s.Missing != 1 || s.BySet[segmentsSet] != 1 || s.BySet[postlight] != 0 {
		t.Errorf("score %+v, want one right, one wrong, one missing", s)
	}
	for _, tc := range []struct {
		want, got string
		set       string
		same      bool
	}{
		{"A. Calder; B. Orr", "A. Calder, B. Orr", segmentsSet, true}, {"A. CALDER", "A. Calder", segmentsSet, false}, {"", "", segmentsSet, true},
		{"By A. CALDER and B. Orr", "A. Calder, B. Orr", postlight, true}, {"A. Calder", "A. Calder, B. Orr", postlight, false},
	} {
		if got := sameAuthors(authorRow{Want: tc.want, Got: tc.got, Set: tc.set}); got != tc.same {
			t.Errorf("%q and %q in %s: same %v, want %v", tc.want, tc.got, tc.set, got, tc.same)
		}
	}
}

// TestDates scores a right, a wrong and a missing date.
func TestDates(t *testing.T) {
	s := score[dateScore](t, "dates", "testdata/pages")
	if s.N != 3 || s.Right != 1 || s.Wrong != 1 || s.Missing != 1 {
		t.Errorf("score %+v, want one of each", s)
	}
}

// TestBylines scores six bylines of our own.
func TestBylines(t *testing.T) {
	s := score[bylineScore](t, "bylines", "testdata/aitext")
	if s.N != 6 || s.Nobody != 3 || s.Missed != 1 || s.Persons != 2 || s.Alarms != 1 || s.FalseAlarms != 0.5 {
		t.Errorf("score %+v, want one of three missed and one of two a false alarm", s)
	}
}

// TestAItext scores the made texts in three texts of our own, one of which gives itself away.
func TestAItext(t *testing.T) {
	s := score[aitextScore](t, "aitext", "testdata/aitext")
	if s.Human != 3 || s.HumanAlarms != 1.0/3 || s.Insertions != 200 || s.Quotations != 100 {
		t.Errorf("score %+v, want one of three human texts a false alarm", s)
	}
	if s.Recall < 0.95 {
		t.Errorf("recall %v, want at least 0.95", s.Recall)
	}
	if code, stdout, _ := bench(t, "aitext", "--data", "testdata/aitext"); code != 0 || !strings.Contains(stdout, "t3") {
		t.Errorf("exit %d, printed %q, want the false alarm", code, stdout)
	}
}

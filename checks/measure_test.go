package checks

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

var measure = flag.Bool("measure", false, "rewrite promotions.json from the labelled data")

// wilson returns the 95 % interval of k of n.
func wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}

// summarise works out the figures of an entry from its counts, rounded to a thousandth.
func summarise(p promotion) promotion {
	right, wrong, clean := 0, 0, 0
	for _, s := range p.Sets {
		if s.Clean {
			wrong += s.Fired
			clean += s.N
		} else {
			right += s.Fired
		}
	}
	round := func(f float64) float64 { return math.Round(f*1000) / 1000 }
	p.Precision = 0
	if right+wrong > 0 {
		p.Precision = round(float64(right) / float64(right+wrong))
	}
	low, _ := wilson(right, right+wrong)
	_, high := wilson(wrong, clean)
	p.Lower, p.CleanFPR = round(low), round(high)
	p.Promoted = p.Precision >= barPrecision && p.Lower >= barLower && p.CleanFPR <= barClean
	return p
}

// labelled is a line of the labelled sets.
type labelled struct {
	ID      string `json:"id"`
	Claim   string `json:"claim"`
	Passage string `json:"passage"`
	Label   string `json:"label"`
	Numeric bool   `json:"numeric"`
	Changed bool   `json:"number_changed"`
	Trivial bool   `json:"trivial"`
}

func dataDir() string {
	if d := os.Getenv("ASSAY_DATA"); d != "" {
		return d
	}
	return filepath.Join("..", "..", "shared", "data")
}

func readLabelled(t *testing.T, path string) (items []labelled, sha string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no labelled data here: %v (set ASSAY_DATA to the folder that holds eval)", err)
	}
	h := sha256.Sum256(b)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		items = append(items, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return items, hex.EncodeToString(h[:])
}

// onPair runs a check on one claim set against one passage, the way the engine would: a block that cites the passage.
func onPair(c *Check, l labelled) bool {
	p := research.Passage{ID: "p", Source: "s", End: len(l.Passage), Text: l.Passage}
	v := View{
		Sources:  []research.Source{{ID: "s", Verdict: research.Verified}},
		Passages: map[string]research.Passage{"p": p},
		Draft: research.Draft{Sections: []research.DraftSection{{ID: "x", Blocks: []research.Block{
			{ID: "b", Kind: research.BlockFinding, Text: l.Claim, Refs: []string{"s"}, Citations: []string{"p"}}}}}},
	}
	return len(c.Eval(v, Key{KeyBlock, "b"})) > 0
}

// TestMeasure measures numberunsupported and dateunsupported on the development halves of the labelled sets. What is wrong
// are the claims of FACTOR-news in which a number was changed (for dates, those in which a year or a month was); clean are the supported claims of AttributionBench and FEVER Symmetric that hold a number (or a date). The
// verbatim twins of FACTOR are left out: no check could fail on them. With -measure it rewrites promotions.json; otherwise
// it holds the file to what it finds.
func TestMeasure(t *testing.T) {
	dir := filepath.Join(dataDir(), "eval")
	if testing.Short() {
		t.Skip("reads all labelled pairs; not in short mode")
	}
	sets := []struct{ name, path string }{
		{"FACTOR-news number changed", filepath.Join(dir, "c_verification", "dev", "factor_news.jsonl")},
		{"AttributionBench supported", filepath.Join(dir, "b_grounding", "dev", "attributionbench.jsonl")},
		{"FEVER Symmetric supported", filepath.Join(dir, "c_verification", "dev", "fever_symmetric.jsonl")},
	}
	holds := map[string]func(labelled) bool{
		"numberunsupported": func(l labelled) bool { return l.Changed || len(text.Quantities(l.Claim)) > 0 },
		"dateunsupported":   func(l labelled) bool { return l.Changed || len(temporal.Dates(l.Claim)) > 0 },
	}
	var got []promotion
	for _, name := range []string{"numberunsupported", "dateunsupported"} {
		c := Lookup(name)
		p := promotion{Check: name, Measured: time.Now().UTC().Format(time.DateOnly)}
		for i, set := range sets {
			items, sha := readLabelled(t, set.path)
			twins := map[string]string{}
			for _, l := range items {
				if l.Trivial {
					twins[twinOf(l.ID)] = l.Claim
				}
			}
			r := setResult{Name: set.name, SHA256: sha, Clean: i > 0}
			for _, l := range items {
				wrong := i == 0 && l.Changed
				clean := i > 0 && l.Label == "supported" && !l.Trivial
				if !wrong && !clean || !holds[name](l) || wrong && name == "dateunsupported" && !dateChanged(l, twins) {
					continue
				}
				r.N++
				if onPair(c, l) {
					r.Fired++
					if r.Clean {
						t.Logf("%s: false alarm %s: %s", name, l.ID, l.Claim)
					}
				}
			}
			p.Sets = append(p.Sets, r)
		}
		p = summarise(p)
		p.Why = "precision >= 0.80, its lower bound >= 0.70, upper bound of false alarms on clean claims <= 0.03"
		t.Logf("%+v", p)
		got = append(got, p)
	}
	for _, p := range got {
		holdPromotion(t, p)
	}
}

// dateWord is a year or the name of a month, read without the parser that is measured.
var dateWord = regexp.MustCompile(`^(?:1[5-9]\d\d|20\d\d|January|February|March|April|May|June|July|August|September|October|November|December)$`)

// dateChanged reports whether a false claim of FACTOR-news has a year or month that its true twin does not have.
func dateChanged(l labelled, twins map[string]string) bool {
	twin := strings.FieldsFunc(twins[twinOf(l.ID)], notWord)
	for _, w := range strings.FieldsFunc(l.Claim, notWord) {
		if dateWord.MatchString(w) && !slices.Contains(twin, w) {
			return true
		}
	}
	return false
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// twinOf returns what the ids of a false claim and its true twin share.
func twinOf(id string) string { return id[:strings.LastIndexByte(id, '_')+1] }

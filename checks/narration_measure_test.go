package checks

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

// judgedNarration reads the sentences of the raw reports that were judged narration, by report and start of their hash.
func judgedNarration(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "app", "bench", "leak_judged.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if row := strings.Split(lines.Text(), "\t"); len(row) == 5 && row[3] == "narration" {
			out[row[0]+" "+row[1]] = true
		}
	}
	return out
}

// TestMeasureNarration measures processnarration sentence by sentence: on the raw Chinese reports of one public system, whose
// narrating sentences were judged one by one, and on the claims of AttributionBench and the answers and pages of
// Factcheck-GPT, none of which is a report about its own making. With -measure it rewrites its entry of promotions.json.
func TestMeasureNarration(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the labelled sets; not in short mode")
	}
	p := promotion{Check: "processnarration", Measured: time.Now().UTC().Format(time.DateOnly)}
	judged := judgedNarration(t)
	raw, sha := rawReports(t)
	bad, good := setResult{Name: "raw Chinese reports, sentences judged narration", SHA256: sha}, setResult{Name: "raw Chinese reports, other sentences", SHA256: sha, Clean: true}
	for id, sentences := range raw {
		for _, s := range sentences {
			r := &good
			if judged[id+" "+research.SHA256(s)[:12]] {
				r = &bad
			}
			r.N++
			if code, _ := narrates(s); code != "" {
				r.Fired++
				if r.Clean {
					t.Logf("false alarm in report %s: %s", id, s)
				}
			}
		}
	}
	p.Sets = append(p.Sets, bad, good)
	for _, name := range []string{"attributionbench", "factcheckgpt"} {
		items, sha := readLabelled(t, filepath.Join(dataDir(), "eval", "b_grounding", "dev", name+".jsonl"))
		r := setResult{Name: name + ", sentences of claims and passages", SHA256: sha, Clean: true}
		for _, l := range items {
			for _, s := range append(sentenceTexts(l.Claim), sentenceTexts(l.Passage)...) {
				r.N++
				if code, _ := narrates(s); code != "" {
					r.Fired++
					t.Logf("false alarm in %s: %s", name, head(s, 120))
				}
			}
		}
		p.Sets = append(p.Sets, r)
	}
	p = summarise(p)
	p.Why = "precision >= 0.80, its lower bound >= 0.70, upper bound of false alarms on clean sentences <= 0.03; the raw reports were read while the rule was written, the other sets were not"
	t.Logf("%+v", p)
	holdPromotion(t, p)
}

// holdPromotion writes the entry into promotions.json with -measure; otherwise it holds the file to it.
func holdPromotion(t *testing.T, p promotion) {
	t.Helper()
	entries := readPromotions(t)
	at := len(entries)
	for i, e := range entries {
		if e.Check == p.Check {
			at = i
		}
	}
	if !*measure {
		if at < len(entries) && entries[at].Promoted && !p.Promoted {
			t.Errorf("%s no longer clears the bar: %+v", p.Check, p)
		}
		return
	}
	if at == len(entries) {
		entries = append(entries, p)
	}
	entries[at] = p
	b, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("promotions.json", append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rawReports returns the sentences of the raw reports by id, and the hash of the file.
func rawReports(t *testing.T) (map[string][]string, string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dataDir(), "eval", "f_deepresearch", "dev", "drb_reports_claude37.jsonl"))
	if err != nil {
		t.Skipf("no labelled data here: %v (set ASSAY_DATA to the folder that holds eval)", err)
	}
	h := sha256.Sum256(b)
	out := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var r struct {
			ID      json.Number `json:"id"`
			Article string      `json:"article"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(r.Article, "\n") {
			out[r.ID.String()] = append(out[r.ID.String()], sentenceTexts(l)...)
		}
	}
	return out, hex.EncodeToString(h[:])
}

func sentenceTexts(s string) []string {
	var out []string
	for _, span := range text.Sentences(s) {
		out = append(out, s[span.Start:span.End])
	}
	return out
}

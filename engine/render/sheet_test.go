package render

import (
	"regexp"
	"strings"
	"testing"

	"assay/engine/research"
)

func hostileRef() []research.CitedRef {
	return []research.CitedRef{{Key: 1, Title: "<b>T</b>", Location: "javascript:alert(1)"}, {Key: 2, Title: "Two", Location: "https://two.example/a?b=1"}}
}

func TestDifferencePage(t *testing.T) {
	d := research.Difference{
		Question: "When does <i>gold</i> melt?", Lang: "en", Line: "Since 2026-01-01: 1 new finding.", Earlier: research.Edition{Run: "r1", Date: "2026-01-01", Findings: 3}, Later: research.Edition{Date: "2026-01-08", Findings: 4},
		New:            []research.ChangedFinding{{Text: "Gold [melts](x) at 1064.", Confidence: "1/2", Sources: hostileRef()}},
		Gone:           []research.ChangedFinding{{Text: "Silver melts."}},
		Confidences:    []research.ConfidenceChange{{Text: "Tin melts.", From: "1/2", To: "3/4"}},
		Contradictions: []research.ReportConflict{{Earlier: "At 1064.", Later: "At 1099.", Reason: "where the earlier says 1064, the later says 1099", Stands: true}},
		Sources:        []research.SourceChange{{Location: "docs/a.txt", Title: "A", What: "died", Note: "it is gone"}, {What: "else"}},
	}
	page, md, err := Difference(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 new finding", "Gold", "Silver melts.", "0.75, was 0.50", "earlier: At 1064.", "still stands", "died", "it is gone", "not looked at again", "https://two.example/a?b=1", "Earlier report: 2026-01-01, 3 findings", "r1"} {
		for name, got := range map[string]string{"page": string(page), "Markdown": string(md)} {
			if !strings.Contains(got, want) {
				t.Errorf("the %s lacks %q", name, want)
			}
		}
	}
	for _, bad := range []string{"<i>gold", "<b>T", `href="javascript`, "<script"} {
		if strings.Contains(string(page), bad) || strings.Contains(string(md), bad) {
			t.Errorf("%q is printed as it stands", bad)
		}
	}
	d.Lang = "zh"
	if page, _, err = Difference(d); err != nil || !strings.Contains(string(page), "与先前报告相矛盾") || !strings.Contains(string(page), `lang="zh-Hans"`) {
		t.Errorf("the Chinese page: %v", err)
	}
}

func TestBriefingPage(t *testing.T) {
	b := research.Briefing{Lang: "en", Date: "2026-01-08",
		Watches: []research.BriefedWatch{{Name: "gold", Question: "When?", Run: "r2", Date: "2026-01-08", Line: "Since: 1 new finding.", File: "reports/gold.html"}},
		Mix:     []research.Share{{Kind: "files", Wanted: 2, Had: 1, Taken: 1}, {Kind: "news"}},
		Lines:   []research.BriefLine{{Watch: "gold", Kind: "files", What: "new", Text: "Gold melts.", Confidence: "1/2", Sources: hostileRef(), File: "reports/gold.html"}},
	}
	page, md, err := Briefing(b)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"page": string(page), "Markdown": string(md)} {
		for _, want := range []string{"Briefing", "Gold melts.", "Confidence 0.50", "report of gold", "reports/gold.html", "1 of 2 lines wanted", "Files of your own", "Since: 1 new finding."} {
			if !strings.Contains(got, want) {
				t.Errorf("the %s lacks %q", name, want)
			}
		}
	}
	b.Lines[0].File, b.Watches[0].File = "https://elsewhere.example/x", "../../etc/passwd"
	if page, _, _ = Briefing(b); strings.Contains(string(page), "elsewhere.example") || strings.Contains(string(page), "passwd") {
		t.Error("a line leads off the page")
	}
	if page, _, _ = Briefing(research.Briefing{Lang: "en"}); !strings.Contains(string(page), "No watch has news.") {
		t.Error("an empty briefing does not say so")
	}
	for _, m := range regexp.MustCompile(`\.[WF] "([a-z_]+)"`).FindAllStringSubmatch(sheetHTML, -1) {
		if _, ok := words["en"][m[1]]; !ok {
			t.Errorf("sheet.html uses the unknown word %q", m[1])
		}
	}
}

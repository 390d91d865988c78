package difference

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// line puts a difference into one sentence, in its language.
func line(d research.Difference) string {
	if d.Lang == "zh" {
		return lineZh(d)
	}
	if d.Nothing() {
		return fmt.Sprintf("Nothing new since %s: %s as before.", d.Earlier.Date, stand(d.Later.Findings))
	}
	var parts []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(len(d.New), "new finding", "new findings")
	add(len(d.Contradictions), "contradiction with the earlier report", "contradictions with the earlier report")
	add(len(d.Confidences), "changed confidence", "changed confidences")
	add(len(d.Gone), "finding gone", "findings gone")
	n := became(d)
	add(n[research.SourceNew], "new source", "new sources")
	add(n[research.SourceChanged], "source changed", "sources changed")
	add(n[research.SourceDied], "source died", "sources died")
	return fmt.Sprintf("Since %s: %s.", d.Earlier.Date, strings.Join(parts, ", "))
}

func stand(n int) string {
	switch n {
	case 0:
		return "no finding,"
	case 1:
		return "the finding stands"
	}
	return fmt.Sprintf("all %d findings stand", n)
}

func lineZh(d research.Difference) string {
	if d.Nothing() {
		return fmt.Sprintf("自 %s 以来没有新内容：%d 条发现不变。", d.Earlier.Date, d.Later.Findings)
	}
	var parts []string
	n := became(d)
	for _, p := range []struct {
		n    int
		form string
	}{
		{len(d.New), "新发现 %d 条"}, {len(d.Contradictions), "与先前报告矛盾 %d 处"}, {len(d.Confidences), "置信度变化 %d 处"}, {len(d.Gone), "消失的发现 %d 条"},
		{n[research.SourceNew], "新来源 %d 个"}, {n[research.SourceChanged], "内容改变的来源 %d 个"}, {n[research.SourceDied], "失效的来源 %d 个"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf(p.form, p.n))
		}
	}
	return fmt.Sprintf("自 %s 以来：%s。", d.Earlier.Date, strings.Join(parts, "，"))
}

// became counts the sources by what became of them.
func became(d research.Difference) map[string]int {
	n := map[string]int{}
	for _, s := range d.Sources {
		n[s.What]++
	}
	return n
}

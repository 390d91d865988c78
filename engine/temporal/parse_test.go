package temporal

import (
	"testing"
	"time"

	"assay/engine/research"
)

func TestParse(t *testing.T) {
	now := time.Date(2026, 5, 31, 23, 30, 0, 0, time.FixedZone("", 8*3600))
	for _, tc := range []struct {
		name, q, category, text, start, end string
	}{
		{"recently", "What changed recently in Debian?", Recent, "recently", "2026-02-28", "2026-05-31"},
		{"recently zh", "Debian 最近有什么变化？", Recent, "最近", "2026-02-28", "2026-05-31"},
		{"this year", "Which releases came out this year?", ThisYear, "this year", "2026-01-01", "2026-05-31"},
		{"this year zh", "今年发布了什么？", ThisYear, "今年", "2026-01-01", "2026-05-31"},
		{"in a year", "What was released in 1999?", Past, "1999", "1999-01-01", "1999-12-31"},
		{"future year", "What is planned for 2030?", Future, "2030", "2030-01-01", "2030-12-31"},
		{"between", "Releases between 1993 and 1996", Past, "1993 and 1996", "1993-01-01", "1996-12-31"},
		{"iso range", "What happened 2015-11-24 to 2016-01-02?", Past, "2015-11-24 to 2016-01-02", "2015-11-24", "2016-01-02"},
		{"since", "Leaders since 2015", After, "since 2015", "2015-01-01", "2026-05-31"},
		{"after", "Leaders after 2015", After, "after 2015", "2016-01-01", "2026-05-31"},
		{"before", "Leaders before March 2015", Before, "before March 2015", "", "2015-02-28"},
		{"until", "Leaders until 2015", Before, "until 2015", "", "2015-12-31"},
		{"last three years", "growth over the last three years", Recent, "over the last three years", "2023-05-31", "2026-05-31"},
		{"last year", "What was new last year?", Past, "last year", "2025-01-01", "2025-12-31"},
		{"two years ago", "Who led it two years ago?", Past, "two years ago", "2024-01-01", "2024-12-31"},
		{"next year", "Will it ship next year?", Future, "next year", "2027-01-01", "2027-12-31"},
		{"next five years", "in the next five years", Future, "the next five years", "2026-05-31", "2031-05-31"},
		{"currently", "Who currently leads the project?", Current, "currently", "2025-05-31", "2026-05-31"},
		{"future", "What is the future of Debian?", Future, "future of", "2026-05-31", ""},
		{"historically", "How was this done historically?", Past, "historically", "", "2026-05-31"},
		{"decade", "Free software in the 1990s", Past, "1990s", "1990-01-01", "1999-12-31"},
		{"decade zh", "20世纪90年代的自由软件", Past, "20世纪90年代", "1990-01-01", "1999-12-31"},
		{"zh before", "2003年以前的版本", Before, "2003年以前", "", "2002-12-31"},
		{"zh since", "自2003年11月以来", After, "2003年11月以来", "2003-11-01", "2026-05-31"},
		{"zh last", "过去三年的增长", Recent, "过去三年", "2023-05-31", "2026-05-31"},
		{"zh ago", "三年前是谁", Past, "三年前", "2023-01-01", "2023-12-31"},
		{"zh last year", "去年的销量", Past, "去年", "2025-01-01", "2025-12-31"},
		{"zh future", "未来五年的趋势", Future, "未来五年", "2026-05-31", "2031-05-31"},
		{"zh now", "目前的负责人是谁", Current, "目前", "2025-05-31", "2026-05-31"},
		{"none", "What is the package manager of Debian?", "", "", "", ""},
		{"current in a wire", "How much current flows through a diode?", "", "", "", ""},
		{"version", "What is new in Debian 2.2?", "", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := research.Temporal{Category: tc.category, Text: tc.text, Range: research.DateRange{Start: tc.start, End: tc.end}}
			if got := Parse(tc.q, now, ""); got != want {
				t.Errorf("Parse(%q) = %+v, want %+v", tc.q, got, want)
			}
		})
	}
}

package text

import (
	"fmt"
	"slices"
	"testing"

	"assay/engine/research"
)

func quantityString(q research.Quantity) string {
	if !q.Value.Known() {
		return fmt.Sprintf("%s %s", q.Kind, q.Text)
	}
	s := fmt.Sprintf("%s %s", q.Kind, q.Value)
	if q.Unit != "" {
		s += " " + q.Unit
	}
	return s
}

func TestQuantities(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"money scaled", "It cost $1.9 billion.", []string{"money 1900000000 USD"}},
		{"grouped", "55,000,000 users", []string{"count 55000000 users"}},
		{"word", "seven packages and over eighty developers", []string{"count 7 packages", "count 80 developers"}},
		{"duration", "It takes 20 minutes, or a 20-minute walk.", []string{"duration 20 minute", "duration 20 minute"}},
		{"size", "7.5 GB and 1,024 MiB and 20MB", []string{"measure 15/2 GB", "measure 1024 MiB", "measure 20 MB"}},
		{"percent", "70 percent, 70%, 70 per cent, 5 percentage points", []string{"percent 70 %", "percent 70 %", "percent 70 %", "percent 5 pp"}},
		{"chinese number", "十五万人", []string{"count 150000 人"}},
		{"chinese scale", "约3.5亿美元", []string{"money 350000000 USD"}},
		{"chinese measure word", "收到208164 份报告", []string{"count 208164 份"}},
		{"chinese share", "百分之十五和15％", []string{"percent 15 %", "percent 15 %"}},
		{"chinese mixed", "1亿2000万人，3万5千台", []string{"count 120000000 人", "count 35000 台"}},
		{"chinese year", "2003年11月24日发布，二〇〇三年，20世纪90年代", []string{"year 2003", "year 2003", "year 1990 decade"}},
		{"chinese not numbers", "一些十分统一的第一章，四川", []string{}},
		{"chinese ordinal", "第三个版本", []string{"ordinal 3"}},
		{"list marker", "1. Install it\n2. Run it\n(3) Stop\n4) End", nil},
		{"citation", "It rose [1] and fell.[2, 3]", nil},
		{"score", "They won 46-26.", []string{"count 46", "count 26"}},
		{"year range", "from 2007-2008, 2007/08 and 2011-12", []string{"year 2007", "year 2008", "year 2007", "year 2008", "year 2011", "year 2012"}},
		{"iso date", "on 2015-11-24 and 2015-11", []string{"year 2015", "year 2015"}},
		{"date", "on 24 November 2015 and March 9th, 1999", []string{"year 2015", "year 1999"}},
		{"decade", "the 1990s and '80s", []string{"year 1990 decade", "year 1980 decade"}},
		{"tokenised", "$ 160 million and 16 ,000 people", []string{"money 160000000 USD", "count 16000 people"}},
		{"address and version", "10.0.2.2 runs Debian 2.1 with kernel 2.4.18-1 and 0.93R6", []string{"version 10.0.2.2", "version 21/10", "version 2.4.18-1", "version 0.93R6"}},
		{"names", "libc6, SHA-256, x86_64, MP3 and COVID-19 on i386", nil},
		{"year", "In 1996 it had 2000 packages; released 1999.", []string{"year 1996", "count 2000 packages", "year 1999"}},
		{"heading", "2.1.3 Getting Debian\n2.1 Getting it\n1.1. What is it?\n1.2.\u00a0What\n11.1.1. Wildcards\nChapter\u00a01. See Section\u00a04.4", nil},
		{"section", "see section 2.1 and chapter 7", nil},
		{"range of units", "5-10 percent, 20 to 30 MB, $5-10 million", []string{"percent 5 %", "percent 10 %", "measure 20 MB", "measure 30 MB", "money 5000000 USD", "money 10000000 USD"}},
		{"no shared scale", "from 800 to 2 million", []string{"count 800", "count 2000000"}},
		{"words", "one hundred and three, twenty-one, two and a half million, half a million", []string{"count 103", "count 21", "count 2500000", "count 500000"}},
		{"fractions", "two thirds, half of them, one quarter, 2 1/2 inches, 3/4", []string{"count 2/3", "count 1/2", "count 1/4", "measure 5/2 inch", "count 3/4"}},
		{"lone one", "one of the best, no one, a lot", nil},
		{"a dozen", "a dozen users, two dozen, dozens of users", []string{"count 12 users", "count 24"}},
		{"ordinals", "the first and the 3rd, twenty-first", []string{"ordinal 1", "ordinal 3", "ordinal 21"}},
		{"clock", "at 10:30 in 16:9", []string{"version 10:30", "version 16:9"}},
		{"negative", "at -5 °C", []string{"measure -5 °C"}},
		{"currencies", "US$5, 5 euros, €3.5m, 20 cents, RMB 30, A$440,000", []string{"money 5 USD", "money 5 EUR", "money 3500000 EUR", "money 1/5 USD", "money 30 CNY", "money 440000 AUD"}},
		{"suffixes", "5k, 10M, 3x and 2.5bn", []string{"count 5000", "count 10000000", "count 3 times", "count 2500000000"}},
		{"url and path", "see https://a.org/2003/5.html and /usr/lib/2.3/x", nil},
		{"full width", "１２３４５人", []string{"count 12345 人"}},
		{"rfc", "RFC 2119 and port 1999", []string{"count 2119", "count 1999"}},
		{"spelled year", "nineteen ninety-nine", []string{"year 1999"}},
		{"possessive", "Debian's 12 months", []string{"duration 12 month"}},
		{"mid", "in mid-2003", []string{"year 2003"}},
		{"zh duration", "历时三年，20分钟，2个月，一年", []string{"duration 3 year", "duration 20 minute", "duration 2 month", "duration 1 year"}},
		{"tenths", "三成用户，9成，三成员", []string{"percent 30 %", "percent 90 %"}},
		{"chinese last digit", "一万三，二百五十，二百五，一千零五", []string{"count 13000", "count 250", "count 250", "count 1005"}},
		{"chinese spaced", "自 2003 年 6 月 10 日起，共 15 万份，见第 6.1 节和第\u00a03\u00a0章，第 2 版", []string{"year 2003", "count 150000 份", "ordinal 2"}},
		{"version series", "the 3.x releases", []string{"version 3.x"}},
		{"minus", "minus five percent，零下十度", []string{"percent -5 %", "measure -10 degree"}},
		{"rate", "100 Mbit/s and 56 kbps, 33 MHz", []string{"measure 100 Mbit/s", "measure 56 kbit/s", "measure 33 MHz"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, q := range Quantities(tc.in) {
				got = append(got, quantityString(q))
				if tc.in[q.Start:q.End] != q.Text {
					t.Errorf("Quantities(%q): text %q is not at %d..%d", tc.in, q.Text, q.Start, q.End)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Quantities(%q) =\n%q, want\n%q", tc.in, got, tc.want)
			}
		})
	}
}

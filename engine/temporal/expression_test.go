package temporal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// clock is Thursday, 30 August 2018.
var clock = time.Date(2018, 8, 30, 22, 30, 0, 0, time.FixedZone("", 8*3600))

func days2(r research.DateRange) string {
	if r.Start == r.End {
		return r.Start
	}
	return r.Start + ".." + r.End
}

func expressionStrings(in, lang string) []string {
	var out []string
	for _, e := range Expressions(in, clock, lang) {
		s := e.Text + " = " + days2(e.Range)
		if e.Past != (research.DateRange{}) {
			s += " or " + days2(e.Past)
		}
		out = append(out, s)
	}
	return out
}

func TestExpressionsEnglish(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"She met him on 3 May 1998, and again in June 2001.", "3 May 1998 = 1998-05-03; June 2001 = 2001-06-01..2001-06-30"},
		{"on the tenth of September, two thousand", "the tenth of September, two thousand = 2000-09-10"},
		{"02/22/2016, 21/04/2016, 24.11.2015, 2015/08/12, 31-Oct-74, 20161016", "02/22/2016 = 2016-02-22; 21/04/2016 = 2016-04-21; 24.11.2015 = 2015-11-24; 2015/08/12 = 2015-08-12; 31-Oct-74 = 1974-10-31; 20161016 = 2016-10-16"},
		{"in March", "March = 2019-03-01..2019-03-31 or 2018-03-01..2018-03-31"},
		{"on Monday", "Monday = 2018-09-03 or 2018-08-27"},
		{"next Friday, last Wednesday", "next Friday = 2018-09-07; last Wednesday = 2018-08-22"},
		{"this week, last month, next year", "this week = 2018-08-27..2018-09-02; last month = 2018-07-01..2018-07-31; next year = 2019-01-01..2019-12-31"},
		{"the last 3 months; the next two days", "the last 3 months = 2018-05-30..2018-08-29; the next two days = 2018-08-31..2018-09-01"},
		{"two weeks ago, 3 days from tomorrow, 5 days before New Year", "two weeks ago = 2018-08-16; 3 days from tomorrow = 2018-09-03; 5 days before New Year = 2018-12-27 or 2017-12-27"},
		{"in 3 working days; the previous 4 business days", "in 3 working days = 2018-09-04; the previous 4 business days = 2018-08-24..2018-08-29"},
		{"from 2014 to 2018; 1990-91; July 13-15, 2017", "from 2014 to 2018 = 2014-01-01..2018-12-31; 1990-91 = 1990-01-01..1991-12-31; July 13-15, 2017 = 2017-07-13..2017-07-15"},
		{"from Nov to March", "from Nov to March = 2018-11-01..2019-03-31 or 2017-11-01..2018-03-31"},
		{"between 4 and 22 next month", "between 4 and 22 next month = 2018-09-04..2018-09-22"},
		{"before 2010 or after Feb 2018", "before 2010 = ..2009-12-31; after Feb 2018 = 2018-03-01.."},
		{"since 2015; until the end of June 2019; 2012 or later", "since 2015 = 2015-01-01..; until the end of June 2019 = ..2019-06-30; 2012 or later = 2012-01-01.."},
		{"the first week of 2015; the last Monday of March 2014; third last week of 2018", "the first week of 2015 = 2014-12-29..2015-01-04; the last Monday of March 2014 = 2014-03-31; third last week of 2018 = 2018-12-10..2018-12-16"},
		{"Q3 2019, 18q4, second half of last year", "Q3 2019 = 2019-07-01..2019-09-30; 18q4 = 2018-10-01..2018-12-31; second half of last year = 2017-07-01..2017-12-31"},
		{"the 1990s, the late 1990s, the nineteenth century", "the 1990s = 1990-01-01..1999-12-31; the late 1990s = 1997-01-01..1999-12-31; the nineteenth century = 1800-01-01..1899-12-31"},
		{"mid-November 2018; early next week; the rest of the month", "mid-November 2018 = 2018-11-10..2018-11-20; early next week = 2018-09-03..2018-09-05; the rest of the month = 2018-08-30..2018-08-31"},
		{"Easter 2018, Thanksgiving 2014, last Christmas", "Easter 2018 = 2018-04-01; Thanksgiving 2014 = 2014-11-27; last Christmas = 2017-12-25"},
		{"June next year; Wednesday next week; next week between Monday and Friday", "June next year = 2019-06-01..2019-06-30; Wednesday next week = 2018-09-05; next week between Monday and Friday = 2018-09-03..2018-09-07"},
		{"Fri, Jul 18 2014; this Friday (Aug 31)", "Fri, Jul 18 2014 = 2014-07-18; this Friday (Aug 31) = 2018-08-31"},
		{"tomorrow at 5pm", "tomorrow = 2018-08-31"},
		{"It may well be that you march on; every Monday for two years, 2000 people in 3 hours at 10:30.", ""},
		{"tel 555-1234, version 2.0.2018, RFC 2119, page 1999, 0.8/15", ""},
		{"February 30, 2019", "February 30, 2019 = "},
	} {
		if got := strings.Join(expressionStrings(tc.in, ""), "; "); got != tc.want {
			t.Errorf("Expressions(%q) =\n%s, want\n%s", tc.in, got, tc.want)
		}
	}
}

func TestExpressionsChinese(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"二〇一九年五月一日，2019 年 5 月", "二〇一九年五月一日 = 2019-05-01; 2019 年 5 月 = 2019-05-01..2019-05-31"},
		{"去年5月，明年，上個星期，下下周末", "去年5月 = 2017-05-01..2017-05-31; 明年 = 2019-01-01..2019-12-31; 上個星期 = 2018-08-20..2018-08-26; 下下周末 = 2018-09-15..2018-09-16"},
		{"過去三年，前兩天，未来两周，三天前，半年后", "過去三年 = 2015-08-30..2018-08-29; 前兩天 = 2018-08-28..2018-08-29; 未来两周 = 2018-08-31..2018-09-13; 三天前 = 2018-08-27; 半年后 = 2019-02-28"},
		{"从2016年6月1日到30日，1995-1997年，周一到周五", "从2016年6月1日到30日 = 2016-06-01..2016-06-30; 1995-1997年 = 1995-01-01..1997-12-31; 周一到周五 = 2018-08-27..2018-08-31 or 2018-08-20..2018-08-24"},
		{"2018年以前，自2010年以来，截至2016年底，2019年8月1日之后", "2018年以前 = ..2017-12-31; 自2010年以来 = 2010-01-01..; 截至2016年底 = ..2016-12-31; 2019年8月1日之后 = 2019-08-02.."},
		{"去年上半年，第三季度，上世纪90年代，1980年代末", "去年上半年 = 2017-01-01..2017-06-30; 第三季度 = 2018-07-01..2018-09-30 or 2017-07-01..2017-09-30; 上世纪90年代 = 1990-01-01..1999-12-31; 1980年代末 = 1987-01-01..1989-12-31"},
		{"五月的第二个星期日，2021年的前2周", "五月的第二个星期日 = 2019-05-12 or 2018-05-13; 2021年的前2周 = 2021-01-04..2021-01-17"},
		{"2020年春节，康熙三年五月，民国元年", "2020年春节 = 2020-01-25; 康熙三年五月 = 1664-05-01..1664-05-31; 民国元年 = 1912-01-01..1912-12-31"},
		{"我的电话是888-000-9999，在12号楼，公元前221年，三年级", ""},
	} {
		if got := strings.Join(expressionStrings(tc.in, "zh"), "; "); got != tc.want {
			t.Errorf("Expressions(%q) =\n%s, want\n%s", tc.in, got, tc.want)
		}
	}
	if got := expressionStrings("1/2/2020", "zh"); !slices.Equal(got, []string{"1/2/2020 = 2020-02-01"}) {
		t.Errorf("1/2/2020 in a Chinese text is %v, want 1 February", got)
	}
}

// TestHouseRule holds "recently" and 最近 to the last three months, and the seven categories.
func TestHouseRule(t *testing.T) {
	for _, tc := range []struct{ in, category, start, end string }{
		{"it recently changed", Recent, "2018-05-30", "2018-08-30"},
		{"它最近变了", Recent, "2018-05-30", "2018-08-30"},
		{"in the past 2 years", Recent, "2016-08-30", "2018-08-29"},
		{"today", Current, "2018-08-30", "2018-08-30"},
		{"this month", Current, "2018-08-01", "2018-08-31"},
		{"this year", ThisYear, "2018-01-01", "2018-12-31"},
		{"next year", Future, "2019-01-01", "2019-12-31"},
		{"in 1999", Past, "1999-01-01", "1999-12-31"},
		{"since 2015", After, "2015-01-01", ""},
		{"before 2015", Before, "", "2014-12-31"},
	} {
		got := Expressions(tc.in, clock, "")
		if len(got) != 1 || got[0].Category != tc.category || got[0].Range.Start != tc.start || got[0].Range.End != tc.end {
			t.Errorf("Expressions(%q) = %+v, want %s %s..%s", tc.in, got, tc.category, tc.start, tc.end)
		}
	}
}

// TestHolidays holds the calendars to days that almanacs give.
func TestHolidays(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"Easter 2008", "2008-03-23"}, {"Easter 2038", "2038-04-25"}, {"orthodox Easter 2021", "2021-05-02"}, {"Pentecost 2020", "2020-05-31"},
		{"Rosh Hashanah 2023", "2023-09-15..2023-09-17"}, {"Passover 2024", "2024-04-22..2024-04-30"}, {"Purim 2024", "2024-03-23"}, {"Hanukkah 2021", "2021-11-28..2021-12-05"},
		{"Eid al-Fitr 2023", "2023-04-21"}, {"Ramadan 2023", "2023-03-23..2023-04-20"}, {"Islamic New Year 2022", "2022-07-30"},
		{"Chinese New Year 2023", "2023-01-22"}, {"mid-autumn festival 2033", "2033-09-08"}, {"dragon boat festival 2020", "2020-06-25"}, {"Qingming 2024", "2024-04-04"},
		{"2019年冬至", "2019-12-22"}, {"2017年除夕", "2017-01-27"}, {"2020年端午节", "2020-06-25"},
		{"Diwali 2020", "2020-11-14"}, {"Holi 2020", "2020-03-10"}, {"Ganesh Chaturthi 2023", "2023-09-19"}, {"Pongal 2018", "2018-01-14"},
		{"Labor Day 2021", "2021-09-06"}, {"boss's day 2021", "2021-10-15"}, {"King's Day 2014", "2014-04-26"},
	} {
		got := Expressions(tc.in, clock, "")
		if len(got) != 1 || days2(got[0].Range) != tc.want {
			t.Errorf("Expressions(%q) = %+v, want %s", tc.in, got, tc.want)
		}
	}
}

func FuzzExpressions(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	for _, s := range []string{
		"early the end of the last week of the third month after next March 30 2019", "from from to between 5 and and 7 of of May until till the end of the end", "9999 years ago in 9999 decades",
		"最近最近前前上上上上个个月月底底第九百周", "第第二个第一个星期星期一到到到", "christmas diwali 3 weeks after the week of the fourth closest easter to today", "1/2/3/4/5-6-7-8 2018-13-45 99999999999999999999",
		"'70's '' 's s's Q9 W99 18q4q4 2018W 20161332", "februar\xff 3 二月三十日二月三十一日",
	} {
		f.Add(s)
	}
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, e := range Expressions(s, now, "") {
			if e.Start < end || e.End <= e.Start || e.End > len(s) || s[e.Start:e.End] != e.Text {
				t.Fatalf("Expressions(%q): bad expression %+v after %d", s, e, end)
			}
			if err := wellFormed(e); err != nil {
				t.Fatalf("Expressions(%q): %+v: %v", s, e, err)
			}
			end = e.End
		}
	})
}

func wellFormed(e Expression) error {
	for _, d := range []string{e.Range.Start, e.Range.End, e.Past.Start, e.Past.End, e.Until} {
		if d == "" {
			continue
		}
		if _, err := time.Parse(time.DateOnly, d); err != nil {
			return err
		}
	}
	for _, r := range []research.DateRange{e.Range, e.Past} {
		if r.Start != "" && r.End != "" && r.Start > r.End {
			return fmt.Errorf("%s runs backwards", days2(r))
		}
	}
	if (e.Category == "") != (e.Range == research.DateRange{}) {
		return fmt.Errorf("category %q with range %s", e.Category, days2(e.Range))
	}
	return nil
}

// TestExpressionsLinear reads texts that are hard; in quadratic time it would run into the time limit of the tests.
func TestExpressionsLinear(t *testing.T) {
	for _, unit := range []string{"the end of the last week of ", "one two three 3 days ", "March ", "12/12/", "from 5 to ", "最近", "上上", "二千", "christmas ", "1999-", "of the "} {
		Expressions(strings.Repeat(unit, 1<<16/len(unit)), clock, "")
	}
}

func BenchmarkExpressions(b *testing.B) {
	s := "The Debian Project was founded on August 16th, 1993 by Ian Murdock. Debian 2.1 (slink) was released 09 March, 1999, with 2250 packages; 2003年11月 came later, in the first week of May. "
	for len(s) < 100_000 {
		s += s
	}
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Expressions(s, clock, "")
	}
}

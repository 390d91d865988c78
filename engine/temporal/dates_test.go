package temporal

import (
	"slices"
	"testing"
)

func TestDates(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"day month comma year", "Released 09 March, 1999.", []string{"1999-03-09"}},
		{"ordinal", "on March 9th 1999 and the 9th of March 1999", []string{"1999-03-09", "1999-03-09"}},
		{"american", "March 9, 1999", []string{"1999-03-09"}},
		{"month year", "in November 2003, Nov. 2003 and November of 2003", []string{"2003-11", "2003-11", "2003-11"}},
		{"iso", "2015-11-24, 2015-11 and 2015/11/24", []string{"2015-11-24", "2015-11", "2015-11-24"}},
		{"year range", "from 2007-2008 or 2007/08 or 2007–09", []string{"2007", "2008", "2007", "2008", "2007", "2009"}},
		{"days", "9-12 March 1999; March 9-12, 1999", []string{"1999-03-09", "1999-03-12", "1999-03-09", "1999-03-12"}},
		{"two months", "30 June - 2 July 2005", []string{"2005-06-30", "2005-07-02"}},
		{"month range", "January–March 2015", []string{"2015-01", "2015-03"}},
		{"changelog", "Tue, 24 Nov 2015 10:00:00 +0000", []string{"2015-11-24"}},
		{"ctime", "Tue Nov 24 10:00:00 UTC 2015", []string{"2015-11-24"}},
		{"chinese", "2003年11月24日，2003年11月，2003年，二〇〇三年", []string{"2003-11-24", "2003-11", "2003", "2003"}},
		{"chinese range", "2003年3月至5月；2003-2005年", []string{"2003-03", "2003-05", "2003", "2005"}},
		{"chinese spaced", "自 2003 年 6 月 10 日起，到 2004 年 5 月", []string{"2003-06-10", "2004-05"}},
		{"numeric", "24.11.2015 and 11/24/2015 and 03/09/1999", []string{"2015-11-24", "2015-11-24", "1999"}},
		{"year", "In 1993 Debian began; by 1996 it was big.", []string{"1993", "1996"}},
		{"no date", "version 2.2.18 on port 8080 with 15,400 packages, March 5", nil},
		{"ordinal words", "the fourth of July 1995, and the twenty-first of March, 2003", []string{"1995-07-04", "2003-03-21"}},
		{"slashed names", "2020/Sep/23 or 23/Sep/2020 or 23-Sep-2020", []string{"2020-09-23", "2020-09-23", "2020-09-23"}},
		{"two sentences", "It began in 1993. 12 March was a Friday.", []string{"1993"}},
		{"name", "May 2003 saw Mar. 5, 2003 but you may 2003", []string{"2003-05", "2003-03-05", "2003-05"}},
		{"path", "https://a.org/2003/11/24/x and /var/2003/log", nil},
		{"decade", "in the 1990s", nil},
		{"impossible", "30 February 2003", []string{"2003-02"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, d := range Dates(tc.in) {
				got = append(got, d.ISO)
				if tc.in[d.Start:d.End] != d.Text {
					t.Errorf("Dates(%q): text %q is not at %d..%d", tc.in, d.Text, d.Start, d.End)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Dates(%q) = %v, want %v", tc.in, got, tc.want)
			}
		})
	}
}

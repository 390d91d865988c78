package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

func numberString(n Number) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", n.Kind, n.Value, n.Unit))
}

func TestNumbers(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"words", "one hundred and three and two thirds", []string{"count 311/3"}},
		{"and splits a fraction", "two hundred and fifty-four hundredths", []string{"count 10027/50"}},
		{"hyphen joins a denominator", "one hundred thirty-fifths", []string{"count 20/7"}},
		{"decimal words", "nought point nought three, one point 5", []string{"count 3/100", "count 3/2"}},
		{"scales", "3 million and a half, half a dozen, 6 crore and two hundred, 4 thousand 3 hundred", []string{"count 3500000", "count 6", "count 60000200", "count 4300"}},
		{"powers", "12.32e+14, 2^32, 1.3x10^6, 2.48×10−5", []string{"count 1232000000000000", "count 4294967296", "count 1300000", "count 31/1250000"}},
		{"groups", "1,234,567.5; 12,34,567; 1 234 567; 1.111,11; 1, 234", []string{"count 2469135/2", "count 1234567", "count 1234567", "count 111111/100", "count 1", "count 234"}},
		{"fractions", "2 1/2, ⅔, 1 over twenty-one, two out of five", []string{"count 5/2", "count 2/3", "count 1/21", "count 2/5"}},
		{"no numbers", "B2B, libc6, 192.168.1.1, https://a.org/2003/5, 0xFF, 24703L202, scp2-173m, 10:30, the one, one's", nil},
		{"no division by nothing", "The number 1/0 is none", []string{"count 0"}},
		{"ordinals", "the 3rd, twentyfifth, two hundredth; a second later, the second to last", []string{"ordinal 3", "ordinal 25", "ordinal 200"}},
		{"money", "US$ 3.14, 50 CAD, c $ 16.4 million, 30 MUSD, RM42, 10¢, a dollar", []string{"money 157/50 USD", "money 50 CAD", "money 16400000 CAD", "money 30000000 USD", "money 42 MYR", "money 10 cent", "money 1 USD"}},
		{"measures", `6 ft, 10", 200lbs, 20 (kg), 10 km per hour, 14 mGy, 4 km^3`, []string{"measure 6 ft", "measure 10 inch", "measure 200 lb", "measure 20 kg", "measure 10 km/h", "measure 14 mGy", "measure 4 km³"}},
		{"temperature", "-5 °C, 70 degrees F, 2 degrees below zero", []string{"temperature -5 °C", "temperature 70 °F", "temperature -2 degree"}},
		{"ages", "500 years old, a 5-year-old, 18岁", []string{"age 500 year", "age 5 year", "age 18 year"}},
		{"chinese", "四亿五千六百四十二万零一十五，7万5千4百，一万三，四萬萬，五十五兆", []string{"count 456420015", "count 75400", "count 13000", "count 400000000", "count 55000000000000"}},
		{"chinese parts", "三分之二，负一又二分之一，两千三点一，五十打", []string{"count 2/3", "count -3/2", "count 23001/10", "count 600"}},
		{"chinese shares", "百分之十五，千万分之六，九成，七五折，打对折，三成半，二十个百分点", []string{"percent 15 %", "percent 3/50000 %", "percent 90 %", "percent 75 %", "percent 50 %", "percent 35 %", "percent 20 %"}},
		{"chinese words", "一切十分统一，四川的三国，收拾队伍，两两，几百万，三五个", nil},
		{"chinese units", "１２千瓦，三百米，六个加仑，华氏70度，5306亿台币，港幣3.14", []string{"measure 12 kW", "measure 300 m", "measure 6 gallon", "temperature 70 °F", "money 530600000000 TWD", "money 157/50 HKD"}},
		{"decades", "the 1990s and 90s", []string{"count 1990", "count 90"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, n := range Numbers(tc.in) {
				got = append(got, numberString(n))
				if tc.in[n.Start:n.End] != n.Text {
					t.Errorf("Numbers(%q): text %q is not at %d..%d", tc.in, n.Text, n.Start, n.End)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Numbers(%q) =\n%q, want\n%q", tc.in, got, tc.want)
			}
		})
	}
}

func amountString(s string, a Amount) string {
	v := string(a.Low)
	if a.Range {
		v = string(a.Low) + ".." + string(a.High)
	}
	return strings.TrimSpace(fmt.Sprintf("%s = %s %s", s[a.PhraseStart:a.PhraseEnd], v, a.Unit))
}

func TestAmounts(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want []string
	}{
		{"It cost thirteen dollars and forty-five cents.", []string{"thirteen dollars and forty-five cents = 269/20 USD"}},
		{"$20 43", []string{"$20 43 = 2043/100 USD"}},
		{"50 dollar 40 rmb", []string{"50 dollar = 50 USD", "40 rmb = 40 CNY"}},
		{"7 feet, 10 inches", []string{"7 feet, 10 inches = 47/6 ft"}},
		{"between 1.1 and 1.3 dollars", []string{"between 1.1 and 1.3 dollars = 11/10..13/10 USD"}},
		{"from $1 to $3 million", []string{"from $1 to $3 million = 1000000..3000000 USD"}},
		{"around 2 -7 l", []string{"around 2 -7 l = 2..7 l"}},
		{"no more than 700 workers", []string{"no more than 700 = ..700"}},
		{"greater than 30 and less than or equal to 40", []string{"greater than 30 and less than or equal to 40 = 30..40"}},
		{"More than 40 and less than 10", []string{"More than 40 = 40..", "less than 10 = ..10"}},
		{"5 or more, but <=  -3", []string{"5 or more = 5..", "<=  -3 = ..-3"}},
		{"3 cups of sugar", []string{"3 cups of sugar = 3 cup"}},
		{"三斤半，三米九，五元三毛", []string{"三斤半 = 7/2 jin", "三米九 = 39/10 m", "五元三毛 = 53/10 CNY"}},
		{"在第十和第十五之间", []string{"在第十和第十五之间 = 10..15"}},
		{"大于10小于20，不少于五百", []string{"大于10小于20 = 10..20", "不少于五百 = 500.."}},
		{"五百以上，十几万，3.04块以上", []string{"五百以上 = 500..", "十几万 = 100000..", "3.04块以上 = 76/25.. CNY"}},
		{"1.6m-3.9m", []string{"1.6m-3.9m = 8/5..39/10 m"}},
	} {
		var got []string
		for _, a := range Amounts(tc.in) {
			got = append(got, amountString(tc.in, a))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("Amounts(%q) =\n%q, want\n%q", tc.in, got, tc.want)
		}
	}
}

func TestCanonicalAmount(t *testing.T) {
	for _, tc := range []struct {
		value research.Ratio
		unit  string
		want  string
	}{
		{"6", "ft", "1143/625 m"}, {"1", "GB", "8000000000 bit"}, {"5", "USD", "5 USD"}, {"", "km", " km"},
	} {
		v, u := CanonicalAmount(tc.value, tc.unit)
		if got := string(v) + " " + u; got != tc.want {
			t.Errorf("CanonicalAmount(%s, %s) = %s, want %s", tc.value, tc.unit, got, tc.want)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, s := range []string{
		"1e308 1e309 2^64 0^-1 9^-64 1.1^23 1/0 ½½ 3 1/2/3", "三分之零 百分之百分之五 一亿万亿亿 负负五 兆兆 第第一 半半", "$20 and 43c $ $ 5 a a dollar half a half of half",
		"between and 5 to to 6 or more than less than 5 <>5 >=<5 ~5~6", "twenty twenty fifths one hundred and and a half million point point five over over", "12,34,567,89 1 234 5678 1.234.567,8 1'000'000\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, n := range Numbers(s) {
			if n.Start < end || n.End <= n.Start || n.End > len(s) || s[n.Start:n.End] != n.Text || n.NumberStart < n.Start || n.NumberEnd > n.End || n.NumberEnd < n.NumberStart {
				t.Fatalf("Numbers(%q): bad number %+v after %d", s, n, end)
			}
			if !n.Value.Known() || n.Kind == "" {
				t.Fatalf("Numbers(%q): no value in %+v", s, n)
			}
			end = n.End
			CanonicalAmount(n.Value, n.Unit)
		}
		end = 0
		for _, a := range Amounts(s) {
			if a.Start < end || a.End <= a.Start || a.End > len(s) || a.PhraseStart > a.Start || a.PhraseStart < 0 || a.PhraseEnd < a.End || a.PhraseEnd > len(s) || len(a.Parts) == 0 {
				t.Fatalf("Amounts(%q): bad amount %+v after %d", s, a, end)
			}
			if a.Low == "" && a.High == "" || a.Range && a.Low.Known() && a.High.Known() && a.Low.Cmp(a.High) > 0 {
				t.Fatalf("Amounts(%q): bad bounds in %+v", s, a)
			}
			end = a.End
		}
	})
}

// TestNumbersLinear reads a quarter of a megabyte of each text that is hard, less under the race detector; in quadratic time it
// would run into the time limit of the tests.
func TestNumbersLinear(t *testing.T) {
	for _, unit := range []string{"one hundred and ", "1,234 ", "1.", "三千", "百分之", "$", "between 5 and ", "a half ", "x1-", "\"5\" ", "5 km per ", "负", "-"} {
		Amounts(strings.Repeat(unit, 1<<18/shrink/len(unit)))
	}
}

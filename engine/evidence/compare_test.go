package evidence

import (
	"math"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestCompareNumbers(t *testing.T) {
	for _, tc := range []struct{ name, claim, passage, want string }{
		{"equal", "The bridge is 300 m long.", "At 300 m the bridge is the longest.", ""},
		{"another unit of the family", "It runs for 90 minutes.", "The film lasts 1.5 hours.", ""},
		{"rounded", "It cost $4.6 billion.", "The cost was $4.58 billion.", ""},
		{"words", "She owns three hundred paintings.", "She owns 300 paintings.", ""},
		{"day either way round", "He was born on September 22nd, 1917.", "Born 22 September 1917, he was an officer.", ""},
		{"a bound met", "His career spans more than 50 years.", "His career spans 55 years.", ""},
		{"a bound far off", "More than 50 people came.", "In all 5000 people came.", `absent "50" for "5000"`},
		{"two bounds", "Growth is seen above 1.5% next year.", "Growth is seen above 2% next year.", `exchanged "1.5%" for "2%"`},
		{"year within the decade", "She was born in the 1940s.", "She was born on October 4, 1941.", ""},
		{"year within the century", "It was built in the 20th century.", "It was built in 1932.", ""},
		{"an age from years", "Born in 1953, he was 68 years old in 2021.", "He was born on 29 September 1953.", ""},
		{"a span from years", "It stood for 12 years.", "It was built in 1990 and torn down in 2002.", ""},
		{"another number in its place", "Sales fell 5%, after a rise of 12% in the spring.", "Sales fell 23%, after a rise of 12% in the spring.", `exchanged "5%" for "23%"`},
		{"two numbers exchanged", "The town has 40 schools and 12 parks in the old centre.", "The town has 12 schools and 40 parks in the old centre.", `exchanged "12" for "40"`},
		{"a month in its place", "The work at the port will end in June after a long delay.", "The work at the port will end in March after a long delay, not before June.", `exchanged "June" for "March"`},
		{"a day is not rounded", "He told reporters to expect the update on Jan. 20.", "He told reporters to expect the update on Jan. 19.", `exchanged "20" for "19"`},
		{"another unit", "The hull weighs 40 tons.", "The hull has 40 portholes, each of 40 kg.", `exchanged "40 tons" for "40"`},
		{"another scale", "It sold 3 million km of cable.", "It sold 3 billion km of cable.", `exchanged "3 million km" for "3 billion km"`},
		{"no number of the kind", "The singer left the band in 2007.", "The singer began a solo career.", `unstated "2007"`},
		{"part of a name", "Covid-19 and SARS-CoV-2 are studied.", "The disease is studied.", ""},
		{"a label without rival", "Rule 19 says so.", "The rules say so.", ""},
		{"another label", "The patients were in Phase 3 of the trial.", "The patients were in Phase 2 of the trial.", `exchanged "3" for "2"`},
		{"a mark of reference", "It grew by half [3].", "It grew by 50 % [7].", ""},
		{"a code in its place", "The vote on a possible G20 ban was put off by the ministers.", "The vote on a possible EU ban was put off by the ministers.", `exchanged "G20" for "EU"`},
		{"a small count", "Six Irish towns have a shop.", "Five Irish towns have a shop.", `exchanged "Six" for "Five"`},
		{"a small count worded otherwise", "He worked in two genres.", "He worked in horror and comedy.", ""},
		{"half", "Half of them voted: 50%.", "About half of them voted.", ""},
		{"Chinese", "桥长300米。", "这座桥长350米。", `absent "300米" for "350米"`},
		{"nothing to compare", "The bridge is long.", "The bridge is 300 m long.", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, f := range CompareNumbers(tc.claim, tc.passage) {
				s := f.Cause + ` "` + f.Text + `"`
				if f.Other != "" {
					s += ` for "` + f.Other + `"`
				}
				if tc.claim[f.Start:f.End] != f.Text {
					t.Errorf("%q stands at %d to %d, which is %q", f.Text, f.Start, f.End, tc.claim[f.Start:f.End])
				}
				got = append(got, s)
			}
			if tc.name == "two numbers exchanged" && len(got) > 0 { // one side of the alignment stays
				return
			}
			if s := strings.Join(got, "; "); s != tc.want {
				t.Errorf("CompareNumbers(%q, %q) = %s, want %s", tc.claim, tc.passage, s, tc.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		name, claim, passage string
		want                 research.Stance
		reason               string // a part of one
	}{
		{"same words", "Anne Rice was born in Japan.", "Born in Japan, Rice spent much of her early life there before moving to Texas.", research.Confirms, ""},
		{"a negation", "YouTube is not a website.", "YouTube is an American video-sharing website with offices in San Bruno.", research.Contradicts, `"website" is negated`},
		{"an opposite", "Bad Romance was one of the worst singles of the year.", "Bad Romance was one of the best singles of the year.", research.Contradicts, "worst where the passage has best"},
		{"another of its kind", "They wear the colour blue.", "They wear the colour red.", research.Contradicts, "blue where the passage has red"},
		{"a slot filled otherwise", "He became fascinated with the sky as a child.", "He became fascinated with the ocean as a child.", research.Contradicts, "sky where the passage has ocean"},
		{"a number", "The film was shown on 870 screens in India.", "The film was shown on 1150 screens in India.", research.Contradicts, "870 where the passage has 1150"},
		{"a cut contraction", "The dress did n't inspire hashtags.", "The dress did not inspire any hashtags.", research.Confirms, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Compare(tc.claim, tc.passage)
			if reasons := strings.Join(got.Reasons, "; "); got.Stance != tc.want || !strings.Contains(reasons, tc.reason) {
				t.Errorf("Compare = %s (%.2f, %.2f, %.2f), %q; want %s with %q", got.Stance, got.Confirms, got.Contradicts, got.Neutral, reasons, tc.want, tc.reason)
			}
		})
	}
	for _, tc := range [][2]string{{"", ""}, {"A claim.", ""}, {"", "A passage."}, {"\xff", "\xff"}} {
		checkComparison(t, tc[0], tc[1])
	}
}

// checkComparison holds what is true of every comparison.
func checkComparison(t *testing.T, claim, passage string) {
	t.Helper()
	c := Compare(claim, passage)
	sum := c.Confirms + c.Contradicts + c.Neutral
	if math.IsNaN(sum) || math.Abs(sum-1) > 1e-9 {
		t.Fatalf("Compare(%q, %q): likelihoods %v, %v, %v", claim, passage, c.Confirms, c.Contradicts, c.Neutral)
	}
	for i, v := range c.Features {
		if math.IsNaN(v) || v < 0 || v > 3 {
			t.Fatalf("Compare(%q, %q): %s is %v", claim, passage, AspectNames[i], v)
		}
	}
}

func FuzzCompare(f *testing.F) {
	for _, s := range [][2]string{
		{"The bridge is 300 m long.", "It spans 1,000 ft - 305 m."}, {"did n't G20 [3] 1970 's", "2007-2008 twice - as - many"}, {"不到百分之五十的人。", "50%以上的人。"},
		{"$5-10 million in 3 1/2 years", "1e9 1/0 -0 9999999999999999999999"}, {"no not never other than outside of", "but yet to"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, claim, passage string) {
		if len(claim) > 2000 || len(passage) > 4000 {
			return
		}
		checkComparison(t, claim, passage)
		for _, n := range CompareNumbers(claim, passage) {
			if n.Start < 0 || n.End > len(strings.ToValidUTF8(claim, "")) || n.Start >= n.End {
				t.Fatalf("CompareNumbers(%q, %q): %+v", claim, passage, n)
			}
		}
	})
}

// TestMatchQuantitiesReads holds what the matcher takes over from the comparison of numbers.
func TestMatchQuantitiesReads(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source string
		missing             string
	}{
		{"a bound that is met", "His career spans more than 50 years.", "His career spans 55 years.", ""},
		{"an age from two years", "Born in 1953, he was 68 years old in 2021.", "He was born on 29 September 1953.", ""},
		{"a decade of tokenised text", "She was born in the 1940 's .", "She was born on October 4 , 1941 .", ""},
		{"a number that stands elsewhere", "The town has a wall with 40 towers and a moat of 25 metres.", "The town has a wall with 30 towers and a moat of 25 metres. In summer 40 boats come.", "40"},
		{"a version that differs", "Address 10.0.2.2 is the host.", "Address 10.0.2.3 is the host.", "10.0.2.2"},
	} {
		if got := strings.Join(MatchQuantities(tc.claim, tc.source).Missing, ", "); got != tc.missing {
			t.Errorf("%s: MatchQuantities(%q, %q) lacks %q, want %q", tc.name, tc.claim, tc.source, got, tc.missing)
		}
	}
}

package evidence

import (
	"testing"

	"assay/engine/research"
	"assay/engine/text"
)

func TestExchanges(t *testing.T) {
	for _, tc := range []struct {
		name, a, b string
		want       []Exchanged
	}{
		{"a name", "Low Tide is the first album by the singer Ann Roe, released in June.", "Low Tide is the first album by the singer Max Lund, released in June.",
			[]Exchanged{{A: "Ann Roe", B: "Max Lund", Kind: research.AnswerName}}},
		{"a number", "The 2010 census counted 3,171 people in the township.", "The 2010 census counted 12,456 people in the township.",
			[]Exchanged{{A: "3,171", B: "12,456", Kind: research.AnswerQuantity}}},
		{"a day", "The mill was opened on 3 May 1911 by the mayor of the town.", "The mill was opened on 9 June 1912 by the mayor of the town.",
			[]Exchanged{{A: "3 May 1911", B: "9 June 1912", Kind: research.AnswerDate}}},
		{"a word", "The church stands in the old town and is built in the baroque style.", "The church stands in the old town and is built in the modernist style.",
			[]Exchanged{{A: "baroque", B: "modernist", Kind: research.AnswerAny}}},
		{"the day as of which", "As of 2018: the head of the office is Ann Roe.", "As of 2021: the head of the office is Max Lund.",
			[]Exchanged{{A: "2018", B: "2021", Kind: research.AnswerDate, AsOf: true}, {A: "Ann Roe", B: "Max Lund", Kind: research.AnswerName}}},
		{"a rounding", "The tower of the harbour church is 41.2 metres high.", "The tower of the harbour church is 41 metres high.", nil},
		{"a hyphen that a page break lost", "Two ports (harbour-i386 and harbour-amd64) were made available as a preview of the release.", "Two ports (harbour-i386 and harbouramd64) were made available as a preview of the release.", nil},
		{"a longer name", "The mill was built by Roe in the harbour town.", "The mill was built by Ann Roe in the harbour town.", nil},
		{"other sentences", "The mill was built by Ann Roe.", "Gulls nest on the roof of the church all summer.", nil},
		{"empty", "", "x", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Exchanges(tc.a, tc.b)
			if len(got) != len(tc.want) {
				t.Fatalf("got %v, want %v", got, tc.want)
			}
			for i := range got {
				if got[i] != tc.want[i] {
					t.Errorf("exchange %d is %+v, want %+v", i, got[i], tc.want[i])
				}
			}
		})
	}
}

func FuzzExchanges(f *testing.F) {
	f.Add("The 2010 census counted 3,171 people.", "The 2010 census counted 12,456 people.")
	f.Add("截至 2018 年 人口 为 300", "截至 2020 年 人口 为 400")
	f.Fuzz(func(_ *testing.T, a, b string) {
		Exchanges(a, b)
		Stated(research.AnswerDate, text.Terms(b, "en"), b, a, true)
	})
}

func TestStated(t *testing.T) {
	for _, tc := range []struct {
		name      string
		want      research.AnswerType
		attribute string
		s         string
		loose     bool
		values    []string
	}{
		{"after", research.AnswerDate, "born", "Roe was born on 15 May 1885 in Leeds and moved in 1901.", false, []string{"15 May 1885"}},
		{"label", research.AnswerDate, "birth date", "Date of birth 22 October 1900 Chelsea Date of death 8 July 1955", false, []string{"22 October 1900"}},
		{"life, born", research.AnswerDate, "born", "Ann Roe (15 May 1885 – 8 July 1955) was a sculptor.", false, []string{"15 May 1885"}},
		{"life, died", research.AnswerDate, "die", "Ann Roe (15 May 1885 – 8 July 1955) was a sculptor.", false, []string{"8 July 1955"}},
		{"by", research.AnswerPerson, "director film", "It is a comedy film directed by Max Lund.", false, []string{"Max Lund"}},
		{"counts", research.AnswerQuantity, "population", "In 2010 there were 3,559 people in the town.", false, []string{"3,559"}},
		{"not said of it", research.AnswerDate, "born", "The town hall burnt down in 1901.", false, nil},
		{"the only one", research.AnswerDate, "inserted duties", "The duties were, after a long debate of both houses and in spite of it all, inserted by the law of the year 1976.", true, []string{"1976"}},
		{"the only one, strictly", research.AnswerDate, "inserted duties", "The duties were, after a long debate of both houses and in spite of it all, inserted by the law of the year 1976.", false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Stated(tc.want, text.Terms(tc.attribute, "en"), "", tc.s, tc.loose)
			if len(got) != len(tc.values) {
				t.Fatalf("got %+v, want %v", got, tc.values)
			}
			for i, v := range got {
				if v.Text != tc.values[i] {
					t.Errorf("value %d is %q, want %q", i, v.Text, tc.values[i])
				}
			}
		})
	}
}

func TestDispute(t *testing.T) {
	a := research.Claim{ID: "a", Source: "s1", Published: "2018"}
	b := research.Claim{ID: "b", Source: "s2", Published: "2021"}
	for when, kind := range map[Times]string{ByPublication: kindTemporal, OtherPeriod: kindTemporal, ForGood: kindDirect} {
		x := Dispute(b, a, when, "one has 1 where the other has 2", Context{})
		if x.A != "a" || x.B != "b" || x.Kind != kind || x.Resolution != byRecency || x.Preferred != "b" {
			t.Errorf("%d: %+v, want %s, the later one preferred", when, x, kind)
		}
	}
	b.Published = ""
	if x := Dispute(a, b, ByPublication, "", Context{}); x.Kind != kindDirect || x.Resolution != unresolved {
		t.Errorf("without dates %+v", x)
	}
}

package intent

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

var now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		question, lang string
		want           research.Intent
		conf           research.Ratio
	}{
		{"Who designed the lighthouse?", "en", research.FactQuery, "4/5"},
		{"How many keepers were there in 1902?", "en", research.FactQuery, "4/5"},
		{"The name of the engineer and where she was born", "en", research.FactQuery, "4/5"},
		{"How does the new lamp compare to the old one?", "en", research.Comparison, "4/5"},
		{"What is the difference between HTTP/1.1 and HTTP/2?", "en", research.Comparison, "4/5"},
		{"By what factor is the file smaller than the original?", "en", research.Comparison, "4/5"},
		{"How has the number of packages changed and grown over the years?", "en", research.TrendAnalysis, "7/10"},
		{"The history of the format", "en", research.TrendAnalysis, "7/10"},
		{"Why was the lamp replaced?", "en", research.CausalAnalysis, "4/5"},
		{"Effects of salt on granite", "en", research.CausalAnalysis, "4/5"},
		{"Will the station be reopened?", "en", research.Prediction, "4/5"},
		{"Give me an overview of lighthouse optics", "en", research.Comprehensive, "7/10"},
		{"lighthouse optics", "en", research.Comprehensive, "1/2"},
		{"Name the engineer that finished the tower by the northern reef", "en", research.FactQuery, "4/5"},
		{"The keeper finished the tower by the northern reef in winter", "en", research.FactQuery, "1/2"},
		{"灯塔由谁设计？", "zh", research.FactQuery, "4/5"},
		{"两种格式有什么区别？", "zh", research.Comparison, "4/5"},
		{"为什么更换灯具？", "zh", research.CausalAnalysis, "4/5"},
		{"软件包数量的发展趋势", "zh", research.TrendAnalysis, "7/10"},
		{"航运业的未来", "zh", research.Prediction, "4/5"},
	} {
		t.Run(tc.question, func(t *testing.T) {
			got, conf := Classify(tc.question, tc.lang)
			if got != tc.want || conf != tc.conf {
				t.Errorf("Classify: %s %s, want %s %s", got, conf, tc.want, tc.conf)
			}
		})
	}
}

// TestClassifyKinds holds what each rule is for, and what it must leave to another.
func TestClassifyKinds(t *testing.T) {
	const (
		fact, compare, trend, cause, forecast, survey = research.FactQuery, research.Comparison, research.TrendAnalysis, research.CausalAnalysis, research.Prediction, research.Comprehensive
	)
	for _, tc := range []struct {
		want      research.Intent
		lang      string
		questions []string
	}{
		{fact, "en", []string{
			"How old was the tower when it fell?", "In which harbour did more than 20 ships winter?", "What is a lighthouse ?", "What does the word pharos mean?", "Which U.S. state built the tower?",
			"Is the lens made in Paris?", "is the tower the same as the beacon", "Can you see the light from the village?", "Who built the best known lighthouse?", "How do you clean a lens?",
			"How is the lens cleaned?", "What are the different kinds of lens?", "Which umask is set, and who sets it?", "The tower was built by whom?", "How many of the towers that cause trouble are there?",
			"When did the keeper, who wondered why the lamp failed, die?", "what is the lamp used for", "Do you know what the keeper was called?"}},
		{compare, "en", []string{
			"What is the difference between a lens and a mirror?", "How does oil differ from gas?", "Oil vs. gas", "How many lamps has the old tower and how many the new one?", "What are the pros and cons of oil lamps?",
			"By what factor is gas brighter?", "When reading, by what factor is a lens stronger?", "How bright is it with a lens, and without a lens?", "I have an oil lamp, how does it compare with gas?"}},
		{trend, "en", []string{
			"How have tower heights been measured differently since 1900, and again since 1950?", "Did the fleet grow between 1900 and 1950?", "How did the number of keepers change over time?", "The evolution of the lens"}},
		{cause, "en", []string{
			"Why is the lens red?", "How come the lamp went out?", "If oil is cheap, why was gas used?", "What made the keepers leave?", "What caused the fire?", "What is the purpose of a fog horn?",
			"What is the keeper famous for?", "For what reason did they stop?", "Causes of the fire", "The lamp... why did it fail?"}},
		{forecast, "en", []string{"Will gas replace oil?", "How soon will the tower fall?", "The outlook for oil lamps", "What is the future of light ships?"}},
		{survey, "en", []string{
			"Should all towers be kept?", "Lamps: should we keep them?", "Is oil better than gas?", "Is it wrong to close the tower?", "Does religion need towers?", "Who is the best keeper?", "Which lens is best?",
			"How does a lens work?", "Explain the lamp", "What happens if the lamp fails?", "pharos definition", "meaning of the word pharos", "What is your favourite tower?", "How good is the lens?",
			"When was it built, by whom, and which lens has it?", "What are the benefits of a lens?", "Does anybody know how a lens works?", "What were the novelties of the tower regarding lamps, lenses and stairs?"}},
		{fact, "zh", []string{"灯塔高多少米？", "塔由谁设计？", "什么是灯塔？", "灯塔为什么叫这个名字：谁起的，他在哪里工作？"}},
		{compare, "zh", []string{"油灯与煤气灯有何不同？", "两种灯的差别"}},
		{trend, "zh", []string{"灯塔数量逐年的变化"}},
		{cause, "zh", []string{"火灾的原因是什么？", "灯为何熄灭？"}},
		{survey, "zh", []string{"是否应该保留灯塔？", "透镜的工作原理", "塔建于哪一年，由谁设计，高多少米？"}},
	} {
		for _, q := range tc.questions {
			if got, conf := Classify(q, tc.lang); got != tc.want {
				t.Errorf("Classify(%q) = %s (%s), want %s", q, got, conf, tc.want)
			}
		}
	}
}

func TestFacets(t *testing.T) {
	for _, tc := range []struct {
		name, question, lang string
		want                 []string // "text | answer type"
	}{
		{"one part", "Who designed the tower?", "en", []string{"Who designed the tower? | person"}},
		{"three parts", "When was the tower built, who was its engineer, and how high is it?", "en",
			[]string{"When was the tower built | date", "who was its engineer | person", "how high is it | quantity"}},
		{"and", "How large is a file and how long does it take to send?", "en", []string{"How large is a file | quantity", "how long does it take to send | quantity"}},
		{"semicolon", "Is tea good; and why do people drink it?", "en", []string{"Is tea good | any", "why do people drink it | reason"}},
		{"list of names", "What became of Corel, Stormix and Progeny?", "en",
			[]string{"What became of Corel | name", "What became of Stormix | name", "What became of Progeny | name"}},
		{"list of two is one part", "What became of Corel and Stormix?", "en", []string{"What became of Corel and Stormix | name"}},
		{"parentheses", "How many packages did Debian have in 1999 (Buzz, Rex, Bo)?", "en",
			[]string{"How many packages did Debian have in 1999 Buzz | quantity", "How many packages did Debian have in 1999 Rex | quantity", "How many packages did Debian have in 1999 Bo | quantity"}},
		{"a part that asks nothing", "When saving photographs, which format should be used?", "en", []string{"which format should be used | name"}},
		{"a setting that asks nothing", "In the town hall of Bree, who rang the bell?", "en", []string{"who rang the bell | person"}},
		{"no content words in a part", "Who wrote the manual, and with whom?", "en", []string{"Who wrote the manual, and with whom | person"}},
		{"a part that asks for the manner", "What are the four kinds of lamp, and how does a keeper change them?", "en",
			[]string{"What are the four kinds of lamp | name", "how does a keeper change them | any"}},
		{"bare topic", "lighthouse", "en", []string{"lighthouse | any"}},
		{"empty", "", "en", []string{" | any"}},
		{"chinese parts", "灯塔建于哪一年，由谁设计，塔高多少米？", "zh", []string{"灯塔建于哪一年 | date", "由谁设计 | person", "塔高多少米 | quantity"}},
		{"chinese part that asks nothing", "在历史上，谁提出了该格式？", "zh", []string{"谁提出了该格式 | person"}},
		{"chinese parentheses", "版本（甲、乙和丙）各有多少软件包？", "zh",
			[]string{"版本各有多少软件包 甲 | quantity", "版本各有多少软件包 乙 | quantity", "版本各有多少软件包 丙 | quantity"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// A question of one part keeps its mark, which makes no difference.
			trim := strings.NewReplacer("? |", " |")
			var got, want []string
			for i, f := range Facets(tc.question, tc.lang) {
				got = append(got, trim.Replace(f.Text+" | "+string(f.Want)))
				if f.ID != "f"+string(rune('1'+i)) {
					t.Errorf("facet %d is called %q", i, f.ID)
				}
			}
			for _, w := range tc.want {
				want = append(want, trim.Replace(w))
			}
			if !slices.Equal(want, got) {
				t.Errorf("Facets(%q) = %q, want %q", tc.question, got, want)
			}
		})
	}
}

// TestFacetTerms: each facet is told from the others by its own words.
func TestFacetTerms(t *testing.T) {
	fs := Facets("How many visitors came in July, how many visitors came in June?", "en")
	if len(fs) != 2 || len(fs[0].Terms) == 0 || len(fs[1].Terms) == 0 {
		t.Fatalf("Facets: %+v", fs)
	}
	for _, f := range fs {
		for _, term := range f.Terms {
			if term == "visitor" {
				t.Errorf("%s keeps %q, which both facets have", f.ID, term)
			}
		}
	}
	if same := Facets("Who came, who came?", "en"); len(same) > 1 && len(same[1].Terms) == 0 {
		t.Errorf("a facet without words of its own lost all: %+v", same)
	}
}

func TestWant(t *testing.T) {
	for _, tc := range []struct {
		part, lang string
		want       research.AnswerType
	}{
		{"how many keepers", "en", research.AnswerQuantity}, {"what share of the files", "en", research.AnswerQuantity}, {"the price of the lamp", "en", research.AnswerQuantity},
		{"How did the number of keepers change between 1996 and 2005", "en", research.AnswerQuantity}, {"What will solar capacity in Norway be in 2030", "en", research.AnswerQuantity},
		{"How did the lamp of the tower change", "en", research.AnswerAny},
		{"at what age did she retire", "en", research.AnswerQuantity}, {"多少人", "zh", research.AnswerQuantity},
		{"when was it built", "en", research.AnswerDate}, {"in which year", "en", research.AnswerDate}, {"哪一年", "zh", research.AnswerDate}, {"何时", "zh", research.AnswerDate},
		{"whose idea was it", "en", research.AnswerPerson}, {"which developer wrote it", "en", research.AnswerPerson}, {"由谁设计", "zh", research.AnswerPerson},
		{"which company sold it", "en", research.AnswerOrg}, {"哪家公司", "zh", research.AnswerOrg},
		{"where does it stand", "en", research.AnswerPlace}, {"which city", "en", research.AnswerPlace}, {"在哪里", "zh", research.AnswerPlace},
		{"why was it moved", "en", research.AnswerReason}, {"为什么", "zh", research.AnswerReason},
		{"which format is used", "en", research.AnswerName}, {"the name of the tool", "en", research.AnswerName},
		{"describe the lens", "en", research.AnswerAny}, {"when the sea is calm the lens", "en", research.AnswerAny}, {"", "en", research.AnswerAny},
	} {
		if got := Want(tc.part, tc.lang); got != tc.want {
			t.Errorf("Want(%q) = %s, want %s", tc.part, got, tc.want)
		}
	}
}

func TestDesignations(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"How many visitors of DebConf22 saw APNG and IETF?", []string{"DebConf22", "APNG", "IETF"}},
		{"iPhone or NetBSD", []string{"NetBSD"}},
		{"APNG, again APNG", []string{"APNG"}},
		{"the UK and Ohio", []string{}},
		{"THE WHOLE QUESTION IS IN CAPITALS", nil},
		{"", []string{}},
	} {
		if got := Designations(tc.text); !slices.Equal(tc.want, got) {
			t.Errorf("Designations(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"See 10.1000/xyz123. and more", []string{"doi 10.1000/xyz123"}},
		{"(10.1234/foo(bar))", []string{"doi 10.1234/foo(bar)"}},
		{"the paper (doi:10.1234/abc).", []string{"doi 10.1234/abc"}},
		{"arXiv:2101.00001v2 and arxiv: hep-th/9901001", []string{"arxiv 2101.00001v2", "arxiv hep-th/9901001"}},
		{"is CVE-2021-44228 fixed", []string{"cve CVE-2021-44228"}},
		{"CVE-21-1 is none", nil},
		{"PMID: 123456, ISBN 978-3-16-148410-0", []string{"pmid 123456", "isbn 978-3-16-148410-0"}},
		{"https://doi.org/10.1000/abc", []string{"url https://doi.org/10.1000/abc"}},
		{"nothing here", nil},
	} {
		var got []string
		for _, id := range Identifiers(tc.text) {
			got = append(got, id.Kind+" "+id.Value)
		}
		if !slices.Equal(tc.want, got) {
			t.Errorf("Identifiers(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"", "?", "a?b?c?", "When was it built, who built it, and how high is it?", "x (a, b, c) y?", "10.1234/foo(bar))))", "版本（甲、乙和丙）各有多少？",
		"\xff\xfe and what", "and and and, which, which; which", "1999 2005 ISBN 1234567890"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		u := Understand(q, "auto", research.ShapeAuto, research.Standard, now)
		if len(u.Facets) == 0 || len(u.Facets) > maxFacets {
			t.Fatalf("%q: %d facets", q, len(u.Facets))
		}
		if u.Complexity.Cmp("0") < 0 || u.Complexity.Cmp("1") > 0 {
			t.Fatalf("%q: complexity %s", q, u.Complexity)
		}
		if u.IntentConfidence.Cmp("0") <= 0 || u.IntentConfidence.Cmp("1") > 0 || u.Intent == "" {
			t.Fatalf("%q: intent %q, confidence %s", q, u.Intent, u.IntentConfidence)
		}
		if u.Lang != "en" && u.Lang != "zh" {
			t.Fatalf("%q: language %q", q, u.Lang)
		}
		for _, id := range Identifiers(q) {
			if id.Value == "" || !strings.Contains(q, id.Value) {
				t.Fatalf("%q: identifier %+v does not stand there", q, id)
			}
		}
		for _, a := range research.Angles {
			if AngleQuery(u, a).Text == "" {
				t.Fatalf("%q: angle %s asks nothing", q, a)
			}
		}
	})
}

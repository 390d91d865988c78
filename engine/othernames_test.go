package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/store"
)

// registry is a provider outside that knows names.
type registry struct {
	engineOf
	asked *[]string
	say   research.NameLookup
}

func (n registry) Names(_ context.Context, name, lang string) research.NameLookup {
	*n.asked = append(*n.asked, name)
	n.say.Name, n.say.Lang = name, lang
	return n.say
}

func entry(id, en, zh, said string, aliases ...string) research.NameEntry {
	e := research.NameEntry{ID: id, Labels: map[string]string{}, Aliases: aliases, Descriptions: map[string]string{"en": said}}
	if en != "" {
		e.Labels["en"] = en
	}
	if zh != "" {
		e.Labels["zh"] = zh
	}
	return e
}

func meaningOf(t *testing.T, question string) research.Understanding {
	t.Helper()
	return intent.Understand(question, "auto", research.ShapeAuto, research.Quick, atTestClock(t))
}

func atTestClock(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, testClock)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestWithNames(t *testing.T) {
	town := entry("Q1", "Veldt", "费尔特", "harbour town known for oysters", "Velde Haven", "us", "VT")
	band := entry("Q2", "Veldt", "", "rock band")
	for _, tc := range []struct {
		name    string
		entries []research.NameEntry
		known   string
		said    string
	}{
		{"one", []research.NameEntry{town}, "Q1", ""},
		{"by an alias", []research.NameEntry{entry("Q3", "Velde Haven", "", "harbour town", "Veldt")}, "Q3", ""},
		{"case and marks are no other name", []research.NameEntry{entry("Q4", "VÉLDT", "", "town")}, "Q4", ""},
		{"of two the one whose description speaks of it", []research.NameEntry{band, town}, "Q1", ""},
		{"two, and none does", []research.NameEntry{band, entry("Q5", "Veldt", "", "song")}, "", "2 things are called"},
		{"two that do alike", []research.NameEntry{town, entry("Q6", "Veldt", "", "farm of oysters")}, "", "2 things are called"},
		{"another name", []research.NameEntry{entry("Q7", "Veldtheim", "", "harbour town of oysters")}, "", "nothing that it holds is called"},
		{"a page about the word", []research.NameEntry{entry("Q8", "Veldt", "", "Wikimedia disambiguation page")}, "", "nothing that it holds is called"},
		{"nothing", nil, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := meaningOf(t, "By how much did dredging lower the catch of oysters of Veldt?")
			got, said := withNames(u, research.NameLookup{Name: "Veldt", Lang: "en", Entries: tc.entries})
			at := slices.IndexFunc(got.Entities, func(e research.Entity) bool { return e.Text == "Veldt" })
			if at < 0 {
				t.Fatalf("entities %+v", got.Entities)
			}
			e := got.Entities[at]
			if e.Known != tc.known || !strings.Contains(said, tc.said) || (said == "") != (tc.said == "") {
				t.Errorf("%+v, %q", e, said)
			}
			if tc.known == "Q1" && (strings.Join(e.Aliases, ",") != "费尔特,Velde Haven" || e.Other != "费尔特") {
				t.Errorf("taken %+v", e)
			}
			if u.Entities[at].Known != "" {
				t.Error("the understanding that was given is changed")
			}
		})
	}
}

// ossova is a page that names the town of the question only as it was called before.
const ossova = "The harbour of Ossova landed 4,120 barrels of oysters in the year 2024, as the harbour master of Ossova counts.\n\n" +
	"Oysters of Ossova are grown beside the channel, and dredging of the channel lowered the catch by 40 percent. The growers sell to the towns along the coast.\n\n" +
	"The old pier has a book in which every barrel is written down, and the book lies open in the office of the pier for whoever wants to read it."

func namesConfig(t *testing.T, asked *[]string, say research.NameLookup) (Config, *world) {
	w := &world{pages: []research.Document{page("https://www.coastpaper.com/ossova", "Oysters of Ossova", "Ada Stolz", ossova)}}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"}, registry{engineOf{world: w, name: "wikidata"}, asked, say})
	c.Request.Question = "By how much did dredging lower the catch of oysters of Veldt?"
	return c, w
}

// TestOnlyTheOtherNameAnswers: a page that names the subject by its other name only is read and answers, the look-up stands in the record,
// and a replay asks nobody and says the same.
func TestOnlyTheOtherNameAnswers(t *testing.T) {
	known := research.NameLookup{Entries: []research.NameEntry{entry("Q1", "Veldt", "", "harbour town", "Ossova")}}
	var asked []string
	c, _ := namesConfig(t, &asked, known)
	d, first, rec := digestOf(t, c)
	if !slices.Equal(asked, []string{"Veldt"}) {
		t.Fatalf("asked %q", asked)
	}
	if said := printed(d); !strings.Contains(said, "40 percent") {
		t.Errorf("findings: %q; issues %v", said, d.Issues)
	}
	if shown := previews(t, rec); shown[0] != "wikidata: Veldt" {
		t.Errorf("previews %q", shown)
	}
	audited(t, d, rec)
	var other []string
	again, _ := namesConfig(t, &other, research.NameLookup{Fault: "wikidata: gone"})
	d2, err := (&Engine{again}).Run(t.Context(), store.FromRun(rec.Run(), false))
	if err != nil || asJSON(t, d2) != first || len(other) > 0 {
		t.Errorf("replayed: %v, asked %q; %s", err, other, firstDiff(first, asJSON(t, d2)))
	}
	events, err := rec.Events(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Reopen(again, events, func() Record { return store.FromRun(rec.Run(), false) })
	if err != nil {
		t.Fatal(err)
	}
	if d3, _, err := f.Without(t.Context(), nil); err != nil || asJSON(t, d3) != first {
		t.Errorf("restated: %v; %s", err, firstDiff(first, asJSON(t, d3)))
	}

	without, _ := namesConfig(t, &asked, research.NameLookup{})
	d, _, _ = digestOf(t, without)
	if said := printed(d); strings.Contains(said, "40 percent") {
		t.Errorf("without the other name it answers too: %q", said)
	}
}

func TestNamesFaultIsAGap(t *testing.T) {
	var asked []string
	c, _ := namesConfig(t, &asked, research.NameLookup{Fault: "wikidata: asks for a pause"})
	d, _, _ := digestOf(t, c)
	if !strings.Contains(asJSON(t, d.Issues), "asks for a pause") {
		t.Errorf("issues %v", d.Issues)
	}
	c, _ = namesConfig(t, &asked, research.NameLookup{Entries: []research.NameEntry{entry("Q1", "Veldt", "", "song"), entry("Q2", "Veldt", "", "band")}})
	d, _, _ = digestOf(t, c)
	if !strings.Contains(asJSON(t, d.Issues), "do not say which is meant") {
		t.Errorf("issues %v", d.Issues)
	}
}

// TestNamesAreNotAsked: a closed run asks nobody, nor does one without the register, nor for a protected name.
func TestNamesAreNotAsked(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"closed":               func(c *Config) { c.Request.Egress = research.Closed },
		"own servers only":     func(c *Config) { c.Request.Egress = research.Own },
		"protected":            func(c *Config) { c.Request.Protected = []string{"veldt"} },
		"without the register": func(c *Config) { c.Providers = c.Providers[:1] },
		"a plan without queries outside": func(c *Config) {
			c.Approve = func(_ context.Context, _ research.Understanding, h []research.Hypothesis, p research.Plan) (research.Plan, []research.Hypothesis, error) {
				if p.Round == 0 && (p.Preview == nil || p.Preview.Asks[0].Query != "Veldt" || p.Preview.Asks[0].Name != "wikidata") {
					t.Errorf("the plan shows %+v", p.Preview)
				}
				for i := range p.Tasks {
					p.Tasks[i].Queries = slices.DeleteFunc(slices.Clone(p.Tasks[i].Queries), func(q research.Query) bool { return q.Outside })
				}
				return p, h, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			c, _ := namesConfig(t, &asked, research.NameLookup{})
			change(&c)
			digestOf(t, c)
			if len(asked) > 0 {
				t.Errorf("asked %q", asked)
			}
		})
	}
}

// TestQueryInTheOtherLanguage: a Chinese question whose plan asks in English too is asked once more by the English name.
func TestQueryInTheOtherLanguage(t *testing.T) {
	u := meaningOf(t, "《费尔特》牡蛎产量下降了多少？")
	if len(u.Entities) == 0 {
		t.Fatalf("no names in %+v", u)
	}
	name := u.Entities[0].Text
	u, _ = withNames(u, research.NameLookup{Name: name, Lang: "zh", Entries: []research.NameEntry{entry("Q1", "Veldt", name, "harbour town")}})
	plan := func(lang string) research.Plan {
		return research.Plan{Tasks: []research.Task{{ID: "t1", Queries: []research.Query{{Text: "a", Lang: lang, Angle: "criticism", Outside: true}}}}}
	}
	w := &world{}
	r := &run{Config: webConfig(t, w, engineOf{world: w, name: "searxng"})}
	texts := func(p research.Plan) (out []string) {
		asks, _ := r.asks(u, p)
		for _, a := range asks {
			out = append(out, a.query.Lang+" "+a.query.Text)
		}
		return out
	}
	if got := texts(plan("en")); !slices.Equal(got, []string{"en a", "en Veldt"}) {
		t.Errorf("asks %q", got)
	}
	if got := texts(plan("zh")); !slices.Equal(got, []string{"zh a"}) {
		t.Errorf("a plan in one language asks %q", got)
	}
	r.Request.MaxQueries = 1
	if got := texts(plan("en")); len(got) != 1 {
		t.Errorf("more than may be asked: %q", got)
	}
	r.Request.MaxQueries, r.Request.Protected = 0, []string{"Veldt"}
	if got := texts(plan("en")); !slices.Equal(got, []string{"en a"}) {
		t.Errorf("a protected word is asked: %q", got)
	}
}

// TestPageInTheOtherLanguage: a page in the other language that names the subject in its title is on it, and one that does not is not.
func TestPageInTheOtherLanguage(t *testing.T) {
	u := meaningOf(t, "By how much did dredging lower the yearly catch of oysters in the harbour of Veldt since the pier was built?")
	u, _ = withNames(u, research.NameLookup{Name: "Veldt", Lang: "en", Entries: []research.NameEntry{entry("Q1", "Veldt", "费尔特", "harbour town")}})
	body := strings.Repeat("港口的旧码头旁边是航道，潮水每天两次带来新鲜的海水，小船在码头边卸下货物，办公室里放着一本打开的账本。", 8) + "\n\n费尔特的牡蛎产量在疏浚以后下降了四成。港口的记录写下了每一桶牡蛎，种植户每年春天和秋天把它们卖给沿海的城镇，数量由港务长清点。"
	r := &run{Config: webConfig(t, &world{}), shelf: &shelf{}, now: atTestClock(t)}
	for title, want := range map[string]research.Verdict{"费尔特的牡蛎": research.Verified, "沿海的牡蛎": research.RejectOffSubject} {
		d := page("https://www.coastpaper.com/zh", title, "Ada Stolz", body)
		if want != research.Verified {
			d.Text = strings.ReplaceAll(body, "费尔特", "另一处")
		}
		d.Lang, d.SHA256 = "zh", research.SHA256(d.Text)
		s := r.source(d, candidate{location: d.Location, angle: "overview"}, gatherInput{Meaning: u}, names(u, []research.Document{d}), 0)
		if s.Verdict != want {
			t.Errorf("%s: %s, %s", title, s.Verdict, s.Note)
		}
	}
}

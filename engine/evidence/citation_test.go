package evidence

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func TestReferenceFaults(t *testing.T) {
	for _, tc := range []struct {
		name string
		ref  research.CitedWork
		want string // part of the fault; empty: none
	}{
		{"plain", research.CitedWork{Title: "Tides", Authors: []string{"Ann Ayer", "Bob Brown"}, Year: 2021, Venue: "CVPR", DOI: "10.1109/CVPR46437.2021.01368"}, ""},
		{"next year", research.CitedWork{Title: "Tides", Year: 2027}, ""},
		{"a year to come", research.CitedWork{Title: "Tides", Year: 2031}, "2031 cannot be"},
		{"no year", research.CitedWork{Title: "Tides"}, ""},
		{"no DOI", research.CitedWork{DOI: "doi:10.12/x"}, "form of a DOI"},
		{"a DOI as an address", research.CitedWork{DOI: "https://doi.org/10.1371/journal.pone.0033693"}, ""},
		{"nobody's prefix", research.CitedWork{DOI: "10.99999/conf/123"}, "no registrant"},
		{"another publisher's prefix", research.CitedWork{DOI: "10.7777/abc.123", Venue: "AAAI"}, "does not register"},
		{"a venue of no DOIs", research.CitedWork{DOI: "10.47281/abc", Venue: "International Conference on Learning Representations"}, "does not register"},
		{"a preprint's DOI", research.CitedWork{DOI: "10.48550/arXiv.2401.01234", Venue: "ICLR", Year: 2024}, ""},
		{"an unknown journal", research.CitedWork{DOI: "10.7777/abc.123", Venue: "Journal of Tides"}, ""},
		{"the DOI of another venue", research.CitedWork{DOI: "10.1109/CVPR52688.2022.00751", Venue: "Symposium on Tides", Year: 2022}, "one of CVPR"},
		{"the DOI of another year", research.CitedWork{DOI: "10.1109/CVPR52688.2022.00751", Venue: "CVPR", Year: 2019}, "of the year 2022"},
		{"the anthology's year", research.CitedWork{DOI: "10.18653/v1/N19-1357", Venue: "NAACL", Year: 2023}, "of the year 2019"},
		{"the anthology's", research.CitedWork{DOI: "10.18653/v1/2023.acl-long.123", Venue: "ACL", Year: 2023}, ""},
		{"arXiv", research.CitedWork{ArXiv: "2401.01234v2", Year: 2024}, ""},
		{"arXiv of old", research.CitedWork{ArXiv: "astro-ph/0601001", Year: 2006}, ""},
		{"no month", research.CitedWork{ArXiv: "2413.01234"}, "no month"},
		{"no number", research.CitedWork{ArXiv: "24.1"}, "form of an arXiv number"},
		{"before its preprint", research.CitedWork{DOI: "10.48550/arXiv.2310.01362", Year: 2021}, "after the reference's 2021"},
		{"a name for a name", research.CitedWork{Authors: []string{"John Doe", "Jane Smith"}}, "placeholder"},
		{"a form's name", research.CitedWork{Authors: []string{"Firstname Lastname"}}, "placeholder"},
		{"anonymous", research.CitedWork{Authors: []string{"Anonymous"}}, "placeholder"},
		{"Smith is a name", research.CitedWork{Authors: []string{"Adam Smith", "Doe, Rachel"}}, ""},
		{"twice", research.CitedWork{Authors: []string{"Ann Ayer", "Bob Brown", "Ann Ayer"}}, "named twice"},
	} {
		got := strings.Join(ReferenceFaults(tc.ref, 2026), "; ")
		if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestSamePerson(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"Ann Ayer", "Ann Ayer", true}, {"A. Ayer", "Ann Ayer", true}, {"Ayer, Ann", "Ann B. Ayer", true}, {"Ann Ayer", "Bob Ayer", false},
		{"Ashish Vaswani", "Ashish Vaswani 0001", true}, {"José Hernández-Lobato", "Jose Hernandez-Lobato", true},
		{"José Miguel Hernández-Lobato", "J. M. Hernandez Lobato", true},
		{"Wei Zhang", "Zhang Wei", true}, {"Xiao-Ming Wu", "Xiaoming Wu", true}, {"Rui Xiong", "Ruoxuan Xiong", false}, {"Shaw", "Bernard Shaw", true},
		{"Ann Ayer", "Anna Ayerson", false}, {"", "Ann Ayer", false}, {"Dan Roth", "Daniel Roth", true}, {"Philip H. S. Torr", "P. Torr", true},
	} {
		if got := samePerson(tc.a, tc.b); got != tc.want {
			t.Errorf("%q and %q: %v, want %v", tc.a, tc.b, got, tc.want)
		}
		if got := samePerson(tc.b, tc.a); got != tc.want {
			t.Errorf("%q and %q: %v, want %v", tc.b, tc.a, got, tc.want)
		}
	}
}

func TestMatchVenue(t *testing.T) {
	for _, tc := range []struct {
		cited, has string
		want       VenueMatch
	}{
		{"CVPR", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", VenueSame},
		{"NeurIPS", "Advances in Neural Information Processing Systems 35", VenueSame},
		{"NeurIPS", "International Conference on Machine Learning", VenueOther},
		{"Mach. Learn.", "Machine Learning", VenueSame},
		{"Sci. Total Environ.", "Science of The Total Environment", VenueSame},
		{"JAMA", "Journal of the American Medical Association", VenueSame},
		{"Symposium on Neural Scaling Laws", "Neural Information Processing Systems", VenueOther},
		{"Conference on Reward Learning and Alignment", "International Conference on Machine Learning", VenueOther},
		{"ICLR", "arXiv.org", VenueUnknown},
		{"ICLR", "", VenueUnknown},
		{"The Lancet", "The Lancet", VenueSame},
	} {
		if got := matchVenue(tc.cited, research.Work{Venue: tc.has}); got != tc.want {
			t.Errorf("%q and %q: %s, want %s", tc.cited, tc.has, got, tc.want)
		}
	}
}

func TestJudgeCitation(t *testing.T) {
	ref := research.CitedWork{Title: "Tidal range and output of barrages", Authors: []string{"Ann Ayer", "Bob Brown"}, Year: 2020, Venue: "Journal of Tides", DOI: "10.5555/tide.1"}
	work := research.Work{Title: "Tidal Range and Output of Barrages", Authors: []string{"Ann Ayer", "Bob Brown"}, Year: 2020, Venue: "Journal of Tides", DOI: "10.5555/tide.1"}
	with := func(change func(*research.Work)) research.Work {
		w := work
		w.Authors = append([]string{}, work.Authors...)
		change(&w)
		return w
	}
	answers := func(a ...research.CatalogueAnswer) []research.CatalogueAnswer { return a }
	found := func(w research.Work) research.CatalogueAnswer {
		return research.CatalogueAnswer{Catalogue: "openalex", Works: []research.Work{w}}
	}
	byID := func(w research.Work) research.CatalogueAnswer {
		return research.CatalogueAnswer{Catalogue: "crossref", ByID: &w, Works: []research.Work{w}}
	}
	nothing := research.CatalogueAnswer{Catalogue: "semanticscholar", Works: []research.Work{}}
	failed := research.CatalogueAnswer{Catalogue: "crossref", Fault: "api.crossref.org was asked too often: search again later"}
	partial := ref
	partial.Authors, partial.Partial = []string{"Ann Ayer"}, true
	for _, tc := range []struct {
		name     string
		ref      research.CitedWork
		answers  []research.CatalogueAnswer
		state    CitationState
		identity bool
		reason   string
	}{
		{"as it is cited", ref, answers(byID(work)), CitationConfirmed, false, ""},
		{"et al.", partial, answers(byID(work)), CitationConfirmed, false, ""},
		{"preprint of the year before", ref, answers(found(with(func(w *research.Work) { w.Year, w.Venue, w.Preprint = 2019, "arXiv", true }))), CitationConfirmed, false, ""},
		{"without its subtitle", ref, answers(found(with(func(w *research.Work) { w.Title += ": A Study of Port Ayer" }))), CitationConfirmed, false, ""},
		{"initials", ref, answers(found(with(func(w *research.Work) { w.Authors = []string{"A. Ayer", "B. Brown"} }))), CitationConfirmed, false, ""},
		{"another first author", ref, answers(byID(with(func(w *research.Work) { w.Authors[0] = "Cara Clark" }))), CitationMismatch, true, "Ann Ayer is no author"},
		{"a name within a name", ref, answers(byID(with(func(w *research.Work) { w.Authors[0] = "Ann Ayerson" }))), CitationMismatch, true, "Ann Ayer is no author"},
		{"another year", ref, answers(byID(with(func(w *research.Work) { w.Year = 2016 }))), CitationMismatch, true, "of 2016, not of 2020"},
		{"the DOI of another work", ref, answers(byID(research.Work{Title: "A history of locks", Authors: []string{"Ann Ayer"}, Year: 2020})), CitationMismatch, true, "A history of locks"},
		{"an author left out", ref, answers(byID(with(func(w *research.Work) { w.Authors = append(w.Authors, "Cara Clark") }))), CitationMismatch, false, "1 more authors"},
		{"another venue", ref, answers(byID(with(func(w *research.Work) { w.Venue = "Annals of Harbours" }))), CitationMismatch, false, "Annals of Harbours"},
		{"another word in the title", ref, answers(byID(with(func(w *research.Work) { w.Title = "Tidal Range and Cost of Barrages" }))), CitationMismatch, false, "Cost of Barrages"},
		{"one has fewer authors, another all", ref, answers(found(with(func(w *research.Work) { w.Authors = append(w.Authors, "Cara Clark") })), byID(work)), CitationConfirmed, false, ""},
		{"a list that was cut", ref, answers(byID(with(func(w *research.Work) {
			for len(w.Authors) < cutList+1 {
				w.Authors = append(w.Authors[:1], append([]string{"Cara Clark"}, w.Authors[1:]...)...)
			}
			w.Authors = w.Authors[:cutList]
		}))), CitationConfirmed, false, ""},
		{"nobody has it", ref, answers(nothing, found(research.Work{Title: "Rivers", Authors: []string{"Dan Dale"}})), CitationNotFound, true, "2 catalogues looked"},
		{"one looked", ref, answers(nothing, failed), CitationNotChecked, false, ""},
		{"nobody looked", ref, answers(failed), CitationNotChecked, false, ""},
		{"one failed, another has it", ref, answers(failed, found(work)), CitationConfirmed, false, ""},
		{"nobody knows the identifier", ref, answers(
			research.CatalogueAnswer{Catalogue: "crossref", IDUnknown: true, Works: []research.Work{work}},
			research.CatalogueAnswer{Catalogue: "openalex", IDUnknown: true, Works: []research.Work{work}}), CitationMismatch, true, "no catalogue knows its identifier"},
	} {
		v := JudgeCitation(research.CitationLookup{Reference: tc.ref, Answers: tc.answers})
		got := strings.Join(v.Reasons, "; ")
		if v.State != tc.state || v.Identity != tc.identity || !strings.Contains(got, tc.reason) || tc.reason == "" && got != "" {
			t.Errorf("%s: %s, identity %v, %q; want %s, %v, %q", tc.name, v.State, v.Identity, got, tc.state, tc.identity, tc.reason)
		}
	}
}

func FuzzCitation(f *testing.F) {
	f.Add("Tides", "Ann Ayer", "10.5555/a(b)", "2401.00001", "CVPR", "Tides: a study", "Ayer, A.", "CVPR 2022", 2020)
	f.Fuzz(func(t *testing.T, title, author, doi, arxiv, venue, other, name, where string, year int) {
		ref := research.CitedWork{Title: title, Authors: []string{author, name}, DOI: doi, ArXiv: arxiv, Venue: venue, Year: year}
		ReferenceFaults(ref, 2026)
		w := research.Work{Title: other, Authors: []string{name}, Venue: where, Year: year, DOI: doi}
		m := MatchWork(ref, w)
		if m.Title < 0 || m.Title > 1 || m.Shared < 0 || m.Shared > 1 {
			t.Errorf("title %v, authors %v", m.Title, m.Shared)
		}
		v := JudgeCitation(research.CitationLookup{Reference: ref, Answers: []research.CatalogueAnswer{{Works: []research.Work{w}, ByID: &w}, {}}})
		if v.Looked != 2 || v.State == CitationNotChecked {
			t.Errorf("two looked: %+v", v)
		}
	})
}

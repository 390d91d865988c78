package bench

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// madeWorks is a catalogue made from the labelled references: what three services would say of them by what the set records.
type madeWorks struct {
	works  []research.Work
	byDOI  map[string]int
	arXiv  map[string]int
	titles map[string]int
	words  map[string][]int // works by the words of their titles
}

// How a service holds what it holds, in 100. The draws are by the title and the service's name, whatever the label.
const (
	madeHeld     = 94 // works that a service has
	madeInitials = 40 // works whose authors Semantic Scholar names by initials
	madeFolded   = 25 // works whose authors OpenAlex names without diacritics
	madeHead     = 30 // works whose subtitle Crossref leaves out of the title, of those with one
	madeEarlier  = 12 // works that a service holds as the preprint of the year before
)

var (
	wasTitled = regexp.MustCompile(`\(original: '(.+?)'\)`)
	realTitle = regexp.MustCompile(`the real '(.+?)' \(`)
)

// madeCatalogue makes it. Every real reference is a work. A made-up one adds what it names truly, by the properties that the set records: the
// work of its title, with other authors or another venue where it has those wrong, and the work that its DOI leads to, under another
// title. A work that does not exist is not in it; works of like titles always are.
func madeCatalogue(cases []citationCase) *madeWorks {
	m := &madeWorks{byDOI: map[string]int{}, arXiv: map[string]int{}, titles: map[string]int{}, words: map[string][]int{}}
	var real []citationCase
	for _, partial := range []bool{false, true} { // of two entries for one work, the one with all authors
		for _, c := range cases {
			if c.real() && c.cited().Partial == partial {
				real = append(real, c)
				m.add(workOf(c.cited()))
			}
		}
	}
	for i, c := range cases {
		if c.real() {
			continue
		}
		ref := c.cited()
		w := workOf(ref)
		if len(real) > 0 {
			other := real[drawOf(ref.Title, len(real))].cited()
			if !c.holds("authors_match") {
				w.Authors = other.Authors
				if c.Type == "partial_author_list" {
					w.Authors = append(slices.Clone(ref.Authors), other.Authors[0])
				}
			}
			if !c.holds("venue_correct") {
				w.Venue = otherVenue(ref.Venue, i)
			}
		}
		if ref.Year > citationsYear {
			w.Year = 2022
		}
		if !c.holds("doi_resolves") {
			w.DOI, w.ArXiv = "", ""
		}
		title := firstMatch(c.Why, wasTitled, realTitle)
		switch {
		case c.holds("title_exists"):
		case title != "":
			w.Title = title
		case c.holds("doi_resolves") && w.DOI != "":
			w.Title = "Proceedings paper " + w.DOI // the set does not record what it is called
		default:
			continue // there is no such work
		}
		m.add(w)
	}
	return m
}

func firstMatch(s string, patterns ...*regexp.Regexp) string {
	for _, p := range patterns {
		if m := p.FindStringSubmatch(s); m != nil {
			return m[1]
		}
	}
	return ""
}

// otherVenue is one of a few that is not the given one.
func otherVenue(venue string, n int) string {
	list := []string{"ICML", "NeurIPS", "ICLR", "CVPR", "AAAI"}
	for i := range list {
		if v := list[(n+i)%len(list)]; v != venue {
			return v
		}
	}
	return ""
}

func workOf(ref research.CitedWork) research.Work {
	return research.Work{Title: ref.Title, Authors: ref.Authors, Year: ref.Year, Venue: ref.Venue, DOI: ref.DOI, ArXiv: arXivNumber(ref)}
}

// arXivNumber is the number in a reference's own field, or in the DOI that arXiv gives out, without a version.
func arXivNumber(ref research.CitedWork) string {
	id := ref.ArXiv
	if d := strings.ToLower(ref.DOI); strings.HasPrefix(d, "10.48550/arxiv.") {
		id = d[len("10.48550/arxiv."):]
	}
	if i := strings.LastIndex(id, "v"); i > 0 {
		id = id[:i]
	}
	return strings.ToLower(id)
}

// add puts a work into the catalogue; the first under a title and under an identifier stays.
func (m *madeWorks) add(w research.Work) {
	key := strings.Join(text.Terms(w.Title, "en"), " ")
	if _, have := m.titles[key]; have {
		return
	}
	i := len(m.works)
	doi := strings.ToLower(w.DOI)
	if _, have := m.byDOI[doi]; have || doi == "" {
		w.DOI, w.ArXiv = "", ""
	} else {
		m.byDOI[doi] = i
	}
	if w.ArXiv != "" {
		m.arXiv[w.ArXiv] = i
	}
	m.titles[key] = i
	m.works = append(m.works, w)
	for t := range text.TermSet(w.Title, "en") {
		m.words[t] = append(m.words[t], i)
	}
}

// nearest are the works that a service has whose titles share most words with a query.
func (m *madeWorks) nearest(service, query string, n int) []research.Work {
	score := map[int]float64{}
	words := text.TermSet(query, "en")
	for w := range words {
		for _, i := range m.words[w] {
			score[i]++
		}
	}
	order := make([]int, 0, len(score))
	for i := range score {
		score[i] /= float64(len(text.TermSet(m.works[i].Title, "en")) + 2)
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return a - b
	})
	var out []research.Work
	for _, i := range order {
		if w, ok := m.as(service, i); ok && len(out) < n {
			out = append(out, w)
		}
	}
	return out
}

// as is a work as a service has it; false when the service lacks it. Crossref has what it gave the DOI of.
func (m *madeWorks) as(service string, i int) (research.Work, bool) {
	w := m.works[i]
	draw := func(what string, of int) bool { return drawOf(service+what+w.Title, 100) < of }
	if service == "crossref" && (w.DOI == "" || strings.HasPrefix(strings.ToLower(w.DOI), "10.48550/")) || !draw("held", madeHeld) {
		return w, false
	}
	w.Authors = slices.Clone(w.Authors)
	for k, a := range w.Authors {
		switch {
		case service == "scholar" && draw("initials", madeInitials):
			w.Authors[k] = initialled(a)
		case service == "openalex" && draw("folded", madeFolded):
			w.Authors[k] = titled(text.Fold(a))
		}
	}
	if head, _, ok := strings.Cut(w.Title, ": "); ok && service == "crossref" && len(strings.Fields(head)) > 2 && draw("head", madeHead) {
		w.Title = head
	}
	w.Venue = fullVenue(service, w.Venue)
	if draw("earlier", madeEarlier) && service != "crossref" {
		w.Year, w.Venue, w.Preprint = w.Year-1, "arXiv", true
		if service == "scholar" {
			w.Venue = "arXiv.org"
		}
	}
	return w, true
}

// drawOf draws a number below n by a text.
func drawOf(s string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(s))
	return int(h.Sum32()>>4) % n
}

// initialled writes the first names of a name as initials.
func initialled(name string) string {
	words := strings.Fields(name)
	for i := range words[:max(len(words)-1, 0)] {
		r := []rune(words[i])
		words[i] = string(r[0]) + "."
	}
	return strings.Join(words, " ")
}

func titled(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// fullVenue writes a venue as a service does.
func fullVenue(service, venue string) string {
	full := map[string][2]string{
		"CVPR":                      {"2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "Computer Vision and Pattern Recognition"},
		"AAAI":                      {"Proceedings of the AAAI Conference on Artificial Intelligence", "AAAI Conference on Artificial Intelligence"},
		"ICML":                      {"Proceedings of the International Conference on Machine Learning", "International Conference on Machine Learning"},
		"ICLR":                      {"International Conference on Learning Representations", "International Conference on Learning Representations"},
		"NeurIPS":                   {"Advances in Neural Information Processing Systems 35", "Neural Information Processing Systems"},
		"Mach. Learn.":              {"Machine Learning", "Machine-mediated learning"},
		"J. Mach. Learn. Res.":      {"Journal of Machine Learning Research", "Journal of machine learning research"},
		"Trans. Mach. Learn. Res.":  {"Transactions on Machine Learning Research", "Trans. Mach. Learn. Res."},
		"ACL":                       {"Proceedings of the 61st Annual Meeting of the Association for Computational Linguistics (Volume 1: Long Papers)", "Annual Meeting of the Association for Computational Linguistics"},
		"Digital Humanities Qtrly.": {"Digital Humanities Quarterly", "Digital Humanities Quarterly"},
	}[venue]
	if v := full[one(service == "scholar")]; v != "" {
		return v
	}
	return venue
}

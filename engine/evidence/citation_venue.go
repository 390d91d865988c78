package evidence

import (
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// VenueMatch says how the venue of a reference compares with that of a work.
type VenueMatch string

const (
	VenueSame    VenueMatch = "same"
	VenueOther   VenueMatch = "other"
	VenueUnknown VenueMatch = "unknown" // one side has none, or a preprint stands against a publication
)

// series are conferences and journals by their short name, what their full name holds, and under which prefixes their publishers
// register DOIs; no prefix: they register none, so that a DOI of theirs is that of a preprint or of another printing.
// Sources: the DOIs of the proceedings themselves, as Crossref and DataCite list them.
var series = []struct {
	short string
	names []string // each a run of words of a full name
	doi   []string
}{
	{"neurips", []string{"neural information processing systems", "nips", "adv neural inf process syst"}, []string{"10.5555", "10.52202"}},
	{"icml", []string{"international conference on machine learning"}, []string{"10.1145", "10.5555"}},
	{"iclr", []string{"international conference on learning representations"}, nil},
	{"cvpr", []string{"computer vision and pattern recognition"}, []string{"10.1109"}},
	{"iccv", []string{"international conference on computer vision"}, []string{"10.1109"}},
	{"eccv", []string{"european conference on computer vision", "computer vision eccv"}, []string{"10.1007"}},
	{"wacv", []string{"winter conference on applications of computer vision"}, []string{"10.1109"}},
	{"aaai", []string{"aaai conference on artificial intelligence"}, []string{"10.1609"}},
	{"ijcai", []string{"international joint conference on artificial intelligence", "international joint conferences on artificial intelligence"}, []string{"10.24963"}},
	{"acl", []string{"annual meeting of the association for computational linguistics"}, []string{"10.18653", "10.3115"}},
	{"naacl", []string{"north american chapter of the association for computational linguistics"}, []string{"10.18653", "10.3115"}},
	{"eacl", []string{"european chapter of the association for computational linguistics"}, []string{"10.18653", "10.3115"}},
	{"emnlp", []string{"empirical methods in natural language processing"}, []string{"10.18653", "10.3115"}},
	{"tacl", []string{"transactions of the association for computational linguistics"}, []string{"10.1162"}},
	{"kdd", []string{"knowledge discovery and data mining"}, []string{"10.1145"}},
	{"sigir", []string{"research and development in information retrieval"}, []string{"10.1145"}},
	{"www", []string{"world wide web", "the web conference", "acm web conference"}, []string{"10.1145"}},
	{"chi", []string{"human factors in computing systems"}, []string{"10.1145"}},
	{"uai", []string{"uncertainty in artificial intelligence"}, nil},
	{"aistats", []string{"artificial intelligence and statistics"}, nil},
	{"colt", []string{"conference on learning theory"}, nil},
	{"corl", []string{"conference on robot learning"}, nil},
	{"icra", []string{"international conference on robotics and automation"}, []string{"10.1109"}},
	{"iros", []string{"intelligent robots and systems"}, []string{"10.1109"}},
	{"interspeech", []string{"annual conference of the international speech communication association"}, []string{"10.21437"}},
	{"icassp", []string{"acoustics speech and signal processing"}, []string{"10.1109"}},
	{"miccai", []string{"medical image computing and computer assisted intervention"}, []string{"10.1007"}},
	{"jmlr", []string{"journal of machine learning research", "j mach learn res"}, []string{"10.5555", "10.1162"}},
	{"tmlr", []string{"transactions on machine learning research", "trans mach learn res"}, nil},
	{"mlj", []string{"machine learning", "mach learn"}, []string{"10.1007", "10.1023"}},
	{"tpami", []string{"pattern analysis and machine intelligence"}, []string{"10.1109"}},
	{"ijcv", []string{"international journal of computer vision"}, []string{"10.1007", "10.1023"}},
	{"nature", []string{"nature"}, []string{"10.1038"}},
	{"science", []string{"science"}, []string{"10.1126"}},
	{"pnas", []string{"proceedings of the national academy of sciences"}, []string{"10.1073"}},
	{"arxiv", []string{"arxiv", "corr", "arxiv org"}, []string{"10.48550"}},
}

// seriesOf returns the index of the series a venue names, -1 for none that is known.
func seriesOf(venue string) int {
	words := titleWords(venue)
	line := " " + strings.Join(words, " ") + " "
	for i, s := range series {
		for _, n := range s.names {
			if strings.TrimSpace(line) == n || len(strings.Fields(n)) > 2 && strings.Contains(line, " "+n+" ") {
				return i
			}
		}
	}
	for i, s := range series {
		if slices.Contains(words, s.short) && len(words) <= 6 {
			return i
		}
	}
	return -1
}

// venueSmall are words that tell no venue from another.
var venueSmall = wordSet("proceedings proc the of on and in for international conference conf annual symposium workshop journal j transactions trans ieee acm advances meeting association society letters lett review reviews rev research res")

// matchVenue compares the venue of a reference with that of a work. A preprint against a publication is no contradiction by itself.
func matchVenue(cited string, w research.Work) VenueMatch {
	if strings.TrimSpace(cited) == "" || strings.TrimSpace(w.Venue) == "" {
		return VenueUnknown
	}
	a, b := seriesOf(cited), seriesOf(w.Venue)
	switch {
	case a >= 0 && a == b:
		return VenueSame
	case w.Preprint || b >= 0 && series[b].short == "arxiv" || a >= 0 && series[a].short == "arxiv":
		return VenueUnknown
	case a >= 0 && b >= 0:
		return VenueOther
	}
	if initialsOf(cited, w.Venue) || initialsOf(w.Venue, cited) {
		return VenueSame
	}
	x, y := venueStems(cited), venueStems(w.Venue)
	if len(x) == 0 || len(y) == 0 {
		return VenueUnknown
	}
	shared := 0
	for p := range x {
		for q := range y {
			if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) { // "Mach. Learn." for "Machine Learning"
				shared++
				break
			}
		}
	}
	if 2*shared >= max(len(x), len(y)) {
		return VenueSame
	}
	return VenueOther
}

// initialsOf reports whether a short name is the initials of a long one: BMJ, JAMA.
func initialsOf(short, long string) bool {
	word := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(short), ".", ""))
	if len(word) < 2 || len(word) > 8 || strings.ContainsAny(word, " -") {
		return false
	}
	var b strings.Builder
	for _, w := range titleWords(long) {
		if !smallWords[w] {
			b.WriteString(w[:1])
		}
	}
	return b.String() == word
}

func venueStems(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range titleWords(s) {
		if !venueSmall[w] && len(w) > 2 && !isNumberWord(w) && !text.StopWord(w, "en") {
			out[w] = true
		}
	}
	return out
}

package evidence

import (
	"regexp"
	"strings"

	"assay/engine/text"
)

// Proposition is what a contested question puts up for yes or no, read by rule from its words. Which side a text takes is told from its
// own words: for a question about an effect by what it says becomes more or less of the same thing, negation counted; for a question of
// what ought to be, or of worth, by what it recommends and by what it praises or blames of the thing. What takes no side plainly is on
// none. The zero value has no sides.
type Proposition struct {
	lang   string
	own    map[string]bool // stems of the question
	thing  map[string]bool // those that name what it is about
	a, b   map[string]bool // stems that only one of two compared things is named by; b empty: one thing
	an, bn string          // the same as written, folded
	flip   bool            // yes to the question blames the thing: "worse", "harmful", "be banned"
	ending bool            // what ought to be done does away with the thing
	judge  map[string]bool // stems of the question's own word of praise or blame
	act    map[string]bool // stems of what ought to be done
	effect *effect         // of a question about an effect
	asked  bool            // yes or no is asked of the whole statement, which no form above reads
	plain  bool            // the sentence itself has to name the thing
	shown  []string        // Chinese: the names of the thing as written
	not    []string        // what the question names by what it is not, folded: "free" of "non-free software"
}

var (
	thanEN = regexp.MustCompile(`(?i)^(?:is|are|was|were|does|do)\s+(?:an?\s+|the\s+|using\s+)?(.+?)\s+(?:really\s+|still\s+|actually\s+|work\s+|be\s+|a\s+)*((?:better|worse)(?:\s+\w+){0,2}|(?:more|less)\s+\w+(?:\s+\w+)?|\w+er)\s+than\s+(?:an?\s+|the\s+|using\s+)?(.+?)(?:\s+(?:for|in|on|as|when|at)\s+.*)?[?.!]*$`)
	overEN = regexp.MustCompile(`(?i)\b(?:should|ought)\b.*?\b(?:use|choose|prefer|run|install|take|pick|buy|adopt|switch to|move to)\s+(?:an?\s+|the\s+)?(.+?)\s+(?:instead of|rather than|over|and not|or)\s+(?:an?\s+|the\s+)?(.+?)(?:\s+(?:for|in|on|as|when)\s+.*)?[?.!]*$`)
	isEN   = regexp.MustCompile(`(?i)^(?:is|are|was|were)(n['’]t)?\s+(.+?)\s+(?:really\s+|still\s+|actually\s+|always\s+|a\s+|an\s+|the\s+)*(\w+)(?:\s+(?:for|to|in|on|as|when|at|idea|thing|choice)\b.*)?[?.!]*$`)
	oughtE = regexp.MustCompile(`(?i)\b(?:should|ought)\b(?:n['’]t|\s+not\b)?`)
	doesEN = regexp.MustCompile(`(?i)^(?:does|do|did|can|could|will|would|has|have)(n['’]t)?\s+(.+?)[?.!]*$`)
	thanZH = regexp.MustCompile(`^(.+?)(?:是否|真的|是不是)?比(.+?)(?:更|要|还)?(?:好|安全|快|稳定|容易|可靠|合适|适合|便宜|差|慢|危险|有害)`)
	overZH = regexp.MustCompile(`应(?:该|当)?(?:不应该)?(?:使用|选择|用|采用|改用)(.+?)(?:而不是|还是|代替|取代)(.+?)[？?。]?$`)
	oughtZ = regexp.MustCompile(`应不应该|该不该|是否应(?:该|当)?|应(?:该|当)`)
	worse  = regexp.MustCompile(`(?i)^(?:worse|slower|weaker|less\b)|差|慢|危险|有害`)
)

// maxProposition bounds the question that is read, in bytes.
const maxProposition = 1000

// PropositionOf reads the proposition in a question of a language, "en" or "zh".
func PropositionOf(question, lang string) Proposition {
	question = strings.TrimSpace(strings.ToValidUTF8(question[:min(len(question), maxProposition)], ""))
	t := Proposition{lang: lang, own: text.TermSet(question, lang)}
	t.thing = t.own
	for _, m := range nonEN.FindAllStringSubmatch(question, -1) {
		t.not = append(t.not, text.Fold(m[1]))
	}
	forms := []*regexp.Regexp{thanEN, overEN}
	if lang == "zh" {
		forms = []*regexp.Regexp{thanZH, overZH}
	}
	for i, re := range forms {
		if m := re.FindStringSubmatch(question); m != nil {
			how := ""
			if i == 0 {
				if how = m[2]; lang == "zh" {
					how = m[0]
				}
			}
			t.compare(m[1], m[len(m)-1], how)
			return t
		}
	}
	if lang == "zh" {
		t.readZh(question)
	} else {
		t.readEn(question)
	}
	return t
}

// nonEN is a thing that is named by what it is not.
var nonEN = regexp.MustCompile(`(?i)\bnon-(\w+)`)

// ofItsOpposite reports whether a sentence names only the opposite of what the question asks about: what is said of free software speaks
// neither for nor against non-free software.
func (t Proposition) ofItsOpposite(s string) bool {
	folded := text.Fold(s)
	for _, w := range t.not {
		if strings.Contains(folded, w) && !strings.Contains(folded, "non-"+w) && !strings.Contains(folded, "non"+w) && !strings.Contains(folded, "non "+w) {
			return true
		}
	}
	return false
}

// Worth is the proposition that a thing is good: what praises it speaks for it, and what blames it against it. subject names the thing.
func Worth(subject, lang string) Proposition {
	t := Proposition{lang: lang, plain: true, own: map[string]bool{}, thing: text.TermSet(subject[:min(len(subject), maxProposition)], lang)}
	if lang == "zh" {
		t.shown = []string{text.Fold(subject)}
	}
	return t
}

func (t *Proposition) compare(a, b, how string) {
	t.flip = worse.MatchString(how)
	t.a, t.b = text.TermSet(a, t.lang), text.TermSet(b, t.lang)
	for s := range t.a {
		if t.b[s] {
			delete(t.a, s)
			delete(t.b, s)
		}
	}
	t.an, t.bn = text.Fold(a), text.Fold(b)
}

// readEn reads a question that compares nothing.
func (t *Proposition) readEn(question string) {
	if loc := oughtE.FindStringIndex(question); loc != nil {
		t.ought(question[:loc[0]], question[loc[1]:])
		t.flip = t.ending != strings.Contains(strings.ToLower(question[loc[0]:loc[1]]), "n")
		return
	}
	if m := doesEN.FindStringSubmatch(question); m != nil {
		if t.effect = effectOf(regular(wordsOf(m[2]))); t.effect != nil {
			t.flip = m[1] != ""
			return
		}
		t.asked, t.flip = true, m[1] != ""
		return
	}
	if m := isEN.FindStringSubmatch(question); m != nil {
		w := strings.ToLower(m[3])
		if v := leansEN(w); v != 0 {
			t.judge = map[string]bool{text.Stem(w, "en"): true}
			t.thing = text.TermSet(m[2], "en")
			t.flip = v < 0 != (m[1] != "")
			return
		}
		t.asked, t.flip = true, m[1] != ""
	}
}

// endingActs are stems of doing away with a thing: what blames the thing speaks for them.
var endingActs = stemSet(`ban abolish prohibit remove replace stop end close scrap forbid outlaw restrict drop avoid leave quit abandon reject deprecate demolish cancel eliminate phase dissolve
	banned abolished prohibited removed replaced stopped ended closed scrapped forbidden outlawed restricted dropped avoided abandoned rejected deprecated demolished cancelled canceled`)

// plainActs are stems of doing that name no thing.
var plainActs = stemSet(`use keep have choose run install buy adopt get make allow build introduce do be people everyone one server we you they government governments country countries
	prefer switch move continue start keep kept built allowed introduced used adopted made new our its their more`)

// ought reads what stands before and behind "should": of "should X be VERBed" the verb is the act, of "should W VERB X" the first verb.
func (t *Proposition) ought(before, after string) {
	ws := regular(wordsOf(after))
	t.act, t.thing = map[string]bool{}, map[string]bool{}
	be := -1
	for i, w := range ws {
		if w.norm == "be" {
			be = i
		}
	}
	for i, w := range ws {
		if !w.content && !endingActs[w.stem] {
			continue
		}
		switch {
		case be >= 0 && i == be+1, endingActs[w.stem], be < 0 && len(t.act) == 0 && i > 0 && plainActs[w.stem]:
			t.act[w.stem] = true
			t.ending = t.ending || endingActs[w.stem]
		case !plainActs[w.stem]:
			t.thing[w.stem] = true
		}
	}
	if len(t.thing) == 0 {
		for s := range text.TermSet(before, "en") {
			t.thing[s] = true
		}
	}
	if len(t.thing) == 0 {
		t.thing = t.own
	}
}

// Things are the two things that the question sets against each other, folded; false when it sets none.
func (t Proposition) Things() (a, b string, ok bool) { return t.an, t.bn, len(t.b) > 0 }

// Own are the stems of the question; the map is not to be changed.
func (t Proposition) Own() map[string]bool { return t.own }

// Opposes reports whether two texts that take opposite sides do so by saying yes and no to the very statement that is asked for, so that
// the one answers the other whatever else they speak of.
func (t Proposition) Opposes() bool { return t.effect != nil || t.asked }

// maxSided bounds the text that is looked at for its side, in bytes.
const maxSided = 8 << 10

// Side says whether words speak for the proposition (more than 0), against it (less), or neither (0), and gives the sentence that does
// so most plainly. about, a heading and a title, says what is meant where a sentence does not name it. Sentences that take opposite
// sides leave the whole on none unless one side is plainer.
func (t Proposition) Side(words, about string) (side int, sentence string) {
	words = strings.ToValidUTF8(words[:min(len(words), maxSided)], "")
	read := withoutURLs(words)
	about = strings.ToValidUTF8(about[:min(len(about), maxSided)], "")
	type said struct {
		sum int
		s   string
	}
	var all []said
	for _, sp := range text.Sentences(read) {
		s := strings.TrimSpace(read[sp.Start:sp.End])
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
			continue
		}
		if t.ofItsOpposite(s) {
			continue
		}
		n := t.sideOf(s, about)
		if t.flip {
			n = -n
		}
		if n != 0 {
			all = append(all, said{n, strings.TrimSpace(words[sp.Start:sp.End])})
			side += n
		}
	}
	most := 0
	if side == 0 {
		return 0, ""
	}
	for _, x := range all {
		if x.sum*side > 0 && max(x.sum, -x.sum) > most {
			most, sentence = max(x.sum, -x.sum), x.s
		}
	}
	return side, sentence
}

// withoutURLs is a text in which nothing is read of an address. It keeps its length.
func withoutURLs(s string) string {
	spans := text.URLs(s)
	if len(spans) == 0 {
		return s
	}
	b := []byte(s)
	for _, u := range spans {
		for i := u.Start; i < u.End; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// sideOf reads one sentence.
func (t Proposition) sideOf(s, about string) int {
	switch {
	case t.lang == "zh" && t.effect != nil:
		return t.effect.sideZh(s, about)
	case t.lang == "zh":
		return t.valueZh(s, about)
	case t.effect != nil:
		return t.effect.sideEn(s, about)
	case t.asked:
		return t.statedEn(s, about)
	}
	if n := t.advisedEn(s, about); n != 0 {
		return n
	}
	return t.valueEn(s, about)
}

// statedShare is the share of a question's stems that a sentence which says yes or no to it holds.
const statedShare = 0.75

// statedEn is the side of a sentence that says the statement of a question itself, or denies it.
func (t Proposition) statedEn(s, about string) int {
	ws := regular(wordsOf(s))
	if len(ws) == 0 || text.Containment(t.own, setOf(allStems(ws))) < statedShare || open(ws, len(ws)) {
		return 0
	}
	n := 1
	no := negated(ws)
	for st := range t.own {
		if no.heads[st] {
			n = -1
		}
	}
	if denied.MatchString(s) {
		n = -n
	}
	if refuted.MatchString(s) {
		n = -n
	}
	return n
}

// advice is how a sentence recommends.
var advice = wordSet("should must ought recommended recommend recommends advise advises advised better shall")

// advisedEn is the side of a sentence that says what ought to be done with the thing.
func (t Proposition) advisedEn(s, about string) int {
	ws := regular(wordsOf(s))
	if len(t.act) == 0 {
		return t.saidSo(ws)
	}
	for i, w := range ws {
		if !t.act[w.stem] {
			continue
		}
		told, no := false, false
		for j := max(0, i-2*negationReach); j < i; j++ {
			told = told || advice[ws[j].norm]
			no = no != (negators[ws[j].norm] && !idle(ws[j+1:]))
		}
		if !told || !t.spoken(ws, about) || open(ws, i) {
			continue
		}
		n := 1
		if no {
			n = -1
		}
		if t.ending { // Side turns it round, and the advice is on the act itself
			n = -n
		}
		return n
	}
	return 0
}

// saidSo is the side of a sentence that says of the whole of what is asked that it should be so, or should not.
func (t Proposition) saidSo(ws []word) int {
	if t.effect != nil || t.asked || t.judge != nil || len(t.b) > 0 || text.Containment(t.own, setOf(allStems(ws))) < statedShare {
		return 0
	}
	for i, w := range ws {
		if w.norm != "should" && w.norm != "must" && w.norm != "ought" && w.norm != "shouldn't" {
			continue
		}
		if open(ws, i) {
			return 0
		}
		for j := i; j < min(len(ws), i+3); j++ {
			if negators[ws[j].norm] && !idle(ws[j+1:]) {
				return -1
			}
		}
		return 1
	}
	return 0
}

// spoken reports whether a sentence, with its heading and title, names the thing: half of it, and something of it in the sentence.
func (t Proposition) spoken(ws []word, about string) bool {
	in := setOf(allStems(ws))
	if text.Containment(t.thing, in) == 0 {
		return false
	}
	for s := range text.TermSet(about, t.lang) {
		in[s] = true
	}
	return text.Containment(t.thing, in) >= 0.5
}

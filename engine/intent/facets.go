package intent

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// maxFacets bounds the parts of one question.
const maxFacets = 6

var (
	// A new question word after a comma, colon or "and" begins a new part.
	splitEN = regexp.MustCompile(`(?i)(?:[,;:?]\s+(?:and\s+)?|\s+and\s+)(?:(?:to |at |in |on |for |by |from |of )?(?:how|what|which|when|who|whom|whose|where|why)\b)|[;?]\s+`)
	splitZH = regexp.MustCompile(`[，；？。：]`)
	// A list of names or nouns: "Corel, Stormix and Progeny", "size before compression, without filters, and with filters".
	listEN = regexp.MustCompile(`([^,;:?]+(?:,\s+[^,;:?]+)*),?\s+(?:and|or)\s+([^,;:?]+)\??$`)
	// "(Buzz, Rex, Bo)": each member is asked about.
	inParens = regexp.MustCompile(`\(([^()]{2,80},[^()]{2,80})\)`)
	zhParens = regexp.MustCompile(`[（(]([^（）()]*[与和、][^（）()]*)[）)]`)
)

// Facets splits a question into the parts that can be answered alone. The first part carries the subject; a later one
// borrows it (see the engine's use of Understanding.Terms). There is always at least one.
func Facets(question, lang string) []research.Facet {
	parts := asked(splitParts(question, lang), lang)
	if len(parts) > maxFacets {
		parts = parts[:maxFacets]
	}
	out := make([]research.Facet, 0, len(parts))
	for i, p := range parts {
		f := research.Facet{ID: fmt.Sprintf("f%d", i+1), Text: p, Terms: unique(text.Terms(p, lang))}
		f.Want = Want(p, lang)
		if f.Want == research.AnswerAny && i > 0 && len(parts) > 1 && !manner.MatchString(p) {
			f.Want = Want(parts[0], lang)
		}
		out = append(out, f)
	}
	distinct(out)
	return out
}

// manner begins a part that asks in its own words how something is done or comes about; it has its kind of answer from no other part.
var manner = regexp.MustCompile(`(?i)^\s*how (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to)\b`)

func splitParts(question, lang string) []string {
	if lang == "zh" {
		return splitChinese(question)
	}
	if m := inParens.FindStringSubmatch(question); m != nil {
		base := strings.Join(strings.Fields(strings.Replace(question, m[0], "", 1)), " ")
		var out []string
		for _, p := range strings.Split(m[1], ",") {
			if p = strings.TrimPrefix(strings.TrimSpace(p), "and "); p != "" {
				out = append(out, strings.TrimRight(base, "? ")+" "+p)
			}
		}
		return out
	}
	var parts []string
	rest := question
	for {
		loc := splitEN.FindStringIndex(rest)
		if loc == nil {
			break
		}
		// Keep the question word with what follows.
		sep := rest[loc[0]:loc[1]]
		cut := loc[0] + strings.IndexFunc(sep, func(r rune) bool { return r != ',' && r != ';' && r != ':' && r != '?' && r != ' ' })
		if strings.TrimLeft(sep, ",;:? ") == "" {
			cut = loc[1]
		}
		parts = add(parts, rest[:loc[0]], lang)
		rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest[cut:]), "and "))
		if len(parts) >= maxFacets {
			break
		}
	}
	parts = add(parts, rest, lang)
	if len(parts) == 0 {
		return []string{question}
	}
	return withoutLead(enumerate(parts, lang), question, ":")
}

// withoutLead drops what stands before a colon when two parts or more follow: "How did they end: what became of A, B and
// C?" asks of A, B and C. Its words stay in the question's terms.
func withoutLead(parts []string, question, colon string) []string {
	lead, _, found := strings.Cut(question, colon)
	if !found || len(parts) < 3 || strings.TrimSpace(lead) != parts[0] {
		return parts
	}
	return parts[1:]
}

var (
	askingEN = regexp.MustCompile(`(?i)\b(?:how|what|which|who|whom|whose|where|why)\b|\bwhen (?:did|does|do|is|was|were|will|can|should|has|have|had|would)\b|^(?:is|are|was|were|do|does|did|can|could|should|will|has|have)\b`)
	askingZH = regexp.MustCompile(`谁|何|哪|多少|多大|多长|多久|几|什么|吗|是否|怎|为什么`)
)

// asked drops the parts that ask nothing ("In the history of PNG", "When saving photographs") when others do; their words
// stay in the question's terms, which every facet borrows.
func asked(parts []string, lang string) []string {
	asking := askingEN
	if lang == "zh" {
		asking = askingZH
	}
	var out []string
	for _, p := range parts {
		if asking.MatchString(p) {
			out = append(out, p)
		}
	}
	if len(out) == 0 || len(parts) == 1 || lists(parts) {
		return parts
	}
	return out
}

// lists reports that the parts are members of an enumeration without a question word of their own: "compress: size before,
// size after".
func lists(parts []string) bool {
	n := 0
	for _, p := range parts[1:] {
		if !askingEN.MatchString(p) && !askingZH.MatchString(p) && len(strings.Fields(p)) <= 7 {
			n++
		}
	}
	return n >= 2
}

// add keeps a part that holds something to look for; a lead-in without a content word joins what follows.
func add(parts []string, p, lang string) []string {
	p = strings.Trim(p, " ,;:?")
	if p == "" {
		return parts
	}
	if len(text.Terms(p, lang)) == 0 && len(parts) > 0 {
		parts[len(parts)-1] += " " + p
		return parts
	}
	return append(parts, p)
}

// enumerate splits the last part at a list of at least three short members: each is to be answered.
func enumerate(parts []string, lang string) []string {
	last := parts[len(parts)-1]
	m := listEN.FindStringSubmatchIndex(last)
	if m == nil {
		return parts
	}
	members := strings.Split(last[m[2]:m[3]], ", ")
	members = append(members, last[m[4]:m[5]])
	if len(members) < 3 {
		return parts
	}
	// The first member carries the beginning of the sentence: what it asks of each.
	lead, first := leadOf(members[0])
	members[0] = first
	for _, mm := range members {
		if n := len(strings.Fields(mm)); n == 0 || n > 7 {
			return parts
		}
	}
	out := append([]string{}, parts[:len(parts)-1]...)
	for _, mm := range members {
		out = append(out, strings.TrimSpace(lead+" "+strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(mm), "and "), "or ")))
	}
	return out
}

// leadOf cuts "what became of Corel" into "what became of" and "Corel": the member begins after the last preposition or
// verb of the question frame.
var leadWord = regexp.MustCompile(`(?i)^(.*\b(?:of|for|as|regarding|about|on|in|with|between|is|are|was|were|became)\b)\s+(.+)$`)

func leadOf(s string) (lead, member string) {
	if m := leadWord.FindStringSubmatch(s); m != nil {
		return m[1], m[2]
	}
	return "", s
}

func splitChinese(question string) []string {
	q := strings.TrimRight(question, "？?。 ")
	if m := zhParens.FindStringSubmatch(q); m != nil {
		base := strings.TrimSpace(zhParens.ReplaceAllString(q, ""))
		var out []string
		for _, p := range regexp.MustCompile(`[与和、]`).Split(m[1], -1) {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, base+" "+p)
			}
		}
		if len(out) > 1 {
			return out
		}
	}
	var parts []string
	for _, p := range splitZH.Split(q, -1) {
		parts = add(parts, p, "zh")
	}
	if len(parts) == 0 {
		return []string{question}
	}
	return withoutLead(parts, q, "：")
}

// distinct keeps in each facet's Terms first what no other facet has; a facet that would be left without any keeps all.
func distinct(fs []research.Facet) {
	if len(fs) < 2 {
		return
	}
	count := map[string]int{}
	for _, f := range fs {
		for _, t := range f.Terms {
			count[t]++
		}
	}
	for i := range fs {
		var own []string
		for _, t := range fs[i].Terms {
			if count[t] < len(fs) {
				own = append(own, t)
			}
		}
		if len(own) > 0 {
			fs[i].Terms = own
		}
	}
}

var wants = []struct {
	want research.AnswerType
	re   *regexp.Regexp
}{
	{research.AnswerQuantity, regexp.MustCompile(`(?i)\bhow (?:many|much|large|big|often|old|long|far|tall|high|fast|heavy|deep|wide)\b|\bhow (?:did|do|does|has|have|had|will|is|are|was|were) (?:the |its |their )(?:\w+ ){0,2}(?:number|size|share|percentage|proportion|amount|price|cost|rate|ratio|population|capacity|output|revenue|budget|temperature) (?:of|in)\b|\bwhat will (?:[\w-]+ ){0,4}?(?:number|size|share|percentage|population|capacity|output|price|cost|rate|revenue)\b|\bwhat (?:\w+ )?(?:number|size|share|percentage|proportion|age|factor|cost|price|amount|rate|ratio|height|length|weight)\b|\bwhat (?:is|are|was|were) the (?:\w+ )?(?:population|elevation|altitude|area|depth|width|distance|capacity|temperature|speed|salary|revenue|budget)\b|\bby what factor\b|\bat what age\b|\bhead counts?\b|\b(?:size|cost|price) of\b|多少|多大|几个|几位|多长|多高`)},
	{research.AnswerDate, regexp.MustCompile(`(?i)\bwhen (?:did|does|do|is|was|were|will|can|should|has|have|had|would)\b|\b(?:which|what) (?:day|date|year|month|week|decade|century)\b|\bwhat (?:is|was) the (?:\w+ )?(?:date|birthday|year)\b|\bhow soon\b|\bsince what\b|何时|什么时候|哪年|哪一年|哪几年|哪天|日期`)},
	{research.AnswerPerson, regexp.MustCompile(`(?i)\bwho(?:m|se)?\b|\bwhich (?:person|author|developer|president|scientist|ian)\b|谁|哪位`)},
	{research.AnswerOrg, regexp.MustCompile(`(?i)\b(?:which|what) (?:company|firm|organi[sz]ation|vendor|university|agency|institution|bank|party)\b|哪家|哪个公司|哪个机构`)},
	{research.AnswerPlace, regexp.MustCompile(`(?i)\bwhere\b|\b(?:which|what) (?:city|country|place|town|state|region|continent|river)\b|哪里|哪儿|何处|哪个国家|哪个城市`)},
	{research.AnswerReason, regexp.MustCompile(`(?i)\bwhy\b|\breasons?\b|\bwhat (?:is wrong|caused|made|led)\b|为什么|为何|原因`)},
	{research.AnswerName, regexp.MustCompile(`(?i)^(?:[a-z]+ ){0,2}(?:which|what)\b|\bname of\b|哪个|什么`)},
}

// Want says what kind of expression would answer a part of a question.
func Want(part, lang string) research.AnswerType {
	for _, w := range wants {
		if w.re.MatchString(part) {
			return w.want
		}
	}
	return research.AnswerAny
}

var years = regexp.MustCompile(`\b(?:1[5-9]\d\d|20\d\d)\b`)

// Years returns the years that a question names, as written.
func Years(question string) []string { return unique(years.FindAllString(question, -1)) }

// Designations returns the names in a text that have only one spelling: those with two capitals or more, such as DebConf22,
// APNG or IETF, of three letters or more. A text that is all in capitals names none.
func Designations(s string) []string {
	var out []string
	upper, words := 0, 0
	for _, t := range text.Tokens(s) {
		caps, letters := 0, 0
		for _, r := range t.Text {
			if r >= 'A' && r <= 'Z' {
				caps++
			}
			if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				letters++
			}
		}
		if letters > 0 {
			words++
		}
		if caps == letters && letters > 1 {
			upper++
		}
		if caps >= 2 && letters >= 3 {
			out = append(out, t.Text)
		}
	}
	if 2*upper > words && words > 3 {
		return nil
	}
	return unique(out)
}

// ProperNames returns the words of a question that a capital marks as names and no other word may stand for: not the first word, not
// an adjective of a country or a people (Finnish, Canadian), which may be said otherwise, and no month or day. A text that is all in
// capitals, or has a capital at most words as a title has, names none.
func ProperNames(s string) []string {
	tokens := text.Tokens(s)
	var out []string
	capitals, words := 0, 0
	for i, t := range tokens {
		first := []rune(t.Text)[0]
		if !unicode.IsLetter(first) {
			continue
		}
		words++
		if !unicode.IsUpper(first) {
			continue
		}
		capitals++
		if i == 0 || len([]rune(t.Text)) < 3 || text.StopWord(t.Norm, "en") || calendarName[t.Norm] || adjectival.MatchString(t.Norm) {
			continue
		}
		out = append(out, t.Text)
	}
	if words > 3 && 2*capitals > words {
		return nil
	}
	return unique(out)
}

// adjectival are the endings by which adjectives are made of the names of countries, peoples and persons.
var adjectival = regexp.MustCompile(`(?:ish|ese|ian|ean|can|ench|utch|wiss|ic|'s|’s)$`)

var calendarName = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday christmas easter") {
		m[w] = true
	}
	return m
}()

// Answers reports whether words hold the kind of expression that a facet asks for, and whether, when it asks how many of
// something, they count that thing. A facet that asks for anything is answered by anything.
func Answers(f research.Facet, words, lang string) (answers, counts bool) {
	switch f.Want {
	case research.AnswerQuantity:
		asked := map[string]bool{}
		for _, t := range f.Terms {
			asked[t] = true
		}
		for _, q := range text.Quantities(words) {
			if q.Kind == research.Year || q.Kind == research.Version || q.Kind == research.Ordinal {
				continue
			}
			answers = true
			for _, t := range text.Terms(q.Unit, lang) {
				counts = counts || asked[t]
			}
		}
		return answers, counts
	case research.AnswerDate:
		return len(temporal.Dates(words)) > 0, false
	case research.AnswerPerson, research.AnswerOrg, research.AnswerName, research.AnswerPlace:
		return len(text.Names(words)) > 0, false
	case research.AnswerReason:
		return reason.MatchString(words), false
	}
	return false, false
}

// reason are words that give a reason. "Since 1996" is a time, and a common cause no reason of anything.
var reason = regexp.MustCompile(`(?i)\b(?:because|since (?:the|it|they|there|this|that|these|no|we|he|she|most|many|all|some|its|their)|due to|reasons?|in order to|so that|as a result|therefore|problem|caused|causes|the cause|cause (?:of|for)|that is why|led to|to (?:prevent|avoid))\b|因为|由于|原因|所以|因此`)

package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
)

var identifierintegrity = &Check{
	ID: "G30", Name: "identifierintegrity", Title: "IdentifierIntegrity", Tier: Grounding, Class: Hard,
	Scope: statementKeys, Eval: evalIdentifierIntegrity, Edit: editIdentifierIntegrity,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit,
}

// identifier is one exact identifier in a text.
type identifier struct {
	kind  string // doi, arxiv, pmid, pmc
	value string // normal form
	span  research.Span
}

var (
	doiForm   = regexp.MustCompile(`(?i)\b10\.\d{4,9}/[^\s"'<>\[\]{}，。；、（）《》【】“”]+`)
	arxivForm = regexp.MustCompile(`(?i)\barxiv(?:\.org/(?:abs|pdf)/|[:\s]\s*)(\d{4}\.\d{4,5})(?:v\d+)?`)
	pmidForm  = regexp.MustCompile(`(?i)\bPMID[:\s]*\s*(\d{3,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{3,9})\b`)
	pmcForm   = regexp.MustCompile(`(?i)\bPMC\s?(\d{3,9})\b`)
)

// maxIdentifierText bounds what is searched for identifiers, in bytes.
const maxIdentifierText = 1 << 19

// identifiers reads the identifiers of a text. Namespaces are never mixed: digits of a PMC number are no PMID.
func identifiers(s string) []identifier {
	s = s[:min(len(s), maxIdentifierText)]
	var out []identifier
	for _, m := range doiForm.FindAllStringIndex(s, 256) {
		end := m[0] + len(trimDOI(s[m[0]:m[1]]))
		out = append(out, identifier{"doi", strings.ToLower(s[m[0]:end]), research.Span{Start: m[0], End: end}})
	}
	for _, f := range []struct {
		kind string
		re   *regexp.Regexp
	}{{"arxiv", arxivForm}, {"pmid", pmidForm}, {"pmc", pmcForm}} {
		for _, m := range f.re.FindAllStringSubmatchIndex(s, 256) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					out = append(out, identifier{f.kind, s[m[g]:m[g+1]], research.Span{Start: m[g], End: m[g+1]}})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b identifier) int { return a.span.Start - b.span.Start })
	return out
}

// trimDOI takes the marks of the sentence off the end of a DOI; a bracket that it opened itself belongs to it.
func trimDOI(s string) string {
	for s != "" {
		last := s[len(s)-1]
		switch {
		case strings.IndexByte(".,;:!?*_`", last) >= 0:
		case last == ')' && strings.Count(s, "(") < strings.Count(s, ")"):
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

func evalIdentifierIntegrity(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	for _, w := range v.wrongIdentifiers(b) {
		hits = append(hits, Hit{Where: b.ID, Code: w.id.kind, What: w.why, Weak: w.beside})
	}
	return hits
}

// wrongIdentifier is an identifier of a block that is none of its sources', with what it should be when that is known.
type wrongIdentifier struct {
	id     identifier
	should string
	why    string
	beside bool // it is a source's, of another reference: told and not edited, since no measurement says how often that is right
}

func (v View) wrongIdentifiers(b research.Block) []wrongIdentifier {
	own := identifiers(b.Text)
	if len(own) == 0 {
		return nil
	}
	have := v.sourceIdentifiers(b)
	var out []wrongIdentifier
	for _, id := range own {
		w := wrongIdentifier{id: id}
		var longer []string
		same, sameKind := false, false
		for _, h := range have {
			same = same || h.kind == id.kind && h.value == id.value
			sameKind = sameKind || h.kind == id.kind
			if h.kind == id.kind && strings.HasPrefix(h.value, id.value) && !slices.Contains(longer, h.value) {
				longer = append(longer, h.value)
			}
			if id.kind == "pmid" && h.kind == "pmc" && h.value == id.value {
				w.why = fmt.Sprintf("PMID %s is the number of PMC%s, which is another namespace", id.value, h.value)
			}
			if id.kind == "pmc" && h.kind == "pmid" && h.value == id.value {
				w.why = fmt.Sprintf("PMC%s is the number of PMID %s, which is another namespace", id.value, h.value)
			}
		}
		cut := id.kind == "doi" && strings.Count(id.value, "(") > strings.Count(id.value, ")")
		switch {
		case same:
			if w.should, w.why = v.neighbour(b, id); w.why == "" {
				continue
			}
			w.beside = true
		case w.why != "":
		case len(longer) == 1:
			w.should, w.why = longer[0], fmt.Sprintf("%q is %q cut short", id.value, longer[0])
		case cut:
			w.why = fmt.Sprintf("%q ends inside a bracket: it was cut", id.value)
		case sameKind:
			w.why = fmt.Sprintf("%q is no %s of its sources", id.value, id.kind)
		default:
			continue // its sources give none of this kind: not checked
		}
		out = append(out, w)
	}
	return out
}

// sourceIdentifiers are those that the sources of a block give: in their address, title and text.
func (v View) sourceIdentifiers(b research.Block) []identifier {
	g := v.groundOf(b)
	out := identifiers(g.text)
	for _, s := range g.sources {
		out = append(out, identifiers(s.Location+"\n"+s.Title+"\n"+v.Texts[s.SHA256])...)
	}
	return out
}

// IdentifierCoverage says how many of the identifiers that a report prints could be held against its sources. A check that
// had nothing to compare looks like one that passed, so both numbers are told.
func IdentifierCoverage(v View) (checked, total int) {
	for _, k := range blockKeys(v) {
		b, _ := v.block(k)
		own := identifiers(b.Text)
		if len(own) == 0 {
			continue
		}
		have := v.sourceIdentifiers(b)
		for _, id := range own {
			total++
			if slices.ContainsFunc(have, func(h identifier) bool { return h.kind == id.kind }) {
				checked++
			}
		}
	}
	return checked, total
}

// editIdentifierIntegrity puts the source's identifier in the place of a wrong one, or takes that out.
func editIdentifierIntegrity(v View, k Key) View {
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		for range 16 {
			wrong := slices.DeleteFunc(v.wrongIdentifiers(b), func(w wrongIdentifier) bool { return w.beside })
			if len(wrong) == 0 {
				break
			}
			w := wrong[len(wrong)-1]
			from, to := w.id.span.Start, w.id.span.End
			if w.should == "" {
				from = prefixStart(b.Text, from)
			}
			b.Text = strings.TrimSpace(b.Text[:from] + w.should + b.Text[to:])
		}
		return b, true
	})
}

var identifierPrefix = regexp.MustCompile(`(?i)(?:https?://\S*|doi\.org/|\b(?:doi|pmid|pmc|arxiv|pubmed\.ncbi\.nlm\.nih\.gov/)[:\s/]*)+$`)

// prefixStart returns where the name of the namespace before an identifier begins.
func prefixStart(s string, at int) int {
	if m := identifierPrefix.FindStringIndex(s[:at]); m != nil {
		return m[0]
	}
	return at
}

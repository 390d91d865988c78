package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

var syndicatedcorroboration = &Check{
	ID: "G27", Name: "syndicatedcorroboration", Title: "SyndicatedCorroboration", Tier: Grounding, Class: Hard,
	Scope: blockKeys, Eval: evalSyndicatedCorroboration, Edit: editSyndicatedCorroboration,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit,
}

// copyShare is how much of the shorter of two texts the other holds when the one is a copy (CHECKS 4.2), in runs of five words.
const copyShare = 0.7

// copyLeast is the least length in bytes of a text that can be told to be a copy: shorter ones share their runs by chance.
const copyLeast = 300

// plurality is what a text says that counts voices.
var plurality = regexp.MustCompile(`(?i),?\s*\b(?:(?:as )?(?:multiple|several|many|numerous|various|independent|different) (?:independent )?(?:sources?|outlets?|reports?|media|news organi[sz]ations) (?:all )?(?:report(?:ed)?|confirm(?:ed)?|say|said|agree|state[d]?|note[d]?|show)(?: it| so| this| that)?:?|(?:according to|as reported by|confirmed by|reported by) (?:multiple|several|many|numerous|various|independent) (?:\w+ )?(?:sources|outlets|reports|media|accounts|newspapers|studies|observers)|(?:it is |as )?(?:widely|independently) (?:reported|confirmed)(?: that)?:?)\b,?|(?:据)?(?:多家|多个|众多|多方)(?:媒体|独立来源|来源|机构|消息|报道|渠道)(?:均|都)?(?:报道|证实|表示|指出|确认|显示|称)+[，,：:]?|(?:据)?广泛报道[，,：:]?`)

func evalSyndicatedCorroboration(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	if m := strings.TrimSpace(plurality.FindString(b.Text)); m != "" && len(b.Refs)+len(b.Claims) > 0 && !v.stated(b) {
		if n := v.voices(b); n < 2 {
			hits = append(hits, Hit{Where: b.ID, Code: "phrase", What: fmt.Sprintf("it says %q and %d independent source stands behind it", m, n)})
		}
	}
	for _, id := range b.Claims {
		if c, ok := v.Claims[id]; ok {
			if n := v.counted(c); c.Support != nil && n < c.Support.K {
				hits = append(hits, Hit{Where: b.ID, Code: "count", What: fmt.Sprintf("claim %s counts %d independent sources where there are %d", id, c.Support.K, n)})
			}
		}
	}
	return hits
}

// voices counts the independent sources of a block: those it refers to, and those that confirm its claims.
func (v View) voices(b research.Block) int {
	if len(b.Refs) > 1 { // what the reader sees behind the words
		return v.apart(b.Refs)
	}
	ids := slices.Clone(b.Refs)
	most := 0
	for _, id := range b.Claims {
		c := v.Claims[id]
		if c.Source != "" {
			ids = append(ids, c.Source)
		}
		most = max(most, v.counted(c))
	}
	return max(most, v.apart(ids))
}

// counted returns how many of the confirming clusters of a claim are voices of their own.
func (v View) counted(c research.Claim) int {
	if c.Support == nil {
		return 0
	}
	if len(c.Support.Clusters) == 0 {
		return c.Support.K // the record does not say which
	}
	var firsts []string
	for _, cl := range c.Support.Clusters {
		if cl.Stance == research.Confirms && len(cl.Sources) > 0 {
			firsts = append(firsts, cl.Sources[0])
		}
	}
	return v.apart(firsts)
}

// apart counts the voices among sources: copies, formats of one document and pages of one publisher are one.
func (v View) apart(ids []string) int {
	var kept []research.Source
	for _, id := range ids {
		s, ok := v.source(id)
		if ok && !slices.ContainsFunc(kept, func(have research.Source) bool { return v.oneVoice(have, s) }) {
			kept = append(kept, s)
		}
	}
	return len(kept)
}

// oneVoice reports whether two sources are one: the same page, document or publisher, or a copy of the other's text.
func (v View) oneVoice(a, b research.Source) bool {
	if a.ID == b.ID || a.CopyOf == b.ID || b.CopyOf == a.ID || a.CopyOf != "" && a.CopyOf == b.CopyOf || a.SHA256 != "" && a.SHA256 == b.SHA256 {
		return true
	}
	if a.Voice != "" && a.Voice == b.Voice || a.Work != "" && a.Work == b.Work && strings.Contains(a.Work, "/") {
		return true
	}
	if len(v.Texts[a.SHA256]) > len(v.Texts[b.SHA256]) {
		a, b = b, a
	}
	short, long := len(v.Texts[a.SHA256]), len(v.Texts[b.SHA256])
	// A copy is about as long as what it copies, its frame aside.
	return short > copyLeast && 4*short > long && text.ShingleContainment(v.runsOf(a.SHA256), v.runsOf(b.SHA256)) >= copyShare
}

// runsOf returns the runs of five words of the text with that hash; within one evaluation they are made once for each text.
func (v View) runsOf(sha string) map[uint64]bool {
	if v.at == nil {
		return text.Shingles(v.Texts[sha], duplicateWords)
	}
	runs, ok := v.at.runs[sha]
	if !ok {
		runs = text.Shingles(v.Texts[sha], duplicateWords)
		v.at.runs[sha] = runs
	}
	return runs
}

// editSyndicatedCorroboration takes the phrase out and counts anew.
func editSyndicatedCorroboration(v View, k Key) View {
	hits := evalSyndicatedCorroboration(v, k)
	if len(hits) == 0 {
		return v
	}
	b, _ := v.block(k)
	for _, id := range b.Claims {
		c := v.Claims[id]
		if n := v.counted(c); c.Support != nil && n < c.Support.K {
			s := *c.Support
			s.N -= s.K - n
			s.K = n
			s.Raw = research.NewRatio(int64(s.K), int64(max(s.N, 1)))
			s.Confidence = evidence.Confidence(s.K, s.N)
			s.Band = evidence.Band(s.Confidence, s.K)
			c.Support = &s
			claims := make(map[string]research.Claim, len(v.Claims))
			for other, have := range v.Claims {
				claims[other] = have
			}
			claims[id] = c
			v.Claims = claims
		}
	}
	if !slices.ContainsFunc(hits, func(h Hit) bool { return h.Code == "phrase" }) {
		return v
	}
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID == k.ID {
			for range 8 {
				b.Text = plurality.ReplaceAllString(b.Text, "")
			}
			b.Text = capital(strings.TrimLeft(strings.TrimSpace(b.Text), ",，；;: "))
		}
		return b, true
	})
}

// capital writes the first letter of a sentence large.
func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

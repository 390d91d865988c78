package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/temporal"
)

var dateanachronism = &Check{
	ID: "G13", Name: "dateanachronism", Title: "DateAnachronism", Tier: Grounding, Class: Hard,
	Scope: statementKeys, Eval: evalDateAnachronism,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Annotate,
}

var (
	// done is a verb in the past, as far as its form tells; what ends in -ed and is none is left out below.
	done = `(?:was|were|had|[a-z]{2,}ed|bought|sold|won|lost|held|built|fell|rose|grew|broke|began|ran|took|made|gave|became|left|met|led|paid|spent|found|wrote|said|shut|cut|set|went|came|saw|sank|died|hit|beat|put)`
	// happened is such a verb in the clause that a date ends, happenedThen one in the sentence that a date opens, and dated the
	// date as what something was.
	happened     = regexp.MustCompile(`\b` + done + `\b(?:[^.;:,\n]|\d[.,]\d){0,90}\b(?:in|on|during|at the (?:end|start|beginning) of) (?:the )?(?:early |late |mid-|spring of |summer of |autumn of |winter of )?$`)
	happenedThen = regexp.MustCompile(`^[,\s](?:[^.;:\n]|\d[.]\d){0,90}\b` + done + `\b`)
	opens        = regexp.MustCompile(`^\W{0,4}(?:[Ii]n|[Oo]n|[Dd]uring)(?: early| late| the (?:spring|summer|autumn|winter) of)? $`)
	dated        = regexp.MustCompile(`\b(?:was|were) (?:in |on )?$`)
	notDone      = regexp.MustCompile(`\b(?:need|hundred|indeed|seed|feed|speed|exceed|proceed|breed|bed|red|shed|wed|weed|deed|greed|steed|embed)\b`)
	happenedZH   = regexp.MustCompile(`^[，,]?[^。；\n]{0,40}(?:[^为除]了(?:[^解]|$)|过了|已经|建成|开通|去世|逝世|出生|当选|竣工|落成|启用|投入使用)`)
	// bounded stands before a date that is an end or a beginning, not the day of something.
	bounded = regexp.MustCompile(`(?i)\b(?:until|till|through|by|before|to|for|from|since|between|and|after|than)\s+(?:the )?(?:(?:early|late|mid|end|start|beginning)[ -](?:of )?)?(?:the )?$`)
	// plannedFor are words of a plan, a deadline or a guess: what they date may lie ahead.
	plannedFor = regexp.MustCompile(`(?i)\b(?:will|shall|would|plan\w*|schedul\w*|expect\w*|forecast\w*|project(?:ed|ion|ions|s)|predict\w*|target\w*|goal|aims?|due|deadline|expir\w*|propos\w*|intend\w*|anticipat\w*|estimat\w*|future|upcoming|set to|to be|if|fiction\w*|novel|film|game|scenario|assum\w*|suppos\w*|delayed|postponed|extended|valid)\b|将|预计|计划|预测|目标|直到|截至|拟|有望|或将|小说|科幻|预期|展望|规划`)
)

func evalDateAnachronism(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean, _ := ParseCitations(b.Text)
	today := v.Now[:min(len(v.Now), len("2006-01-02"))]
	var hits []Hit
	ground := v.groundOf(b)
	for _, sentence := range sentencesOf(clean) {
		if plannedFor.MatchString(sentence) {
			continue
		}
		for _, d := range temporal.Dates(sentence) {
			before, after := sentence[:d.Start], sentence[d.End:]
			if bounded.MatchString(before) {
				continue
			}
			if !past(before, after) {
				continue
			}
			if today != "" && later(d.ISO, today) {
				hits = append(hits, Hit{Where: b.ID, Code: "future", What: fmt.Sprintf("it tells of %s as past, and the run was on %s", d.Text, today)})
				continue
			}
			if published, ok := latest(ground.sources); ok && laterByDay(d.ISO, published) && !plannedFor.MatchString(ground.text) {
				// Where the source prints the date itself, the day it is said to be of is as doubtful as its words.
				hits = append(hits, Hit{Where: b.ID, Code: "source_older", Weak: evidence.MatchDates(d.Text, ground.text, "").OK,
					What: fmt.Sprintf("it tells of %s and its sources are of %s at the latest", d.Text, published)})
			}
		}
	}
	return hits
}

// past reports whether the words around a date tell of something done then.
func past(before, after string) bool {
	return happened.MatchString(notDone.ReplaceAllString(before, "")) || dated.MatchString(before) ||
		opens.MatchString(before) && happenedThen.MatchString(notDone.ReplaceAllString(after, "")) || happenedZH.MatchString(after)
}

// later reports whether the whole of a partial ISO date lies after a day.
func later(iso, day string) bool {
	n := min(len(iso), len(day))
	return n >= len("2006") && iso[:n] > day[:n]
}

// laterByDay reports whether a partial ISO date begins more than a day after a partial day of publication.
func laterByDay(iso, published string) bool {
	if len(iso) < len(published) {
		published = published[:len(iso)]
	}
	a, n := partialDate(iso[:min(len(iso), len(published))])
	p, m := partialDate(published)
	return n > 0 && n == m && a.After(p) && (n < 3 || a.Sub(p).Hours() > 24)
}

// latest returns the latest day of publication; false when one of the sources has none.
func latest(sources []research.Source) (string, bool) {
	out := ""
	for _, s := range sources {
		p := strings.TrimSpace(s.Published)
		if _, n := partialDate(p[:min(len(p), len("2006-01-02"))]); n == 0 {
			return "", false
		}
		if p = p[:min(len(p), len("2006-01-02"))]; out == "" || p > out {
			out = p
		}
	}
	return out, out != ""
}

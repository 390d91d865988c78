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
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues,
}

var (
	// happened is a verb of something done, up to a few words before the date it is done at. Verbs of a plan are none.
	happened = regexp.MustCompile(`(?i)\b(?:was|were|has been|have been|had been)(?: (?:\w+ly|first|finally))? (?:completed|opened|launched|held|elected|published|founded|built|signed|born|killed|demolished|closed|destroyed|discovered|invented|merged|acquired|arrested|convicted|inaugurated|finished|adopted|ratified|abolished|sold|approved|rejected|defeated|recorded|measured|observed)\b[^.;,\n]{0,60}?\b(?:in|on|at the (?:end|start|beginning) of|during) (?:early |late |mid-)?(?:the )?[^.;,\n]{0,6}$|` +
		`\b(?:died|won|lost|fell|rose|grew|occurred|happened|took place|ended|began|started|broke out|collapsed|resigned|retired|moved|visited|arrived|reached|passed|declared|announced|reported|wrote|completed|opened|launched|elected|published|founded|built|signed|discovered|acquired|closed)\b[^.;,\n]{0,60}?\b(?:in|on|during) (?:early |late |mid-)?(?:the )?[^.;,\n]{0,6}$`)
	// bounded stands before a date that is an end or a beginning, not the day of something.
	bounded    = regexp.MustCompile(`(?i)\b(?:until|till|through|by|before|to|from|since|between|and|after)\s+(?:the )?(?:(?:early|late|mid|end|start|beginning)[ -](?:of )?)?(?:the )?$`)
	happenedZH = regexp.MustCompile(`^[^。；，\n]{0,24}(?:建成|开通|完成了|发布了|成立了|去世|逝世|出生|当选|举行了|发生了|签署了|倒闭了|结束了|获得了|赢得了|已经|已于|通车了?|竣工|落成)`)
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
			if today != "" && later(d.ISO, today) && (happened.MatchString(before) || happenedZH.MatchString(after)) {
				hits = append(hits, Hit{Where: b.ID, Code: "future", What: fmt.Sprintf("it tells of %s as past, and the run was on %s", d.Text, today)})
				continue
			}
			if published, ok := latest(ground.sources); ok && laterByDay(d.ISO, published) && !plannedFor.MatchString(ground.text) &&
				!evidence.MatchDates(d.Text, ground.text, "").OK && (happened.MatchString(before) || happenedZH.MatchString(after)) {
				hits = append(hits, Hit{Where: b.ID, Code: "source_older", What: fmt.Sprintf("it tells of %s and its sources are of %s at the latest", d.Text, published)})
			}
		}
	}
	return hits
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

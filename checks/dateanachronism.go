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

// doneZH are Chinese verbs of what is over once it is told with its date and without a word of the future. Those that reports
// also use of what is to come without such a word (上市, 发布, 投产) are left out.
const doneZH = `建成|开通|去世|逝世|出生|当选|竣工|落成|启用|投入使用|成立|创立|创办|创建|收购|并购|合并|获批|签署|爆发|破产|倒闭|诞生|更名`

var (
	// done is a verb in the past, as far as its form tells; what ends in -ed and is none is left out below.
	done = `(?:was|were|had|[a-z]{2,}ed|bought|sold|won|lost|held|built|fell|rose|grew|broke|began|ran|took|made|gave|became|left|met|led|paid|spent|found|wrote|said|shut|cut|set|went|came|saw|sank|died|hit|beat|put)`
	// happened is such a verb in the clause that a date ends, happenedThen one in the sentence that a date opens, and dated the
	// date as what something was.
	happened     = regexp.MustCompile(`\b` + done + `\b(?:[^.;:,\n]|\d[.,]\d){0,90}\b(?:in|on|during|at the (?:end|start|beginning) of) (?:the )?(?:early |late |mid-|spring of |summer of |autumn of |winter of )?$`)
	happenedThen = regexp.MustCompile(`^[,\s](?:[^.;:\n]|\d[.]\d){0,90}\b` + done + `\b`)
	opens        = regexp.MustCompile(`^\W{0,4}(?:[Ii]n|[Oo]n|[Dd]uring)(?: early| late| the (?:spring|summer|autumn|winter) of)? $`)
	// apposition is the time that the date of a sentence's first part says more exactly: "In its best month, May 2024, the".
	apposition = regexp.MustCompile(`^\W{0,4}(?:[Ii]n|[Oo]n|[Dd]uring|[Aa]t) [^.,;:\n]{2,60}, $`)
	dated      = regexp.MustCompile(`\b(?:was|were) (?:in |on )?$`)
	notDone    = regexp.MustCompile(`\b(?:need|hundred|indeed|seed|feed|speed|exceed|proceed|breed|bed|red|shed|wed|weed|deed|greed|steed|embed)\b`)
	happenedZH = regexp.MustCompile(`^[，,]?[^。；\n]{0,40}(?:[^为除]了(?:[^解]|$)|过了|已经|(?:^|[^可能会应])被|` + doneZH + `)`)
	// happenedAtZH is a verb that takes its date behind it: 成立于2018年.
	happenedAtZH = regexp.MustCompile(`(?:成立|创立|创办|创建|建立|始建|建成|建造|落成|竣工|完工|开业|开幕|开馆|开通|通车|投产|启用|发生|爆发|发表|发布|出版|颁布|签署|签订|通过|出生|生|卒|逝世|去世|毕业|就职|上任|起源|诞生|收购|合并)于(?:公元)?$`)
	// begun is a state that has lasted since a date: it began then.
	begun = regexp.MustCompile(`\b(?:has|have|had|been|is|are|was|were)\b[^.;:\n]{0,90}\bsince (?:the )?(?:early |late |mid-|start of |beginning of |end of )?$`)
	// bounded stands before a date that is an end or a beginning, not the day of something.
	bounded = regexp.MustCompile(`(?i)\b(?:until|till|through|by|before|to|for|from|between|and|after|than)\s+(?:the )?(?:(?:early|late|mid|end|start|beginning)[ -](?:of )?)?(?:the )?$`)
	// plannedFor are words of a plan, a deadline or a guess: what they date may lie ahead.
	plannedFor = regexp.MustCompile(`(?i)\b(?:will|shall|would|plans?|planned|planning|schedul\w*|expect\w*|forecast\w*|project(?:ed|ion|ions|s)|predict\w*|target\w*|goal|aims?|due|deadline|expir\w*|propos\w*|intend\w*|anticipat\w*|estimat\w*|future|upcoming|set to|to be|if|fiction\w*|novel|film|game|scenario|assum\w*|suppos\w*|delayed|postponed|extended|valid)\b|将|预计|计划|预测|目标|直到|截至|拟|有望|或将|小说|科幻|预期|展望|规划`)
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
		begun.MatchString(before) || happenedAtZH.MatchString(before) ||
		(opens.MatchString(before) || strings.HasPrefix(after, ",") && apposition.MatchString(before)) && happenedThen.MatchString(notDone.ReplaceAllString(after, "")) || happenedZH.MatchString(after)
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

package checks

import (
	"fmt"
	"regexp"
)

var causalupgrade = &Check{
	ID: "G23", Name: "causalupgrade", Title: "CausalUpgrade", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalCausalUpgrade, Advise: Hedge,
}

var (
	correlates = regexp.MustCompile(`(?i)\b(?:associated with|association between|linked (?:to|with)|link between|correlat\w+|related to|relationship between|goes hand in hand|tracks with|coincid\w+|tied to|risk factor)\b|相关|有关|关联|联系|伴随`)
	causes     = regexp.MustCompile(`(?i)\b(?:causes?|caused|causing|leads? to|led to|leading to|results? in|resulted in|drives?|drove|driven by|due to|because of|brings? about|triggers?|triggered|produces?|responsible for|reduces?|reduced|increases?|increased|prevents?|raises?|lowers?|boosts?|makes?)\b|导致|造成|引起|促使|引发|使得|致使|降低了|提高了`)
	// designed are words of a design that shows a cause.
	designed = regexp.MustCompile(`(?i)\b(?:randomi[sz]ed|trial|experiment\w*|causal\w*|intervention|instrumental variable|natural experiment|difference-in-differences)\b|随机|试验|实验|因果`)
)

func evalCausalUpgrade(v View, k Key) []Hit {
	return weakened(v, k, func(sentence, source string) string {
		c := causes.FindString(sentence)
		m := correlates.FindString(source)
		if c == "" || m == "" || correlates.MatchString(sentence) || causes.MatchString(source) || designed.MatchString(source) {
			return ""
		}
		return fmt.Sprintf("its source says %q, and it says %q", m, c)
	})
}

package intent

import "regexp"

// judged reports whether a question that yes or no would answer asks for a judgement, about which people differ, and not for
// a fact that can be looked up: "is veganism healthy" against "is a tomato a fruit".
func judged(q string) bool {
	return judgement.MatchString(q) && !titled.MatchString(q) || contested.MatchString(q) && !plainFact.MatchString(q) && !looked.MatchString(q)
}

// word matches whole words.
func word(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + anyOf(patterns...).String() + `(?:\b|$)`)
}

var (
	// judgement are the words that value something.
	judgement = word(
		`good|bad|better|best|worse|worst|ideal|great|greatest|weakest|strongest|superior|inferior|overrated|underrated|worthy|worthwhile|worth|exceptional|useless`,
		`right (?:way|direction|thing|choice|decision)|wrong|im?moral\w*|ethic\w*|unethical|evil\?*$|a sin|fair|unfair|unjust|justif\w+|racist|sexist|homophobic|abusive|permissible|acceptable|appropriate|legitimate|responsible|responsibility`,
		`un?necessary|necessary|beneficial|harmful|harms?|helpful|dangerous\w*|viable|valuable|desirable|detrimental|suitable|unhealthy|healthy|lucrative|problematic|regret\w*`,
		`important|essential|vital|effective|ineffective|inevitable|incompatible|unconstitutional|fraudulent|authentic|trusted|trustworthy|meaningful|compromised|at fault|guilty`,
		`deserves?|misguide|spoil\w*|ruin\w*|hurting|obligation|duty|human rights?|there a limit to|(?:positive|negative) (?:force|impact|effect|thing)|a (?:force|revolution|lie|disease|religion|right|myth|hoax|scam|failure|success|solution|problem|pseudoscience)`,
		`(?:more|less) \w+ than`)
	// contested are the subjects that people argue about, and verbs of influence.
	contested = word(
		`society|humanity|humans?|mankind|religions?|religious|god|god's|divine|afterlife|morality|democracy|freedom|liberty|privacy|equality|creativity|happiness|beliefs?|truth|science|scientific|art|gender|sex|sexuality|culture|cultural`,
		`capitalism|communism|socialism|feminism|\w{3,}isms?|globali[sz]ation|government|governments|immigration|abortion|marriage|education|journalists|the world|world peace|free will|the universe|the rich|the poor|the state`,
		`improves?|helps?|harm|hurt|help|makes? (?:us|people|a person|the)|promotes?|slows?|normali[sz]es?|liberates?|threatens?|destroys?|guarantees?|precedes?|opposes?|lacks?|needs? (?:an?|the|to) |replaced|really|actually|truly|tied to|exists?|true|a lie|belongs?|incomplete|lonely|treated as|motivated|driven by|similar to|compatible with|going to regret|heading towards`)
	// plainFact are the turns of a question about a fact.
	plainFact = word(
		`the same|same as|season|episodes?|sequel|movies?|films?|books?|series|anime|tv|netflix|best of \d|\w+est (?:\w+ )?(?:in|of) the (?:world|country|us)|based (?:on|off)|located|owned by|made (?:in|by)|called|(?:il)?legal to|allowed`,
		`there (?:going|still|such|any|an? (?:new|season|sequel|airport|second|third))|world (?:cup|series|war)|award|oscar`)
	// titled are those that outweigh a judgement as well: its words are part of a name or a rule.
	titled = word(`the same|same as|season|episodes?|sequel|netflix|best of \d|\w+est (?:\w+ )?(?:in|of) the (?:world|country|us)|(?:il)?legal to|award|oscar|based (?:on|off)`)
	// looked are those that only outweigh a contested subject.
	looked = word(`you|i|my|he|she|ever|still|there|in (?:the )?\d{4}|\d{4}|control(?:led)? by|part of|have|located|in which|kept|first|last`)
)

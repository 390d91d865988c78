package intent

import (
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// What a question leaves out, by the words that say so. "Other than" and "besides" also add, so that they are not among them.
var (
	excludeEN = regexp.MustCompile(`(?i)[\s,;(–—-]*\b(?:excluding|except(?:ing)?(?: for)?|but not|(?:and )?not (?:counting|including)|without counting|leaving (?:out|aside)|ignoring|exclude)\s+([^,;:.?!()]+(?:,\s+(?:and |or )?[^,;:.?!()]+)*)\)?`)
	excludeZH = regexp.MustCompile(`[，,；（(]?\s*(?:不包括|不含|不算|不考虑|排除|除去|除开)([^，。？?；！）)]{1,20})[）)]?`)
	listedEN  = regexp.MustCompile(`,\s*(?:and |or )?|\s+(?:and|or)\s+`)
	listedZH  = regexp.MustCompile(`[、和与及或]`)
	timeAfter = regexp.MustCompile(`(?i)[,\s]+(?:between|from|since|in|during|before|after|until|by)\s+(?:\w+\s+)?\d{4}\b`)
	fieldEN   = regexp.MustCompile(`(?i)\b(?:in|within) the (?:field|domain|discipline|industry) of ([a-z][\w -]{2,40}?)(?:[,.;?!]|$)`)
	fieldZH   = regexp.MustCompile(`在([\p{Han}]{2,10})(?:领域|行业)(?:内|中|里|的|，|,)`)
)

// Bounds of what is left out.
const (
	mostExcluded    = 6
	longestExcluded = 60 // bytes of one; more is a clause and no thing
)

// limits reads the limits that a question sets itself and returns what is left of it to ask: the question without what it leaves out.
// A question of which nothing would be left limits nothing. The limits are nil when there are none.
func limits(question, lang string) (*research.Scope, string) {
	s := &research.Scope{}
	re, list, field := excludeEN, listedEN, fieldEN
	if lang == "zh" {
		re, list, field = excludeZH, listedZH, fieldZH
	}
	rest := question
	if m := re.FindStringSubmatchIndex(question); m != nil {
		if t := timeAfter.FindStringIndex(question[m[2]:m[3]]); t != nil { // the time is that of the question
			m[3] = m[2] + t[0]
			m[1] = m[3]
		}
		for _, x := range list.Split(question[m[2]:m[3]], -1) {
			x = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(x, " .?，。"), "之外"), "以外")
			x = strings.TrimPrefix(x, "the ")
			if x != "" && len(x) <= longestExcluded && len(s.Exclude) < mostExcluded && !slices.Contains(s.Exclude, x) {
				s.Exclude = append(s.Exclude, x)
			}
		}
		left := strings.TrimSpace(question[:m[0]]) + question[m[1]:]
		if len(s.Exclude) > 0 && len(text.Terms(left, lang)) > 0 {
			rest = strings.Join(strings.Fields(left), " ")
		} else {
			s.Exclude = nil
		}
	}
	s.Countries = countriesIn(rest)
	if m := field.FindStringSubmatch(rest); m != nil {
		s.Field = strings.TrimSpace(m[1])
	}
	if len(s.Countries) == 0 && len(s.Exclude) == 0 && s.Field == "" {
		return nil, rest
	}
	return s, rest
}

// countriesIn lists the countries that a text names, by name or by the adjective of it, in order and in English.
func countriesIn(s string) []string {
	type at struct {
		pos  int
		name string
	}
	var found []at
	for _, c := range countries {
		pos := -1
		if m := c.en.FindStringIndex(s); m != nil {
			pos = m[0]
		} else if i := strings.Index(s, c.zh); i >= 0 {
			pos = i
		}
		if pos >= 0 {
			found = append(found, at{pos, c.name})
		}
	}
	slices.SortStableFunc(found, func(a, b at) int { return a.pos - b.pos })
	var out []string
	for _, f := range found {
		out = append(out, f.name)
	}
	return out
}

type country struct {
	name, zh string
	en       *regexp.Regexp
}

var countries = func() []country {
	var out []country
	for _, line := range strings.Split(countryNames, ";") {
		parts := strings.Split(strings.TrimSpace(line), ":")
		out = append(out, country{name: parts[0], zh: parts[2], en: regexp.MustCompile(`\b(?:` + regexp.QuoteMeta(parts[0]) + `|` + parts[1] + `)\b`)})
	}
	return out
}()

// countryNames are name, other forms and Chinese name. Turkey, Jordan, Chad and the like stand with a capital only.
const countryNames = `Argentina:Argentine|Argentinian:阿根廷; Australia:Australian:澳大利亚; Austria:Austrian:奥地利; Bangladesh:Bangladeshi:孟加拉国; Belgium:Belgian:比利时;
	Brazil:Brazilian:巴西; Bulgaria:Bulgarian:保加利亚; Canada:Canadian:加拿大; Chile:Chilean:智利; China:Chinese:中国; Colombia:Colombian:哥伦比亚; Croatia:Croatian:克罗地亚;
	Cuba:Cuban:古巴; Czech Republic:Czech|Czechia:捷克; Denmark:Danish:丹麦; Egypt:Egyptian:埃及; Estonia:Estonian:爱沙尼亚; Ethiopia:Ethiopian:埃塞俄比亚; Finland:Finnish:芬兰;
	France:French:法国; Germany:German:德国; Ghana:Ghanaian:加纳; Greece:Greek:希腊; Hungary:Hungarian:匈牙利; Iceland:Icelandic:冰岛; India:Indian:印度; Indonesia:Indonesian:印度尼西亚;
	Iran:Iranian:伊朗; Iraq:Iraqi:伊拉克; Ireland:Irish:爱尔兰; Israel:Israeli:以色列; Italy:Italian:意大利; Japan:Japanese:日本; Kenya:Kenyan:肯尼亚; Latvia:Latvian:拉脱维亚;
	Lithuania:Lithuanian:立陶宛; Malaysia:Malaysian:马来西亚; Mexico:Mexican:墨西哥; Morocco:Moroccan:摩洛哥; Netherlands:Dutch:荷兰; New Zealand:New Zealander:新西兰; Nigeria:Nigerian:尼日利亚;
	North Korea:North Korean:朝鲜; Norway:Norwegian:挪威; Pakistan:Pakistani:巴基斯坦; Peru:Peruvian:秘鲁; Philippines:Philippine|Filipino:菲律宾; Poland:Polish:波兰; Portugal:Portuguese:葡萄牙;
	Romania:Romanian:罗马尼亚; Russia:Russian:俄罗斯; Saudi Arabia:Saudi:沙特; Serbia:Serbian:塞尔维亚; Singapore:Singaporean:新加坡; Slovakia:Slovak:斯洛伐克; Slovenia:Slovenian:斯洛文尼亚;
	South Africa:South African:南非; South Korea:South Korean|Korean:韩国; Spain:Spanish:西班牙; Sweden:Swedish:瑞典; Switzerland:Swiss:瑞士; Taiwan:Taiwanese:台湾; Thailand:Thai:泰国;
	Turkey:Turkish:土耳其; Ukraine:Ukrainian:乌克兰; United Kingdom:British|Britain|UK:英国; United States:American|USA|U\.S\.:美国; Vietnam:Vietnamese:越南`

// leadVerbs begin a task and are no name, though a capital stands on them.
var leadVerbs = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("compare give list describe explain summarise summarize name tell discuss show write find outline review analyse analyze contrast identify provide make evaluate assess") {
		m[w] = true
	}
	return m
}()

var (
	orgName = regexp.MustCompile(`(?:\b(?:Inc|Ltd|LLC|GmbH|Corp|Corporation|Company|University|Institute|Foundation|Project|Agency|Ministry|Commission|Council|Bank|Association|Party|Union|Organi[sz]ation)\b\.?$|^(?:University|Ministry|Bank|Bureau) of )`)
	whoIs   = regexp.MustCompile(`(?i)^\s*who(?:'s| is| was| are| were)\b`)
)

// TypeOf says what a name is by its form alone: place, organisation, else term.
func TypeOf(name string) string { return entityType(name, "") }

// entityType says what a name of a question is, where its form or the question tells: place, organisation, person, else term.
func entityType(name, question string) string {
	switch {
	case len(countriesIn(name)) > 0:
		return "place"
	case orgName.MatchString(name):
		return "organisation"
	case whoIs.MatchString(question) && len(strings.Fields(name)) >= 2:
		return "person"
	}
	return "term"
}

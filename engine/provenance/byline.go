package provenance

import (
	"regexp"
	"strings"
	"unicode"

	"assay/engine/text"
)

// BylineKind says who stands in a byline.
type BylineKind string

// The kinds of bylines. Only the first two name anybody.
const (
	Person  BylineKind = "person"  // somebody, under a name or a pen name
	Group   BylineKind = "group"   // a body under its own name, such as an agency
	Generic BylineKind = "generic" // a desk, a role or an account that could be anybody
	Junk    BylineKind = "junk"    // no name at all: an address, a placeholder
	Nobody  BylineKind = ""        // there is no byline
)

var (
	// addresses are what a template puts where a name was expected.
	addresses = regexp.MustCompile(`(?i)^(?:https?:)?//|^www\.\S+/\S|^[\w.+-]+@[\w-]+\.[\w.]+$|^/\w+/|[{}<>\[\]]{2}|%[a-z_]+%|\$\{`)
	// placeholders are the texts of examples and of empty fields.
	placeholders = regexp.MustCompile(`(?i)^(?:null|nil|undefined|none|n/?a|nan|tba|tbd|test(?:er|user)?|lorem ipsum|name|title|author|unknown(?: author)?|(?:the )?(?:creator|author|user|writer|your|first|full|last|display)(?:'s)? name|(?:author|creator|byline|name)s? (?:goes )?here|anonym(?:ous|us|e)?|unbekannt|inconnu|anónimo|desconocido|不明|未知|佚名|匿名|无名氏|無名)$|\b(?:property|field|metadata|placeholder|variable)\b.*\b(?:author|creator|name)\b|\b(?:author|creator|name)\b.*\b(?:property|field|metadata|placeholder)\b`)
	// desks are groups without a name: whatever stands beside them is the name of the publication.
	desks    = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:staff(?: (?:and|report|news|&).*)?|news ?desk|desk|news ?room|editorial(?: (?:team|staff|board|office|department))?|editors|(?:news|web|content|press|media|social media|communications?|marketing|pr|support|product|blog|research|design|dev|development) team|(?:the )?team|submissions?|contributors|correspondents|reporters|agenc(?:y|ies) report\w*|agencies|news services?(?: reports?)?|wire (?:services?|reports?)|press (?:release|office|service|association release)|guest|community|admin|administrator|web ?master|moderator|(?:super)?user|support|newsletter|online[- ]?redaktion|\p{L}*redaktion(?:steam)?|red|agenturen|presse(?:stelle|mitteilung|team|büro|info|dienst)?|pressestelle|nachrichtenredaktion|autorenteam|gastautor(?:in)?|redacci[oó]n|redazione|r[eé]daction|redac[cç][aã]o|redactie|redakce|redakcja|redaktionen|toimitus|szerkesztőség|équipe|equipo|equipe|comunicado de prensa|agencias|agences|редакция|пресс-служба)(?:$|[^\p{L}])`)
	desksHan = regexp.MustCompile(`编辑部|編集部|小编|小編|本站|本刊|本报讯|本网|编辑|編輯|管理员|管理員|管理者|运营|客服|官方|综合报道|综合|网友|網友|个人|個人|通讯员|记者站|スタッフ|運営|事務局|ニュース|편집부|관리자`)
	// roles belong to one person: beside a name they say what the person does, alone they name nobody.
	roles   = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:(?:senior |chief |managing |associate |assistant |deputy |contributing |guest |news |staff |freelance |special |political |business |science |sports |health |tech(?:nology)? |executive |features? |digital |web |online )*(?:writers?|editors?(?:[- ]in[- ]chief)?|reporters?|correspondents?|contributors?|journalists?|authors?|bloggers?|columnists?|producers?|photographers?|staff|redakteur(?:in)?|autor(?:in)?|auteur|editor|redactor(?:a)?|periodista|journaliste)(?: for| at)?)(?:$|[^\p{L}])`)
	parts   = regexp.MustCompile(`\s*(?:[,;|/•·]|\s(?:and|und|et|y|e|&|[-–—])\s)\s*`)
	account = regexp.MustCompile(`(?i)^\p{L}{0,4}admin\d*$|^(?:user|guest|editor|info|news|press|redaktion|webmaster|post|blog)[\W_]?\d*$`)
	site    = regexp.MustCompile(`^(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.[a-z]{2,12}(?:/\w*)?$`)
	bodies  = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:inc|ltd|llc|gmbh|ag|se|corp|corporation|company|foundation|stiftung|institute?|university|universität|association|verband|ministry|department|agency|agencia|news|times|post|press|media|network|group|council|committee|organi[sz]ation|reuters|afp|dpa|apa|efe|pti|ap|associated press|bbc|cnn|society|centre|center|bank|union)(?:$|[^\p{L}])`)
	by      = regexp.MustCompile(`(?i)^(?:by|von|par|por|di|da|door|av|af|作者|文|撰文)[:：]?\s+`)
)

// KindOfByline tells whether a byline names somebody. It goes by the words of roles and desks in the large languages of the web, by
// the form of addresses and by the placeholders of page templates. A byline in which one part names a person is a person's.
func KindOfByline(byline string) BylineKind {
	s := strings.TrimSpace(by.ReplaceAllString(strings.TrimSpace(byline), ""))
	switch {
	case s == "":
		return Nobody
	case addresses.MatchString(s) || strings.IndexFunc(s, unicode.IsLetter) < 0:
		return Junk
	case placeholders.MatchString(s):
		if strings.Contains(s, " ") && !strings.Contains(strings.ToLower(s), "unknown") {
			return Junk
		}
		return Generic
	case account.MatchString(s):
		return Generic
	}
	best := BylineKind("")
	for _, p := range parts.Split(s, 32) {
		switch k := partKind(strings.TrimSpace(p)); {
		case k == Person:
			return Person
		case k == Generic || best == "":
			best = k
		}
	}
	if best == "" {
		return Junk
	}
	return best
}

// partKind is the kind of one name of a byline.
func partKind(p string) BylineKind {
	if p == "" {
		return ""
	}
	if desksHan.MatchString(p) {
		return Generic
	}
	if roles.MatchString(p) && nameLike(roles.ReplaceAllString(p, " ")) && !groupWord.MatchString(p) {
		return Person
	}
	if desks.MatchString(p) || roles.MatchString(p) {
		return Generic
	}
	if site.MatchString(p) || bodies.MatchString(p) {
		return Group
	}
	return Person
}

// groupWord matches the words of desks that no role takes.
var groupWord = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:team|desk|submissions?|redaktion|redacci[oó]n|rédaction|redazione|news ?room|services?|reports?)(?:$|[^\p{L}])`)

// nameLike reports whether what is left beside a role are the words of a person's name: two to four, each with a capital.
func nameLike(s string) bool {
	n := 0
	for _, w := range strings.Fields(s) {
		r := []rune(strings.Trim(w, ".,()"))
		if len(r) == 0 {
			continue
		}
		if !unicode.IsUpper(r[0]) || len(r) > 3 && strings.ToUpper(w) == w && len(strings.Fields(s)) < 2 {
			return false
		}
		n++
	}
	return n >= 2 && n <= 4 && text.Fold(s) != ""
}

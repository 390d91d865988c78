package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

var sourceauthenticity = &Check{
	ID: "G05", Name: "sourceauthenticity", Title: "SourceAuthenticity", Tier: Grounding, Class: Advisory,
	Scope: acceptedKeys, Eval: evalSourceAuthenticity, Advise: Annotate,
}

// maxAuthentic is how much of a source is searched for what it says of its own making, in bytes.
const maxAuthentic = 1 << 20

// blogHost are platforms on which anybody publishes without a name.
var blogHost = regexp.MustCompile(`(?i)^https?://(?:[\w-]+\.)*(?:blogspot\.[a-z.]+|wordpress\.com|medium\.com|substack\.com|tumblr\.com|livejournal\.com|weebly\.com|wixsite\.com|hatenablog\.com|blog\.csdn\.net|jianshu\.com|zhihu\.com|sohu\.com|baijiahao\.baidu\.com)(?:[:/?#]|$)`)

// aboutMachines is a title of a page that speaks of writing machines and may quote them.
var aboutMachines = regexp.MustCompile(`(?i)\b(?:ai|artificial intelligence|chatbots?|chatgpt|llms?|language models?|gpt-?\d?|generative)\b|人工智能|大模型|语言模型|聊天机器人`)

func evalSourceAuthenticity(v View, k Key) []Hit {
	s, ok := v.source(k.ID)
	if !ok || s.Verdict != research.Verified {
		return nil
	}
	if !aboutMachines.MatchString(s.Title) {
		body := v.Texts[s.SHA256]
		if m := provenance.MachineMark(body[:min(len(body), maxAuthentic)]); m != "" {
			return []Hit{{Where: s.ID, Code: "machine", What: fmt.Sprintf("source %s says of itself that a machine wrote it: %q", s.ID, head(m, 120))}}
		}
	}
	if s.Tier != 1 && blogHost.MatchString(s.Location) && provenance.KindOfByline(s.Byline) != provenance.Person && !namesSomebody(s) {
		return []Hit{{Where: s.ID, Code: "unsigned", What: fmt.Sprintf("source %s is a page of a blog platform that nobody signs (byline %q)", s.ID, s.Byline)}}
	}
	return nil
}

// namesSomebody reports whether publisher or byline of a source is a name of more than one word, an organisation's for one.
func namesSomebody(s research.Source) bool {
	return len(text.Names(s.Publisher)) > 0 && strings.Contains(strings.TrimSpace(s.Publisher), " ")
}

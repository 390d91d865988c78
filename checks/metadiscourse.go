package checks

import (
	"regexp"
	"strings"
)

// A sentence of metadiscourse says what a text is about, or what it is going to do, instead of saying it. It may stand in a source; a report
// that opens with one has not answered.

const (
	metaThing  = `(?:document(?:ation)?|report|article|paper|page|chapter|section|manual|guide|book|text|tutorial|appendix|list|file|web ?site|site|faq|handbook|overview|essay|study|memo|note|post|thread|table|readme|introduction|summary)s?`
	metaVerb   = `(?:describes?|explains?|discuss(?:es)?|covers?|contains?|provides?|presents?|introduces?|summari[sz]es?|explores?|examines?|aims?|will|seeks?|lists?|gives?|shows?|deals?|outlines?|attempts?|tries|tells?|offers?|looks?|answers?|details?|documents?|is (?:about|intended|meant|for|to|an?|the|organi[sz]ed|divided|written|part|not)|was written|are (?:about|intended|meant|for|organi[sz]ed|divided|written)|has (?:been|the)|can be|should be|may be)`
	metaThingZ = `(?:文档|文件|报告|文章|论文|页面|网页|章节|手册|指南|教程|附录|列表|说明|简介|综述|文|章|节|页|书|篇|表)`
)

var metadiscourse = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`(?:in )?(?:this|the present|the following|the rest of this|the remainder of this|these)(?: \w+){0,2} ` + metaThing + `(?: (?:also|briefly|only|then|simply|first|does not|doesn't|do not))* (?:` + metaVerb + `)\b`,
	`(?:the |our )?(?:purpose|aim|goal|scope|intent|intention|object|objective|subject) of (?:this|the present|the) (?:\w+ ){0,2}` + metaThing + `\b`,
	`in (?:this|the present|the following) (?:\w+ ){0,2}` + metaThing + `,? (?:we|you|i|it|the authors?)\b`,
	`(?:here|below|in what follows),? (?:is|are|we|you|i) (?:will )?(?:\w+ )?(?:describe|explain|discuss|present|list|find|give|an? |the )`,
	`(?:we|i) (?:will |shall |now |first |briefly )*(?:describe|discuss|present|explain|outline|introduce|explore|examine|look at)\b`,
	`the documents? (?:that were read )?(?:speaks?|describes?|discuss(?:es)?|covers?)\b`,
	`(?:table of contents|welcome to|about this ` + metaThing + `|read on\b|see (?:also )?(?:below|the following))`,
}, `|`) + `)|^(?:` + strings.Join([]string{
	`(?:在)?(?:本|该|此|这篇|这份|这个|这一|这本|以下)` + metaThingZ + `.{0,8}?(?:介绍|描述|说明|讲述|解释|讨论|探讨|包含|包括|提供|列出|旨在|将|概述|涵盖|阐述|是关于|用于|供|帮助|面向|的目的)`,
	`(?:以下|下面|下文|接下来|首先)(?:是|将|介绍|列出|说明|我们|为)`, `我们(?:将|先|首先)(?:介绍|讨论|说明|探讨|描述)`, `所读文档(?:回应|涉及|介绍)`, `(?:目录|欢迎)`,
}, `|`) + `)`)

// Metadiscourse reports whether a sentence says what a text is about instead of saying something: "This document describes ...".
func Metadiscourse(sentence string) bool {
	s := strings.TrimLeft(strings.TrimSpace(sentence), "“”\"'「『*_ ")
	return metadiscourse.MatchString(s[:min(len(s), 400)]) || rhetoric.MatchString(s[:min(len(s), 400)])
}

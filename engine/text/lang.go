package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

// langSample is how many bytes of a text are looked at: more do not change the answer.
const langSample = 4096

// Lang returns the ISO 639-1 code of the language of s, or "" when it cannot be told. The script decides for Chinese,
// Japanese and Korean; English is told by its function words, so that a short question is enough; the rest by trigrams.
func Lang(s string) string {
	s = clip(s, langSample)
	if l := scriptLang(s); l != "" {
		return l
	}
	words, hits := 0, 0
	for _, t := range Tokens(s) {
		if t.Norm != "" && !isDigit(t.Norm[0]) {
			words++
		}
		if enMarks[t.Norm] {
			hits++
		}
	}
	if words == 0 {
		return ""
	}
	if hits*5 >= words {
		return "en"
	}
	if info := whatlanggo.Detect(s); words >= 4 && info.Confidence >= 0.8 {
		return info.Lang.Iso6391()
	}
	if hits > 0 {
		return "en"
	}
	return ""
}

// enMarks are function words that hardly any other language of the Latin script has.
var enMarks = wordSet(`the of and is are was were what which who whom whose when where why how did does do has have had been be this that these those
	with from by for to it its they their there than then not can could would should will may might if but or into about between after before
	during through many much`)

// scriptLang tells the languages that their script tells; "" for the others.
func scriptLang(s string) string {
	han, kana, hangul, letters := 0, 0, 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if isASCIILetter(byte(r)) {
				letters++
			}
		case unicode.Is(unicode.Han, r):
			han++
		case 0x3041 <= r && r <= 0x30ff:
			kana++
		case 0xac00 <= r && r <= 0xd7a3:
			hangul++
		case unicode.IsLetter(r):
			letters++
		}
	}
	// A Han character says about as much as three letters of a word.
	switch {
	case kana*10 >= han+kana && (kana+han)*3 > letters && kana > 0:
		return "ja"
	case hangul*3 > letters && hangul > han:
		return "ko"
	case han > 0 && han*3 >= letters:
		return "zh"
	}
	return ""
}

// clip returns at most n bytes of s, cut between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

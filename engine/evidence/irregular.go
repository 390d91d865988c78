package evidence

import (
	"strings"

	"assay/engine/text"
)

// irregular maps a form of an irregular verb to its base, so that "did not lose" and "lost" speak of one thing.
var irregular = func() map[string]string {
	out := map[string]string{}
	for _, line := range strings.Split(irregularVerbs, ",") {
		forms := strings.Fields(line)
		for _, f := range forms[1:] {
			out[f] = forms[0]
		}
	}
	return out
}()

// irregularVerbs are base, past and participle, as far as they differ.
const irregularVerbs = `arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began begun, bend bent, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt,
	buy bought, catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, do did done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled,
	fly flew flown, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, hang hung, have had has, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known, lay laid,
	lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, light lit, lose lost, make made, mean meant, meet met, pay paid, prove proven, ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold,
	send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken, spend spent, spin spun, spring sprang sprung, stand stood, steal stole stolen,
	stick stuck, strike struck, swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, weave wove woven, win won,
	wind wound, withdraw withdrew withdrawn, write wrote written, undergo underwent undergone, overcome overcame, undertake undertook undertaken`

// regular returns the words with the stems of irregular verbs put for those of their forms.
func regular(words []word) []word {
	for i, w := range words {
		if base := irregular[w.norm]; base != "" && w.content {
			words[i].stem = text.Stem(base, "en")
		}
	}
	return words
}

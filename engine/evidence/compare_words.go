package evidence

import (
	"strings"

	"assay/engine/text"
)

// kinGroups are words that texts use for each other, a group a line. They are kin, not synonyms: what stands for the one in a
// claim may be worded as the other in a passage.
const kinGroups = `film movie picture feature
actor actress star act perform
born birth bear native
die death dead pass deceased
wife husband spouse marry married marriage wed
child son daughter children kid
parent father mother
brother sister sibling
write writer written author pen
direct director directed
create creator created creation found founder establish develop make invent
begin start commence launch debut
end finish conclude cease
buy purchase acquire acquisition
company firm business corporation enterprise
show series program programme sitcom television tv
song single track record
album record lp
singer vocalist musician artist sing
band group
game match
win victory won winner award earn receive
lose defeat loss lost beat
country nation state
city town
big large great huge
small little tiny
United U.S US USA America American
UK Britain British
movie cinema
job work occupation profession career
live reside home residence
publish release issue
show demonstrate indicate reveal find
increase rise grow growth raise elevate elevated higher upregulate enhance
decrease decline fall drop reduce reduction lower downregulate diminish
cause lead result induce trigger
prevent protect protection prevention avoid
treat treatment therapy therapeutic
disease illness infection
COVID-19 covid coronavirus sars-cov-2 ncov pandemic
mask face-mask respirator covering
patient people person individual subject
doctor physician
vaccine vaccination vaccinate immunization immunize
death mortality fatality die
dangerous danger risk hazard harm harmful
warm warming heat hot temperature
rain rainfall precipitation
cold cool
sea ocean marine
carbon CO2 co2 dioxide
children kid youth young
elderly old older senior
woman women female
man men male
money fund dollar
say state claim tell report announce
use utilize employ
help aid assist
law legislation act bill
war conflict battle
president leader
school university college
student pupil
soccer football
play player
portray role character play
sport athlete
team club
near close
many several multiple numerous various
contain include comprise consist
famous popular well-known
best-selling bestseller
sell sale sold
movie screen
kill murder assassinate
attack assault
join member
name call known
locate situated location
`

// kin maps the stem of a word to those of its kin, in order.
var kin = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range strings.Split(kinGroups, "\n") {
		var stems []string
		for _, w := range strings.Fields(line) {
			stems = append(stems, text.Stem(strings.ToLower(w), "en"))
		}
		for _, a := range stems {
			for _, b := range stems {
				if a != b {
					m[a] = append(m[a], b)
				}
			}
		}
	}
	return m
}()

// kindLists are kinds of which a thing is mostly one, a kind a line: another one in its place speaks against a claim.
const kindLists = `red blue green yellow white black brown purple pink orange grey gray silver golden
american british english french german italian spanish portuguese russian chinese japanese korean indian canadian australian irish scottish welsh dutch swedish norwegian danish finnish polish greek turkish mexican brazilian argentine egyptian israeli african european asian swiss austrian belgian hungarian romanian ukrainian czech pakistani filipino thai vietnamese nigerian
america england france germany italy spain portugal russia china japan korea india canada australia ireland scotland wales netherlands sweden norway denmark finland poland greece turkey mexico brazil argentina egypt israel africa europe asia switzerland austria belgium hungary romania ukraine pakistan philippines thailand vietnam nigeria
alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming
london paris berlin rome madrid moscow beijing tokyo dublin vienna chicago boston detroit houston seattle philadelphia toronto sydney manchester liverpool
rock pop jazz blues country metal punk rap hip-hop classical folk reggae soul opera
comedy drama horror thriller romance romantic western documentary animated science-fiction fantasy musical action
actor singer writer director producer politician lawyer physicist chemist painter footballer wrestler boxer comedian journalist scientist engineer teacher dancer model chef
football basketball baseball hockey tennis golf rugby cricket soccer swimming
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
father mother brother sister son daughter uncle aunt grandfather grandmother husband wife cousin
north south east west
northern southern eastern western
spring summer autumn winter
democrat republican
democratic republican
christian muslim jewish hindu buddhist catholic protestant
guitar piano drums violin bass saxophone trumpet
dog cat horse bird fish
gold silver bronze
morning afternoon evening night
left right
male female
man woman
boy girl
king queen
album song film book novel series game play show
river lake mountain island desert ocean city country
`

// kinds maps a word to the number of its kind; a word of several kinds belongs to the first.
var kinds = func() map[string]int {
	m := map[string]int{}
	for i, line := range strings.Split(kindLists, "\n") {
		for _, w := range strings.Fields(line) {
			if _, ok := m[w]; !ok {
				m[w] = i + 1
			}
		}
	}
	return m
}()

// moreOpposites adds to oppositePairs, for this comparison, pairs that a sentence may hold without being turned round.
const moreOpposites = `dark light, dark joyful, dark bright, failed succeeded, failure success, successful failed, successful unsuccessful, effective ineffective, useful useless, useful ineffective,
	able unable, capable incapable, possible impossible, known unknown, married divorced, married single, alive dead, born died, old young, new old, rich poor, strong weak, hard soft, hard easy,
	difficult easy, fast slow, love hate, like dislike, accept refuse, agree disagree, attack defend, arrive leave, join leave, arrived left, joined left, married unmarried, good bad, bad excellent,
	worst-selling best-selling, worst best, hero villain, protagonist antagonist, teacher student, amateur professional, major minor, public secret, common rare, commonly rarely, often rarely,
	frequently rarely, usually rarely, present absent, enough insufficient, sufficient insufficient, significant insignificant, significant negligible, cheap expensive, safe dangerous, harmless harmful,
	beneficial harmful, benefit harm, healthy sick, protect harm, protect endanger, prevent cause, prevents causes, reduce increase, reduces increases, reduced increased, decline increase, declined increased, lower raise, cooling warming,
	cool warm, cold warm, melt freeze, melting freezing, shrinking growing, thinning thickening, positive negative, innocent guilty, peace war, friend enemy, ally enemy, voluntary mandatory, optional mandatory, legal illegal, upheld overturned,
	praised criticized, praise criticism, acclaimed panned, famous unknown, fictional real, real fake, true false, natural artificial, original copied, live recorded, started ended, begin end, founded dissolved, built destroyed,
	created destroyed, destroyed saved, hired fired, elected defeated, promoted relegated, promoted demoted, majority minority, urban rural, northern southern, inside outside, above below, under over, before after, first last, only also`

var allOpposites = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	put := func(a, b string) {
		if m[a] == nil {
			m[a] = map[string]bool{}
		}
		m[a][b] = true
	}
	for a, list := range opposites {
		for b := range list {
			put(a, b)
		}
	}
	for _, p := range strings.Split(moreOpposites, ",") {
		a, b, _ := strings.Cut(strings.TrimSpace(p), " ")
		a, b = text.Stem(a, "en"), text.Stem(b, "en")
		put(a, b)
		put(b, a)
	}
	return m
}()

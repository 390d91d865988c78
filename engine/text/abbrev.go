package text

// abbreviation says what a full stop after a word means for the sentence.
type abbreviation int

const (
	noAbbrev     abbreviation = iota
	neverLast                 // a title or a word that calls for more: the sentence goes on
	beforeNumber              // the sentence goes on when a number or a capital letter standing alone follows
	maybeLast                 // the sentence ends when the next word looks like a beginning
)

// abbrevs holds the abbreviations in lower case, without the last full stop.
var abbrevs = abbrevTable(map[abbreviation]string{
	neverLast: `dr mr mrs ms messrs mme mlle prof profs st sts gen sen rep gov capt cpt lt col sgt maj cmdr adm rev fr hon pres amb msgr
		e.g eg i.e ie cf viz vs v approx ca c resp incl excl esp aka a.k.a ed eds trans repr dept univ assoc mt ft`,
	beforeNumber: `no nos nr fig figs sec sect vol vols ch chap chaps p pp pg para par art eq eqs ex tab app ver rev def thm prop lem cor ref refs
		ser pt pts bk op n nn § apr aug dec feb jan jul jun mar nov oct sep sept mon tue wed thu fri sat sun version`,
	maybeLast: `etc al inc ltd corp co cos bros llc plc gmbh jr sr esq ph.d phd m.d b.a m.a b.sc m.sc ll.b d.phil u.s u.k u.n e.u u.s.a u.s.s.r d.c n.y l.a
		a.m p.m am pm b.c a.d bc ad s.a s.p.a n.v a.s a.g b.v dist natl intl mfg ave blvd rd hwy ste est min max misc sq cu oz lb lbs`,
})

func abbrevTable(lists map[abbreviation]string) map[string]abbreviation {
	out := map[string]abbreviation{}
	for kind := neverLast; kind <= maybeLast; kind++ {
		for w := range wordSet(lists[kind]) {
			if _, ok := out[w]; !ok {
				out[w] = kind
			}
		}
	}
	return out
}

// starters are words that, capitalised after an abbreviation, show that a new sentence begins.
var starters = wordSet(`the a an this that these those it its they their there he she his her we our you your i in on at by for from with without of
	to as if when while where after before since until because although though however moreover furthermore thus therefore hence but and or so yet
	nor not no some many most all each every both such other another one two three several what which who how why is are was were do does did can
	could may might must shall should will would please note see use then now also only even here today later earlier once during under over between
	according despite unlike like about nevertheless instead meanwhile indeed finally first second third next`)

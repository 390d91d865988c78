package text

import "strings"

// plainCompound reports whether a hyphened lower-case word is ordinary English ("open-source", "well-known") and not the
// name of a program ("debian-installer").
func plainCompound(word string) bool {
	parts := strings.Split(word, "-")
	last := parts[len(parts)-1]
	if last == "" || plainLast[last] || plainFirst[parts[0]] {
		return true
	}
	for _, suffix := range [...]string{"ed", "ing", "ly", "able", "ible", "er", "est", "ful", "less", "ness", "ion", "ions", "ive", "al", "ment"} {
		if len(last) > len(suffix)+2 && strings.HasSuffix(last, suffix) && !programParts[last] {
			return true
		}
	}
	return false
}

// programParts end like ordinary words and are parts of program names.
var programParts = wordSet(`installer builder viewer manager loader server helper launcher`)

var plainFirst = wordSet(`well self non pre post re co anti multi semi sub super inter intra over under mid long short high low open free user built real full new old
	half all ex ever so much once one two three four five six seven eight nine ten first second third fourth fifth twenty thirty forty fifty sixty
	seventy eighty ninety single double triple cross step state day week month year left right top bottom large small early late hard soft
	up down out off on in by to follow hands face home wide world third man third-party read write run stand point end front back bare fine easy ready third part e i x`)

var plainLast = wordSet(`like specific level time term known wide only source sources line lines end free party scale style size sized oriented friendly in out up to of
	the and off on day days year years old month months week weeks hour hours minute minutes first last to-end by side sided way ways bit based related
	aware independent dependent compatible safe proof rate rates mode modes type types use used user users class party quality part parts
	right left hand handed box boxes year-old fold one two three four five six seven eight nine half third quarter quarters law in-law work works
	date service services system systems point points case cases set sets text file files kernel language languages software hardware page pages package packages machine machines`)

// commonStart are ordinary words that often begin a sentence of documentation or of news and that no rule of form catches.
var commonStart = wordSet(`install run edit type click check add set create remove note system software user version package file work research study data people
	make build start stop open close read write copy move choose select enter press find look try keep ensure remember consider change update upgrade
	download configure enable disable apply follow put take give get let tell ask call send show help avoid wait repeat return press reboot restart
	information support access control network server computer machine program process project team group company government country state city
	world market price cost number amount level rate value size time day week month year today tomorrow yesterday history future past current
	new old big small large high low long short early late good bad best better free full whole main major minor common general special different
	similar single double additional further certain several various most least less more fewer total average local global public private
	national international official original final next previous last first second third half part end beginning example question answer problem
	solution reason result effect cause case point fact idea view source text page book paper article report chapter section table figure list
	item name word language english code line command option default disk drive memory device hardware kernel driver image boot root home
	directory folder path link site web internet mail message error warning bug test release branch archive mirror policy license licence
	law right rule order member leader author developer maintainer editor writer person man woman child student teacher worker player
	water food money house room school university hospital police army war peace life death health care energy power light heat air land sea
	nobody everybody everyone somebody nothing everything something anyone thanks please sorry yes okay perhaps maybe sometimes often always never
	together apart once twice again still yet already almost nearly about above below inside outside near beside behind beyond within
	unlike despite regarding concerning following including given provided assuming suppose say see use used using based depending because
	debate demand supply growth trade tax bank share stock sales profit loss risk safety security quality design style type kind sort form shape
	space place area region zone field level layer top bottom front back side left middle centre center core base ground floor
	overall altogether taken seen viewed put said whatever whichever needless suffice granted naturally true one clear likewise conversely simply broadly
	in-between hence thereby whereas regardless notwithstanding alas anyway besides elsewhere everywhere nowhere somewhere`)

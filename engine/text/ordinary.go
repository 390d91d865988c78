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

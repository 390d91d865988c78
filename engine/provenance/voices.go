package provenance

import (
	"slices"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// Voices says who speaks in each of fresh, sources of one run that were opened after those in earlier. As [Voice] it goes by
// the publisher and else by the top folder of a library, with one difference: the documents of a folder that name their authors speak
// with as many voices as they have authors who never wrote together, each called by the first of them.
//
// Independence never grows by a guess. A folder in which any document names no author is one voice, since that document
// may be by any of the others; names with a common last word, however the rest is spelled, are one author; a document that comes
// after its folder was counted joins a voice that is there.
func Voices(earlier, fresh []research.Source) []string {
	out := make([]string, len(fresh))
	folders := map[string][]int{}
	for i, s := range fresh {
		out[i] = s.Voice
		if f := folderOf(s); f != "" {
			folders[f] = append(folders[f], i)
		}
	}
	before := map[string][]research.Source{}
	for _, s := range earlier {
		if f := folderOf(s); f != "" {
			before[f] = append(before[f], s)
		}
	}
	for f, members := range folders {
		var of []research.Source
		for _, i := range members {
			of = append(of, fresh[i])
		}
		named := authors(append(slices.Clone(before[f]), of...))
		for n, i := range members {
			switch known := before[f]; {
			case len(known) > 0:
				out[i] = joined(of[n], known)
			case named != nil:
				out[i] = named[n]
			}
		}
	}
	return out
}

// folderOf is the top folder of a document of a library that names no publisher; empty for any other source.
func folderOf(s research.Source) string {
	if s.Publisher != "" || strings.Contains(s.Location, "://") {
		return ""
	}
	top, rest, below := strings.Cut(s.Location, "/")
	if !below || rest == "" {
		return ""
	}
	return top
}

// authors returns the voice of each document of one folder, nil when a document names nobody. Documents with a common author,
// directly or through others, are one voice.
func authors(docs []research.Source) []string {
	keys := make([][]string, len(docs))
	for i, d := range docs {
		if keys[i] = authorKeys(d.Byline); len(keys[i]) == 0 {
			return nil
		}
	}
	voice := make([]string, len(docs)) // the byline of the first document of each group
	for i := range docs {
		if voice[i] != "" {
			continue
		}
		group := map[string]bool{}
		grew := true
		for grew {
			grew = false
			for j := i; j < len(docs); j++ {
				if voice[j] != "" || j != i && !slices.ContainsFunc(keys[j], func(k string) bool { return group[k] }) {
					continue
				}
				voice[j], grew = docs[i].Byline, true
				for _, k := range keys[j] {
					group[k] = true
				}
			}
		}
	}
	return voice
}

// joined is the voice of a document whose folder was counted before: that of an earlier document with a common author, or
// else of the first one.
func joined(d research.Source, earlier []research.Source) string {
	mine := authorKeys(d.Byline)
	for _, e := range earlier {
		for _, k := range authorKeys(e.Byline) {
			if slices.Contains(mine, k) {
				return e.Voice
			}
		}
	}
	return earlier[0].Voice
}

// sharedName stands for every group that signs: two names of groups need not be two voices.
const sharedName = "team"

// authorKeys returns what tells the authors of a byline apart: the last word of each name, folded; of a Chinese name all of it.
func authorKeys(byline string) []string {
	var out []string
	for _, n := range strings.FieldsFunc(strings.NewReplacer(" and ", ",", " und ", ",", "&", ",", "、", ",", "和", ",", ";", ",", "；", ",", "，", ",").Replace(byline), func(r rune) bool { return r == ',' }) {
		if i := strings.IndexAny(n, "<(["); i >= 0 {
			n = n[:i] // an address or a role
		}
		words := strings.FieldsFunc(text.Fold(n), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' })
		if len(words) == 0 {
			continue
		}
		last := words[len(words)-1]
		switch last {
		case "jr", "sr", "ii", "iii", "phd", "md":
			if len(words) > 1 {
				last = words[len(words)-2]
			}
		case "group", "project", "developers", "authors", "contributors", "maintainers", "committee", "editors":
			last = sharedName
		}
		if len([]rune(last)) > 1 || unicode.Is(unicode.Han, []rune(last)[0]) {
			out = append(out, last)
		}
	}
	return out
}

package text

// Name is a proper name or a name-like term.
type Name struct {
	Text  string
	Norm  string // Fold of Text
	Start int
	End   int
}

// Names returns the names in s.
func Names(s string) []Name {
	var out []Name
	for _, span := range Sentences(s) {
		for i, t := range Tokens(s[span.Start:span.End]) {
			if i > 0 && isUpper(t.Text[0]) && !StopWord(t.Norm, "en") {
				out = append(out, Name{Text: t.Text, Norm: t.Norm, Start: span.Start + t.Start, End: span.Start + t.End})
			}
		}
	}
	return out
}

package evidence

// maxClauses bounds the clauses of a sentence that are tried in runs; a longer sentence is an enumeration and is taken whole.
const maxClauses = 16

// clauseWords open a clause without a mark before them.
var clauseWords = wordSet("but whereas while although though because")

// clauses cuts a sentence at its marks and before the words that open a clause.
func clauses(words []word) [][]word {
	var out [][]word
	start := 0
	for i := 1; i < len(words); i++ {
		// "nothing but" and "cannot but" go on: the negator and its "but" are one.
		if words[i].opens || clauseWords[words[i].norm] && !negators[words[i-1].norm] {
			out = append(out, words[start:i])
			start = i
		}
	}
	if start < len(words) {
		out = append(out, words[start:])
	}
	return out
}

// nearest returns the shortest runs of neighbouring clauses that are [near] a claim: what speaks of the claim in a sentence
// that speaks of more. read gives what is compared of a run. It is empty when the whole sentence is not near.
func nearest[T any](clauses [][]T, claim []string, read func([]T) []string) [][]T {
	run := func(from, to int) []T {
		var out []T
		for _, c := range clauses[from:to] {
			out = append(out, c...)
		}
		return out
	}
	whole := run(0, len(clauses))
	if !near(claim, read(whole)) {
		return nil
	}
	if len(clauses) > maxClauses {
		return [][]T{whole}
	}
	for n := 1; n <= len(clauses); n++ {
		var out [][]T
		for from := 0; from+n <= len(clauses); from++ {
			if r := run(from, from+n); near(claim, read(r)) {
				out = append(out, r)
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

package checks

import (
	"strconv"
	"strings"

	"assay/engine/evidence"
)

var academicidentitymismatch = &Check{
	ID: "G29", Name: "academicidentitymismatch", Title: "AcademicIdentityMismatch", Tier: Grounding, Class: Advisory,
	Scope: lookupKeys, Eval: evalAcademicIdentityMismatch, Advise: Annotate,
}

// lookupKeys returns a key for each reference that was looked up.
func lookupKeys(v View) []Key {
	var keys []Key
	for i := range v.Lookups {
		keys = append(keys, Key{KeyLookup, strconv.Itoa(i)})
	}
	return keys
}

// evalAcademicIdentityMismatch reads what catalogues answered, which was looked up elsewhere and recorded. No answer is no
// verdict.
func evalAcademicIdentityMismatch(v View, k Key) []Hit {
	i, err := strconv.Atoi(k.ID)
	if err != nil || i < 0 || i >= len(v.Lookups) {
		return nil
	}
	l := v.Lookups[i]
	verdict := evidence.JudgeCitation(l)
	if !verdict.Identity || verdict.State != evidence.CitationMismatch && verdict.State != evidence.CitationNotFound {
		return nil
	}
	where := l.Reference.Of
	if where == "" {
		where = k.ID
	}
	return []Hit{{Where: where, Code: string(verdict.State), What: "academic_citation_unverified: " + strings.Join(verdict.Reasons, "; ")}}
}

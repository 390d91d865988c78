// Package evidence judges: does a passage confirm a claim, which sources are one voice, how sure does that make a claim,
// what follows from claims by arithmetic, and which claims cannot both hold.
//
// Start at [Support], the arithmetic of one claim. It stands on [Clusters] (which sources are not independent) and on the
// stances that [Stance] gives with the matchers [MatchQuantities], [MatchDates], [MatchNames], [Polarity] and
// [Direction]. [Derive] makes claims from claims, [Contradictions] sets them against each other, [FindingConfidence] and
// [HypothesisConfidence] carry the result upward.
//
// [Ground] says how well a whole text bears a claim of any length out; it is advice, and never a verdict.
//
// [ReferenceFaults] says what is wrong with a cited work by its own words, [JudgeCitation] what the catalogues' answers make of it (G29).
//
// [Compare] holds any claim against any passage, without a key, and says what speaks for and against it; [CompareNumbers] is its
// part for numbers.
//
// Files: compare.go and its parts (aspects, words, effects, slots, numbers, coefficients), match.go and its parts (matchers), stance.go, ground.go and its parts (reading, measures, model, coefficients, common words), clusters.go and duplicate.go (independence), support.go
// (Eq. 3 and Eq. 7), derive.go (Alg. 3, Eq. 4), contradict.go, exchange.go (two sentences that are one but for what stands in a place),
// stated.go (what a sentence answers), dispute.go (what time makes of a difference) and calibrate.go (the calibration map). Equation numbers are those of the HDRI paper.
//
// Every function is pure: no clock, no randomness, no I/O, and a result that does not depend on the order of its inputs
// unless it says so. All confidences are exact fractions.
//
// Caveats: the package judges by words, numbers, dates and names. It finds a flipped number or a dropped "not" in a
// sentence that stays close to its source; it does not understand a free paraphrase, and answers neutral there.
package evidence

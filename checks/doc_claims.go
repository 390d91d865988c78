/*
Whether claims hold: values, wording, what speaks across sources.

# Check scalemismatch

G10 ScaleMismatch: firm, grounding tier, cap 2 in a row and 3 a run, one key a block. promotions.json has the
measurement.
Catches: million for billion, one currency or unit for another.
Reads: the quantities of a block and of what it rests on.
Rule: a quantity that is not supported, where the source has the same digits at another power of ten, or the same number with
another unit.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: 4.2 billion where the source has 4.2 million; $30 where it has EUR 30.
Silent: "1,200 million" and "1.2 billion"; both values in cited sources.

# Check percentpointconfusion

G11 PercentPointConfusion: advisory, grounding tier, one key a block. Designed to be firm; not measured yet.
Catches: percent for percentage points, and back.
Reads: shares, points, basis points and pairs "from A % to B %" of a block that speaks of a change, and of what it rests on.
Rule: X percent where the source has X points, 100 X basis points, or a pair that lies X points apart and did not grow by X
percent; X points where the source has X percent, or where a cited source tells two shares of two years that grew by X percent.
Repair: none, it is advisory: the block goes to Issues.
Fires: "rose 5%" for "from 20% to 25%"; "50%" for 50 basis points.
Silent: "rose 25%" for "from 20% to 25%"; five points in a game.

# Check numberunsupported

G09 NumberUnsupported: firm, grounding tier, cap 2 in a row and 3 a run, one key a block. Firm where a sentence of the
source is that of the block with another figure in its place; promotions.json has the measurement.
Catches: invented or altered figures.
Reads: the quantities of a block and those of the passages it rests on.
Rule: evidence.MatchQuantities: equal in value, or rounded to the digits printed, or near with a word that says so; years
have no tolerance.
Of another form it is advisory, and the block goes to Issues.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: 4,120 where the passage has 4,210; a figure where the passage has none.
Silent: 181,674,817 as "over $181 million"; "half" for 50%.

# Check dateunsupported

G12 DateUnsupported: firm, grounding tier, cap 2 in a row and 3 a run, one key a block. Firm where a sentence of the
source is that of the block with another date in its place; promotions.json has the measurement.
Catches: shifted years, months and days.
Reads: the dates of a block, those of the passages it rests on, the day their sources were published.
Rule: evidence.MatchDates: each date equals or generalises one of the source, or a relative date of the source resolves to it.
Of another form it is advisory, and the block goes to Issues.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: 2016 where the passage has 2015; a month that the passage does not name.
Silent: "in the 1990s" for 1994; "2015" for 24 November 2015.

# Check dateanachronism

G13 DateAnachronism: hard, grounding tier, cap 2 in a row and 3 a run, one key a block.
Catches: times that cannot be.
Reads: dates with a verb of something done, the clock of the run, when the sources were published, what they say of plans.
Rule: something done at a date after the run; or at a date after the day on which all its sources were published, which is
advisory where one of them prints the date. A state "since" a date is one that began then. Words of a plan, a deadline or a
guess keep it silent.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: "was completed in 2028" in a run of 2026; the result of an election of 2022 at a page of 2019.
Silent: "is expected in 2028"; a source whose day of publication is unknown.

# Check staleascurrent

G14 StaleAsCurrent: advisory, grounding tier, one key a block. Designed to be firm where a newer source contradicts.
Catches: old facts in the present tense.
Reads: words of the present, the days of publication of all cited sources, claims of the same key.
Rule: "currently", "latest" and the like, where the newest cited source is older than 730 days, or 180 for prices, offices and
versions. Whether a newer source gives another value for the key is told.
Repair: none, it is advisory: it is listed under Issues.
Fires: "the current minister is A" at a page of 2021 beside one of 2025 that names B; "latest version" at a page of 2022.
Silent: history in the past tense; "as of 2021".

# Check entityunsupported

G15 EntityUnsupported: advisory, grounding tier, one key a block.
Catches: names that no source has.
Reads: the names of a block, what it rests on, who wrote and published that, the question.
Rule: evidence.MatchNames: a name of two words or more (a Chinese person or organisation of three signs) is missing, or two
names are, after folding, demonyms, acronyms, titles and short forms.
Repair: none, it is advisory: it is listed under Issues.
Fires: a doctor whom no source names; a company under another name.
Silent: "Turkish" where the source says Turkey; "WHO" beside its long name.

# Check subjectdrift

G16 SubjectDrift: advisory, grounding tier, one key a claim. Designed to be firm; not measured yet.
Catches: another person, body or place of the same name.
Reads: the names of the question, title, lead and text of a claim's source, its passage.
Rule: a name of two words or more of the question (the subject, or without one the names in its words) stands nowhere in the source. Whether its last word does is told. Of a Chinese name the first two and the last two signs count.
Repair: none, it is advisory: it is listed under Issues. The subject lock of the engine drops such claims before.
Fires: a question on a chemist, a page on a footballer; a town in another state.
Silent: a passage of pronouns in a page on the subject; a name that stands in the title only.

# Check quotefabricated

G17 QuoteFabricated: advisory, grounding tier, one key a block. Designed to be firm; not measured yet.
Catches: words nobody said.
Reads: quotations of five words or more (ten CJK characters) with a verb of saying near them, and block quotations; the
passages and whole texts of the cited sources.
Rule: case, punctuation, dashes and quotation marks aside, the words stand in no cited source. An ellipsis splits a quotation
into parts that must stand in order; a bracketed insertion stands for at most four words. Titles are left out.
Repair: none, it is advisory: the block goes to Issues with the quotation.
Fires: words in nobody's text; two words changed in a real quotation.
Silent: curly for straight marks; the title of a song.

# Check quotemisattributed

G18 QuoteMisattributed: advisory, grounding tier, one key a block. Designed to be firm; not measured yet.
Catches: a real quotation under the wrong source or speaker.
Reads: quotations of five words or more, the texts of all sources, names (Chinese ones too) beside a verb of saying.
Rule: the words stand in exactly one source, which is not cited; or the source gives them to one name, the block to another, and
that other is not near them.
Repair: none, it is advisory: the block goes to Issues.
Fires: the words of the regulator given to the firm; words of the fourth source at the second.
Silent: a speaker named in the paragraph before; "the spokeswoman" for a name.

# Check negationflip

G19 NegationFlip: firm, grounding tier, cap 2 in a row and 3 a run, one key a block. Firm where a whole sentence of
the source has the same content words and one negation more or less; promotions.json has the measurement.
Catches: "not" dropped or added.
Reads: a block and what it rests on.
Rule: evidence.Polarity: a sentence of the source is close to the claim, one word is negated on one side only, and no close
sentence agrees. Who says so is left out where the claim as it stands is close to nothing.
Of another form it is advisory, and the block goes to Issues.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: "did approve the merger" for "did not approve the merger"; "is safe" for "is not safe".
Silent: "failed to reach" for "did not reach"; two negations.

# Check directionflip

G20 DirectionFlip: firm, grounding tier, cap 2 in a row and 3 a run, one key a block. promotions.json has the
measurement.
Catches: rose for fell, before for after, higher for lower.
Reads: a block and what it rests on.
Rule: evidence.Direction: a sentence of the source is the claim with exactly one word exchanged for its opposite.
Repair: the reader reads the passage again; the second time the block goes to Issues.
At the cap: the block goes to Issues.
Fires: "revenue rose" for "revenue fell"; "before the vote" for "after the vote".
Silent: a comparison turned round; a second sentence that does say "rose".

# Check roleswap

G21 RoleSwap: advisory, grounding tier, one key a block.
Catches: two names exchanged.
Reads: sentences with two names around a listed verb; values beside names in rows and clauses.
Rule: "A bought B" where the source has "B bought A", by and passive read; a value that a row or clause of the source gives to
another name only.
Repair: none, it is advisory: it is listed under Issues.
Fires: "South 41" for a table with North 41 and South 17; "Gamma bought Delta" for "Delta bought Gamma".
Silent: the passive of the same fact; equal values.

# Check hedgedropped

G22 HedgeDropped: advisory, grounding tier, one key a block.
Catches: certainty that the source lacks.
Reads: the sentence of the source closest to each sentence that a writer wrote.
Rule: it is hedged ("may", "suggests", "preliminary"), the written one is not, and states.
Repair: none, it is advisory: the block is labelled unconfirmed.
Fires: "cuts risk" for "may cut risk"; "proves" for "early data suggest".
Silent: "is likely to" for "probably"; a hedge in another sentence.

# Check causalupgrade

G23 CausalUpgrade: advisory, grounding tier, one key a block.
Catches: an association told as a cause.
Reads: the sentence of the source closest to each sentence that a writer wrote.
Rule: it correlates, names no cause and no design that shows one; the written one says what causes.
Repair: none, it is advisory: the block is labelled unconfirmed.
Fires: "causes" for "is linked to"; "drives" for "correlates with".
Silent: a randomised trial; "is associated with".

# Check arithmeticinconsistent

G24 ArithmeticInconsistent: hard, grounding tier, cap 2 in a row and 3 a run, one key a derived claim or a table.
Catches: wrong sums, differences, ratios, growths and intervals; totals that are none; shares of a whole that are not 100 %.
Reads: the rule, basis and value of derived claims; the cells of tables.
Rule: exact recomputation with the declared rule over some quantities or dates of the basis; a column against its total
within the rounding of its digits; a column of shares between 99 and 101 % unless the table speaks of rounding or of several
answers.
Repair: every block that rests on the claim, or the table, goes to Issues.
At the cap: the same.
Fires: 12 + 30 shown as 44; a growth from 20 to 25 shown as 20 %.
Silent: 33.3 three times; a column of medians that says so.

# Check selfcontradiction

G25 SelfContradiction: advisory, grounding tier, one key a report. Designed to be firm; not measured yet.
Catches: two values for one thing in one report.
Reads: the claims of blocks by key, and sentences that are the same but for a value.
Rule: an earlier block rests on a claim of the same key with another value; or is the same sentence with another value. Words of
contrast, another year, and a disagreement that the report prints keep it silent.
Repair: none, it is advisory: it is listed under Issues.
Fires: "12 plants" in the summary, "14 plants" in the body; two years of one launch.
Silent: values of two years; "between 12 and 14".

# Check sourceconflicthidden

G26 SourceConflictHidden: advisory, grounding tier, one key a claim. Designed to be firm; not measured yet.
Catches: sources that disagree where the report shows one side.
Reads: claims by key, their sources, the report and the disagreements it prints.
Rule: evidence.Contradictions between a claim of the draft and a citable one of another voice, which the report names nowhere.
Repair: none, it is advisory: it is listed under Issues.
Fires: 44 % alone where another survey has 31 %; one of two counts.
Silent: both values in the text; a disagreement that is printed as one.

# Check syndicatedcorroboration

G27 SyndicatedCorroboration: hard, resolves itself, grounding tier, cap 1 in a row and 2 a run, one key a block.
Catches: copies counted as voices.
Reads: words that count voices, the confirming clusters of claims, voice, work, copies and texts of their sources.
Rule: "multiple sources", "widely reported" and the like with fewer than two independent sources; or a claim that counts more
than there are.
Repair: the phrase goes, the voices are counted anew.
At the cap: the same.
Fires: one story of an agency on three sites; two pages of one publisher.
Silent: two studies of two groups; a phrase that is the source's own.

# Check verbatimcopy

G28 VerbatimCopy: advisory, grounding tier, one key a section. Designed to be firm; not measured yet.
Catches: sources pasted by a writer, in which hidden orders travel too.
Reads: what a writer wrote outside quotation marks, the texts of its sources. What the extractive channel prints, and a finding
in its own words, is a quotation by its nature.
Rule: 50 words in a row of one source; or, of 120 words or more, three in ten runs of eight.
Repair: none, it is advisory: it is listed under Issues.
Fires: a paragraph of a press release; a section that is half one page.
Silent: a quotation of 60 words in its marks; a definition of 20 words.

# Check academicidentitymismatch

G29 AcademicIdentityMismatch: advisory, grounding tier, one key a lookup. Designed to be firm offline; not measured yet.
Catches: references to works that are not, or not so.
Reads: references with what catalogues said of them, which is looked up elsewhere. Without a catalogue that looked it says
nothing, and the reference is not checked, which the report has to say.
Rule: evidence.JudgeCitation: an identifier leads to another work; or title, year or authors are not those of the work that the
catalogues have, names being compared word by word; or two catalogues looked, or one knows no such identifier, and none has it.
Repair: none, it is advisory: it is listed under Issues as academic_citation_unverified.
Fires: the right DOI with another first author; real authors with a title nobody wrote.
Silent: "et al."; a preprint of 2016 and its paper of 2017.

# Check identifierintegrity

G30 IdentifierIntegrity: hard, resolves itself, grounding tier, cap 1 in a row and 2 a run, one key a block.
Catches: identifiers that were cut or taken for those of another namespace.
Reads: DOI, arXiv, PMID and PMC numbers of a block and of its sources' addresses, titles and texts.
Rule: brackets of a DOI balance, namespaces never mix, and the identifier is one of a source that gives any of that kind. Where
none does it is not checked; [IdentifierCoverage] says how many were.
Repair: the source's identifier takes its place when it is the cut one's whole, else it goes.
At the cap: the same.
Fires: "10.1016/0092-8674(94"; the digits of a PMC number as a PMID.
Silent: a DOI in capitals; one with the full stop of its sentence.

# Check confidenceband

G31 ConfidenceBand: hard, resolves itself, grounding tier, cap 1 in a row and 2 a run, one key a block.
Catches: weak claims stated flatly, and figures that are not those of the claims.
Reads: confidence, band and label of a block, and of its claims by evidence.FindingConfidence.
Rule: a block in the reject band in the body; confidence or band other than recomputed; a block to be verified that bears no
label.
Repair: a rejected block goes to Issues; for any other confidence, band and label are set from its claims.
At the cap: the same.
Fires: 2/5 in the summary; 2/3 without a label.
Silent: an accepted block; a block without claims.

# Check coveragefloors

G32 CoverageFloors: hard, grounding tier, cap 2 in a row and 3 a run, one key a report.
Catches: pools that are thin or one-sided.
Reads: the floors of the depth, voices, origins and criticism among the sources, references by voice.
Rule: provenance.Pool finds a shortfall; a debate cites fewer than two critical voices; advisory, one voice has more than two in
five of five references or more. Not of a closed library: there the shortfall is told.
Repair: gather with the angles not yet asked, criticism and opposition first.
At the cap: what is short is listed under Issues.
Fires: a debate without a critic; a pool below the floor of its depth.
Silent: a survey without critics; a closed library.
*/
package checks

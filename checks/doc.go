/*
Package checks is the bank: deterministic checks over a draft report and the model calls that made it, the queue that
decides which of them acts, and the edits it makes itself. Start at [Step], which is one attempt; [Bank] lists the checks in
priority order and [Select] is the queue.

The package does no I/O, reads no clock, draws no random numbers and logs nothing: the same [View] gives the same [Verdict].

Use: build a View, call Step with a zero [State], do what the verdict's Action asks, take Draft, Sources, Dispatches and
Issues from the returned view, and call Step again with the returned state until the verdict is Over. Before a writer is
called set View.Gate; what a writer may see is what [Citable] and [CitableClaim] let through, and nothing else. Take the
citation marks out of prose with [ParseCitations] first.

Each check below says: what it catches; what it reads; its rule; its repair and what happens when its cap is reached; what
makes it fire and what must not. Thresholds carry their reason where they are declared. A class is earned: an advisory
check never uses up an attempt, and promotions.json holds the measurement behind every firm one.

# Check contextoverflow

C01 ContextOverflow: hard, completion tier, cap 1 in a row and 2 a run, one key a role and task.
Catches: a prompt that filled the window, so that its beginning was cut or no room was left to answer.
Reads: the token counts, the window and the reason of ending of the last call.
Rule: prompt tokens at least the window less 2; or ended for length after at most 2 tokens with next to nothing visible.
Repair: never the same prompt again; the evidence is split by facet, then by source, the least relevant dropped first.
At the cap: the task is salvaged from the ledger.
Fires: 8191 tokens of 8192 and an empty answer; ended for length after 1 token.
Silent: 6000 of 8192 and a short answer; ended for length after 1500 tokens, which is truncatedoutput.

# Check emptyoutput

C02 EmptyOutput: hard, completion tier, cap 2 in a row and 4 a run, one key a role and task.
Catches: nothing visible came back, or all of it was thinking.
Reads: the visible text, the thinking, the schema asked for.
Rule: fewer than 20 characters without spaces (10 of a CJK text) after control tokens are taken out; a JSON answer that is
complete is an answer however short.
Repair: thinking only: the same prompt with thinking off or a larger budget; plain: once more in a fresh context. The second
in a row is salvaged from the ledger, no model involved.
At the cap: salvage.
Fires: ""; two newlines beside 900 characters of thinking.
Silent: an empty list in the shape asked for; an honest sentence that nothing was found.

# Check malformedoutput

C03 MalformedOutput: hard, completion tier, cap 2 in a row and 4 a run, one key a role and task.
Catches: broken or cut JSON, and JSON of another shape.
Reads: the visible text and the schema asked for.
Rule: one surrounding fence aside, the text is not JSON or does not fit the schema (types, required keys, enumerations,
items); unknown keys are allowed.
Repair: when complete elements survive ([CompleteElements]) they are kept and only the unread passages are sent again;
otherwise the task is split. The model is never asked to mend its own JSON.
At the cap: salvage.
Fires: an array cut in its second element; an object that is never closed.
Silent: valid JSON inside a fence; valid JSON with keys nobody asked for.

# Check controltokenleak

C04 ControlTokenLeak: hard, resolves itself, completion tier, cap 1 in a row and 3 a run, one key a role and task.
Catches: reasoning tags, channel tokens of chat templates, residue of citation widgets.
Reads: the visible text, outside code and quotations; citation marks are normalised first.
Rule: think tags, harmony and chat-template tokens, "assistantfinal", a leading "analysis" grown into the next word, oaicite,
turn0search1 and its like, a CJK bracket with a dagger that is no citation.
Repair: the final channel is kept, everything before a lone closing think tag and every token is dropped. What is left may be
too little for emptyoutput, which then fires.
At the cap: salvage.
Fires: "analysisUser wants X.assistantfinalX rose."; a think block before the answer.
Silent: a code block that documents the tag; "The analysis found ...".

# Check emptyevidence

C06 EmptyEvidence: hard, completion tier, cap 2 in a row and 3 a run, one key a facet. A gate before a writer is called.
Catches: a writer asked to write from nothing, which makes it invent.
Reads: the writers about to be called, the citable claims and findings of their facets, the evidence block as rendered.
Rule: nothing citable for the facet, or a block of fewer than 80 characters without spaces (40 when it is CJK).
Repair: gather for that facet with the angles not yet asked.
At the cap: the fixed block that no usable evidence was found, and an entry under Issues. The writer is not called.
Fires: five findings, all flagged; an empty block.
Silent: one citable claim, rendered; a facet for which no writer is about to be called.

# Check truncatedoutput

C08 TruncatedOutput: hard on the reason of ending, advisory on shape, completion tier, cap 2 in a row and 3 a run, one key a
role and task, or a section.
Catches: text that stops in the middle of a sentence.
Reads: the reason of ending; the last line of each section.
Rule: ended for length (and not an overflow, and not complete JSON); or, advisory, the last block is prose that is not the
words of its own claim or passage and ends without a stop, a bracket, a link, or as an item of a list or row of a table.
Repair: the last section again, fresh, with its own findings. Never "continue".
At the cap: salvage.
Fires: "... the committee then decided to"; ended for length after a full stop.
Silent: a section that ends in a link or a row; one that ends in a list.

# Check processnarration

C12 ProcessNarration: firm, resolves itself, completion tier, cap 1 in a row and 3 a run, one key a section.
Catches: working talk in the report: what the writer will search for, that it has enough now, that here is the report.
Reads: the sentences of a section's paragraphs and findings, and the passages they rest on.
Rule: a sentence that begins, after connectives and introductory clauses, with the first person, a word of intent and a verb
of finding or writing (English and Chinese; in the plural only imperatives of searching), or an order to search without a
person, or hands the report over in a short line; and an opening that names the writer's own search ("Based on my research").
Quotations, lists, tables and the words of a source are left out, openings also where the question is about searching.
Repair: the sentence is cut, of an opening only the opening; a block of which nothing is left goes. When more than 40 % of a
section goes and something citable exists for it, it is written again.
At the cap: the same.
Fires: "Now let me look for price data:"; "I'll compile the final report."; "让我继续搜索更多资料：".
Silent: "Let us denote by n the number of ships."; an interviewee's quoted "let me look"; "我们可以总结如下几点：".

# Check emptysection

C14 EmptySection: hard, completion tier, cap 1 in a row and 2 a run, one key a section.
Catches: a heading with nothing under it.
Reads: the sections, and what is citable for their facets.
Rule: fewer than 20 characters without spaces (10 when they are CJK) and neither a table, nor a quotation, nor a finding that
rests on a claim.
Repair: the section is written again when something citable exists for it, otherwise its heading goes.
At the cap: the heading goes.
Fires: a section without blocks; one whose only block is "-".
Silent: a section with one sentence; a section with a table.

# Check citationindexrange

G01 CitationIndexRange: hard, resolves itself when it is one, grounding tier, cap 2 in a row and 3 a run, one key a section.
Catches: references to sources that do not exist, citations of passages that do not exist or belong to no cited source.
Reads: references and citations of every block, the sources and their passages.
Rule: membership in the set of ids, which has gaps; never a comparison with a length.
Repair: one bad reference is dropped; two or more in a section mean that the section is written again.
At the cap: they are dropped. A block left without references is uncitedclaim's.
Fires: a source id that was never given out; a passage of a source the block does not refer to.
Silent: "[2019]" in a title, because references are structured; two references that both exist.

# Check unfetchedurl

G02 UnfetchedURL: hard, resolves itself, grounding tier, cap 1 in a row and 3 a run, one key a block.
Catches: invented or mangled addresses.
Reads: whatever looks like an address in the text, the sources with text, the question, the passages cited.
Rule: its canonical form is neither that of an opened source with text nor in the question, and no cited passage prints it.
Repair: the address is stripped; a reference is added when exactly one opened source shares its host and first two path
segments.
At the cap: the same.
Fires: a plausible page that was never opened; a placeholder host.
Silent: an opened page with tracking parameters; an address from the question; one that the cited passage prints.

# Check flaggedsourcecited

G03 FlaggedSourceCited: hard, resolves itself, grounding tier, cap 1 in a row and 2 a run, one key a block.
Catches: use of a source, claim or finding that was already excluded. It also means that exclusion leaked into a prompt.
Reads: verdicts of sources, flags of claims and findings, references.
Rule: a reference to a source that is not verified, a claim that [CitableClaim] refuses, a finding with a flag.
Repair: it is dropped; the block survives on its other references and claims, without any it goes to Issues.
At the cap: the same.
Fires: a reference to a page that is gone; a block whose claim was flagged.
Silent: the same words on another source; a rejected source that nothing cites.

# Check unusablesource

G04 UnusableSource: hard, grounding tier, cap 1 in a row and 2 a run, one key a source.
Catches: error pages, bot walls and empty shells taken for evidence.
Reads: location, title and text of accepted sources.
Rule: a page from the web with fewer than 300 characters without spaces (150 when it is CJK), a file without any; or words of
an error page in title or lead and fewer than 1500 characters.
Repair: the source is marked reject_dead and listed under Issues; flaggedsourcecited then drops what cites it.
At the cap: the same.
Fires: "Just a moment..."; "404 Not Found" in a page of a few lines.
Silent: a long page about the 404 status; a press notice of 400 characters.

# Check uncitedclaim

G06 UncitedClaim: advisory, grounding tier, one key a section. Designed to be firm for numbers; not measured yet.
Catches: claims with no reference.
Reads: blocks, references, quantities, dates, quotations, names.
Rule: a sentence with a quantity (small bare counts aside) or a date in a block without references and without a derived
claim; sentences with a quotation, a superlative or a report when more than a fifth of the check-worthy ones lack references.
Repair: none, it is advisory: the block goes to Issues with the sentence.
Fires: "Exports fell 12% in 2021." with no reference; a section of reports with one reference.
Silent: "This section compares three approaches."; a sum with its basis.

# Check numberunsupported

G09 NumberUnsupported: advisory, grounding tier, one key a block. Designed to be firm; promotions.json says what was measured
and how far it is from the bar.
Catches: invented or altered figures.
Reads: the quantities of a block and those of the passages it rests on.
Rule: evidence.MatchQuantities: equal in value, or rounded to the digits printed, or near with a word that says so; years
have no tolerance.
Repair: none, it is advisory: the block goes to Issues with the figure.
Fires: 4,120 where the passage has 4,210; a figure where the passage has none.
Silent: 181,674,817 as "over $181 million"; "half" for 50%.

# Check dateunsupported

G12 DateUnsupported: advisory, grounding tier, one key a block. Designed to be firm; see promotions.json.
Catches: shifted years, months and days.
Reads: the dates of a block, those of the passages it rests on, the day their sources were published.
Rule: evidence.MatchDates: each date equals or generalises one of the source, or a relative date of the source resolves to it.
Repair: none, it is advisory: the block goes to Issues with the date.
Fires: 2016 where the passage has 2015; a month that the passage does not name.
Silent: "in the 1990s" for 1994; "2015" for 24 November 2015.

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
*/
package checks

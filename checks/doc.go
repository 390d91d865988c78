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

# Check unclosedmarkup

N01 UnclosedMarkup: advisory, normaliser tier, one key a block. An edit before anything is judged; it never blocks.
Catches: a fence that is never closed and swallows what follows, odd strong marks, short rows of a table, raw tags of HTML.
Reads: the text of blocks that are not the words of their own claim or passage.
Rule: a fence opened and not closed; an odd number of strong marks in a paragraph; fewer bars in a row than in the first; a
tag that a page would draw. Code is left alone, and so is a name in angle brackets that is no tag.
Repair: the fence is closed, the odd mark taken out, the row padded, the tag dropped.
Fires: "```go" that is never closed; "**bold" without an end.
Silent: a closed fence; "2 ** 3".

# Check duplicatesection

N02 DuplicateSection: advisory, normaliser tier, one key a block. An edit before anything is judged; it never blocks.
Catches: the same paragraph or section twice.
Reads: blocks of 120 characters or more (60 of CJK), the summary and tables aside.
Rule: runs of five words, as a set, are the same by 0.8 (Jaccard), and the later block has no source and no claim that the
earlier has not: the same words from another source are a second voice.
Repair: the later one goes.
Fires: a pasted paragraph; a section that stands twice.
Silent: the heading "Overview" in two places; the same sentence from two publishers.

# Check promptecho

N03 PromptEcho: advisory, normaliser tier, one key a block. An edit before anything is judged; it never blocks.
Catches: the instruction of a call, printed in the report.
Reads: the prompts of the calls, their evidence, the question, what a block rests on.
Rule: a run of 25 words that a prompt has and neither the question nor the evidence.
Repair: the run is taken out; a block of nothing else goes.
Fires: "You are the writer of one section. Write ..."; the list of rules.
Silent: the question restated; evidence quoted.

# Check fillerpadding

N04 FillerPadding: advisory, normaliser tier, one key a section. It marks, and edits nothing.
Catches: paragraphs that say nothing.
Reads: blocks without claim, reference, number or name.
Rule: more than one of them in a section; or more than a quarter of the words of a section of 40 words or more.
Repair: none; what was found is listed under Issues.
Fires: two closing paragraphs of the kind "in conclusion, this is a complex topic"; a section made of them.
Silent: one note on method; a definition with a reference.

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

# Check toolcallnarration

C05 ToolCallNarration: advisory, completion tier, one key a role and task. Designed to be firm; not measured yet.
Catches: a call of a tool printed as text, a plan of what to do, prose where the object of a schema was due. No role calls
tools here.
Reads: the visible text and the schema asked for.
Rule: the answer does not fit its schema and is shaped like a call; or is shorter than 600 characters and says in the first
person that it is about to do something; or is prose without any object.
Repair: none, it is advisory: it is listed under Issues. What is broken about the answer is malformedoutput's to mend.
Fires: write_file{"path": "findings.md"} as text; "I will now write the findings."
Silent: the object that was asked for; a role that was asked for prose.

# Check emptyevidence

C06 EmptyEvidence: hard, completion tier, cap 2 in a row and 3 a run, one key a facet. A gate before a writer is called.
Catches: a writer asked to write from nothing, which makes it invent.
Reads: the writers about to be called, the citable claims and findings of their facets, the evidence block as rendered.
Rule: nothing citable for the facet, or a block of fewer than 80 characters without spaces (40 when it is CJK).
Repair: gather for that facet with the angles not yet asked.
At the cap: the fixed block that no usable evidence was found, and an entry under Issues. The writer is not called.
Fires: five findings, all flagged; an empty block.
Silent: one citable claim, rendered; a facet for which no writer is about to be called.

# Check degeneraterepetition

C07 DegenerateRepetition: advisory, completion tier, one key a role and task, or a section. Designed to be firm; not measured yet.
Catches: loops.
Reads: the strings of an answer, the text of a section that a writer wrote; rows of tables are left out.
Rule: a fifth of the runs of eight words (20 characters of CJK) were there before; or the last 1500 bytes compress to less than
a fifth; or one sentence of six words or more stands four times in succession.
Repair: none, it is advisory: it is listed under Issues.
Fires: one paragraph twelve times; "is in is in is in" to the end.
Silent: a table with a unit in every row; a refrain that stands three times apart.

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

# Check refusaltext

C09 RefusalText: advisory, completion tier, one key a role and task, or a block. Designed to be firm; not measured yet.
Catches: refusals, and disclaimers of what a model knows.
Reads: what an answer or a block says in its own words, and what the block rests on.
Rule: a refusal in the first 400 or last 300 characters, a disclaimer anywhere, unless the cited source holds the same words.
Repair: none, it is advisory: the block goes to Issues.
Fires: "I'm sorry, but I can't help with that."; "As of my last update".
Silent: a chatbot's reply that is quoted; "The agency refused to comment."

# Check wronglanguage

C10 WrongLanguage: advisory, completion tier, one key a section. Designed to be firm; not measured yet.
Catches: a report that slips into another language.
Reads: the language of the report, the letters of a section by script, its function words. Quotations, addresses and what
stands in brackets are left out.
Rule: more than a tenth of the letters of an English text are of another script; fewer than three in ten of a Chinese one are
Chinese; or a text of 40 words or more is told to be in another language of the same script.
Repair: none, it is advisory: it is listed under Issues.
Fires: two Chinese paragraphs in an English report; a German section.
Silent: the Chinese name of a company in brackets; a French quotation.

# Check placeholdertext

C11 PlaceholderText: hard, completion tier, cap 2 in a row and 3 a run, one key a block.
Catches: parts of a template that were never filled in, and hosts that stand for none.
Reads: the text and addresses of a block, what it rests on, the question.
Rule: "[insert ...]", "[TODO]", "will be added here" in brackets, lorem ipsum, "{{name}}", "(Author, Year)", hosts of RFC 2606;
unless a link follows the bracket, or a cited source or the question holds the very words.
Repair: the block is written again.
At the cap: its sentence goes and is noted under Issues.
Fires: "[Insert market size here]"; "(Author, Year)".
Silent: "[12]"; "[the company] said" in a quotation.

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

# Check missingfacet

C13 MissingFacet: advisory, completion tier, one key a facet. Designed to be firm; not measured yet.
Catches: parts of the question that the report leaves out although something was found for them.
Reads: the facets, the sections that say they answer them, what is citable.
Rule: something is citable for the facet and no section answers it, or its section cites nothing, or it has one finding and
fewer than half of the facet's own words.
Repair: none, it is advisory: it is listed under Issues, and the table of coverage shows the gap.
Fires: costs and safety were asked, there is no section on safety; a section on safety of one line without a reference.
Silent: two facets answered in one section that names both; a facet for which nothing was found.

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
*/
package checks

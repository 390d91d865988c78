// Package text reads natural language, English and Chinese, without a model: words, sentences, numbers, names, quotations,
// addresses, and how alike two texts are.
//
// Start at [Sentences] and [Terms] for retrieval, at [Quantities] and [Names] for checking. Every function is pure,
// deterministic and safe for concurrent use. Offsets are bytes into the string that was given, and the slice between Start
// and End is exactly the Text of the result. Input may be hostile: invalid UTF-8 is read as single unknown characters, and no
// function is worse than O(n log n) in the length of its input.
//
// Files: fold.go (normal form), tokens.go and terms.go (words, stems, stop words), sentences.go and abbrev.go (sentences),
// lang.go, quantity*.go and units.go (numbers), names.go and ordinary.go (names), url.go, prose.go (quotations, prose of a
// Markdown text), similar.go (containment, shingles, SimHash).
//
// Caveats: the rules know English and Chinese; other languages are cut into words and sentences but not stemmed, and their
// number words are not read.
package text

// Package research holds the nouns of Assay: what was asked, what was read, what was claimed, what was concluded.
//
// Start at [Request] (a question comes in) and [Digest] (a report goes out). The values between them are, in the order in
// which the engine makes them: [Understanding], [Hypothesis], [Plan], [Source] with its [Passage] list, [Claim] with its
// [Evidence], [Finding], [Gap], [Coverage]. The types that cross an interface a consumer declares are here too: [Call],
// [Answer], [Limits], [Query], [Hit], [Document], [Event].
//
// The package does no I/O and imports nothing of Assay's.
//
// Identifiers are plain strings, made from content (see [ID]), so that they are the same in every run over the same
// material. Offsets are bytes of the UTF-8 clean text of a source. Computed numbers are exact: see [Ratio].
package research

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// SchemaVersion is the version of the record and of the digest. A record of another version opens, audits and renders,
// but is not resumed.
const SchemaVersion = 1

// SHA256 returns the lower-case hex digest of text, 64 characters.
func SHA256(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// ID makes a stable identifier: prefix, then 12 hex digits of the hash of the parts, which are separated by a zero byte.
// The same parts give the same identifier in every run.
func ID(prefix string, parts ...string) string {
	return prefix + SHA256(strings.Join(parts, "\x00"))[:12]
}

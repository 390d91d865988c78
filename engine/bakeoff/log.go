package bakeoff

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// Entry is one line of the changelog: a verdict, the news that one verdict supersedes another, or that the data on which verdicts
// rest were removed.
type Entry struct {
	ID      string   `json:"id"`
	At      string   `json:"at"`      // RFC 3339
	Bakeoff string   `json:"bakeoff"` // id of the bake-off whose trials it rests on or that were removed; empty for a supersession
	Verdict *Verdict `json:"verdict,omitempty"`
	// Supersedes is the id of the entry that no longer stands, Retest that of the verdict that corrects it.
	Supersedes string `json:"supersedes,omitempty"`
	Retest     string `json:"retest,omitempty"`
	Reason     string `json:"reason,omitempty"`
	// Removed says that the trials of the bake-off and the records of their runs were removed. Its verdicts stay.
	Removed bool `json:"removed,omitempty"`
	// Prev is the hash of the line before, so that no line can be changed or taken out without breaking what follows.
	Prev string `json:"prev"`
}

// Bounds of a changelog that is read.
const (
	maxLine   = 1 << 20 // bytes
	maxLog    = 64 << 20
	maxReason = 1000 // characters
)

// Log is the changelog. The zero value is an empty one. It is only added to.
type Log struct {
	entries []Entry
	hashes  []string
	raw     []byte
	at      map[string]int // id -> index
	gone    map[string]int // id of a verdict -> index of the entry that supersedes it
	judged  map[string]int // id of a bake-off -> index of its first verdict
	removed map[string]int // id of a bake-off -> index of the entry that says its data were removed
}

// line is an entry with the hash by which the next line and the bake-offs name it.
type line struct {
	Hash  string          `json:"hash"`
	Entry json.RawMessage `json:"entry"`
}

// lineOf is the one form in which a line is written. A reader compares with it: a decoder takes keys in any case and order,
// keys twice and any space between, and a line would so be changed unseen.
func lineOf(hash string, entry []byte) []byte {
	return fmt.Appendf(nil, `{"hash":%q,"entry":%s}`+"\n", hash, entry)
}

// DamagedError says which line of a changelog does not hold.
type DamagedError struct {
	Line int // from 1
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("changelog of verdicts, line %d: %s: put back a copy of the file, or keep it aside to begin a new one", e.Line, e.Why)
}

// ReadLog reads a changelog and checks its chain. On a [*DamagedError] the log holds the lines before the damage.
func ReadLog(r io.Reader) (Log, error) {
	var l Log
	br := bufio.NewReader(io.LimitReader(r, maxLog+1))
	for n := 1; ; n++ {
		text, err := readLine(br)
		if err == io.EOF && len(text) == 0 {
			return l, nil
		}
		bad := func(why string) (Log, error) { return l, &DamagedError{n, why} }
		switch {
		case errors.Is(err, errLong):
			return bad(fmt.Sprintf("it is longer than %d bytes", maxLine))
		case err == io.EOF:
			return bad("its end is missing")
		case err != nil:
			return l, fmt.Errorf("read the changelog of verdicts: %w", err)
		case len(l.raw)+len(text) > maxLog:
			return bad(fmt.Sprintf("the file is longer than %d bytes", maxLog))
		}
		var ln line
		if err := strict(text, &ln); err != nil || !bytes.Equal(text, lineOf(ln.Hash, ln.Entry)) {
			return bad("it is no entry of a changelog")
		}
		var e Entry
		if err := json.Unmarshal(ln.Entry, &e); err != nil {
			return bad("it holds no entry that can be read")
		}
		if e.Prev != l.head() {
			return bad("the line before it was changed, taken out or put elsewhere")
		}
		if ln.Hash != hashOf(ln.Entry) {
			return bad("it was changed after it was written")
		}
		if why := l.refuse(e); why != "" {
			return bad(why)
		}
		l.put(e, ln.Hash, text)
	}
}

// put adds a line that was found good.
func (l *Log) put(e Entry, hash string, text []byte) {
	if l.at == nil {
		l.at, l.gone, l.judged, l.removed = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	}
	i := len(l.entries)
	l.at[e.ID] = i
	switch _, known := l.judged[e.Bakeoff]; {
	case e.Supersedes != "":
		l.gone[e.Supersedes] = i
	case e.Removed:
		l.removed[e.Bakeoff] = i
	case !known:
		l.judged[e.Bakeoff] = i
	}
	l.entries, l.hashes, l.raw = append(l.entries, e), append(l.hashes, hash), append(l.raw, text...)
}

var errLong = errors.New("line too long")

// readLine returns a line with its end. At the end of the input it returns what is left and io.EOF.
func readLine(br *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := br.ReadSlice('\n')
		if out = append(out, part...); len(out) > maxLine {
			return out, errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
	}
}

// strict reads one JSON value without unknown fields and with nothing behind it.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something stands behind it")
	}
	return nil
}

func hashOf(entry []byte) string {
	h := sha256.Sum256(entry)
	return hex.EncodeToString(h[:])
}

// head is the hash of the last line, "" of an empty log.
func (l Log) head() string {
	if len(l.hashes) == 0 {
		return ""
	}
	return l.hashes[len(l.hashes)-1]
}

// refuse says what makes an entry impossible after those there are; "" when nothing does.
func (l Log) refuse(e Entry) string {
	_, taken := l.Find(e.ID)
	switch {
	case e.ID == "" || taken:
		return "its id is empty or taken"
	case !e.oneThing():
		return "it must hold one of a verdict, a supersession and a removal"
	case e.Supersedes != "":
		return l.refuseSupersession(e)
	case e.Retest != "" || e.Reason != "":
		return "a verdict or a removal has no retest and no reason of that kind"
	}
	_, judged := l.judged[e.Bakeoff]
	_, removed := l.removed[e.Bakeoff]
	switch {
	case removed:
		return fmt.Sprintf("the data of bake-off %s were removed before", e.Bakeoff)
	case e.Removed && !judged:
		return fmt.Sprintf("there is no verdict of bake-off %q", e.Bakeoff)
	}
	return ""
}

// oneThing reports whether an entry tells one thing.
func (e Entry) oneThing() bool {
	n := 0
	for _, is := range []bool{e.Verdict != nil, e.Supersedes != "", e.Removed} {
		if is {
			n++
		}
	}
	return n == 1
}

func (l Log) refuseSupersession(e Entry) string {
	old, ok := l.Find(e.Supersedes)
	if !ok || old.Verdict == nil {
		return fmt.Sprintf("there is no verdict %q to supersede", e.Supersedes)
	}
	re, ok := l.Find(e.Retest)
	switch {
	case !ok || re.Verdict == nil:
		return fmt.Sprintf("there is no verdict %q to be the retest", e.Retest)
	case e.Supersedes == e.Retest || l.index(e.Retest) < l.index(e.Supersedes):
		return "the retest must be a later verdict than the one it corrects"
	case re.Verdict.Candidate.Model != old.Verdict.Candidate.Model || re.Verdict.Role != old.Verdict.Role:
		return "the retest is of another model or role"
	case strings.TrimSpace(e.Reason) == "":
		return "a supersession needs a reason"
	case utf8.RuneCountInString(e.Reason) > maxReason:
		return fmt.Sprintf("the reason is longer than %d characters", maxReason)
	}
	if by, gone := l.Superseded(e.Supersedes); gone {
		return fmt.Sprintf("verdict %s was superseded already, by entry %s", e.Supersedes, by.ID)
	}
	return ""
}

func (l Log) index(id string) int {
	if i, ok := l.at[id]; ok {
		return i
	}
	return -1
}

// Entries returns all entries, oldest first.
func (l Log) Entries() []Entry { return append([]Entry{}, l.entries...) }

// Bytes returns the changelog as its file: a line of JSON an entry.
func (l Log) Bytes() []byte { return bytes.Clone(l.raw) }

// Hash returns the hash of an entry's line; "" when there is no such entry.
func (l Log) Hash(id string) string {
	if i := l.index(id); i >= 0 {
		return l.hashes[i]
	}
	return ""
}

// Find returns the entry with this id.
func (l Log) Find(id string) (Entry, bool) {
	if i := l.index(id); i >= 0 {
		return l.entries[i], true
	}
	return Entry{}, false
}

// Superseded returns the entry by which a verdict no longer stands, if there is one.
func (l Log) Superseded(id string) (Entry, bool) {
	if i, ok := l.gone[id]; ok {
		return l.entries[i], true
	}
	return Entry{}, false
}

// Removed returns the entry that says that the data of a bake-off were removed, if there is one.
func (l Log) Removed(bakeoff string) (Entry, bool) {
	if i, ok := l.removed[bakeoff]; ok {
		return l.entries[i], true
	}
	return Entry{}, false
}

// Judged reports whether the log holds a verdict of a bake-off.
func (l Log) Judged(bakeoff string) bool {
	_, ok := l.judged[bakeoff]
	return ok
}

// AddVerdict returns the log with a verdict added, and the entry. at is the time in RFC 3339.
func (l Log) AddVerdict(at, bakeoff string, v Verdict) (Log, Entry, error) {
	return l.add(Entry{At: at, Bakeoff: bakeoff, Verdict: &v})
}

// Supersede returns the log with the news added that verdict id gives way to the later verdict retest, and the entry. The
// error says in a sentence why that cannot be.
func (l Log) Supersede(at, id, retest, reason string) (Log, Entry, error) {
	return l.add(Entry{At: at, Supersedes: id, Retest: retest, Reason: strings.Join(strings.Fields(strings.ToValidUTF8(reason, "\uFFFD")), " ")})
}

// Remove returns the log with the news added that the data of a bake-off were removed, and the entry. No verdict is changed.
func (l Log) Remove(at, bakeoff string) (Log, Entry, error) {
	return l.add(Entry{At: at, Bakeoff: bakeoff, Removed: true})
}

// add puts an entry behind the others. The log it returns shares nothing with l that either would change.
func (l Log) add(e Entry) (Log, Entry, error) {
	e.Prev = l.head()
	b, err := json.Marshal(e)
	if err != nil {
		return l, e, fmt.Errorf("changelog of verdicts: %w", err)
	}
	e.ID = research.ID("v", string(b), fmt.Sprint(len(l.entries)))
	if why := l.refuse(e); why != "" {
		return l, e, errors.New(why)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return l, e, fmt.Errorf("changelog of verdicts: %w", err)
	}
	raw := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	text := lineOf(hashOf(raw), raw)
	if len(text) > maxLine || len(l.raw)+len(text) > maxLog {
		return l, e, fmt.Errorf("the entry is %d bytes long, and the changelog takes lines of %d and %d in all", len(text), maxLine, maxLog)
	}
	out := Log{entries: l.Entries(), hashes: slices.Clone(l.hashes), raw: bytes.Clone(l.raw),
		at: maps.Clone(l.at), gone: maps.Clone(l.gone), judged: maps.Clone(l.judged), removed: maps.Clone(l.removed)}
	out.put(e, hashOf(raw), text)
	return out, e, nil
}

package document

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

var xmlEncoding = regexp.MustCompile(`(?i)^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9_.:-]{2,40})["']`)

// decode returns data as UTF-8. The encoding is, in this order: the byte order mark; the label of the HTTP header; for
// HTML the meta element or the XML declaration; UTF-8 when the bytes are valid UTF-8; what the statistics of the bytes
// suggest; windows-1252. A label is overruled by the bytes in one case: they are valid UTF-8 with characters outside ASCII,
// which text in another encoding is almost never.
func decode(data []byte, label string, isHTML bool) string {
	if e, n := byMark(data); e != nil {
		return decodeAs(data[n:], e)
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		data = data[3:]
	}
	if utf8.Valid(data) && !escapes(data) {
		return string(data)
	}
	if label == "" && isHTML {
		label = labelInside(data)
	}
	if e := byLabel(label); e != nil {
		return decodeAs(data, e)
	}
	return decodeAs(data, guess(data))
}

// byMark returns the encoding that a byte order mark names and the length of the mark. UTF-8 is not among them: the caller
// keeps such bytes as they are.
func byMark(data []byte) (encoding.Encoding, int) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	}
	return nil, 0
}

// escapes reports whether ASCII bytes are ISO-2022-JP, whose text is in escape sequences.
func escapes(data []byte) bool {
	head := data[:min(len(data), 64<<10)]
	return bytes.Contains(head, []byte("\x1b$B")) || bytes.Contains(head, []byte("\x1b$@"))
}

func labelInside(data []byte) string {
	head := data[:min(len(data), 4096)]
	if m := xmlEncoding.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	// DetermineEncoding reads the meta elements of the first 1024 bytes; its certain result is a declaration.
	if _, name, certain := charset.DetermineEncoding(head, ""); certain {
		return name
	}
	return ""
}

// byLabel returns nil for an unknown label and for UTF-8, which the bytes are known not to be.
func byLabel(label string) encoding.Encoding {
	e, name := charset.Lookup(strings.TrimSpace(label))
	switch name {
	case "", "utf-8", "replacement", "x-user-defined":
		return nil
	case "gbk", "gb18030":
		return simplifiedchinese.GB18030 // a superset of gb2312 and gbk, which are mislabelled for each other
	}
	return e
}

// guess returns the encoding that the statistics of the bytes suggest.
func guess(data []byte) encoding.Encoding {
	if mostlyUTF8(data) {
		return unicode.UTF8
	}
	r, err := chardet.NewTextDetector().DetectBest(nonASCII(data, 64<<10))
	if err != nil || r == nil || r.Confidence < 10 {
		return charmap.Windows1252
	}
	if strings.HasPrefix(r.Charset, "ISO-8859-1") || strings.HasPrefix(r.Charset, "UTF-") {
		return charmap.Windows1252
	}
	if strings.HasPrefix(r.Charset, "GB") {
		return simplifiedchinese.GB18030
	}
	if e := byLabel(r.Charset); e != nil {
		return e
	}
	return charmap.Windows1252
}

// mostlyUTF8 reports whether the bytes are UTF-8 with a few broken places: more good multi-byte characters than bad bytes.
func mostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(data) && i < 1<<20; {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	return good > 4*bad
}

// nonASCII returns up to n bytes of the lines that have bytes outside ASCII: the rest says nothing about the encoding, and
// a long English head would hide it.
func nonASCII(data []byte, n int) []byte {
	var out []byte
	for len(data) > 0 && len(out) < n {
		line := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line = data[:i+1]
		}
		data = data[len(line):]
		for _, b := range line {
			if b >= utf8.RuneSelf {
				out = append(out, line[:min(len(line), n)]...)
				break
			}
		}
	}
	return out
}

// decodeAs never fails: bytes that do not fit become U+FFFD.
func decodeAs(data []byte, e encoding.Encoding) string {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

// Bounds of what is taken for text. Random bytes have a control character among ten in every single-byte encoding, and more places that
// fit none in the others; text has hardly any.
const (
	textHead    = 64 << 10 // bytes of the decoded text that are looked at
	leastStrays = 3        // fewer say nothing
	strayShare  = 32       // one character in so many may be stray
)

// notText says why decoded bytes are no text, by the share of control characters and of bytes that no encoding explained; "" when they are.
// Tabs, ends of lines, form feeds, the backspaces of overstruck print, escapes and the marks of info nodes are of text.
func notText(s string) string {
	strays, all := 0, 0
	for i, r := range s {
		if i >= textHead {
			break
		}
		all++
		switch {
		case strings.ContainsRune("\t\n\v\f\r\b\x1b\x1f", r):
		case r < ' ', r == 0x7f, r == utf8.RuneError, 0x80 <= r && r <= 0x9f && r != 0x85:
			strays++
		}
	}
	if strays < leastStrays || strays*strayShare < all {
		return ""
	}
	return fmt.Sprintf("is not text: %d of its first %d characters are control characters or of no encoding; if it is a document of another kind, give it the ending of its format", strays, all)
}

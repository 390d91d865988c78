package text

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// maxURL is the longest address that is accepted, in bytes; servers and browsers stop between 2,000 and 8,000.
const maxURL = 8000

// CanonicalURL returns the one spelling of a web address under which two links to the same page are equal: lower-case scheme
// and host (IDNA as ASCII), no default port, no credentials, no fragment, no dot segments, percent encoding of what needs it
// and nothing else, no tracking parameters, the other parameters sorted by name. It returns an error for whatever is not a
// plain http or https address: white space, control characters, quotes, a host without a dot that is neither an IP address
// nor localhost.
func CanonicalURL(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	if err := checkURL(raw); err != nil {
		return "", fmt.Errorf("canonical url: %w", err)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("canonical url: %w", err)
	}
	scheme := strings.ToLower(u.Scheme)
	if scheme != "http" && scheme != "https" {
		return "", fmt.Errorf("canonical url: scheme %q is not http or https", u.Scheme)
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return "", fmt.Errorf("canonical url: %w", err)
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" && !(scheme == "http" && p == "80") && !(scheme == "https" && p == "443") {
		host += ":" + p
	}
	return scheme + "://" + host + canonicalPath(u.EscapedPath()) + canonicalQuery(u.RawQuery), nil
}

func checkURL(raw string) error {
	switch {
	case raw == "":
		return errors.New("empty address")
	case len(raw) > maxURL:
		return fmt.Errorf("address of %d bytes is too long", len(raw))
	case !utf8.ValidString(raw):
		return errors.New("address is not valid UTF-8")
	}
	for _, r := range raw {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("<>\"`\\^{|}", r) {
			return fmt.Errorf("character %q does not belong in an address", r)
		}
	}
	return nil
}

func canonicalHost(host string) (string, error) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip := net.ParseIP(host); ip != nil {
		return ip.String(), nil
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	} else if !isHostname(host) {
		return "", fmt.Errorf("host %q is not a host name", host)
	}
	if host == "" || !strings.Contains(host, ".") && host != "localhost" || strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") || strings.Contains(host, "..") {
		return "", fmt.Errorf("host %q has no domain", host)
	}
	return host, nil
}

// isHostname accepts the names that IDNA refuses though they are in use, such as those with an underscore.
func isHostname(host string) bool {
	for i := 0; i < len(host); i++ {
		if c := host[i]; !isWordByte(c) && c != '-' && c != '.' {
			return false
		}
	}
	return host != "" && !strings.Contains(host, "..")
}

func canonicalPath(p string) string {
	if p == "" {
		return "/"
	}
	p = reencode(p, pathSafe)
	if strings.Contains(p, "/.") || strings.Contains(p, "//") {
		slash := strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")
		// A double slash is kept: it can be part of an archived address.
		parts := strings.Split(p, "//")
		for i, part := range parts {
			if i == 0 {
				part = path.Clean("/" + part)
			}
			parts[i] = part
		}
		p = strings.Join(parts, "//")
		if p = strings.ReplaceAll(p, "///", "//"); slash && !strings.HasSuffix(p, "/") {
			p += "/"
		}
	}
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// canonicalQuery drops the tracking parameters and sorts the others by name, keeping the order of equal names.
func canonicalQuery(q string) string {
	var keep []string
	for _, part := range strings.Split(q, "&") {
		name, _, _ := strings.Cut(part, "=")
		if part == "" || trackingParam(name) {
			continue
		}
		keep = append(keep, reencode(part, querySafe))
	}
	if len(keep) == 0 {
		return ""
	}
	sort.SliceStable(keep, func(i, j int) bool {
		a, _, _ := strings.Cut(keep[i], "=")
		b, _, _ := strings.Cut(keep[j], "=")
		return a < b
	})
	return "?" + strings.Join(keep, "&")
}

// trackingParam reports whether a parameter only says where the reader came from. "ref" and "source" are not among them:
// sites use them for content.
func trackingParam(name string) bool {
	if n, err := url.QueryUnescape(name); err == nil {
		name = n
	}
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "utm_") || trackers[name]
}

// trackers are the click identifiers of the large advertising and mailing services.
var trackers = wordSet(`gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid ttclid igshid li_fat_id mc_cid mc_eid _hsenc _hsmi mkt_tok vero_id oly_anon_id
	oly_enc_id _openstat wickedid ref_src ref_url s_cid icid cmpid`)

const (
	pathSafe  = "-._~!$&'()*+,;=:@/"
	querySafe = "-._~!$'()*+,;:@/?=&"
)

// reencode writes a path or a query with upper-case escapes for what needs them, and for nothing else. An escape of a
// character in safe that is not unreserved keeps its escape, because it may mean something else unescaped.
func reencode(s, safe string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], false
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			c, escaped = unhex(s[i+1])<<4|unhex(s[i+2]), true
			i += 2
		}
		plain := isASCIILetter(c) || isDigit(c) || strings.IndexByte("-._~", c) >= 0
		// Encoders disagree about these four in a path, and no server tells them apart.
		plain = plain || escaped && strings.IndexByte("()',", c) >= 0 && safe == pathSafe
		if plain || !escaped && strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// RegistrableDomain returns the domain that somebody registered ("bbc.co.uk" for "news.bbc.co.uk:443"), by the public suffix
// list; an IP address or a name without a known suffix is returned as it is, in lower case.
func RegistrableDomain(host string) string {
	host = strings.ToLower(strings.TrimSpace(host))
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[].")
	if net.ParseIP(host) != nil {
		return host
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// URLs returns the spans of the http and https addresses in s, without the punctuation of the sentence around them: a
// closing bracket belongs to the address only when it is opened in it.
func URLs(s string) []research.Span {
	var out []research.Span
	for i := 0; i < len(s); {
		j := strings.Index(s[i:], "://")
		if j < 0 {
			break
		}
		j += i
		start := schemeStart(s, j)
		if start < i || start == j {
			i = j + 3
			continue
		}
		end := trimURL(s, j+3, urlEnd(s, j+3))
		if end == j+3 {
			i = j + 3
			continue
		}
		out = append(out, research.Span{Start: start, End: end})
		i = end
	}
	return out
}

// schemeStart returns where "http" or "https" before the "://" at i starts, or i.
func schemeStart(s string, i int) int {
	for _, scheme := range [...]string{"https", "http"} {
		if at := i - len(scheme); at >= 0 && strings.EqualFold(s[at:i], scheme) && (at == 0 || !isWordByte(s[at-1])) {
			return at
		}
	}
	return i
}

// urlEnd returns where the address that goes on at i ends at the latest. Chinese characters belong to it only in a path and
// after a character that calls for more (a slash, another Chinese character): a Chinese sentence goes on without a space.
func urlEnd(s string, i int) int {
	inPath := false
	for stop := min(len(s), i+maxURL); i < stop; {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r <= ' ' || r == 0x7f || r == utf8.RuneError || strings.ContainsRune("<>\"`\\^{|}", r) || unicode.IsSpace(r):
			return i
		case r == '/' || r == '?':
			inPath = true
		case isCJK(r):
			prev, _ := utf8.DecodeLastRuneInString(s[:i])
			if !inPath || !isCJK(prev) && !strings.ContainsRune("/=_-(", prev) {
				return i
			}
		case r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || strings.ContainsRune("“”‘’«»…", r):
			return i
		}
		i += n
	}
	return i
}

// trimURL moves end back over what closes the sentence, not the address.
func trimURL(s string, start, end int) int {
	for end > start {
		switch c := s[end-1]; c {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '_':
			end--
			continue
		case ')', ']':
			open := byte('(')
			if c == ']' {
				open = '['
			}
			body := s[start:end]
			if strings.Count(body, string(open)) < strings.Count(body, string(c)) {
				end--
				continue
			}
		}
		break
	}
	return end
}

package fetch

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"assay/engine/research"
)

// notPublic are ranges that are global unicast by their bits but lead elsewhere than to the public internet: this network,
// carrier NAT, protocol assignments, documentation, benchmarks, the old class E, and the IPv6 forms that carry an IPv4 address
// inside (NAT64, 6to4, Teredo), behind which a private one can hide. Source: the IANA special-purpose address registries.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// public reports whether an address is on the public internet.
func public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// metadata reports whether an address is one at which clouds hand out credentials; no service is ever there.
func metadata(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLinkLocalUnicast() || a == netip.MustParseAddr("fd00:ec2::254") || a == netip.MustParseAddr("100.100.100.200")
}

// namesLoopback reports whether a host is this machine by its name alone, without asking anybody.
func namesLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Zone() == "" && a.Unmap().IsLoopback()
}

// localNames are endings that do not belong to the public web.
var localNames = []string{".local", ".localdomain", ".localhost", ".internal", ".intranet", ".lan", ".home", ".corp", ".home.arpa", ".onion", ".test", ".invalid", ".example"}

// checkURL refuses what is never fetched from the public web, before anything is resolved.
func checkURL(u *url.URL) error {
	refuse := func(why string) error {
		return fmt.Errorf("%s: %s: %w", redact(u.String()), why, ErrAddress)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("only http and https are fetched")
	}
	if u.User != nil {
		return refuse("it holds a user name")
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		return refuse("only ports 80 and 443 are fetched")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		// What is connected to is the ASCII form, in which signs that look like digits are digits.
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return refuse("the host is no name")
		}
		host = strings.TrimSuffix(ascii, ".")
	}
	if a, err := netip.ParseAddr(host); err == nil {
		if !public(a) {
			return refuse("the address is not public")
		}
		return nil
	}
	if !strings.Contains(host, ".") {
		return refuse("the host is not a public name")
	}
	for _, end := range localNames {
		if strings.HasSuffix(host, end) {
			return refuse("the host is not a public name")
		}
	}
	// A last label of digits is an IPv4 address in disguise: 0x7f.1, 0177.0.0.1, 127.1.
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return refuse("the host is a number in disguise")
	}
	return nil
}

// parse reads a URL that came from a page or a provider. It refuses characters that two parsers may read in two ways.
func parse(raw string) (*url.URL, error) {
	if len(raw) > 8192 {
		return nil, fmt.Errorf("URL of %d bytes: %w", len(raw), ErrAddress)
	}
	for _, r := range raw {
		if r == '\\' || r <= ' ' || r == 0x7f || r == 0xfffd {
			return nil, fmt.Errorf("URL %q holds a space, a backslash or a control character: %w", head(redact(raw)), ErrAddress)
		}
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, fmt.Errorf("%q is not a web address: %w", head(redact(raw)), ErrAddress)
	}
	u.Fragment = ""
	return u, nil
}

// redact drops what may be secret from a URL for a message: its query, its fragment, a user name.
func redact(raw string) string {
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	if scheme, rest, ok := strings.Cut(raw, "://"); ok {
		host, path, slash := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		raw = scheme + "://" + host
		if slash {
			raw += "/" + path
		}
	}
	return raw
}

func head(s string) string {
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "..."
	}
	return s
}

// allowed says whether a request may go, and through which service; a nil service is the public web.
func (c *Client) allowed(kind Kind, u *url.URL) (*service, error) {
	if s := c.services[hostPort(u)]; s != nil {
		if s.url.Scheme != u.Scheme || u.User != nil {
			return nil, fmt.Errorf("%s: not the service that was named: %w", u.Host, ErrAddress)
		}
		if !s.kinds[kind] {
			return nil, fmt.Errorf("%s is named, but not as a %s service: %w", u.Host, kind, ErrAddress)
		}
		return s, nil
	}
	if kind == Model {
		return nil, fmt.Errorf("%s is not a model service that was named: %w", u.Host, ErrClosed)
	}
	if c.policy.Egress == research.Own {
		return nil, fmt.Errorf("%s is not a server that was named, and the run asks no other: %w", u.Host, ErrClosed)
	}
	if c.policy.Egress != research.Web {
		return nil, fmt.Errorf("%s is not on this machine, and the run is closed: %w", u.Host, ErrClosed)
	}
	return nil, checkURL(u)
}

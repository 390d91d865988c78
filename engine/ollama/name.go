package ollama

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/ollama/ollama/types/model"
)

// Registry is the host that a name without one is fetched from.
const Registry = "registry.ollama.ai"

// ErrForeign: a model would be fetched from another host than [Registry], and nobody has said yes to that host.
var ErrForeign = errors.New("the host was not agreed to")

// Name is a model's name in its parts, as the server splits it: "llama3.1:8b" is in the namespace "library" of [Registry].
type Name struct {
	Host      string
	Namespace string
	Model     string
	Tag       string
	// Plain says that the name began with http://: its registry is asked without encryption.
	Plain bool
}

// maxName bounds a name: the server takes a host of 350 bytes and three parts of 80.
const maxName = 600

// ParseName splits a name with the server's own rules and refuses what the server would. Of "a/b/c" the first part is a host:
// see [Name.Foreign].
func ParseName(s string) (Name, error) {
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "https", s
	}
	n := model.ParseName(rest)
	if len(s) > maxName || scheme != "https" && scheme != "http" || !n.IsValid() || badHost(n.Host) {
		if r := []rune(s); len(r) > 80 {
			s = string(r[:80]) + "..."
		}
		return Name{}, fmt.Errorf("%q is no model name: write NAME, NAME:TAG, USER/NAME:TAG or HOST/USER/NAME:TAG, of letters, digits, dots, dashes and underscores", s)
	}
	return Name{Host: strings.ToLower(n.Host), Namespace: n.Namespace, Model: n.Model, Tag: n.Tag, Plain: scheme == "http"}, nil
}

// badHost refuses what the server's rule lets through as a host but is none: "a:b:c", "x:", "x:99999".
func badHost(host string) bool {
	if !strings.Contains(host, ":") {
		return false
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil || name == "" {
		return true
	}
	_, err = netip.ParseAddrPort("127.0.0.1:" + port)
	return err != nil
}

// Foreign reports whether the model would be fetched from another host than [Registry], be it on this machine.
func (n Name) Foreign() bool { return !strings.EqualFold(n.Host, Registry) || n.Plain }

// Short is the name as the server lists it: without the parts that go without saying, always with the tag.
func (n Name) Short() string {
	short := n.Model + ":" + n.Tag
	switch {
	case !strings.EqualFold(n.Host, Registry):
		return n.Host + "/" + n.Namespace + "/" + short
	case !strings.EqualFold(n.Namespace, "library"):
		return n.Namespace + "/" + short
	}
	return short
}

// Same reports whether two names mean one model; the server does not tell upper from lower case.
func (n Name) Same(o Name) bool { return strings.EqualFold(n.Short(), o.Short()) }

// agreed returns an error that wraps [ErrForeign] unless the name is of [Registry] or of the host that was said yes to.
func (n Name) agreed(host string) error {
	if !n.Foreign() || strings.EqualFold(n.Host, host) {
		return nil
	}
	how := ""
	if n.Plain {
		how = ", without encryption"
	}
	return saying(ErrForeign, "%s would be fetched from %s and not from Ollama's registry%s; say yes to that host first if you trust it", n.Short(), n.Host, how)
}

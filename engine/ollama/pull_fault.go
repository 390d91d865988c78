package ollama

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
)

// statusWord is a status of HTTP as the server writes one that a registry gave: "pull model manifest: 500: ...", "unexpected
// status code 500". A number in an address or a checksum is none.
var statusWord = regexp.MustCompile(`(?:^|[: ])([1-5][0-9]{2})(?:$|[:\s])`)

// registryFault says in one sentence what is wrong between the model server and the registry, by the words of the server, which
// repeats those of its HTTP library; nil when they say nothing of it. Of a fault of the registry the model server is not blamed.
func (p *Pull) registryFault(at PullProgress, text, low string) error {
	name, host := p.name.Short(), p.name.Host
	status := ""
	if m := statusWord.FindStringSubmatch(low); m != nil {
		status = m[1]
	}
	switch {
	case contains(low, "no space left", "not enough space", "disk full", "disk quota exceeded"):
		need := ""
		if at.Total > at.Done {
			need = fmt.Sprintf(", %s are still to come", BytesText(at.Total-at.Done))
		}
		return saying(ErrNoSpace, "pull %s: the disk of the model server is full%s; free some space and pull again, what was fetched is kept", name, need)
	case contains(low, "permission denied", "read-only file system", "input/output error", "access is denied", "too many open files"):
		return saying(research.ErrServer, "pull %s: the model server cannot write the model to its disk (%s); give it the right to, or another place with OLLAMA_MODELS", name, short(text))
	case contains(low, "digest mismatch"):
		return saying(ErrDigest, "pull %s: what was fetched does not match its checksum, and the server has thrown that part away; pull again to fetch it anew", name)
	case status == "412" || contains(low, "requires a newer version", "newer version of ollama"):
		return saying(ErrRefused, "pull %s: this model needs a newer Ollama than the server's; update it and pull again", name)
	case status == "404" || contains(low, "file does not exist", "manifest unknown", "not found", "name unknown"):
		return saying(research.ErrMissing, "pull %s: %s has no such model; check the name and the tag", name, host)
	case status == "401" || status == "403" || contains(low, "unauthorized", "forbidden", "access denied", "realm host", "www-authenticate"):
		return saying(ErrRefused, "pull %s: %s does not give this model to everybody; it may be private or need its licence accepted there", name, host)
	case status == "429" || contains(low, "too many requests"):
		return saying(research.ErrBusy, "pull %s: %s has had too many requests; wait some minutes and pull again", name, host)
	}
	if fault := p.lineFault(low); fault != nil {
		return fault
	}
	switch {
	case contains(low, "no such host", "network is unreachable", "no route to host", "connection refused", "server misbehaving", "actively refused", "dial tcp", "tls:", "proxyconnect", "temporary failure in name resolution", "i/o timeout", "handshake timeout"):
		return saying(ErrRoute, "pull %s: the model server does not reach %s%s (%s); check its network and proxy and pull again, what was fetched is kept", name, host, percent(at), short(text))
	case strings.HasPrefix(status, "5"):
		return saying(ErrRegistry, "pull %s: %s fails with status %s, which is no fault of the model server; pull again later", name, host, status)
	case contains(low, "no location header"):
		return saying(ErrRegistry, "pull %s: %s hands its files out itself, and the model server wants to be led to them by a redirect; set the registry up with one, or make the model of its file with assay models create", name, host)
	case contains(low, "redirect"):
		return saying(ErrRegistry, "pull %s: %s leads from one address to the next without an end; check that it is a registry of models", name, host)
	case contains(low, "invalid character", "unexpected end of json", "cannot unmarshal", "invalid manifest", "invalid digest", "digest is empty", "size mismatch", "no layers"):
		return saying(ErrRegistry, "pull %s: %s answers, but not with a list of a model's parts; check the address, and that it is a registry of models", name, host)
	case contains(low, "invalid model name"):
		return saying(research.ErrMissing, "pull %s: the server does not take this name", name)
	case status != "" && contains(low, "pull model manifest", "status code"):
		return saying(ErrRegistry, "pull %s: %s answers with status %s, which a registry of models does not; check the address", name, host, status)
	}
	return nil
}

// lineFault says that one side encrypts and the other does not, or that a certificate is not trusted; nil when neither is so.
func (p *Pull) lineFault(low string) error {
	name, host := p.name.Short(), p.name.Host
	switch {
	case contains(low, "server gave http response to https client", "insecure protocol", "first record does not look like a tls handshake"):
		return saying(ErrRoute, "pull %s: %s speaks without encryption; write http:// before the name if you trust it", name, host)
	case contains(low, "http request to an https server", "malformed http response"):
		return saying(ErrRoute, "pull %s: %s speaks with encryption only; leave http:// out of the name", name, host)
	case contains(low, "x509:", "certificate"):
		return saying(ErrRoute, "pull %s: %s shows a certificate that the machine of the model server does not trust; have it trusted there, or write http:// before the name if you trust the way to it", name, host)
	}
	return nil
}

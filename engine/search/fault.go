package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Why a provider could not look. Every error of a provider but the context's wraps one of them.
var (
	// ErrAuth: the key is missing, wrong or not for this.
	ErrAuth = errors.New("key not accepted")
	// ErrQuota: what the plan, the month or the day allows is used up. Waiting a little does not help.
	ErrQuota = errors.New("quota used up")
	// ErrRate: too many requests in a short time.
	ErrRate = errors.New("too many requests")
	// ErrChallenge: a page for people came instead of an answer, such as a test for robots or a login page.
	ErrChallenge = errors.New("a page for people instead of an answer")
	// ErrBadQuery: the service does not accept the query.
	ErrBadQuery = errors.New("query not accepted")
	// ErrBlocked: the service refuses this program or this address.
	ErrBlocked = errors.New("blocked")
	// ErrUnavailable: nobody answers, or the service is out of order.
	ErrUnavailable = errors.New("unavailable")
	// ErrFormat: the answer has another form than the one that is known.
	ErrFormat = errors.New("answer not understood")
)

// says is a sentence about each kind: what is wrong, and what to do next.
var says = map[error]struct{ what, next string }{
	ErrAuth:        {"wants a key, or another one than it was sent", "check the key in the settings"},
	ErrQuota:       {"has no requests left for you", "wait until the quota is renewed, or change the plan"},
	ErrRate:        {"was asked too often", "search again later"},
	ErrChallenge:   {"sent a page for people instead of an answer", "open it in a browser on this network, or use another provider"},
	ErrBadQuery:    {"does not accept the query", "change its words"},
	ErrBlocked:     {"refuses to answer", "use another provider, or ask whoever runs it"},
	ErrUnavailable: {"cannot be reached", "check its address, the network and how far the run may reach, or search again later"},
	ErrFormat:      {"answered in a form that is not understood", "check its address, or update Assay"},
}

// Error is one failure of a provider. Its text is one sentence, without keys.
type Error struct {
	Kind   error         // one of the Err values of this package
	Host   string        // who was asked
	Status int           // of the answer; 0 when there was none
	Detail string        // the service's own words, on one short line; may be empty
	After  time.Duration // how long to wait; 0 when that is not known
	Next   string        // what to do, where more is known than Kind says

	cause error
	final bool // another try would not help
	rests bool // another query would meet the same
}

// Error implements error.
func (e *Error) Error() string {
	s := says[e.Kind]
	var b strings.Builder
	b.WriteString(e.Host + " " + s.what)
	var because []string
	if e.Status != 0 {
		because = append(because, fmt.Sprintf("status %d", e.Status))
	}
	if e.Detail != "" {
		because = append(because, e.Detail)
	}
	if e.After > 0 {
		because = append(because, "it may be asked again in "+e.After.Round(time.Second).String())
	}
	if len(because) > 0 {
		b.WriteString(" (" + strings.Join(because, ", ") + ")")
	}
	if next := e.Next; next != "" {
		return b.String() + ": " + next
	}
	return b.String() + ": " + s.next
}

// Unwrap gives the kind, and the cause where there is one.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

// passes reports whether the same request may work a little later.
func (e *Error) passes() bool { return (e.Kind == ErrRate || e.Kind == ErrUnavailable) && !e.final }

// finish puts in who was asked and takes keys out.
func (e *Error) finish(host string, secrets []string) *Error {
	out := *e
	out.Host = host
	out.Detail = oneLine(redact(e.Detail, secrets), maxDetail)
	if e.cause != nil && redact(e.cause.Error(), secrets) != e.cause.Error() {
		out.cause = nil
	}
	return &out
}

// maxDetail is the most characters of a service's own words in an error.
const maxDetail = 200

// redact takes keys out of a text, as they are and as a URL holds them.
func redact(s string, secrets []string) string {
	var pairs []string
	for _, k := range secrets {
		for _, form := range []string{k, url.QueryEscape(k), url.PathEscape(k)} {
			pairs = append(pairs, form, "[key]")
		}
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// judge says what is wrong with an answer that the service's own rules did not explain; nil when it may be read.
func judge(r reply, want form) *Error {
	fault := func(kind error) *Error {
		return &Error{Kind: kind, Status: r.status, Detail: ownWords(r.body), After: r.after}
	}
	page := isHTML(r.body)
	switch code := r.status; {
	case code == http.StatusOK:
		return judgeForm(r, want)
	case page && code != http.StatusTooManyRequests && (code == http.StatusAccepted || challenges(r.body)):
		return fault(ErrChallenge)
	case code < 400: // an answer without content, or one that leads elsewhere
		return fault(ErrFormat)
	case code == http.StatusUnauthorized:
		return fault(ErrAuth)
	case code == http.StatusPaymentRequired:
		return fault(ErrQuota)
	case code == http.StatusForbidden, code == http.StatusUnavailableForLegalReasons:
		return fault(ErrBlocked)
	case code == http.StatusTooManyRequests:
		return fault(ErrRate)
	case code == http.StatusBadRequest, code == http.StatusRequestURITooLong, code == http.StatusUnprocessableEntity:
		return fault(ErrBadQuery)
	case code == http.StatusRequestTimeout, code == http.StatusProxyAuthRequired, code >= 500:
		return fault(ErrUnavailable)
	}
	return fault(ErrFormat)
}

// judgeForm says whether an answer with status 200 begins like what is expected.
func judgeForm(r reply, want form) *Error {
	fault := func(kind error, detail string) *Error {
		return &Error{Kind: kind, Status: r.status, Detail: detail}
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(r.body, []byte("\xef\xbb\xbf")))
	switch {
	case len(body) == 0:
		return fault(ErrFormat, "the answer is empty")
	case want != formAny && isHTML(body):
		return fault(ErrChallenge, ownWords(body))
	case want == formJSON && body[0] != '{' && body[0] != '[', want == formXML && body[0] != '<':
		return fault(ErrFormat, ownWords(body))
	}
	return nil
}

// isHTML reports whether a body is a page for people: its first element, or its doctype, says so.
func isHTML(body []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), 64<<10)]))
	for range 50 {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
			if len(bytes.TrimSpace(bytes.TrimPrefix(z.Raw(), []byte("\xef\xbb\xbf")))) > 0 {
				return false
			}
		case html.DoctypeToken:
			return strings.HasPrefix(strings.ToLower(strings.TrimSpace(string(z.Raw()[2:]))), "doctype html")
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "html", "head", "body", "title", "meta", "script", "style", "div", "p", "h1", "center", "form":
				return true
			}
			return false
		}
	}
	return false
}

// marks are what pages that test for robots are made of, wherever they come from.
var marks = []string{"captcha", "challenge", "cf-chl", "anomaly", "turnstile", "are-you-human", "botcheck", "bot-check"}

// challenges reports whether a page tests for robots. Only its elements count: its text may repeat the query.
func challenges(body []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "a" || string(name) == "input" { // these repeat the query as well
				continue
			}
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				switch string(k) {
				case "id", "class", "action", "src", "name":
					low := strings.ToLower(string(v))
					for _, m := range marks {
						if strings.Contains(low, m) {
							return true
						}
					}
				}
			}
		}
	}
}

var (
	detailTag = regexp.MustCompile(`(?s)<(?:detail|summary)>(.*?)</`)
	titleTag  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)
)

// ownWords is what a service says about its refusal: the message of the JSON errors in use, the details of an XML one, the
// title of a page, or the beginning of a plain text.
func ownWords(body []byte) string {
	body = bytes.TrimSpace(body[:min(len(body), 64<<10)])
	if len(body) == 0 {
		return ""
	}
	var v any
	if body[0] == '{' && json.Unmarshal(body, &v) == nil {
		return oneLine(message(v, 0), maxDetail)
	}
	if isHTML(body) {
		if m := titleTag.FindSubmatch(body); m != nil {
			return oneLine(fragment(string(m[1])), maxDetail)
		}
		return "a page of HTML"
	}
	if body[0] == '<' {
		var parts []string
		for _, m := range detailTag.FindAllSubmatch(body, 4) {
			parts = append(parts, fragment(string(m[1])))
		}
		return oneLine(strings.Join(parts, " "), maxDetail)
	}
	line, _, _ := strings.Cut(string(body), "\n")
	return oneLine(line, maxDetail)
}

// message finds the words in the errors of the known services.
func message(v any, depth int) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return message(v[0], depth)
		}
	case map[string]any:
		if depth > 4 {
			return ""
		}
		for _, k := range []string{"error", "errors", "detail", "info", "message", "messageTranslations", "en", "code"} {
			if s := message(v[k], depth+1); s != "" {
				return s
			}
		}
	}
	return ""
}

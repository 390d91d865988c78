package search

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// mojeek finds pages of the web in an index of its own.
type mojeek struct{ key string }

// NewMojeek is Mojeek's API, which needs a key.
func NewMojeek(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "mojeek", base: "https://api.mojeek.com", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: time.Second, tries: 2, backoff: 2 * time.Second}, most: 500,
	}, mojeek{c.Key}))
}

func (m mojeek) search(ctx context.Context, p *provider, a ask) (found, error) {
	lang := ""
	if a.lang == "en" || a.lang == "zh" {
		lang = strings.ToUpper(a.lang)
	}
	body, err := p.get(ctx, p.path("/search", values(
		"api_key", m.key, "q", a.text, "fmt", "json", "t", strconv.Itoa(a.limit), "site", a.site, "lb", lang,
		"since", strings.ReplaceAll(a.first, "-", ""), "before", strings.ReplaceAll(a.last, "-", ""),
	)), formJSON, mojeekFault)
	if err != nil {
		return found{}, err
	}
	return parseMojeek(body)
}

type mojeekAnswer struct {
	Response *struct {
		Status  string
		Results *[]struct {
			URL, Title, Desc string
			PDate            words
		}
	}
}

// mojeekFault reads the errors, which stand in the status of the response.
func mojeekFault(r reply) *Error {
	var got mojeekAnswer
	if readJSON(r.body, &got) != nil || got.Response == nil || strings.EqualFold(got.Response.Status, "OK") || got.Response.Status == "" {
		return nil
	}
	said := got.Response.Status
	low := strings.ToLower(said)
	e := &Error{Detail: said}
	switch {
	case strings.Contains(low, "key") || strings.Contains(low, "auth") || strings.Contains(low, "access denied"):
		e.Kind = ErrAuth
	case strings.Contains(low, "quota") || strings.Contains(low, "credit") || strings.Contains(low, "balance"):
		e.Kind = ErrQuota
	case strings.Contains(low, "limit") || strings.Contains(low, "too many"):
		e.Kind = ErrRate
	case strings.Contains(low, "query") || strings.Contains(low, "parameter"):
		e.Kind = ErrBadQuery
	default:
		e.Kind = ErrUnavailable
	}
	return e
}

func parseMojeek(body []byte) (found, error) {
	var got mojeekAnswer
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Response == nil || !strings.EqualFold(got.Response.Status, "OK") || got.Response.Results == nil {
		return found{}, misread("there is no list of results in it")
	}
	var f found
	for _, r := range *got.Response.Results {
		f.items = append(f.items, item{link: r.URL, title: r.Title, snippet: r.Desc, date: unixDay(string(r.PDate))})
	}
	return f, nil
}

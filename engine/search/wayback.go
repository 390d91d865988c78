package search

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay/engine/text"
)

// wayback finds archived copies of the page whose address a query holds. It cannot search for words.
type wayback struct{ cdx string }

// NewWayback is the Internet Archive's Wayback Machine. A Base stands for both of its hosts.
func NewWayback(c Config) (Provider, error) {
	service := wayback{cdx: "https://web.archive.org"}
	if c.Base != "" {
		service.cdx = strings.TrimRight(c.Base, "/")
	}
	return asProvider(newProvider(c, about{
		name: "wayback", base: "https://archive.org", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: 2500 * time.Millisecond, tries: 2, backoff: 5 * time.Second}, most: 2000,
		undated: "the archive's dates are those of its copies, not of publication",
	}, service))
}

func (w wayback) search(ctx context.Context, p *provider, a ask) (found, error) {
	spans := text.URLs(a.text)
	if len(spans) == 0 {
		return found{notes: []string{"the archive is searched by address, and the query holds none: it was not asked"}}, nil
	}
	page := a.text[spans[0].Start:spans[0].End]
	if a.site != "" && !linkOnSite(page, a.site) {
		return found{notes: []string{"the address in the query is not of " + a.site + ": the archive was not asked"}}, nil
	}
	if a.first == "" && a.last == "" {
		body, err := p.get(ctx, p.path("/wayback/available", values("url", page)), formJSON, waybackFault)
		if err != nil {
			return found{}, err
		}
		f, err := parseAvailable(body)
		return archived(f, a), err
	}
	r, err := p.send(ctx, call{
		url: w.cdx + "/cdx/search/cdx?" + values("url", page, "output", "json", "from", strings.ReplaceAll(a.first, "-", ""),
			"to", strings.ReplaceAll(a.last, "-", ""), "limit", "-"+strconv.Itoa(a.limit), "filter", "statuscode:200",
			"collapse", "digest", "fl", "timestamp,original,statuscode"),
		want: formAny, judge: waybackFault, // a JSON array, or lines of text from older servers
	})
	if err != nil {
		return found{}, err
	}
	f, err := parseCDX(r.body)
	return archived(f, a), err
}

func waybackFault(r reply) *Error {
	switch {
	case r.status == http.StatusForbidden && strings.Contains(string(r.body), "Blocked Site"):
		return &Error{Kind: ErrBlocked, Detail: "the site asked the archive to show no copies", Next: "open the page itself"}
	case r.status == http.StatusTooManyRequests && r.after == 0:
		return &Error{Kind: ErrRate, After: time.Minute}
	case r.status == http.StatusOK && isHTML(r.body):
		return &Error{Kind: ErrChallenge, Detail: ownWords(r.body)}
	}
	return nil
}

// archived keeps the copies under the site of the page they are of.
func archived(f found, a ask) found {
	if a.site != "" {
		for i := range f.items {
			f.items[i].also = append(f.items[i].also, "https://"+a.site+"/")
		}
	}
	return f
}

var stamp = regexp.MustCompile(`^[0-9]{14}$`)

// capture is a copy as an item: the original bytes, without the archive's frame around them.
func capture(when, page string) (item, bool) {
	if !stamp.MatchString(when) || page == "" {
		return item{}, false
	}
	return item{link: "https://web.archive.org/web/" + when + "id_/" + page, title: escaped("Copy of " + page + " of " + day(when))}, true
}

func parseAvailable(body []byte) (found, error) {
	var got struct {
		Snapshots *struct {
			Closest *struct {
				Available      bool
				URL, Timestamp string
			}
		} `json:"archived_snapshots"`
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Snapshots == nil {
		return found{}, misread("there is no list of copies in it")
	}
	c := got.Snapshots.Closest
	if c == nil || !c.Available {
		return found{}, nil
	}
	_, page, _ := strings.Cut(c.URL, c.Timestamp+"/")
	it, ok := capture(c.Timestamp, page)
	if !ok {
		return found{}, misread("the copy it names has no address")
	}
	return found{items: []item{it}}, nil
}

// parseCDX reads the index in both of its forms: a table in JSON whose first row names the columns, or lines of seven fields.
// The newest copy comes first.
func parseCDX(body []byte) (found, error) {
	var rows [][]string
	if t := strings.TrimSpace(string(body)); strings.HasPrefix(t, "[") {
		if json.Unmarshal([]byte(t), &rows) != nil {
			return found{}, misread("it is not a table")
		}
		if len(rows) == 0 {
			return found{}, nil
		}
	} else {
		rows = [][]string{{"urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"}}
		for _, line := range strings.Split(t, "\n") {
			rows = append(rows, strings.Fields(line))
		}
	}
	col := map[string]int{}
	for i, name := range rows[0] {
		col[name] = i + 1
	}
	when, page, status := col["timestamp"]-1, col["original"]-1, col["statuscode"]-1
	if when < 0 || page < 0 {
		return found{}, misread("the table has no columns for time and address")
	}
	var f found
	for _, row := range rows[1:] {
		if len(row) < 2 { // an empty line, or the key for the rest
			continue
		}
		if len(row) <= max(when, page) {
			return found{}, misread("a row of the table is too short")
		}
		if status >= 0 && status < len(row) && row[status] != "200" {
			continue
		}
		it, ok := capture(row[when], row[page])
		if !ok {
			return found{}, misread("a row of the table has no time or no address")
		}
		f.items = append([]item{it}, f.items...)
		if len(f.items) == maxItems {
			break
		}
	}
	return f, nil
}

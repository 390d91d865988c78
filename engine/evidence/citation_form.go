package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/engine/research"
)

// lastRegistrant bounds the numbers that registrants of DOIs have been given: codes are handed out upwards, and at the end of 2026
// none above it is in use.
const lastRegistrant = 80000

var (
	doiForm   = regexp.MustCompile(`^10\.(\d{4,9})((?:\.\d+)*)/(\S+)$`)
	arXivNew  = regexp.MustCompile(`^(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$`)
	arXivOld  = regexp.MustCompile(`^[a-z-]+(?:\.[A-Za-z-]{2,})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$`)
	doiYear   = regexp.MustCompile(`(?i)(?:cvpr|iccv|wacv|icra|iros|icassp|aaai)[a-z]*\d*\.(20\d\d)\.`)
	doiSeries = regexp.MustCompile(`(?i)(?:^|/)(?:v\d+/)?(?:20\d\d\.)?(cvpr|iccv|wacv|aaai|icra|iros|icassp|emnlp|naacl|eacl|acl|ijcai)[a-z]*\d*[./-]`)
	anthology = regexp.MustCompile(`(?i)^v1/(?:([A-Z])(\d\d)-\d{4,5}|(20\d\d)\.[a-z-]+\.\d+)$`)
)

// placeholders are names that forms and manuals use where a name is due.
var placeholders = wordSet("doe smith lastname surname firstname author authors anonymous anon unknown tba tbd name test example someone placeholder editor")

// ReferenceFaults says what is wrong with a reference by its own words alone, without asking anybody: an identifier that cannot be one, a
// year that is still to come, names that stand for a name, an identifier that names another venue, year or publisher than the
// reference. now is the year of the run. What it finds is certain but for the placeholders; that it finds nothing says nothing: a
// reference made up with care has no fault of form.
func ReferenceFaults(ref research.CitedWork, now int) []string {
	var out []string
	if ref.Year != 0 && (ref.Year > now+1 || ref.Year < 1450) {
		out = append(out, fmt.Sprintf("the year %d cannot be that of a publication", ref.Year))
	}
	out = append(out, authorFaults(ref)...)
	if doi := strings.TrimSpace(ref.DOI); doi != "" {
		out = append(out, doiFaults(ref, doi)...)
	}
	if id := ref.ArXiv; id != "" {
		if why := arXivFault(id, ref.Year, now); why != "" {
			out = append(out, why)
		}
	}
	return out
}

// longList is how many authors make a list that only programs write, and at times twice over.
const longList = 30

func authorFaults(ref research.CitedWork) (out []string) {
	stand := 0
	seen := map[string]bool{}
	for _, a := range ref.Authors {
		n := nameWords(a)
		full := strings.Join(n.all, " ")
		if full == "john doe" || full == "jane doe" || full == "john smith" || full == "jane smith" || full == "firstname lastname" ||
			len(n.given) == 0 && n.family != "smith" && n.family != "doe" && placeholders[n.family] || n.family == "lastname" || n.family == "surname" ||
			len(n.given) > 0 && slices.Contains([]string{"author", "firstname"}, n.given[0]) {
			stand++
		}
		if full != "" && len(n.given) > 0 && seen[full] && len(ref.Authors) <= longList {
			out = append(out, fmt.Sprintf("%s is named twice among its authors", a))
		}
		seen[full] = true
	}
	if stand > 0 {
		out = append(out, "a placeholder stands for its author")
	}
	return out
}

func doiFaults(ref research.CitedWork, doi string) []string {
	for _, p := range []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"} {
		if len(doi) > len(p) && strings.EqualFold(doi[:len(p)], p) {
			doi = doi[len(p):]
		}
	}
	m := doiForm.FindStringSubmatch(doi)
	if m == nil {
		return []string{fmt.Sprintf("%q has not the form of a DOI", doi)}
	}
	var out []string
	registrant, err := strconv.Atoi(m[1])
	if err != nil || registrant > lastRegistrant {
		out = append(out, fmt.Sprintf("no registrant has the DOI prefix 10.%s", m[1]))
	}
	prefix, suffix := "10."+m[1], m[3]
	i := seriesOf(ref.Venue)
	if i >= 0 && prefix != "10.48550" && !slices.Contains(series[i].doi, prefix) && !doiOfSeveral[prefix] {
		out = append(out, fmt.Sprintf("%s does not register its papers under %s", ref.Venue, prefix))
	}
	if named := doiSeries.FindStringSubmatch(suffix); named != nil && ref.Venue != "" {
		if j := seriesOf(named[1]); j >= 0 && j != i && !(i >= 0 && slices.Contains(series[i].doi, prefix) && series[i].short != series[j].short && prefix == "10.18653") {
			out = append(out, fmt.Sprintf("its DOI is one of %s", strings.ToUpper(series[j].short)))
		}
	}
	if y := doiYear.FindStringSubmatch(suffix); y != nil {
		if year, _ := strconv.Atoi(y[1]); ref.Year != 0 && (ref.Year > year+1 || ref.Year < year-1) {
			out = append(out, fmt.Sprintf("its DOI is one of the year %d", year))
		}
	}
	if y := anthology.FindStringSubmatch(suffix); y != nil && prefix == "10.18653" {
		year := 0
		if y[3] != "" {
			year, _ = strconv.Atoi(y[3])
		} else if n, _ := strconv.Atoi(y[2]); n < 60 {
			year = 2000 + n
		} else {
			year = 1900 + n
		}
		if ref.Year != 0 && (ref.Year > year+1 || ref.Year < year-1) {
			out = append(out, fmt.Sprintf("its DOI is one of the year %d", year))
		}
	}
	if low := strings.ToLower(suffix); prefix == "10.48550" && strings.HasPrefix(low, "arxiv.") {
		if why := arXivFault(low[len("arxiv."):], ref.Year, 0); why != "" {
			out = append(out, why)
		}
	}
	return out
}

// doiOfSeveral are prefixes under which printings, data and deposits of works from everywhere are registered.
var doiOfSeveral = map[string]bool{"10.5281": true, "10.6084": true, "10.13140": true, "10.31219": true, "10.2139": true, "10.21203": true, "10.36227": true, "10.20944": true, "10.5555": true, "10.31234": true, "10.1101": true}

// arXivFault says why a text is no number of arXiv: its form, a month that is none, one still to come. A work may be cited by its
// publication, years after its preprint, but not before it.
func arXivFault(id string, year, now int) string {
	id = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(id)), "arxiv:")
	m := arXivNew.FindStringSubmatch(id)
	if m == nil {
		if m = arXivOld.FindStringSubmatch(id); m == nil {
			return fmt.Sprintf("%q has not the form of an arXiv number", id)
		}
	}
	yy, _ := strconv.Atoi(m[1])
	mm, _ := strconv.Atoi(m[2])
	from := 2000 + yy
	if yy > 90 {
		from = 1900 + yy
	}
	switch {
	case mm < 1 || mm > 12:
		return fmt.Sprintf("arXiv number %s has no month", id)
	case now > 0 && from > now:
		return fmt.Sprintf("arXiv number %s is of a year still to come", id)
	case year > 0 && year < from-1:
		return fmt.Sprintf("arXiv number %s is of %d, after the reference's %d", id, from, year)
	}
	return ""
}

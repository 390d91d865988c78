package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// Indirect contradictions: claims of which no two say opposite things and which still cannot all hold. Three kinds are told by
// code, each on forms of words that mean one thing: an order in time against two dates, an end against what came after it or a
// beginning against what came before it, and shares of one whole that add up to more than all of it.

const kindIndirect = "indirect"

// maxIndirect bounds the claims of one sort that are compared.
const maxIndirect = 256

// clash is a pair of claims, by index, that cannot both hold, as the claims in with show.
type clash struct {
	a, b   int
	reason string
}

// indirect returns the clashes among claims.
func indirect(claims []research.Claim) []clash {
	dated := happened(claims)
	out := outOfOrder(claims, dated)
	out = append(out, outOfLife(claims, dated)...)
	return append(out, overfull(claims)...)
}

// happening is that something happened to a thing at a date: "Sarge was released on 6 June 2005".
type happening struct {
	claim int
	name  string // folded
	event string // its sort, see events
	date  string // partial ISO
}

// events are the sorts of a happening by the words that name it, in the passive or active past. A word that may be of a plan or
// of a part ("began work") is not among them.
var events = map[string]string{
	"released": "release", "published": "release", "issued": "release", "launched": "release", "发布": "release", "出版": "release", "推出": "release",
	"founded": "begin", "established": "begin", "born": "begin", "created": "begin", "成立": "begin", "创立": "begin", "创建": "begin", "出生": "begin",
	"dissolved": "end", "died": "end", "closed": "end", "abolished": "end", "discontinued": "end", "解散": "end", "去世": "end", "关闭": "end", "废除": "end",
	"opened": "open", "completed": "complete", "won": "win", "signed": "sign", "built": "build",
	"开放": "open", "竣工": "complete", "签署": "sign", "建成": "complete",
}

var (
	headEN  = regexp.MustCompile(`^((?:The |the )?[\p{Lu}\p{N}][\p{L}\p{N}.'’-]*(?: (?:of |the |and )?[\p{Lu}\p{N}][\p{L}\p{N}.'’-]*){0,5}),? (?:was |were |is said to have been |had been )?(?:officially |formally |first |finally |publicly )?([a-z]+)\b`)
	headZH  = regexp.MustCompile(`^([\p{Han}\p{L}\p{N}·《》“” ]{2,20}?)(?:于|在|是)?(?:[0-9〇一二三四五六七八九十]{2,4} ?年[^，。]{0,12}?)?(?:正式)?(发布|出版|推出|成立|创立|创建|出生|解散|去世|关闭|废除|开放|竣工|签署|建成)`)
	orderEN = regexp.MustCompile(`^(.{2,60}?),? (?:was |were )?([a-z]+) (?:long |well |shortly |just |years |months |some time )*(before|after|earlier than|later than) ([\p{Lu}\p{N}][\p{L}\p{N}.'’-]*(?: (?:of |the |and )?[\p{Lu}\p{N}][\p{L}\p{N}.'’-]*){0,5})[.,;]?(?: was\.?| did\.?)?$`)
	orderZH = regexp.MustCompile(`^(.{2,20}?)(?:的)?(发布|出版|推出|成立|创立|创建|出生|竣工|签署|建成)?(早于|先于|晚于|后于)(.{2,20}?)(?:的?(?:发布|出版|推出|成立|创立|创建|出生|竣工|签署|建成))?。?$`)
)

// happened lists what the claims say happened, each to one thing at one date.
func happened(claims []research.Claim) []happening {
	var out []happening
	for i, c := range claims {
		if len(c.Dates) != 1 || len(out) == maxIndirect || hedged(c.Text) {
			continue
		}
		m := headEN.FindStringSubmatch(c.Text)
		if m == nil {
			m = headZH.FindStringSubmatch(c.Text)
		}
		if m == nil || events[m[2]] == "" {
			continue
		}
		out = append(out, happening{i, thing(m[1]), events[m[2]], c.Dates[0]})
	}
	return out
}

// hedged reports whether a sentence tells what was not so, or was only planned, meant or said.
func hedged(s string) bool {
	low := " " + strings.ToLower(s) + " "
	return slices.ContainsFunc([]string{" not ", " never ", " planned ", " would ", " might ", " may ", " if ", " until ", " re-", " again ", " no ", " reportedly ", "n't ", "没有", "未", "计划", "拟", "可能", "如果", "再次", "重新"}, func(w string) bool { return strings.Contains(low, w) })
}

// thing folds a name, so that it is one whether an article stands before it or not.
func thing(s string) string {
	return strings.TrimPrefix(text.Fold(strings.Trim(s, " .,;。")), "the ")
}

// before reports whether the first of two partial dates is wholly before the second: the years of 2005-06 and 2005 overlap.
func before(a, b string) bool {
	n := min(len(a), len(b))
	return n >= len("2006") && cmp.Compare(a[:n], b[:n]) < 0
}

// outOfOrder finds dates that an order in time does not allow: A before B, and a date of A that is after that of B.
func outOfOrder(claims []research.Claim, dated []happening) []clash {
	byName := map[string][]happening{}
	for _, h := range dated {
		byName[h.name] = append(byName[h.name], h)
	}
	var out []clash
	for i, c := range claims {
		if len(c.Dates) > 0 || len(out) == maxIndirect || hedged(strings.Replace(c.Text, " before ", " ", 1)) {
			continue
		}
		first, second, event, ok := ordered(c.Text)
		if !ok {
			continue
		}
		for _, x := range byName[first] {
			for _, y := range byName[second] {
				if x.event != y.event || event != "" && x.event != event || !before(y.date, x.date) {
					continue
				}
				reason := fmt.Sprintf("one is said to come before the other, and their dates are %s and %s", x.date, y.date)
				for _, d := range []happening{x, y} {
					if claims[d.claim].Source != c.Source {
						out = append(out, clash{i, d.claim, reason})
					}
				}
			}
		}
	}
	return out
}

// ordered reads "A was released before B": what came first and second, and the sort of the happening ("" when it is not said).
func ordered(s string) (first, second, event string, ok bool) {
	m := orderEN.FindStringSubmatch(s)
	if m == nil {
		if m = orderZH.FindStringSubmatch(s); m == nil {
			return "", "", "", false
		}
	} else if events[m[2]] == "" {
		return "", "", "", false
	}
	first, second = thing(m[1]), thing(m[4])
	if m[3] == "after" || m[3] == "later than" || m[3] == "晚于" || m[3] == "后于" {
		first, second = second, first
	}
	return first, second, events[m[2]], first != second && first != "" && second != ""
}

// outOfLife finds what is said to have happened to a thing before it began or after it ended.
func outOfLife(claims []research.Claim, dated []happening) []clash {
	var out []clash
	for _, x := range dated {
		for _, y := range dated {
			if len(out) == maxIndirect || x.name != y.name || claims[x.claim].Source == claims[y.claim].Source {
				continue
			}
			switch {
			case x.event == "begin" && y.event != "begin" && before(y.date, x.date):
				out = append(out, clash{x.claim, y.claim, fmt.Sprintf("it begins in %s and something is said to have happened to it in %s already", x.date, y.date)})
			case x.event == "end" && y.event == "begin" && before(x.date, y.date):
				out = append(out, clash{x.claim, y.claim, fmt.Sprintf("it ends in %s and begins in %s", x.date, y.date)})
			}
		}
	}
	return out
}

// wholes are words for a share of something that nothing else has at the same time.
var wholes = regexp.MustCompile(`(?i)\b(?:market )?share of\b|\bof (?:the |all )?(?:votes?|vote cast|seats|market|total)\b|份额|得票|选票|席位|总数的`)

// overfull finds shares of one whole that add up to more than 100 %, more than their rounding can explain.
func overfull(claims []research.Claim) []clash {
	type part struct {
		claim int
		name  string
		share *big.Rat
	}
	groups := map[string][]part{}
	for i, c := range claims {
		if !wholes.MatchString(c.Text) || hedged(c.Text) {
			continue
		}
		var share *research.Quantity
		shares := 0
		for k, q := range c.Quantities {
			if q.Kind == research.Percent {
				share, shares = &c.Quantities[k], shares+1
			}
		}
		name := firstName(c)
		if shares != 1 || name == "" {
			continue
		}
		// The sentence without its name and figure: two shares of one whole are told by the same words.
		rest := strings.Replace(strings.Replace(c.Text, name, "", 1), share.Text, "", 1)
		terms := text.Terms(rest, langOf(c.Text))
		slices.Sort(terms)
		key := strings.Join(slices.Compact(terms), " ")
		if len(groups[key]) < maxPerKey {
			groups[key] = append(groups[key], part{i, thing(name), share.Value.Rat()})
		}
	}
	var out []clash
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		most := map[string]part{}
		for _, p := range groups[key] {
			if old, ok := most[p.name]; !ok || p.share.Cmp(old.share) < 0 {
				most[p.name] = p // of two figures for one thing the smaller: that it has two is another contradiction
			}
		}
		var parts []part
		for _, name := range slices.Sorted(maps.Keys(most)) {
			parts = append(parts, most[name])
		}
		slices.SortStableFunc(parts, func(a, b part) int { return b.share.Cmp(a.share) })
		sum := new(big.Rat)
		for n, p := range parts {
			sum.Add(sum, p.share)
			// Each share may be half a per cent too high by rounding.
			if n > 0 && sum.Cmp(big.NewRat(int64(200+n+1), 2)) > 0 && claims[parts[0].claim].Source != claims[p.claim].Source {
				out = append(out, clash{parts[0].claim, p.claim, fmt.Sprintf("%d shares of one whole add up to %s %%", n+1, sum.FloatString(0))})
				break
			}
		}
	}
	return out
}

// firstName is the name that stands first in a claim; "" when there is none.
func firstName(c research.Claim) string {
	best, at := "", len(c.Text)
	for _, n := range c.Names {
		if i := strings.Index(c.Text, n); i >= 0 && i < at {
			best, at = n, i
		}
	}
	return best
}

package audit

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/engine/research"
)

// claims checks every claim of the digest: its place, its votes, its clusters and its arithmetic, or its derivation.
func (c *checker) claims() {
	for _, key := range keysOf(c.d.Claims) {
		cl, where := c.d.Claims[key], "claim "+key
		same(c, where, "id", cl.ID, key)
		c.claimNumbers(where, cl)
		if cl.Derivation != nil {
			c.want(cl.Source == "" && cl.Passage == "" && cl.Start == 0 && cl.End == 0 && len(cl.Evidence) == 0 && cl.Support == nil, where, "is derived and yet has a source, a passage, votes or support of its own")
			c.derivation(where, cl)
			continue
		}
		c.place(where, cl)
		c.support(where, cl)
	}
}

// place checks where an explicit claim stands.
func (c *checker) place(where string, cl research.Claim) {
	p, ok := c.d.Passages[cl.Passage]
	if !c.want(ok, where, "its passage %s is not in the digest", cl.Passage) {
		return
	}
	same(c, where, "source", cl.Source, p.Source)
	same(c, where, "start", cl.Start, p.Start)
	same(c, where, "end", cl.End, p.End)
	same(c, where, "published", cl.Published, c.source(cl.Source).Published)
	for _, d := range cl.Dates {
		c.want(dateStands(d, cl.Text+"\n"+p.Text+"\n"+cl.Published), where, "its date %s stands neither in its words nor in its passage", d)
	}
}

// plainNumber is a quantity that needs no reading: digits, with thousands separators and a sign of percent or currency.
var plainNumber = regexp.MustCompile(`^[$€£¥]?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]+)?\s*(?:%|％)?$`)

// claimNumbers checks that quantities are cut from the claim's words, and the values of those written in plain digits.
func (c *checker) claimNumbers(where string, cl research.Claim) {
	for _, q := range cl.Quantities {
		inside := 0 <= q.Start && q.Start < q.End && q.End <= len(cl.Text)
		if !c.want(inside && cl.Text[q.Start:q.End] == q.Text, where, "the number %q does not stand at bytes %d to %d of its words", q.Text, q.Start, q.End) {
			continue
		}
		if m := plainNumber.FindStringSubmatch(q.Text); m != nil && q.Kind != research.Version {
			v, _ := new(big.Rat).SetString(strings.ReplaceAll(m[1], ",", "") + m[2])
			same(c, where, "value of "+q.Text, q.Value, ratio(v))
		}
	}
}

var monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// dateStands reports whether the parts of a partial ISO date stand in a text, in digits, and the month also as a word.
func dateStands(iso, text string) bool {
	parts := strings.Split(iso, "-")
	digits := digitRuns(text)
	number := func(s string) bool { return digits[s] || digits[strings.TrimLeft(s, "0")] }
	if len(parts[0]) != 4 || !digits[parts[0]] && !digits[parts[0][2:]] {
		return false
	}
	if len(parts) > 1 {
		m, err := strconv.Atoi(parts[1])
		if err != nil || m < 1 || m > 12 || !number(parts[1]) && !strings.Contains(strings.ToLower(text), monthNames[m-1]) {
			return false
		}
	}
	return len(parts) < 3 || number(parts[2]) || chineseDay(text)
}

// chineseDay reports whether a text writes days in Chinese numerals, which are not read here.
func chineseDay(text string) bool { return strings.ContainsAny(text, "一二三四五六七八九十") }

var digitRun = regexp.MustCompile(`[0-9]+`)

func digitRuns(s string) map[string]bool {
	out := map[string]bool{}
	for _, d := range digitRun.FindAllString(s, -1) {
		out[d] = true
	}
	return out
}

// support recomputes Eq. 3, its smoothing and Eq. 7 from the votes.
func (c *checker) support(where string, cl research.Claim) {
	s := cl.Support
	if !c.want(s != nil, where, "has neither support nor a derivation") {
		return
	}
	stance := c.votes(where, cl)
	c.partition(where, cl)
	c.sharedError(where, cl)
	k, n := 0, 0
	origins := map[research.Origin]bool{}
	for _, cu := range s.Clusters {
		at := where + ", cluster " + cu.ID
		computed := research.Neutral
		for _, id := range cu.Sources {
			switch st := stance[id]; {
			case st == research.Contradicts:
				computed = st
			case st == research.Confirms && computed == research.Neutral:
				computed = st
			}
		}
		if slices.Contains(cu.Sources, cl.Source) { // the voice that made the claim is none against it
			computed = research.Confirms
		}
		same(c, at, "stance", cu.Stance, computed)
		switch computed {
		case research.Confirms:
			k, n = k+1, n+1
			if len(cu.Sources) > 0 {
				origins[c.source(cu.Sources[0]).Origin] = true
			}
		case research.Contradicts:
			n++
		}
	}
	same(c, where, "k", s.K, k)
	same(c, where, "n", s.N, n)
	raw, conf := new(big.Rat), big.NewRat(int64(k+1), int64(n+2))
	if n > 0 {
		raw = big.NewRat(int64(k), int64(n))
	}
	same(c, where, "raw", s.Raw, ratio(raw))
	conf = c.calibrated(where, s, conf)
	same(c, where, "confidence", s.Confidence, ratio(conf))
	voices := k
	if s.Perspect {
		voices = min(k, len(origins))
	}
	band := bandOf(conf, voices)
	same(c, where, "band", s.Band, band)
	same(c, where, "label", s.Label, labelOf(k, n, band))
}

// bandOf is Eq. 7 with the rules that one voice is never Accept and none is Reject.
func bandOf(conf *big.Rat, voices int) research.Band {
	switch {
	case voices < 1:
		return research.Reject
	case voices > 1 && conf.Cmp(big.NewRat(8, 10)) >= 0:
		return research.Accept
	case conf.Cmp(big.NewRat(5, 10)) >= 0:
		return research.Verify
	}
	return research.Reject
}

func labelOf(k, n int, band research.Band) research.Label {
	switch {
	case k == 0:
		return research.LabelUnconfirmed
	case n > k:
		return research.LabelContested
	case n == 1:
		return research.LabelSingle
	case band == research.Accept:
		return research.LabelNone
	}
	return research.LabelUnconfirmed
}

// votes checks each vote and returns the stance of each source: against beats for beats neutral.
func (c *checker) votes(where string, cl research.Claim) map[string]research.Stance {
	home := map[string]string{}
	for _, cu := range cl.Support.Clusters {
		for _, id := range cu.Sources {
			home[id] = cu.ID
		}
	}
	stance := map[string]research.Stance{}
	for i, v := range cl.Evidence {
		at := where + ", vote " + strconv.Itoa(i+1)
		p, ok := c.d.Passages[v.Passage]
		if c.want(ok, at, "its passage %s is not in the digest", v.Passage) {
			same(c, at, "source", v.Source, p.Source)
		}
		same(c, at, "verdict of its source "+v.Source, c.source(v.Source).Verdict, research.Verified)
		same(c, at, "cluster", v.Cluster, home[v.Source])
		switch v.Stance {
		case research.Contradicts:
			stance[v.Source] = v.Stance
		case research.Confirms:
			if stance[v.Source] != research.Contradicts {
				stance[v.Source] = v.Stance
			}
		case research.Neutral:
			if stance[v.Source] == "" {
				stance[v.Source] = v.Stance
			}
		default:
			c.fault(at, "stance %q is not confirm, contradict or neutral", v.Stance)
		}
	}
	return stance
}

// partition checks that the clusters of a claim are what their edges make of the sources that voted, and that no two of
// them are one voice, one work or one text.
func (c *checker) partition(where string, cl research.Claim) {
	voted := map[string]bool{}
	for _, v := range cl.Evidence {
		voted[v.Source] = true
	}
	all := forest{}
	home := map[string]string{}
	first := ""
	for _, cu := range cl.Support.Clusters {
		at := where + ", cluster " + cu.ID
		parts := append([]string{cl.ID}, cu.Sources...)
		own := forest{}
		for _, e := range cu.Edges {
			parts = append(parts, e.A, e.B, e.Why, string(e.Score))
			if e.Said != "" {
				parts = append(parts, e.Said)
			}
			own.join(e.A, e.B)
			all.join(e.A, e.B)
			c.edge(at, cl, e)
		}
		same(c, at, "id", cu.ID, research.ID("k", parts...))
		if !c.want(len(cu.Sources) > 0, at, "has no sources") {
			continue
		}
		c.want(slices.IsSorted(cu.Sources) && first <= cu.Sources[0], at, "is out of order")
		first = cu.Sources[0]
		for _, id := range cu.Sources {
			c.want(voted[id], at, "its source %s has no vote on the claim", id)
			c.want(home[id] == "", at, "its source %s is in cluster %s too", id, home[id])
			home[id] = cu.ID
			c.want(own.find(id) == own.find(cu.Sources[0]), at, "no chain of edges joins %s and %s", cu.Sources[0], id)
		}
	}
	for _, id := range keysOf(voted) {
		c.want(home[id] != "", where, "%s voted and is in no cluster", id)
	}
	// What must be one voice: by the edges of any cluster, and by what the sources themselves say.
	for _, id := range keysOf(voted) {
		s := c.source(id)
		for _, v := range []string{"voice " + s.Voice, "work " + s.Work, "address " + s.Location, "text " + s.SHA256} {
			if !strings.HasSuffix(v, " ") {
				all.join(id, v)
			}
		}
	}
	at := map[string]string{} // root -> source
	for _, id := range keysOf(voted) {
		other, ok := at[all.find(id)]
		if !ok {
			at[all.find(id)] = id
			continue
		}
		c.want(home[id] == home[other], where, "%s and %s are not independent, and count as two voices", other, id)
	}
}

// edge checks what an edge says of its two sources, as far as the record shows it.
func (c *checker) edge(at string, cl research.Claim, e research.Edge) {
	a, b := c.source(e.A), c.source(e.B)
	if !c.want(a.ID != "" && b.ID != "" && e.A != e.B, at, "edge %s %s (%s): a source is not in the record", e.A, e.B, e.Why) {
		return
	}
	score := rat(e.Score)
	least := big.NewRat(1, 1)
	switch e.Why {
	case "voice":
		c.want(a.Voice == b.Voice, at, "edge %s %s: the voices are %q and %q", e.A, e.B, a.Voice, b.Voice)
	case "work":
		c.want(a.Work == b.Work, at, "edge %s %s: the works are %q and %q", e.A, e.B, a.Work, b.Work)
	case "url":
	case "duplicate":
		least = big.NewRat(7, 10)
	case "simhash":
		least = big.NewRat(61, 64)
	case "syndication":
		least = new(big.Rat)
	case "citing":
		c.citing(at, cl, e)
	case "error":
		least = big.NewRat(1, 2)
	default:
		c.fault(at, "edge %s %s: unknown reason %q", e.A, e.B, e.Why)
	}
	c.want(known(e.Score) && score.Cmp(least) >= 0 && score.Cmp(big.NewRat(1, 1)) <= 0, at, "edge %s %s: score %s of reason %s is outside %s to 1", e.A, e.B, e.Score, e.Why, ratio(least))
}

// forest is a union-find over strings; what was never joined is a tree of its own.
type forest map[string]string

func (f forest) find(x string) string {
	for f[x] != "" && f[x] != x {
		x = f[x]
	}
	return x
}

func (f forest) join(a, b string) {
	if a, b = f.find(a), f.find(b); a != b {
		f[a] = b
	}
}

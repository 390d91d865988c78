package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/text"
)

// crossvalResult is what the bench prints. Times are of one run on one machine; the exponent is their slope.
type crossvalResult struct {
	N        int             `json:"n"` // claims of the largest world
	Exponent float64         `json:"exponent"`
	Sizes    []crossvalPoint `json:"sizes"`
	// Of the largest world: the share of the other pages that state a claim, or another value of it, that were found and judged right.
	Confirmed    float64 `json:"confirmed"`
	Contradicted float64 `json:"contradicted"`
	Wrong        int     `json:"wrong"` // places judged although they speak of another claim
}

type crossvalPoint struct {
	Claims  int     `json:"claims"`
	Lines   int     `json:"lines"`
	Seconds float64 `json:"seconds"`
}

// crossvalSizes are the worlds, in claims.
var crossvalSizes = []int{1250, 2500, 5000, 10000, 20000}

// crossval cross-validates made worlds of growing size with the parts that the engine uses, and measures how the time grows with the
// number of claims: 2 is every claim against every other, 1 is the least possible.
func crossval(ctx context.Context, o options) (any, error) {
	sizes := crossvalSizes
	if o.limit > 0 {
		sizes = nil
		for n := o.limit; len(sizes) < 4; n *= 2 {
			sizes = append(sizes, n)
		}
	}
	res := crossvalResult{N: sizes[len(sizes)-1]}
	madeClaims(sizes[0]).judge() // what is read once a program is no part of the first world
	for _, n := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := madeClaims(n)
		began := time.Now()
		got := w.judge()
		res.Sizes = append(res.Sizes, crossvalPoint{n, w.lines, time.Since(began).Seconds()})
		res.Confirmed, res.Contradicted, res.Wrong = got.confirmed, got.contradicted, got.wrong
	}
	res.Exponent = slope(res.Sizes)
	if !o.json {
		for _, p := range res.Sizes {
			fmt.Fprintf(o.stdout, "%6d claims over %6d lines: %7.2f s\n", p.Claims, p.Lines, p.Seconds)
		}
		fmt.Fprintf(o.stdout, "exponent of time against claims %.3f; found of what confirms %.4f, of what contradicts %.4f; %d wrong\n", res.Exponent, res.Confirmed, res.Contradicted, res.Wrong)
	}
	return res, nil
}

// slope is the least squares slope of log time against log claims.
func slope(ps []crossvalPoint) float64 {
	var sx, sy, sxx, sxy, n float64
	for _, p := range ps {
		x, y := math.Log(float64(p.Claims)), math.Log(p.Seconds)
		sx, sy, sxx, sxy, n = sx+x, sy+y, sxx+x*x, sxy+x*y, n+1
	}
	return math.Round(1000*(n*sxy-sx*sy)/(n*sxx-sx*sx)) / 1000
}

// claimWorld is a set of claims and the pages that state them: each claim on its own page and on two others, on every tenth of these
// with another value.
type claimWorld struct {
	claims []research.Claim
	home   []int // page of each claim
	docs   []research.Document
	says   map[[2]int]research.Stance // page and claim -> what the page does to the claim, its own left out
	lines  int
}

// statementsPerPage is how many statements a page of a made world holds.
const statementsPerPage = 50

func madeClaims(n int) *claimWorld {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	name := func() string {
		const heads, vowels, ends = "bdfgklmnprstvz", "aeiou", "lmnrst"
		var b strings.Builder
		for range 2 {
			b.WriteByte(heads[random.IntN(len(heads))])
			b.WriteByte(vowels[random.IntN(len(vowels))])
			b.WriteByte(ends[random.IntN(len(ends))])
		}
		s := b.String()
		return strings.ToUpper(s[:1]) + s[1:]
	}
	attributes := []string{"grain store", "fishing fleet", "tram network", "town library", "cotton mill", "copper mine", "botanical garden", "paper works", "signal station", "cattle market"}
	units := []string{"workers", "visitors", "wagons", "tonnes", "members"}
	w := &claimWorld{says: map[[2]int]research.Stance{}}
	pages := make([][]string, (3*n+statementsPerPage-1)/statementsPerPage+1)
	put := func(page int, s string) int {
		for len(pages[page]) >= statementsPerPage { // the next one with room
			page = (page + 1) % len(pages)
		}
		pages[page] = append(pages[page], s)
		return page
	}
	for i := range n {
		place, owner := name(), name()
		attribute, unit := attributes[random.IntN(len(attributes))], units[random.IntN(len(units))]
		year, value := 1850+random.IntN(150), 20+random.IntN(9000)
		say := func(form, v int) string {
			if form == 0 {
				return fmt.Sprintf("In %d the %s of %s, run by %s, had %d %s.", year, attribute, place, owner, v, unit)
			}
			return fmt.Sprintf("The %s of %s, which was run by %s, had %d %s in %d.", attribute, place, owner, v, unit, year)
		}
		s := say(0, value)
		c := research.Claim{ID: fmt.Sprintf("c%d", i), Text: s, Quantities: text.Quantities(s), Dates: []string{fmt.Sprint(year)}}
		w.claims = append(w.claims, c)
		home := put(random.IntN(len(pages)), s)
		w.home = append(w.home, home)
		for j := range 2 {
			v, stance := value, research.Confirms
			if (2*i+j)%10 == 0 {
				v, stance = value+1+random.IntN(5000), research.Contradicts
			}
			if page := put(random.IntN(len(pages)), say(1, v)); page != home {
				if _, twice := w.says[[2]int{page, i}]; !twice {
					w.says[[2]int{page, i}] = stance
				}
			}
		}
	}
	for i, p := range pages {
		t := strings.Join(p, "\n\n") + "\n"
		w.docs = append(w.docs, research.Document{Location: fmt.Sprintf("world/%d.txt", i), MediaType: "text/plain", Lang: "en", Text: t, SHA256: research.SHA256(t)})
		w.lines += len(p)
	}
	return w
}

type claimScore struct {
	confirmed, contradicted float64
	wrong                   int
}

// judge does for every claim what the engine's reasoning does: it finds the places that address it and judges each.
func (w *claimWorld) judge() claimScore {
	var pages []*subject.Page
	for _, d := range w.docs {
		pages = append(pages, subject.Read(d))
	}
	body := subject.NewBody(pages)
	hit, all := map[research.Stance]int{}, map[research.Stance]int{}
	for _, s := range w.says {
		all[s]++
	}
	var score claimScore
	seen := map[[2]int]bool{}
	for i, c := range w.claims {
		for _, p := range body.Near(text.Terms(c.Text, "en"), 0.6, 12) {
			if p.Page == w.home[i] {
				continue
			}
			span := pages[p.Page].Around(p.Line)
			stance, _ := evidence.StanceAt(c, pages[p.Page].Doc.Text[span.Start:span.End], "")
			at := [2]int{p.Page, i}
			switch want, speaks := w.says[at]; {
			case stance == research.Neutral || seen[at]:
			case !speaks:
				score.wrong++
			case stance == want:
				hit[want]++
				seen[at] = true
			}
		}
	}
	score.confirmed, score.contradicted = ratioOf(hit[research.Confirms], all[research.Confirms]), ratioOf(hit[research.Contradicts], all[research.Contradicts])
	return score
}

func ratioOf(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return math.Round(10000*float64(n)/float64(of)) / 10000
}

package bench

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"assay/app/bench/worlds"
	"assay/checks"
)

// speedPasses is how often each size is evaluated; the fastest counts.
const speedPasses = 3

// speedPoint is one size.
type speedPoint struct {
	Claims  int     `json:"claims"`
	Sources int     `json:"sources"`
	Blocks  int     `json:"blocks"`
	Kbytes  int     `json:"kbytes"` // of source text
	Millis  float64 `json:"ms"`     // of processor time, of the fastest pass
	Fires   int     `json:"fires"`
}

// speedScore is the result.
type speedScore struct {
	N        int                `json:"n"`  // checks
	Millis   float64            `json:"ms"` // a pass over the report of ordinary size: about 60 claims, 40 sources
	Exponent float64            `json:"exponent"`
	Sizes    []speedPoint       `json:"sizes"`
	ByCheck  map[string]float64 `json:"by_check"` // ms of the ordinary size
	// Copies is the same for a report that prints the same findings over and over, and CopiesExponent how its time grows with them.
	Copies         []speedPoint `json:"copies"`
	CopiesExponent float64      `json:"copies_exponent"`
}

// speed measures one pass of all checks over a report of about 60 claims and 40 sources, and how the time grows with the
// claims, and with copies of its findings, while the sources stay.
func speed(ctx context.Context, o options) (any, error) {
	s := speedScore{N: len(checks.Bank), ByCheck: map[string]float64{}}
	var views, copied []checks.View
	for _, times := range []int{1, 2, 4, 8} {
		views = append(views, worlds.Large("en", times))
		copied = append(copied, worlds.Copied(worlds.Large("en", 1), 8*times))
	}
	var err error
	if s.Sizes, err = timed(ctx, views); err != nil {
		return nil, err
	}
	if s.Copies, err = timed(ctx, copied); err != nil {
		return nil, err
	}
	s.Millis = s.Sizes[0].Millis
	s.Exponent = grows(s.Sizes, func(p speedPoint) int { return p.Claims })
	s.CopiesExponent = grows(s.Copies, func(p speedPoint) int { return p.Blocks })
	for _, c := range checks.Bank {
		best := math.Inf(1)
		for range speedPasses {
			began := cpuTime()
			checks.Evaluate(views[0], checks.Options{Disabled: others(c)})
			best = min(best, millis(began))
		}
		s.ByCheck[c.Name] = best
	}
	if !o.json {
		printSpeed(o, s)
	}
	return s, nil
}

// timed evaluates the bank over each view.
func timed(ctx context.Context, views []checks.View) ([]speedPoint, error) {
	out := make([]speedPoint, len(views))
	for i, v := range views {
		p := speedPoint{Claims: len(v.Claims), Sources: len(v.Sources), Millis: math.Inf(1)}
		for _, sec := range v.Draft.Sections {
			p.Blocks += len(sec.Blocks)
		}
		for _, t := range v.Texts {
			p.Kbytes += len(t)
		}
		p.Kbytes /= 1024
		out[i] = p
	}
	for range speedPasses { // in turn, so that a busy moment does not fall on one size
		for i, v := range views {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			began := cpuTime()
			out[i].Fires = len(checks.Evaluate(v, checks.Options{}))
			out[i].Millis = min(out[i].Millis, millis(began))
		}
	}
	return out, nil
}

// grows is the exponent of time against a size.
func grows(list []speedPoint, size func(speedPoint) int) float64 {
	var points []crossvalPoint
	for _, p := range list {
		points = append(points, crossvalPoint{Claims: size(p), Seconds: p.Millis / 1000})
	}
	return slope(points)
}

// others names every check but one.
func others(one *checks.Check) []string {
	var out []string
	for _, c := range checks.Bank {
		if c != one {
			out = append(out, c.Name)
		}
	}
	return out
}

// millis is the processor time used since, in milliseconds, to a hundredth.
func millis(began time.Duration) float64 {
	return max(0.01, math.Round((cpuTime()-began).Seconds()*100_000)/100)
}

func printSpeed(o options, s speedScore) {
	for _, p := range append(append([]speedPoint{}, s.Sizes...), s.Copies...) {
		fmt.Fprintf(o.stdout, "%5d claims in %4d blocks over %d sources (%d KiB): %9.2f ms of processor time a pass, %d fires\n", p.Claims, p.Blocks, p.Sources, p.Kbytes, p.Millis, p.Fires)
	}
	names := sortedKeys(s.ByCheck)
	sort.SliceStable(names, func(i, j int) bool { return s.ByCheck[names[i]] > s.ByCheck[names[j]] })
	for _, n := range names[:min(12, len(names))] {
		fmt.Fprintf(o.stdout, "    %-26s %8.2f ms\n", n, s.ByCheck[n])
	}
	fmt.Fprintf(o.stdout, "%d checks, %.2f ms a pass, exponent of time against claims %.3f, against copied findings %.3f\n", s.N, s.Millis, s.Exponent, s.CopiesExponent)
}

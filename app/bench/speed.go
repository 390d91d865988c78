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
}

// speed measures one pass of all checks over a report of about 60 claims and 40 sources, and how the time grows with the
// claims while the sources stay.
func speed(ctx context.Context, o options) (any, error) {
	s := speedScore{N: len(checks.Bank), ByCheck: map[string]float64{}}
	var views []checks.View
	for _, times := range []int{1, 2, 4, 8} {
		v := worlds.Large("en", times)
		p := speedPoint{Claims: len(v.Claims), Sources: len(v.Sources), Millis: math.Inf(1)}
		for _, sec := range v.Draft.Sections {
			p.Blocks += len(sec.Blocks)
		}
		for _, t := range v.Texts {
			p.Kbytes += len(t)
		}
		p.Kbytes /= 1024
		views = append(views, v)
		s.Sizes = append(s.Sizes, p)
	}
	for range speedPasses { // in turn, so that a busy moment does not fall on one size
		for i, v := range views {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			began := cpuTime()
			s.Sizes[i].Fires = len(checks.Evaluate(v, checks.Options{}))
			s.Sizes[i].Millis = min(s.Sizes[i].Millis, millis(began))
		}
	}
	s.Millis = s.Sizes[0].Millis
	var points []crossvalPoint
	for _, p := range s.Sizes {
		points = append(points, crossvalPoint{Claims: p.Claims, Seconds: p.Millis / 1000})
	}
	s.Exponent = slope(points)
	for _, c := range checks.Bank {
		best := math.Inf(1)
		for range speedPasses {
			began := cpuTime()
			for _, k := range c.Scope(views[0]) {
				c.Eval(views[0], k)
			}
			best = min(best, millis(began))
		}
		s.ByCheck[c.Name] = best
	}
	if !o.json {
		printSpeed(o, s)
	}
	return s, nil
}

// millis is the processor time used since, in milliseconds, to a hundredth.
func millis(began time.Duration) float64 {
	return max(0.01, math.Round((cpuTime()-began).Seconds()*100_000)/100)
}

func printSpeed(o options, s speedScore) {
	for _, p := range s.Sizes {
		fmt.Fprintf(o.stdout, "%5d claims in %4d blocks over %d sources (%d KiB): %9.2f ms of processor time a pass, %d fires\n", p.Claims, p.Blocks, p.Sources, p.Kbytes, p.Millis, p.Fires)
	}
	names := sortedKeys(s.ByCheck)
	sort.SliceStable(names, func(i, j int) bool { return s.ByCheck[names[i]] > s.ByCheck[names[j]] })
	for _, n := range names[:min(12, len(names))] {
		fmt.Fprintf(o.stdout, "    %-26s %8.2f ms\n", n, s.ByCheck[n])
	}
	fmt.Fprintf(o.stdout, "%d checks, %.2f ms a pass, exponent of time against claims %.3f\n", s.N, s.Millis, s.Exponent)
}

package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed experiment.html
var experimentHTML string

var experimentTemplate = template.Must(template.New("experiment").Funcs(template.FuncMap{
	"words": func(s string) string { return strings.ReplaceAll(s, "_", " ") },
	"num":   func(f float64) string { return fmt.Sprintf("%.3f", f) },
}).Parse(experimentHTML))

// page is the experiment as one page without script or outside files.
func (x *experiment) page() ([]byte, error) {
	type cell struct {
		Value float64
		N     int
		Pair  *pairedDifference
	}
	type row struct {
		Key, What string
		Cells     []cell
	}
	v := struct {
		*experiment
		Table   []row
		Stages  []row
		Domains []row
	}{experiment: x}
	at := func(key, what string) row {
		r := row{Key: key, What: what}
		for _, a := range x.Arms {
			c := cell{Value: x.Means[a.Name][key], N: x.Counts[a.Name][key]}
			for i := range x.Pairs {
				if p := &x.Pairs[i]; p.Arm == a.Name && p.Measure == key {
					c.Pair = p
				}
			}
			r.Cells = append(r.Cells, c)
		}
		return r
	}
	for _, m := range measures {
		v.Table = append(v.Table, at(m.Key, m.What))
	}
	for _, s := range []string{"understand", "hypothesise", "plan", "search", "extract", "reason", "report", "persist"} {
		v.Stages = append(v.Stages, at("seconds_"+s, s))
	}
	kinds := map[string]bool{}
	for _, r := range x.Rows {
		if !kinds[r.Kind] {
			kinds[r.Kind] = true
			d := row{Key: r.Kind}
			for _, a := range x.Arms {
				_, ok := x.Domains[a.Name][r.Kind]
				d.Cells = append(d.Cells, cell{Value: x.Domains[a.Name][r.Kind], N: count(ok)})
			}
			v.Domains = append(v.Domains, d)
		}
	}
	var b bytes.Buffer
	err := experimentTemplate.Execute(&b, v)
	return b.Bytes(), err
}

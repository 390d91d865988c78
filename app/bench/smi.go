package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/gpu"
)

// smiExpected says how each recorded output is meant, by the name of its kind: the reading of the design document, section 4,
// as data. Sizes are MiB; null is "must be unknown", a key that is absent is not looked at.
//
//go:embed testdata/smi.json
var smiExpected []byte

// smiWant is how one recorded output is meant.
type smiWant struct {
	Kind     []string         `json:"kind"`  // any of
	Cards    []map[string]any `json:"cards"` // all of them, in order
	Programs string           `json:"programs"`
	Says     []string         `json:"says"`   // in the sentences
	Silent   []string         `json:"silent"` // in none of them
}

// smiRow is what was read in one file.
type smiRow struct {
	File     string   `json:"file"`
	Source   string   `json:"source"` // what printed it; "" when it was not recognised
	Kind     string   `json:"kind"`
	Read     string   `json:"read"` // cards and programs, in words
	Note     []string `json:"note"`
	Expected bool     `json:"expected"` // there is an expectation for it
	Faults   []string `json:"faults"`   // against it; empty when it is right
}

// smiScore is the result.
type smiScore struct {
	N        int      `json:"n"`        // files
	Expected int      `json:"expected"` // of them with an expectation
	Right    int      `json:"right"`
	Wrong    int      `json:"wrong"`
	Unread   int      `json:"unread"` // not recognised at all
	Files    []smiRow `json:"files"`
}

// smi reads recorded outputs of vendors' tools and holds what is read against what they are known to mean.
func smi(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: smi needs --data DIR", errUsage)
	}
	dir := o.data
	if info, err := os.Stat(filepath.Join(dir, "smi")); err == nil && info.IsDir() {
		dir = filepath.Join(dir, "smi")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var want map[string]smiWant
	if err := json.Unmarshal(smiExpected, &want); err != nil {
		return nil, err
	}
	score := smiScore{Files: []smiRow{}}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), "README") {
			continue
		}
		row, err := smiRead(filepath.Join(dir, e.Name()), want)
		if err != nil {
			return nil, err
		}
		score.add(row)
		if !o.json {
			printSMI(o, row)
		}
	}
	if score.N == 0 {
		return nil, fmt.Errorf("%s holds no recorded output", dir)
	}
	if score.Unread == score.N && score.Expected == 0 {
		return nil, fmt.Errorf("%s holds no output of a vendor's tool: none of %d files is recognised", dir, score.N)
	}
	if err := writePredictions(o.predictions, score.Files); err != nil {
		return nil, err
	}
	if !o.json {
		fmt.Fprintf(o.stdout, "%d files: %d right, %d wrong, %d without an expectation, %d not recognised\n", score.N, score.Right, score.Wrong, score.N-score.Expected, score.Unread)
	}
	return score, nil
}

func (s *smiScore) add(row smiRow) {
	s.N++
	if row.Source == "" {
		s.Unread++
	}
	if row.Expected {
		s.Expected++
		if len(row.Faults) == 0 {
			s.Right++
		} else {
			s.Wrong++
		}
	}
	s.Files = append(s.Files, row)
}

func printSMI(o options, row smiRow) {
	verdict := "right"
	switch {
	case !row.Expected:
		verdict = "read"
	case len(row.Faults) > 0:
		verdict = "WRONG"
	}
	fmt.Fprintf(o.stdout, "%-5s %s: %s, %s: %s\n", verdict, row.File, row.Source, row.Kind, row.Read)
	for _, f := range row.Faults {
		fmt.Fprintf(o.stdout, "      %s\n", f)
	}
}

// smiRead reads one file and compares it with what is expected of its name.
func smiRead(name string, want map[string]smiWant) (smiRow, error) {
	row := smiRow{File: filepath.Base(name), Note: []string{}, Faults: []string{}}
	w, ok := want[strings.TrimSuffix(row.File, filepath.Ext(row.File))]
	row.Expected = ok
	info, err := os.Stat(name)
	if err != nil {
		return row, err
	}
	var content []byte
	if info.Size() <= gpu.MaxRecorded {
		if content, err = os.ReadFile(name); err != nil {
			return row, err
		}
	}
	r, err := gpu.Read(row.File, content)
	if err != nil {
		row.Kind, row.Read = "not_recognised", err.Error()
		if ok {
			row.Faults = append(row.Faults, err.Error())
		}
		return row, nil
	}
	row.Source, row.Kind, row.Read = r.Source, string(r.Kind), smiWords(r)
	for _, c := range r.Conditions {
		row.Note = append(row.Note, c.Text)
	}
	if ok {
		row.Faults = append(row.Faults, w.faults(r, strings.Join(row.Note, "; "))...)
	}
	return row, nil
}

// faults compares a reading with what is expected.
func (w smiWant) faults(r gpu.Reading, text string) []string {
	var faults []string
	if !slices.Contains(w.Kind, string(r.Kind)) {
		faults = append(faults, fmt.Sprintf("kind is %s, expected %s", r.Kind, strings.Join(w.Kind, " or ")))
	}
	if len(r.GPUs) != len(w.Cards) {
		faults = append(faults, fmt.Sprintf("%d cards, expected %d", len(r.GPUs), len(w.Cards)))
	} else {
		for i, card := range w.Cards {
			faults = append(faults, cardFaults(i, card, r.GPUs[i])...)
		}
	}
	if w.Programs != "" && len(r.Processes) == 0 {
		faults = append(faults, "no program was read")
	}
	for _, p := range r.Processes {
		if w.Programs == "hidden" && p.Bytes != nil || w.Programs == "known" && p.Bytes == nil {
			faults = append(faults, fmt.Sprintf("the memory of %s is %s, expected %s", p.Name, mibWords(p.Bytes), w.Programs))
		}
	}
	for _, s := range w.Says {
		if !strings.Contains(text, s) {
			faults = append(faults, fmt.Sprintf("does not say %q but %q", s, text))
		}
	}
	for _, s := range w.Silent {
		if strings.Contains(text, s) {
			faults = append(faults, fmt.Sprintf("says %q", s))
		}
	}
	return faults
}

// cardFaults compares a card with the keys that are expected of it.
func cardFaults(i int, want map[string]any, g gpu.GPU) []string {
	sizes := map[string]*int64{
		"total": g.MemoryTotal, "used": g.MemoryUsed, "free": g.MemoryFree, "reserved": g.MemoryReserved, "usable": g.Usable, "at_least": g.AtLeast,
	}
	var faults []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		value := want[key]
		var got any
		switch size, isSize := sizes[key]; {
		case isSize && size != nil:
			got = float64(*size >> 20)
		case isSize:
			got = nil
		case key == "busy" && g.Busy != nil:
			got = float64(*g.Busy)
		case key == "busy":
			got = nil
		case key == "slices":
			var list []any
			for _, s := range g.Slices {
				if s.Total != nil {
					list = append(list, float64(*s.Total>>20))
				}
			}
			got = list
		case key == "shared":
			got = g.Shared
		case key == "name":
			got = g.Name
		case key == "driver":
			got = g.Driver
		}
		if fmt.Sprint(got) != fmt.Sprint(value) {
			faults = append(faults, fmt.Sprintf("card %d: %s is %v, expected %v", i, key, got, value))
		}
	}
	return faults
}

// smiWords is what was read, on one line.
func smiWords(r gpu.Reading) string {
	var words []string
	for _, g := range r.GPUs {
		w := fmt.Sprintf("%s total %s used %s free %s usable %s", g.Name, mibWords(g.MemoryTotal), mibWords(g.MemoryUsed), mibWords(g.MemoryFree), mibWords(g.Usable))
		if g.AtLeast != nil {
			w += " at least " + mibWords(g.AtLeast)
		}
		if g.Shared {
			w += " shared"
		}
		for _, s := range g.Slices {
			w += " slice " + mibWords(s.Total)
		}
		words = append(words, w)
	}
	for _, p := range r.Processes {
		words = append(words, fmt.Sprintf("%s %s", p.Name, mibWords(p.Bytes)))
	}
	if len(words) == 0 {
		words = []string{"no card"}
		if len(r.Conditions) > 0 {
			words[0] = r.Conditions[0].Text
		}
	}
	return strings.Join(words, "; ")
}

func mibWords(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprintf("%d MiB", *n>>20)
}

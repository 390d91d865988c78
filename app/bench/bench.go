// Package bench measures parts of the program on labelled data.
//
// Start at [Main]. Each bench is a file of its name; it prints counts and scores, with --json one object.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"sort"
	"strings"
)

// options are the flags that all benches share; each reads what it needs.
type options struct {
	data, also, corpus, out, model, predictions, depth, home string
	limit                                                    int
	only, part, arms                                         string
	json                                                     bool
	stdout, stderr                                           io.Writer
}

// errUsage is a command line that cannot be run.
var errUsage = errors.New("usage")

// benches by name.
var benches = map[string]func(context.Context, options) (any, error){
	"aitext":       aitextBench,
	"allocated":    allocated,
	"authors":      authorsBench,
	"bylines":      bylinesBench,
	"citations":    citationsBench,
	"calibration":  calibration,
	"conflict":     conflict,
	"cost":         cost,
	"crossval":     crossval,
	"dates":        datesBench,
	"extract":      extractBench,
	"fit":          fit,
	"grounding":    groundingBench,
	"intent":       intentBench,
	"json":         jsonBench,
	"leak":         leak,
	"mutation":     mutation,
	"library":      libraryBench,
	"numeric":      numeric,
	"numbers":      numbers,
	"qa":           qa,
	"run":          runExperiment,
	"samename":     samename,
	"segments":     segmentsBench,
	"smi":          smi,
	"strike":       strike,
	"speed":        speed,
	"temporal":     temporalBench,
	"verification": verification,
	"vram":         vram,
}

// Names lists the benches in order.
func Names() []string {
	var out []string
	for n := range benches {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Main runs the bench that args names and returns the exit code: 0 measured, 2 usage, 1 anything else.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := options{stdout: stdout, stderr: stderr}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.data, "data", "", "file or folder with the labelled cases")
	fs.StringVar(&o.also, "also", "", "a second folder of cases")
	fs.StringVar(&o.corpus, "corpus", "", "folder of documents, one folder a package (qa, run)")
	fs.StringVar(&o.out, "out", "", "folder for the runs (qa, run, cost)")
	fs.StringVar(&o.model, "model", "extractive", "who answers: extractive (qa, run) or ollama:NAME (run, cost)")
	fs.StringVar(&o.depth, "depth", "standard", "quick, standard or deep (qa, run, cost)")
	fs.StringVar(&o.predictions, "predictions", "", "file for one prediction a line")
	fs.StringVar(&o.home, "home", "", "folder that keeps the index between runs (qa); a temporary one if empty")
	fs.StringVar(&o.only, "only", "", "ids of the cases to run, separated by commas")
	fs.StringVar(&o.arms, "arms", "", "arms of the experiment, separated by commas, such as ds,sr,no-gap (run); if empty, all")
	fs.StringVar(&o.part, "part", "", "tuning or reporting (mutation); if empty, reporting")
	fs.IntVar(&o.limit, "limit", 0, "run the first N cases only")
	fs.BoolVar(&o.json, "json", false, "print one JSON object")
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintf(stderr, "bench: name one of %s\n", strings.Join(Names(), ", "))
		return 2
	}
	run, ok := benches[args[0]]
	if !ok {
		fmt.Fprintf(stderr, "bench: there is no bench %q; name one of %s\n", args[0], strings.Join(Names(), ", "))
		return 2
	}
	if err := fs.Parse(args[1:]); err != nil {
		return 2
	}
	result, err := run(ctx, o)
	if err != nil {
		fmt.Fprintf(stderr, "bench %s: %v\n", args[0], err)
		if errors.Is(err, errUsage) {
			return 2
		}
		return 1
	}
	if o.json {
		b, err := json.MarshalIndent(result, "", " ")
		if err != nil {
			fmt.Fprintf(stderr, "bench %s: %v\n", args[0], err)
			return 1
		}
		fmt.Fprintln(stdout, string(b))
	}
	return 0
}

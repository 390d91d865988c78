package bench

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"assay/gpu"
)

// vramResult is what the bench prints. Ratios are predicted / measured - 1.
type vramResult struct {
	N                 int        `json:"n"` // rows compared: caches in MiB, working memories and totals
	KVRowsMiB         int        `json:"kv_rows_mib"`
	KVMaxErrorMiBRows float64    `json:"kv_max_error_mib_rows"`
	KVRowsGiB         int        `json:"kv_rows_gib"`
	KVMaxErrorGiBRows float64    `json:"kv_max_error_gib_rows"`
	ComputeN          int        `json:"compute_n"`
	ComputeUnder      int        `json:"compute_under"`
	ComputeMedianOver float64    `json:"compute_median_over"`
	ComputeMaxOver    float64    `json:"compute_max_over"`
	PartialN          int        `json:"partial_n"`           // the same models with 4 layers on the card
	PartialUnder      int        `json:"partial_under"`       // their working memory under the measurement
	PartialMedian     float64    `json:"partial_median_over"` // their median
	ComputeUnknown    []string   `json:"compute_unknown"`     // models that the catalogue does not hold
	TotalN            int        `json:"total_n"`
	TotalUnder        int        `json:"total_under"`
	TotalRows         []totalRow `json:"total_rows"`
	TotalListed       []totalRow `json:"total_listed"` // not measurements: listed only
	KVWorst           []vramRow  `json:"kv_worst"`
	KVUnread          []string   `json:"kv_unread"` // rows with a cache size that could not be compared, with the reason
}

// vramRow is one compared figure, in MiB.
type vramRow struct {
	ID        string  `json:"id"`
	Model     string  `json:"model"`
	What      string  `json:"what"`
	Measured  float64 `json:"measured_mib"`
	Predicted float64 `json:"predicted_mib"`
	Error     float64 `json:"error"`
	Note      string  `json:"note,omitempty"`
}

// totalRow is one compared total with its parts, in MiB.
type totalRow struct {
	vramRow
	Parts map[string]float64 `json:"parts_mib"`
}

// table is a CSV file whose columns are found by name.
type table struct {
	name string
	head map[string]int
	rows [][]string
}

func (t table) get(row []string, column string) string {
	i, ok := t.head[column]
	if !ok || i >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[i])
}

func (t table) has(columns ...string) bool {
	for _, c := range columns {
		if _, ok := t.head[c]; !ok {
			return false
		}
	}
	return true
}

// vram compares the memory estimate with measured cases: caches, working memories, totals.
func vram(_ context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: vram needs --data DIR with the measured cases", errUsage)
	}
	tables, err := readTables(o.data)
	if err != nil {
		return nil, err
	}
	var cases, sweep []table
	for _, t := range tables {
		switch {
		case t.has("kv_mib", "arch", "num_ctx"):
			cases = append(cases, t)
		case t.has("compute_full_offload_mib", "n_ctx"):
			sweep = append(sweep, t)
		}
	}
	if len(cases)+len(sweep) == 0 {
		return nil, fmt.Errorf("%s holds no table with the columns kv_mib or compute_full_offload_mib: name the folder that holds cases.csv or compute_sweep.csv itself%s", o.data, vramBelow(o.data))
	}
	res := vramResult{ComputeUnknown: []string{}, TotalRows: []totalRow{}, TotalListed: []totalRow{}, KVUnread: []string{}}
	var all []vramRow
	for _, t := range cases {
		all = append(all, vramKV(t, &res)...)
		vramTotals(t, &res)
	}
	var over, partial []float64
	for _, t := range sweep {
		rows := vramCompute(t, &res)
		for _, r := range rows {
			if r.What == "partial" {
				partial = append(partial, r.Error)
			} else {
				over = append(over, r.Error)
			}
		}
		all = append(all, rows...)
	}
	res.PartialMedian = median(partial)
	res.ComputeMedianOver = median(over)
	for _, x := range over {
		res.ComputeMaxOver = max(res.ComputeMaxOver, x)
	}
	res.KVWorst = worst(all, "kv", 12)
	res.N = res.KVRowsMiB + res.ComputeN + res.TotalN
	for _, r := range append(append([]totalRow{}, res.TotalRows...), res.TotalListed...) {
		all = append(all, r.vramRow)
	}
	if err := writePredictions(o.predictions, all); err != nil {
		return nil, err
	}
	if !o.json {
		printVRAM(o.stdout, res, all)
	}
	return res, nil
}

// readTables reads the CSV files of a folder, or one file.
func readTables(dir string) ([]table, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		names = []string{dir}
	}
	sort.Strings(names)
	var out []table
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		r := csv.NewReader(f)
		r.FieldsPerRecord = -1
		r.LazyQuotes = true
		rows, err := r.ReadAll()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(rows) < 2 {
			continue
		}
		t := table{name: filepath.Base(name), head: map[string]int{}, rows: rows[1:]}
		for i, h := range rows[0] {
			t.head[strings.ToLower(strings.TrimSpace(h))] = i
		}
		out = append(out, t)
	}
	return out, nil
}

// inGiB says whether a row's cache was printed in GiB with one decimal. Ollama's own lines print sizes of 1 GiB and more so;
// llama.cpp prints MiB with two decimals.
func inGiB(engine string, mib float64) bool {
	return strings.HasPrefix(engine, "ollama") && mib >= 1024
}

// vramBelow says which folder below holds tables, where one does.
func vramBelow(dir string) string {
	found, err := filepath.Glob(filepath.Join(dir, "*", "*.csv"))
	if err != nil || len(found) == 0 {
		return ""
	}
	return ", such as " + filepath.Dir(found[0])
}

// vramKV compares the caches.
func vramKV(t table, res *vramResult) []vramRow {
	var out []vramRow
	for _, row := range t.rows {
		id, written := t.get(row, "case_id"), strings.TrimSpace(t.get(row, "kv_mib"))
		measured, ok := figure(written)
		if !ok && written != "" && written != "-" {
			res.KVUnread = append(res.KVUnread, fmt.Sprintf("%s: kv_mib is %q, which is no figure", id, written))
		}
		if !ok || measured <= 0 {
			continue
		}
		c, err := readCase(t, row)
		if err != nil {
			res.KVUnread = append(res.KVUnread, id+": "+err.Error())
			continue
		}
		predicted := mib(c.model.Estimate(c.load).KVBytes())
		r := vramRow{ID: id, Model: t.get(row, "model"), What: "kv", Measured: measured, Predicted: predicted, Error: predicted/measured - 1}
		if inGiB(t.get(row, "engine"), measured) {
			r.What, r.Note = "kv_gib", "printed in GiB with one decimal"
			res.KVRowsGiB++
			res.KVMaxErrorGiBRows = max(res.KVMaxErrorGiBRows, math.Abs(r.Error))
		} else {
			res.KVRowsMiB++
			res.KVMaxErrorMiBRows = max(res.KVMaxErrorMiBRows, math.Abs(r.Error))
		}
		if t.get(row, "inferred") != "" {
			r.Note = strings.TrimPrefix(r.Note+"; context or model inferred from the cache", "; ")
		}
		out = append(out, r)
	}
	return out
}

// vramCompute compares the working memories of a sweep: fully offloaded, flash attention on, q8_0 cache, by current llama.cpp.
func vramCompute(t table, res *vramResult) []vramRow {
	var out []vramRow
	for _, row := range t.rows {
		measured, ok := figure(t.get(row, "compute_full_offload_mib"))
		context, ok2 := figure(t.get(row, "n_ctx"))
		if !ok || !ok2 || measured <= 0 {
			continue
		}
		m, found := sweepModel(t, row)
		name := t.get(row, "file")
		if !found {
			res.ComputeUnknown = append(res.ComputeUnknown, t.get(row, "arch")+" "+name)
			continue
		}
		set := readSettings(t.get(row, "settings"))
		l := gpu.Load{Context: int(context), Batch: set.batch, Physical: set.ubatch, Parallel: set.parallel, K: set.k, V: set.v, Flash: set.flash, Backend: set.backend}
		if some, ok := figure(t.get(row, "compute_4layer_offload_mib")); ok && some > 0 {
			four := l
			four.Offload = new(int)
			*four.Offload = 4
			p := mib(m.Estimate(four).Of(gpu.PartCompute))
			res.PartialN++
			if p < some {
				res.PartialUnder++
			}
			out = append(out, vramRow{ID: t.get(row, "arch"), Model: name, What: "partial", Measured: some, Predicted: p, Error: p/some - 1})
		}
		predicted := mib(m.Estimate(l).Of(gpu.PartCompute))
		r := vramRow{ID: t.get(row, "arch"), Model: name, What: "compute", Measured: measured, Predicted: predicted, Error: predicted/measured - 1}
		res.ComputeN++
		if predicted < measured {
			res.ComputeUnder++
		}
		out = append(out, r)
	}
	return out
}

// worst are the rows of a kind with the largest errors, largest first.
func worst(rows []vramRow, what string, n int) []vramRow {
	out := []vramRow{}
	for _, r := range rows {
		if strings.HasPrefix(r.What, what) {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return math.Abs(out[i].Error) > math.Abs(out[j].Error) })
	return out[:min(n, len(out))]
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// writePredictions writes one JSON object a line; no name, no file.
func writePredictions[T any](name string, rows []T) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	enc := json.NewEncoder(f)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return f.Close()
}

func printVRAM(w io.Writer, res vramResult, all []vramRow) {
	fmt.Fprintf(w, "cache: %d rows logged in MiB, largest error %.4f %%; %d printed as x.y GiB, largest error %.2f %% (rounding is up to 5 %% at 1 GiB)\n",
		res.KVRowsMiB, 100*res.KVMaxErrorMiBRows, res.KVRowsGiB, 100*res.KVMaxErrorGiBRows)
	for _, r := range res.KVWorst[:min(8, len(res.KVWorst))] {
		fmt.Fprintf(w, "  %-6s %-40.40s %10.2f logged %10.2f predicted %+8.4f %%  %s\n", r.ID, r.Model, r.Measured, r.Predicted, 100*r.Error, r.Note)
	}
	for _, s := range res.KVUnread {
		fmt.Fprintf(w, "  not compared: %s\n", s)
	}
	fmt.Fprintf(w, "working memory: %d rows, %d under the measurement, median %.1f %% over, most %.1f %% over; %d models are not in the catalogue\n",
		res.ComputeN, res.ComputeUnder, 100*res.ComputeMedianOver, 100*res.ComputeMaxOver, len(res.ComputeUnknown))
	sorted := worst(all, "compute", len(all))
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Error < sorted[j].Error })
	for _, r := range sorted {
		fmt.Fprintf(w, "  %-16s %-60.60s %8.2f measured %8.2f predicted %+6.1f %%\n", r.ID, r.Model, r.Measured, r.Predicted, 100*r.Error)
	}
	fmt.Fprintf(w, "the same with 4 layers on the card: %d rows, %d under the measurement, median %.1f %% over\n", res.PartialN, res.PartialUnder, 100*res.PartialMedian)
	fmt.Fprintf(w, "totals: %d measured rows, %d of them under by more than 1 %%\n", res.TotalN, res.TotalUnder)
	for i, rows := range [][]totalRow{res.TotalRows, res.TotalListed} {
		if i == 1 && len(rows) > 0 {
			fmt.Fprintf(w, "listed only, because they are a server's estimates or decimal roundings:\n")
		}
		for _, r := range rows {
			fmt.Fprintf(w, "  %-6s %-28.28s %10.1f %10.1f predicted %+6.1f %%  %s\n         %s\n", r.ID, r.Model, r.Measured, r.Predicted, 100*r.Error, r.Note, partsText(r.Parts))
		}
	}
}

func partsText(parts map[string]float64) string {
	var out []string
	for _, k := range []string{"weights", "adapter", "kv", "kv_windowed", "recurrent", "compute", "projector", "image", "overhead", "host"} {
		if v, ok := parts[k]; ok {
			out = append(out, fmt.Sprintf("%s %.1f", k, v))
		}
	}
	return strings.Join(out, " + ")
}

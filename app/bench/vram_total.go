package bench

import (
	"regexp"
	"strings"

	"assay/gpu"
)

// measuredTotal says whether a row's total is a measurement, and whether it counts main memory and the driver's overhead.
func measuredTotal(kind string) (measured, host, overhead bool) {
	k := strings.ToLower(kind)
	switch {
	case strings.HasPrefix(k, "ollama ps"), strings.Contains(k, "(estimate"):
		return false, strings.Contains(k, "total memory") || strings.Contains(k, "ollama ps"), false
	case strings.Contains(k, "sum of device buffers"):
		return true, false, false
	case strings.Contains(k, "measured reserve"):
		return true, true, false // Ollama's "total memory" line: every device and the processor
	case strings.Contains(k, "measured"), strings.Contains(k, "held"), strings.Contains(k, "nvidia-smi"):
		return true, false, true
	}
	return false, false, false
}

// vramTotals compares the totals, part by part.
func vramTotals(t table, res *vramResult) {
	for _, row := range t.rows {
		total, ok := figure(t.get(row, "total_mib"))
		if !ok || total <= 0 {
			continue
		}
		kind := t.get(row, "total_kind")
		measured, host, overhead := measuredTotal(kind)
		r := totalRow{vramRow: vramRow{ID: t.get(row, "case_id"), Model: t.get(row, "model"), What: "total", Measured: total, Note: kind}, Parts: map[string]float64{}}
		c, err := readCase(t, row)
		if err != nil {
			r.What, r.Note = "total_listed", kind+"; not predicted: "+err.Error()
			res.TotalListed = append(res.TotalListed, r)
			continue
		}
		e := caseEstimate(&c, t, row)
		for _, p := range e.Parts {
			switch {
			case p.Host && host:
				r.Parts["host"] += mib(p.Bytes)
			case p.Host, p.Kind == gpu.PartOverhead && !overhead:
				continue
			default:
				r.Parts[string(p.Kind)] += mib(p.Bytes)
			}
			r.Predicted += mib(p.Bytes)
		}
		r.Error = r.Predicted/total - 1
		if !measured {
			r.What = "total_listed"
			res.TotalListed = append(res.TotalListed, r)
			continue
		}
		res.TotalN++
		least := total
		if strings.HasPrefix(t.get(row, "engine"), "ollama") && strings.Contains(kind, "total memory") && total >= 1024 {
			least -= 51.2 // printed in GiB with one decimal
			r.Note += "; printed in GiB with one decimal"
		}
		if r.Predicted < 0.99*least {
			res.TotalUnder++
			r.Note += "; UNDER"
		}
		res.TotalRows = append(res.TotalRows, r)
	}
}

// caseEstimate estimates a row's whole load. Weights are those its log gives, or the catalogue's: they are not predicted but
// counted. Layers that ran from main memory are taken from the log's split.
func caseEstimate(c *logged, t table, row []string) gpu.Estimate {
	get := func(col string) string { return t.get(row, col) }
	card, onCard := figure(get("weights_gpu_mib"))
	cpu, onHost := figure(get("weights_cpu_mib"))
	partial := onCard && c.model.Weights.Card() > 0 && card < 0.9*mib(c.model.Weights.Card())
	if onCard {
		bytes := func(v float64) int64 { return int64(v * (1 << 20)) }
		w := gpu.Weights{Exact: true, Source: "as the log gives them", Rest: bytes(card), Input: c.model.Weights.Input}
		if onHost {
			w.Input = bytes(cpu)
		}
		c.model.Weights = w
	}
	if !onCard && c.model.Weights.Card() == 0 {
		c.model.Weights = roughWeights(get("params"), get("quant"))
	}
	if s := layersOf.FindStringSubmatch(get("split")); s != nil && whole(s[1]) < whole(s[2]) && whole(s[2]) == c.model.Layers+1 {
		n := whole(s[1])
		if partial || !onCard {
			c.load.Offload = &n
		}
	}
	if s := manyCards.FindStringSubmatch(get("gpu")); s != nil {
		c.load.Devices = whole(s[1])
	} else if n := strings.Count(get("gpu"), " + "); n > 0 {
		c.load.Devices = n + 1
	}
	for _, b := range []gpu.Backend{gpu.Metal, gpu.Vulkan, gpu.ROCm} {
		if strings.Contains(strings.ToLower(get("gpu")), string(b)) {
			c.load.Backend = b
		}
	}
	if p, ok := figure(get("projector_mib")); ok && p > 0 {
		b := int64(p * (1 << 20))
		c.model.Projector = gpu.Projector{Present: true, Bytes: &b}
	} else if !strings.HasPrefix(get("engine"), "ollama") {
		c.model.Projector = gpu.Projector{} // llama.cpp was given none
	}
	if text := get("model") + " " + get("note") + " " + get("quant"); strings.Contains(strings.ToLower(text), "lora") && c.model.KVLoRARank == 0 {
		c.model.Adapters = 1
		if s := megabytes.FindStringSubmatch(text); s != nil {
			if v, ok := figure(s[1]); ok {
				b := int64(v * (1 << 20))
				c.model.AdapterBytes = &b
			}
		}
	}
	return c.model.Estimate(c.load)
}

// bitsPerWeight are what files of a quantisation take for each parameter, embeddings included, rounded up.
var bitsPerWeight = map[string]float64{
	"F32": 32, "F16": 16, "BF16": 16, "Q8_0": 8.6, "Q6_K": 6.7, "Q5_K_M": 5.8, "Q5_K_S": 5.6, "Q5_0": 5.7, "Q5_1": 6.1, "Q4_K_M": 5, "Q4_K_S": 4.8,
	"Q4_0": 4.8, "Q4_1": 5.2, "Q3_K_L": 4.4, "Q3_K_M": 4.1, "Q3_K_S": 3.7, "Q2_K": 3.4, "MXFP4": 4.6, "IQ4_XS": 4.5, "IQ4_NL": 4.8,
}

// roughWeights are the weights of a model that is neither in the row nor in the catalogue, from its parameters: a bound.
func roughWeights(params, quant string) gpu.Weights {
	f := parameters.FindStringSubmatch(strings.ReplaceAll(params, ",", ""))
	if f == nil {
		return gpu.Weights{}
	}
	n, ok := figure(f[1])
	if !ok {
		return gpu.Weights{}
	}
	n *= map[string]float64{"M": 1e6, "B": 1e9, "T": 1e12}[f[2]]
	name := strings.ToUpper(strings.TrimSpace(quant))
	name = strings.ReplaceAll(strings.ReplaceAll(name, " - MEDIUM", "_M"), " - SMALL", "_S")
	bits, ok := bitsPerWeight[name]
	if !ok {
		bits = 16
	}
	return gpu.Weights{Source: "parameters x bits", Rest: int64(min(n, 1e14) * bits / 8)}
}

var parameters = regexp.MustCompile(`^\s*(\d+(?:\.\d+)?)\s*([MBT])`)

package ollama

import (
	"bufio"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Log is what a server's log says about its settings, its devices and the models it loaded. None of it can be asked by the
// API. Everything is optional: releases differ in what they write, and a log may begin in the middle.
type Log struct {
	Version string `json:"version,omitempty"`
	// Config is the environment as the server understood it, such as OLLAMA_KV_CACHE_TYPE; nil when the line was not seen.
	Config map[string]string `json:"config,omitempty"`
	// DefaultNumCtx is the window of a request that names none, in tokens, which follows from TotalVRAM, in bytes.
	DefaultNumCtx *int        `json:"default_num_ctx,omitempty"`
	TotalVRAM     *int64      `json:"total_vram,omitempty"`
	Devices       []LogDevice `json:"devices"` // as found at the last start
	Loads         []LogLoad   `json:"loads"`   // in order, the last 32
	// Warnings are the last 50 lines of level WARN or ERROR, each cut to 500 bytes.
	Warnings []string `json:"warnings"`
}

// LogDevice is a device that the server computes on.
type LogDevice struct {
	ID          string `json:"id"`
	Library     string `json:"library"` // "cuda", "rocm", "vulkan", "metal", "cpu"
	Name        string `json:"name"`    // as later lines call it, such as "CUDA0"
	Description string `json:"description"`
	Kind        string `json:"kind"` // "discrete", "iGPU"; empty for the processor
	// Total and Available are bytes, rounded as the server prints them; nil when they are not said.
	Total     *int64 `json:"total,omitempty"`
	Available *int64 `json:"available,omitempty"`
}

// LogLoad is one load of a model.
type LogLoad struct {
	Model string `json:"model"` // the file, usually .../blobs/sha256-DIGEST
	// What it was loaded with; nil or empty when it is not said. Cells is the cache of all parallel windows together.
	Cells          *int   `json:"cells,omitempty"`
	Parallel       *int   `json:"parallel,omitempty"`
	Batch          *int   `json:"batch,omitempty"`
	MicroBatch     *int   `json:"micro_batch,omitempty"`
	KVType         string `json:"kv_type,omitempty"`
	FlashAttention string `json:"flash_attention,omitempty"` // "auto", "enabled", "disabled"
	// Layers of the model, the output counted, and how many of them are on cards.
	Layers    *int `json:"layers,omitempty"`
	Offloaded *int `json:"offloaded,omitempty"`
	// Required is what the server's estimate wanted for all layers, in bytes.
	Required *int64 `json:"required,omitempty"`
	// Parts are the allocations, at most 256, and Caches what the cache lines say of themselves, at most 16.
	Parts  []LogPart  `json:"parts"`
	Caches []LogCache `json:"caches"`
}

// LogPart is an allocation of a load.
type LogPart struct {
	Kind   string `json:"kind"`   // "weights", "kv", "compute", "output", "recurrent"
	Device string `json:"device"` // "CUDA0", "CPU", "CUDA_Host"
	Bytes  int64  `json:"bytes"`
	// Exact: a buffer that was allocated, printed in hundredths of a MiB. Otherwise the server's summary, which is a
	// measurement or an estimate by the model's architecture, and is rounded to a tenth of its unit.
	Exact bool `json:"exact"`
}

// LogCache is a key-value cache; a model with sliding windows has two.
type LogCache struct {
	Cells  int    `json:"cells"`
	Layers int    `json:"layers"`
	Bytes  int64  `json:"bytes"`
	KType  string `json:"k_type"`
	VType  string `json:"v_type"`
}

// Bounds of what is read of a log.
const (
	maxLogLine     = 64 << 10
	maxLogLoads    = 32
	maxLogParts    = 256
	maxLogCaches   = 16
	maxLogDevices  = 64
	maxLogConfig   = 256
	maxLogWarnings = 50
	maxWarning     = 500
)

// LogReader takes in a server's log line by line. The zero value is ready.
type LogReader struct{ log Log }

// ReadLog reads a whole log. Lines longer than 64 KiB are cut.
func ReadLog(r io.Reader) (Log, error) {
	var l LogReader
	err := eachLine(r, func(line []byte) { l.Line(string(line)) })
	return l.Log(), err
}

// eachLine calls fn for every line, without its end, cut to 64 KiB.
func eachLine(r io.Reader, fn func([]byte)) error {
	br := bufio.NewReaderSize(r, maxLogLine)
	for cut := false; ; {
		line, err := br.ReadSlice('\n')
		long := err == bufio.ErrBufferFull
		if !cut && len(line) > 0 {
			fn([]byte(strings.TrimRight(string(line), "\r\n")))
		}
		cut = long
		if err != nil && !long {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}

// Log returns a copy of what was read so far.
func (l *LogReader) Log() Log {
	out := l.log
	out.Devices = append([]LogDevice{}, out.Devices...)
	out.Warnings = append([]string{}, out.Warnings...)
	out.Loads = append([]LogLoad{}, out.Loads...)
	for i := range out.Loads {
		out.Loads[i].Parts = append([]LogPart{}, out.Loads[i].Parts...)
		out.Loads[i].Caches = append([]LogCache{}, out.Loads[i].Caches...)
	}
	return out
}

// Line takes in one line.
func (l *LogReader) Line(line string) {
	if len(line) > maxLogLine {
		line = line[:maxLogLine]
	}
	if i := strings.Index(line, "level="); i >= 0 && (i == 0 || line[i-1] == ' ') && strings.Contains(line, "msg=") {
		l.record(line, attributes(line[i:]))
		return
	}
	switch {
	case strings.Contains(line, " buffer size"):
		l.buffer(line)
	case strings.Contains(line, "llama_kv_cache") && strings.Contains(line, "size ="), strings.Contains(line, "KV self size"):
		l.cache(line)
	case strings.Contains(line, "llama_context:") || strings.Contains(line, "llama_new_context_with_model:"):
		l.context(line)
	case strings.Contains(line, "offloaded "):
		l.offloaded(line)
	case strings.Contains(line, "llama_model_loader: loaded meta data"):
		if i := strings.LastIndex(line, " from "); i >= 0 {
			file, _, _ := strings.Cut(line[i+len(" from "):], " (version")
			// The server reads the file's head before it starts the process that loads it.
			if n := len(l.log.Loads); n == 0 || l.log.Loads[n-1].Model != file || exact(l.log.Loads[n-1]) {
				l.begin(file)
			}
		}
	}
}

func exact(load LogLoad) bool {
	for _, p := range load.Parts {
		if p.Exact {
			return true
		}
	}
	return false
}

// begin notes that a load begins, unless that was noted already.
func (l *LogReader) begin(file string) {
	if n := len(l.log.Loads); n > 0 {
		if last := l.log.Loads[n-1]; last.Model == file && len(last.Parts) == 0 && last.Cells == nil {
			return
		}
	}
	l.log.Loads = append(l.log.Loads, LogLoad{Model: file, Parts: []LogPart{}, Caches: []LogCache{}})
	if n := len(l.log.Loads); n > maxLogLoads {
		l.log.Loads = l.log.Loads[n-maxLogLoads:]
	}
}

// load is the one under way; lines without a beginning get one without a name.
func (l *LogReader) load() *LogLoad {
	if len(l.log.Loads) == 0 {
		l.begin("")
	}
	return &l.log.Loads[len(l.log.Loads)-1]
}

func (load *LogLoad) part(kind, device string, bytes int64, exact bool) {
	if device != "" && len(load.Parts) < maxLogParts {
		load.Parts = append(load.Parts, LogPart{kind, device, bytes, exact})
	}
}

// record takes in a line of the server itself.
func (l *LogReader) record(line string, a map[string]string) {
	if a["level"] == "WARN" || a["level"] == "ERROR" {
		l.log.Warnings = append(l.log.Warnings, strings.ToValidUTF8(line[:min(len(line), maxWarning)], "�"))
		if n := len(l.log.Warnings); n > maxLogWarnings {
			l.log.Warnings = l.log.Warnings[n-maxLogWarnings:]
		}
	}
	msg := a["msg"]
	switch {
	case msg == "server config":
		l.log.Config, l.log.Devices = goMap(a["env"]), nil // the server has started
	case strings.HasPrefix(msg, "Listening on "):
		if _, v, ok := strings.Cut(msg, "(version "); ok {
			l.log.Version = strings.TrimSuffix(v, ")")
		}
	case msg == "inference compute":
		if len(l.log.Devices) < maxLogDevices {
			l.log.Devices = append(l.log.Devices, LogDevice{
				ID: a["id"], Library: strings.ToLower(a["library"]), Name: a["name"], Description: a["description"], Kind: a["type"],
				Total: sizeOf(a["total"]), Available: sizeOf(a["available"]),
			})
		}
	case msg == "vram-based default context":
		l.log.DefaultNumCtx, l.log.TotalVRAM = number(a["default_num_ctx"]), sizeOf(a["total_vram"])
	case strings.HasPrefix(msg, "starting ") && a["cmd"] != "":
		if file := flagOf(a["cmd"], "--model", "-m"); file != "" {
			l.begin(file)
		}
	case msg == "load" && strings.Contains(a["request"], "Operation:commit"):
		l.commit(a["request"])
	case msg == "model weights", msg == "kv cache", msg == "compute graph":
		kind := map[string]string{"model weights": "weights", "kv cache": "kv", "compute graph": "compute"}[msg]
		device := a["device"]
		for _, other := range []string{"buffer", "backend"} { // releases before 0.12
			if device == "" {
				device = a[other]
			}
		}
		if n := sizeOf(a["size"]); n != nil {
			l.load().part(kind, device, *n, false)
		}
	case strings.HasPrefix(msg, "offload") && a["layers.model"] != "":
		load := l.load()
		load.Layers, load.Offloaded, load.Required = number(a["layers.model"]), number(a["layers.offload"]), sizeOf(a["memory.required.full"])
	case strings.HasPrefix(msg, "offloaded "):
		l.offloaded(msg)
	}
}

// commit reads what the runner was told: "{Operation:commit Parallel:1 BatchSize:512 FlashAttention:Auto KvSize:4096 ...}".
func (l *LogReader) commit(request string) {
	load := l.load()
	for _, field := range strings.Fields(strings.Trim(request, "{}")) {
		key, value, _ := strings.Cut(field, ":")
		switch key {
		case "Parallel":
			load.Parallel = number(value)
		case "BatchSize":
			load.Batch = number(value)
		case "KvSize":
			load.Cells = number(value)
		case "KvCacheType":
			load.KVType = value
		case "FlashAttention":
			load.FlashAttention = flash(value)
		}
	}
}

// flash is the word for a setting of flash attention, which releases write in their own ways.
func flash(s string) string {
	switch strings.ToLower(s) {
	case "auto", "-1":
		return "auto"
	case "1", "true", "on", "enabled":
		return "enabled"
	case "0", "false", "off", "disabled":
		return "disabled"
	}
	return ""
}

// buffer reads "load_tensors:        CUDA0 model buffer size =  4695.56 MiB" and its kin.
func (l *LogReader) buffer(line string) {
	before, after, _ := strings.Cut(line, " buffer size")
	fields := strings.Fields(before)
	n := sizeOf(strings.TrimLeft(after, " ="))
	if n == nil || len(fields) < 2 {
		return
	}
	kinds := map[string]string{"model": "weights", "KV": "kv", "compute": "compute", "output": "output", "RS": "recurrent"}
	last := fields[len(fields)-1]
	kind, named := kinds[last]
	device := last
	if named {
		device = fields[len(fields)-2]
	} else {
		kind = "weights" // releases of 2024 say "CUDA0 buffer size" for them
	}
	if !strings.HasSuffix(device, ":") {
		l.load().part(kind, device, *n, true)
	}
}

var (
	cacheCells = regexp.MustCompile(`\(\s*(\d+) cells,\s*(\d+) layers`)
	cacheTypes = regexp.MustCompile(`K \((\w+)\):\s*([\d.]+ [KMG]iB), V \((\w+)\):\s*([\d.]+ [KMG]iB)`)
	layersOf   = regexp.MustCompile(`offloaded (\d+)/(\d+) layers`)
)

// cache reads "llama_kv_cache: size =    1.00 MiB (  4096 cells,   2 layers,  1/1 seqs), K (f16):    0.50 MiB, V (f16): ...".
func (l *LogReader) cache(line string) {
	types := cacheTypes.FindStringSubmatch(line)
	if types == nil {
		return
	}
	k, v := sizeOf(types[2]), sizeOf(types[4])
	if k == nil || v == nil {
		return
	}
	c := LogCache{Bytes: *k + *v, KType: types[1], VType: types[3]}
	if m := cacheCells.FindStringSubmatch(line); m != nil {
		if cells, layers := number(m[1]), number(m[2]); cells != nil && layers != nil {
			c.Cells, c.Layers = *cells, *layers
		}
	}
	load := l.load()
	if load.KVType == "" && c.KType == c.VType {
		load.KVType = c.KType
	}
	if len(load.Caches) < maxLogCaches {
		load.Caches = append(load.Caches, c)
	}
}

// context reads "llama_context: n_batch       = 512" and its kin.
func (l *LogReader) context(line string) {
	if strings.Contains(line, "Flash Attention was auto, set to ") {
		_, to, _ := strings.Cut(line, "set to ")
		if f := flash(strings.TrimSpace(to)); f != "" {
			l.load().FlashAttention = f
		}
		return
	}
	before, value, ok := strings.Cut(line, "=")
	fields := strings.Fields(before)
	if !ok || len(fields) == 0 {
		return
	}
	value = strings.TrimSpace(value)
	switch fields[len(fields)-1] {
	case "n_ctx":
		l.load().Cells = number(value)
	case "n_seq_max":
		l.load().Parallel = number(value)
	case "n_batch":
		l.load().Batch = number(value)
	case "n_ubatch":
		l.load().MicroBatch = number(value)
	case "flash_attn":
		if f := flash(value); f != "" {
			l.load().FlashAttention = f
		}
	}
}

func (l *LogReader) offloaded(line string) {
	if m := layersOf.FindStringSubmatch(line); m != nil {
		load := l.load()
		load.Offloaded, load.Layers = number(m[1]), number(m[2])
	}
}

// attributes splits `level=INFO msg="kv cache" device=CPU` as the server's logger writes it.
func attributes(s string) map[string]string {
	out := map[string]string{}
	const most = 64
	for s != "" && len(out) < most {
		s = strings.TrimLeft(s, " ")
		var key, value string
		var ok bool
		if key, s, ok = word(s, '='); !ok || !strings.HasPrefix(s, "=") {
			return out
		}
		if value, s, ok = word(s[1:], ' '); !ok {
			return out
		}
		out[key] = value
	}
	return out
}

// word cuts a quoted string, or what stands before the stop character or a space, off the front of s.
func word(s string, stop byte) (w, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", false
		}
		w, err = strconv.Unquote(quoted)
		return w, s[len(quoted):], err == nil
	}
	end := len(s)
	for i := range len(s) {
		if s[i] == stop || s[i] == ' ' {
			end = i
			break
		}
	}
	return s[:end], s[end:], true
}

// mapKey is a variable's name: the values of the map hold colons too, as in "http://127.0.0.1".
var mapKey = regexp.MustCompile(`^([A-Z][A-Z0-9_]*|https?_proxy|no_proxy):`)

// goMap splits "map[A:1 B:[x y] C:]" as Go prints a map of strings.
func goMap(s string) map[string]string {
	s, ok := strings.CutPrefix(s, "map[")
	if !ok {
		return nil
	}
	s = strings.TrimSuffix(s, "]")
	out := map[string]string{}
	key, depth := "", 0
	for field := range strings.SplitSeq(s, " ") {
		if m := mapKey.FindStringSubmatch(field); m != nil && depth == 0 && len(out) < maxLogConfig {
			key = m[1]
			field = field[len(m[0]):]
			out[key] = field
		} else if key != "" {
			out[key] += " " + field
		}
		depth = max(0, depth+strings.Count(field, "[")-strings.Count(field, "]"))
	}
	return out
}

// flagOf returns the value of the first of the flags in a command line.
func flagOf(cmd string, flags ...string) string {
	for _, f := range flags {
		if _, rest, ok := strings.Cut(cmd, " "+f+" "); ok {
			// The path may hold spaces; the next flag ends it.
			file, _, _ := strings.Cut(rest, " -")
			return file
		}
	}
	return ""
}

// number reads a whole number that is not negative; nil when it is none.
func number(s string) *int {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 32)
	if err != nil || n < 0 {
		return nil
	}
	v := int(n)
	return &v
}

// sizeOf reads "380.8 KiB", "0 B" or "1.5 GB" and what follows is left out; nil when it is no size.
func sizeOf(s string) *int64 {
	fields := strings.Fields(strings.Trim(s, "[]"))
	if len(fields) < 2 {
		return nil
	}
	unit, ok := map[string]float64{
		"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	}[strings.TrimRight(fields[1], ",;)]")]
	n, err := strconv.ParseFloat(fields[0], 64)
	if !ok || err != nil || math.IsNaN(n) || n < 0 || n*unit > 1<<55 {
		return nil
	}
	v := int64(math.Round(n * unit))
	return &v
}

package desk

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"assay/engine/ollama"
	"assay/gpu"
)

// ReplayEnv names a folder of recorded outputs of nvidia-smi that stand for the cards of this machine, for screens and tests on
// machines without one. Only the tool is replaced: its outputs go through the same monitor, history and alarms as a real
// card's, and the page says that it shows a recording.
//
// The folder holds, for each look, files named after its time in seconds, such as 0120.csv:
//
//	SECONDS.csv       what --query-gpu printed, the line with the fields first; or the words with which the tool failed
//	SECONDS.apps.csv  what --query-compute-apps printed; may be absent
//	SECONDS.ps.json   what the model server answered to /api/ps; when no look has one the real server is asked
//
// The last look is that of now, and stays; those before it are the past half hour.
const ReplayEnv = "ASSAY_GPU_REPLAY"

// Bounds of a recording.
const (
	maxReplaySteps = 512
	maxReplayFile  = 64 << 10 // bytes; a card takes one line of about 200
)

// recordedLook is one look of a recording.
type recordedLook struct {
	seconds  int
	cards    string
	programs string
	loaded   []ollama.Running
	told     bool // loaded is known
}

// gpuReplay plays a recording. Its methods may be called from anywhere.
type gpuReplay struct {
	looks []recordedLook
	at    atomic.Int64 // index of the look that is shown
	serve bool         // some look says what is loaded
}

var replayName = regexp.MustCompile(`^([0-9]{1,6})(\.apps\.csv|\.ps\.json|\.csv)$`)

// readReplay reads a folder of recorded looks.
func readReplay(dir string) (*gpuReplay, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s names the recording %s, which is no folder that can be read; correct or unset it", ReplayEnv, dir)
	}
	byTime := map[int]*recordedLook{}
	for _, e := range entries {
		m := replayName.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		seconds, _ := strconv.Atoi(m[1]) // digits
		look := byTime[seconds]
		if look == nil {
			if len(byTime) == maxReplaySteps {
				return nil, fmt.Errorf("%s: %s holds more than %d looks", ReplayEnv, dir, maxReplaySteps)
			}
			look = &recordedLook{seconds: seconds}
			byTime[seconds] = look
		}
		if err := look.read(filepath.Join(dir, e.Name()), m[2]); err != nil {
			return nil, fmt.Errorf("%s: %w", ReplayEnv, err)
		}
	}
	r := &gpuReplay{}
	for _, look := range byTime {
		if look.cards != "" {
			r.looks = append(r.looks, *look)
			r.serve = r.serve || look.told
		}
	}
	if len(r.looks) == 0 {
		return nil, fmt.Errorf("%s: %s holds no file such as 0000.csv", ReplayEnv, dir)
	}
	slices.SortFunc(r.looks, func(a, b recordedLook) int { return a.seconds - b.seconds })
	r.at.Store(int64(len(r.looks) - 1))
	return r, nil
}

// read takes in one file of the look.
func (l *recordedLook) read(name, kind string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading
	b, err := io.ReadAll(io.LimitReader(f, maxReplayFile+1))
	if err != nil {
		return err
	}
	if len(b) > maxReplayFile {
		return fmt.Errorf("%s has more than %d bytes", name, maxReplayFile)
	}
	switch kind {
	case ".csv":
		l.cards = string(b)
	case ".apps.csv":
		l.programs = string(b)
	case ".ps.json":
		var ps struct {
			Models []ollama.Running `json:"models"` // the keys are the server's
		}
		if err := json.Unmarshal(b, &ps); err != nil {
			return fmt.Errorf("%s is no answer of /api/ps (%s); record it again or take it out", name, BadJSON(err))
		}
		l.told, l.loaded = true, ps.Models
	}
	return nil
}

func (r *gpuReplay) look() recordedLook { return r.looks[r.at.Load()] }

// run answers as nvidia-smi would have at the time of the look; there is no other tool. It is a [gpu.Runner].
func (r *gpuReplay) run(_ context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	if name != "nvidia-smi" {
		return nil, nil, exec.ErrNotFound
	}
	look := r.look()
	for _, arg := range args {
		if fields, ok := strings.CutPrefix(arg, "--query-gpu="); ok {
			out, ok := columnsOf(look.cards, strings.Split(fields, ","))
			if !ok { // the tool's own words of a fault
				return []byte(look.cards), nil, errors.New("exit status 9")
			}
			return []byte(out), nil, nil
		}
		if fields, ok := strings.CutPrefix(arg, "--query-compute-apps="); ok {
			out, _ := columnsOf(look.programs, strings.Split(fields, ","))
			return []byte(out), nil, nil
		}
	}
	return nil, nil, errors.New("exit status 1")
}

// columnsOf picks columns from a recorded table as the tool prints them without header and units: what was not recorded is
// "[N/A]", and a missing index is the number of the line. It is false for a text that is no table.
func columnsOf(table string, fields []string) (string, bool) {
	read := csv.NewReader(strings.NewReader(table))
	read.FieldsPerRecord, read.TrimLeadingSpace, read.LazyQuotes = -1, true, true
	rows, err := read.ReadAll()
	if err != nil || len(rows) == 0 {
		return "", false
	}
	place := map[string]int{}
	for i, title := range rows[0] {
		title, _, _ = strings.Cut(title, " [")
		place[strings.TrimSpace(title)] = i
	}
	_, card := place["name"]
	_, program := place["pid"]
	if !card && !program {
		return "", false
	}
	var out strings.Builder
	for n, row := range rows[1:] {
		for i, field := range fields {
			value := "[N/A]"
			if at, ok := place[field]; ok && at < len(row) {
				value = withoutUnit(row[at])
			} else if field == "index" {
				value = strconv.Itoa(n)
			}
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString(value)
		}
		out.WriteByte('\n')
	}
	return out.String(), true
}

func withoutUnit(s string) string {
	s = strings.TrimSpace(s)
	for _, unit := range []string{" MiB", " W", " %"} {
		s = strings.TrimSuffix(s, unit)
	}
	return s
}

// models are the loaded models of the look.
func (r *gpuReplay) models() ([]ollama.Running, error) {
	look := r.look()
	if !look.told {
		return nil, errors.New("the recording does not say which models were loaded")
	}
	return look.loaded, nil
}

// past takes all looks into the sampler's history, at the times they were recorded, counted back from now.
func (r *gpuReplay) past(ctx context.Context, s *gpu.Sampler, now time.Time) {
	last := len(r.looks) - 1
	then := now
	s.Now = func() time.Time { return then }
	for i, look := range r.looks {
		r.at.Store(int64(i))
		then = now.Add(-time.Duration(r.looks[last].seconds-look.seconds) * time.Second)
		s.Sample(ctx)
	}
	s.Now = nil
}

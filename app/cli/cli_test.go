package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/app/desk"
	"assay/engine/research"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(desk.PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(os.Args[2:]))
	}
	// The index starts its workers once a program and keeps them.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// terminalOn is a terminal on one home, without a model server.
type terminalOn struct {
	t       *testing.T
	home    string
	ollama  string // where a model server is looked for
	replay  string // of ASSAY_GPU_REPLAY
	signals chan os.Signal
	typed   string // on its standard input
}

func newTerminal(t *testing.T) *terminalOn {
	return &terminalOn{t: t, home: t.TempDir(), ollama: "127.0.0.1:1", signals: make(chan os.Signal, 2)} // nobody answers there
}

// run does one command line and returns what it printed and its code.
func (x *terminalOn) run(args ...string) (out, errOut string, code int) {
	x.t.Helper()
	var o, e bytes.Buffer
	p := &program{in: strings.NewReader(x.typed), out: &o, err: &e, version: "1.0", signals: x.signals,
		exit: func(code int) { x.t.Errorf("the process was ended with %d", code) },
		getenv: func(name string) string {
			switch name {
			case "ASSAY_HOME":
				return x.home
			case "OLLAMA_HOST":
				return x.ollama
			case desk.ReplayEnv:
				return x.replay
			}
			return ""
		}}
	code = p.run(args)
	return o.String(), e.String(), code
}

// want fails unless the command ended with code and printed text.
func (x *terminalOn) want(code int, text string, args ...string) string {
	x.t.Helper()
	out, errOut, got := x.run(args...)
	if got != code || !strings.Contains(out+errOut, text) {
		x.t.Fatalf("assay %s: code %d, want %d and %q\n%s%s", strings.Join(args, " "), got, code, text, out, errOut)
	}
	return out
}

func docs(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "metals")
	if err := os.MkdirAll(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gold.md":    "# Gold\n\nGold melts at 1064 degrees Celsius. Pure gold is soft and is alloyed with copper.\n",
		"a/table.md": "# Melting points\n\nThe melting point of gold is 1064 degrees Celsius. The melting point of silver is 962 degrees Celsius.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const clock = "2026-01-02T03:04:05Z"

func TestTheMainJob(t *testing.T) {
	x := newTerminal(t)
	dir, out := docs(t), filepath.Join(t.TempDir(), "report")
	x.want(0, "Report: "+filepath.Join(out, "report.html"),
		"research", "What is the melting point of gold?", "--library", dir, "--offline", "--model", "extractive", "--out", out, "--clock", clock, "--yes")
	for _, name := range []string{"report.html", "report.md", "digest.json", "run.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	run := filepath.Join(out, "run.json")
	x.want(0, " 0 differ", "audit", run)
	x.want(0, "identical digest", "replay", run, "--strict")
	x.want(1, "it is a digest", "audit", filepath.Join(out, "digest.json"))
	x.want(0, "", "render", filepath.Join(out, "digest.json"), "--out", filepath.Join(out, "again.html"))
	for _, name := range []string{"again.docx", "again.bib", "again.ris", "again.csl.json", "again.pandoc.md", "AGAIN.HTM"} {
		x.want(0, "", "render", filepath.Join(out, "run.json"), "--out", filepath.Join(out, name))
		if st, err := os.Stat(filepath.Join(out, name)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	first, err1 := os.ReadFile(filepath.Join(out, "report.html"))
	again, err2 := os.ReadFile(filepath.Join(out, "again.html"))
	if err1 != nil || err2 != nil || !bytes.Equal(first, again) {
		t.Errorf("the page rendered again differs: %v, %v", err1, err2)
	}

	second := filepath.Join(t.TempDir(), "second")
	x.want(0, "", "research", "What is the melting point of gold?", "--library", dir, "--offline", "--model", "extractive", "--out", second, "--clock", clock)
	a, err1 := os.ReadFile(filepath.Join(out, "digest.json"))
	b, err2 := os.ReadFile(filepath.Join(second, "digest.json"))
	if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("two runs with one clock and seed differ: %v, %v", err1, err2)
	}
	x.want(1, "", "audit", forge(t, run))
}

// forge returns a copy of a run.json with one digit of one confidence changed.
func forge(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	digest := bytes.LastIndex(b, []byte(`"digest":`))
	at := bytes.Index(b[digest:], []byte(`"confidence":"`))
	if at < 0 {
		t.Fatal("the digest holds no confidence")
	}
	digit := digest + at + len(`"confidence":"`)
	b[digit] = '1' + (b[digit]-'0')%9
	forged := filepath.Join(t.TempDir(), "forged.json")
	if err := os.WriteFile(forged, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return forged
}

func TestJSONEvents(t *testing.T) {
	x := newTerminal(t)
	out, errOut, code := x.run("research", "What is the melting point of gold?", "--library", docs(t), "--model", "extractive", "--clock", clock, "--json")
	if code != 0 || errOut != "" {
		t.Fatalf("code %d: %s", code, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var seq int64
	for i, line := range lines[:len(lines)-1] {
		var ev research.Event
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if ev.Kind == research.EventTick {
			continue
		}
		if ev.Seq != seq+1 {
			t.Errorf("line %d has number %d after %d", i+1, ev.Seq, seq)
		}
		seq = ev.Seq
	}
	var last resultLine
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Kind != "result" || last.State != "done" || len(last.Files) != 4 {
		t.Errorf("last line = %s, %v", lines[len(lines)-1], err)
	}
}

func TestNothingFound(t *testing.T) {
	x := newTerminal(t)
	args := []string{"research", "Which football club won the cup in Lisbon?", "--library", docs(t), "--model", "extractive", "--clock", clock}
	out, errOut, code := x.run(args...)
	if code != 3 || !strings.Contains(out, "Gap: ") || strings.Contains(errOut, "Done: ") || strings.Count(errOut, "assay: ") != 1 {
		t.Errorf("code %d, want 3 with gaps\n%s%s", code, out, errOut)
	}
	x.want(0, "Gap: ", append(args, "--allow-partial")...)
}

func TestUsage(t *testing.T) {
	dir := docs(t)
	file := filepath.Join(dir, "gold.md")
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"no question", []string{"research", "--library", dir}, "question is empty"},
		{"empty question", []string{"research", "  ", "--library", dir}, "question is empty"},
		{"nothing to search", []string{"research", "why?"}, "--library DIR"},
		{"missing folder", []string{"research", "why?", "--library", dir + "x"}, "does not exist"},
		{"folder that is a file", []string{"research", "why?", "--library", file}, "is a file"},
		{"missing attachment", []string{"research", "why?", "--attach", file + "x"}, "does not exist"},
		{"depth", []string{"research", "why?", "--library", dir, "--depth", "abyss"}, "quick, standard or deep"},
		{"clock", []string{"research", "why?", "--library", dir, "--clock", "noon"}, "clock"},
		{"seed", []string{"research", "why?", "--library", dir, "--seed", "x"}, "seed"},
		{"flag", []string{"research", "why?", "--colour"}, "unknown flag"},
		{"command", []string{"reserch"}, "unknown command"},
		{"help for nothing", []string{"help", "reserch"}, `there is no command "reserch"`},
		{"resume with a question", []string{"research", "why?", "--resume", "2026"}, "leave the question out"},
		{"resume of nothing", []string{"research", "--resume", "2026"}, "no such run"},
		{"audit without a file", []string{"audit"}, "takes one argument and was given 0: write it as assay audit RUN.json"},
		{"number", []string{"research", "why?", "--seed", "x"}, "not a number"},
		{"audit of nothing", []string{"audit", file + ".json"}, "does not exist"},
		{"render without out", []string{"render", file}, "--out"},
		{"render of no form", []string{"render", file, "--out", "x.exe"}, "must end in one of"},
		{"render of nothing", []string{"render", file + "x", "--out", "x.html"}, "does not exist"},
		{"show nothing", []string{"runs", "show", "x"}, "no such run"},
		{"delete nothing", []string{"runs", "rm", "x"}, "no such run"},
		{"library folder", []string{"library", "add", dir + "x"}, "does not exist"},
		{"library removal", []string{"library", "rm", dir}, "not in the library"},
		{"library search", []string{"library", "search", "gold"}, "library is empty"},
		{"bench", []string{"bench", "none"}, "assay: bench: there is no bench"},
		{"bench data", []string{"bench", "qa", "--data", dir + "x"}, "does not exist"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, errOut, code := newTerminal(t).run(tc.args...)
			if code != 2 || !strings.Contains(errOut, tc.want) || strings.Count(errOut, "\n") != 1 || out != "" {
				t.Errorf("code %d, want 2 and one sentence with %q\nout: %s\nerr: %s", code, tc.want, out, errOut)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	dir := docs(t)
	file := filepath.Join(dir, "gold.md")
	x := newTerminal(t)
	x.want(1, "not a run record", "audit", file)
	x.want(1, "not a digest", "render", file, "--out", filepath.Join(t.TempDir(), "x.html"))
	x.want(4, "127.0.0.1:1", "research", "What is the melting point of gold?", "--library", dir, "--model", "ollama:none")
	x.want(0, "extractive", "research", "What is the melting point of gold?", "--library", dir, "--model", "auto")
	x.want(2, "holds no readable document", "research", "What is the melting point of gold?", "--library", t.TempDir(), "--model", "extractive")
	x.ollama = "192.0.2.1"
	x.want(4, "--model extractive", "research", "What is the melting point of gold?", "--library", dir, "--model", "ollama:none")
	x.ollama = "ftp://a b"
	x.want(4, "OLLAMA_HOST is not an address", "research", "What is the melting point of gold?", "--library", dir, "--model", "ollama:none")
	for _, body := range []string{"", "<html>"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if body == "" {
				w.WriteHeader(http.StatusInternalServerError)
			}
			_, _ = w.Write([]byte(body))
		}))
		x.ollama = s.URL
		x.want(4, "not as an Ollama server", "research", "What is the melting point of gold?", "--library", dir, "--model", "ollama:none")
		s.Close()
	}
	if err := os.WriteFile(filepath.Join(x.home, "settings.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	x.want(1, "settings.json", "runs", "list")
}

func TestRunsAndLibrary(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	x.want(0, "no runs yet", "runs", "list")
	x.want(0, "empty", "library", "list")
	x.want(0, "2 documents", "library", "add", dir)
	x.want(0, "2 unchanged", "library", "add", dir)
	x.want(0, dir, "library", "list")
	x.want(0, "1064", "library", "search", "melting", "gold")
	x.want(0, "", "research", "What is the melting point of gold?", "--model", "extractive", "--clock", clock) // in the library
	var runs []research.RunInfo
	if err := json.Unmarshal([]byte(x.want(0, "", "runs", "list", "--json")), &runs); err != nil || len(runs) != 1 {
		t.Fatalf("runs list --json = %+v, %v", runs, err)
	}
	id := runs[0].ID
	x.want(0, "melting point", "runs", "list")
	x.want(0, "", "runs", "rename", id[:15], "Of", "gold", "--project", "Metals")
	x.want(0, "Of gold", "runs", "list", "--project", "Metals")
	x.want(0, "report.html", "runs", "show", id)
	out := filepath.Join(t.TempDir(), "run.json")
	x.want(0, "", "runs", "export", id, "--out", out)
	x.want(0, " 0 differ", "audit", out)
	x.want(0, " 0 differ", "audit", id)
	x.want(0, "their index remain", "runs", "rm", id)
	x.want(0, "", "library", "rm", dir)
	x.want(0, "version", "doctor")
	x.want(0, "assay 1.0", "version")
	x.want(0, "assay 1.0", "--version")
	x.want(0, "research", "help")
}

// TestInterrupt sends the signal before the run begins, which is the earliest it can come.
func TestInterrupt(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	x.signals <- os.Interrupt
	began := time.Now()
	_, errOut, code := x.run("research", "What is the melting point of gold?", "--library", dir, "--model", "extractive", "--clock", clock)
	if code == 0 {
		t.Skip("the run was done before the signal was seen")
	}
	if code != 5 || !strings.Contains(errOut, "assay research --resume ") {
		t.Fatalf("code %d, want 5 and how to go on\n%s", code, errOut)
	}
	t.Logf("ended after %s", time.Since(began))
	id := strings.TrimSpace(errOut[strings.LastIndex(errOut, "--resume ")+len("--resume "):])
	x.want(0, "interrupted", "runs", "show", id)
	x.want(0, "ignored: --model.", "research", "--resume", id, "--model", "extractive")
	x.want(2, "done already", "research", "--resume", id)
	// Killed between its last step and its files, a run writes them when it is resumed.
	if err := os.Remove(filepath.Join(x.home, "runs", id, "run.json")); err != nil {
		t.Fatal(err)
	}
	x.want(0, "Report: ", "research", "--resume", id)
	x.want(0, "0 differ", "audit", filepath.Join(x.home, "runs", id, "run.json"))
}

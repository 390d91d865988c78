package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordings holds that the doctor sees the cards that gpu sees, and that a recording which cannot be played is one sentence of
// what to do, with a code.
func TestRecordings(t *testing.T) {
	x := newTerminal(t)
	x.replay = recording(t, 1)
	x.want(0, "NVIDIA GeForce RTX 4080 SUPER", "gpu")
	out, _, _ := x.run("doctor")
	if !strings.Contains(out, "NVIDIA GeForce RTX 4080 SUPER with 16.0 GiB") || strings.Contains(out, "no graphics card") || !strings.Contains(out, "those of the recording") {
		t.Errorf("doctor:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(x.replay, "0000.ps.json"), []byte(`{"models":[{"size_vram":99999999999999999999}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errOut, code := x.run("gpu"); code != 2 || strings.Contains(errOut, "Go struct") || !strings.Contains(errOut, "is no answer of /api/ps") {
		t.Errorf("an odd ps.json: code %d, %s", code, errOut)
	}
	x.replay = filepath.Join(t.TempDir(), "gone")
	if _, errOut, code := x.run("gpu"); code != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "which is no folder that can be read; correct or unset it") {
		t.Errorf("no recording: code %d, %s", code, errOut)
	}
	for name, tc := range map[string][2]string{"empty": {"", "it is empty; have the tool print into it again"}, "foreign": {"hello world", "print the cards with one of these tools"}} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(tc[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		code := 2
		if tc[0] != "" {
			code = 1
		}
		x.want(code, tc[1], "gpu", "--from", file)
	}
}

// TestServerAdvice holds that what stands at the address of the model server is told, that a password is shown nowhere, and that no
// advice is the command that was just given.
func TestServerAdvice(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>hello</html>"))
	}))
	defer web.Close()
	x := newTerminal(t)
	x.ollama = web.URL
	if out := x.want(0, "answers, but not as an Ollama server does", "server", "status"); !strings.Contains(out, "at "+web.URL+", which the settings or OLLAMA_HOST name") {
		t.Errorf("server status:\n%s", out)
	}
	x.ollama = "http://user:secretword@127.0.0.1:1"
	for _, args := range [][]string{{"models", "list"}, {"server", "status"}, {"gpu"}, {"doctor"}} {
		out, errOut, _ := x.run(args...)
		if all := out + errOut; strings.Contains(all, "secretword") || strings.Contains(all, "is not a URL") || strings.Contains(all, "]:") {
			t.Errorf("%v:\n%s", args, all)
		}
	}
	x.ollama = "127.0.0.1:1"
	if err := os.WriteFile(filepath.Join(x.home, "settings.json"), []byte(`{"ollama_binary":"/bin/true"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errOut, code := x.run("server", "start"); code == 0 || strings.Contains(errOut, "assay server start") || !strings.Contains(errOut, "the setting ollama_binary names /bin/true") {
		t.Errorf("server start with another program: code %d, %s", code, errOut)
	}
}

package ollama

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestTakenName holds that no name of a model is given to another one without a yes, on the real server, which would do so
// without a word.
func TestTakenName(t *testing.T) {
	o := enginetest.StartOllamaIn(t, filepath.Join(t.TempDir(), "models"))
	a := admin(t, o.URL)
	ctx := t.Context()
	o.Create("one", enginetest.Tiny{Seed: 1})
	o.Create("two", enginetest.Tiny{Seed: 2})
	file := modelFile(t, enginetest.Tiny{Seed: 3}.GGUF())
	digests := func() map[string]string {
		out := map[string]string{}
		l, err := a.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range l.Models {
			out[m.Name] = m.Digest
		}
		return out
	}
	if err := a.Copy(ctx, "two", "victim", false); err != nil {
		t.Fatal(err)
	}
	before := digests()
	for name, tc := range map[string]struct {
		do  func() error
		say string
	}{
		"copy":                  {func() error { return a.Copy(ctx, "one", "victim", false) }, "victim:latest is a model already, with"},
		"copy, typed large":     {func() error { return a.Copy(ctx, "one", "VICTIM:latest", false) }, "that model stays as two:latest"},
		"copy of its only name": {func() error { return a.Copy(ctx, "two", "one", false) }, "could then only be pulled or made again"},
		"create":                {func() error { return a.Create(ctx, "one", file, CreateOptions{}) }, "one:latest is a model already"},
	} {
		if err := tc.do(); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), tc.say) {
			t.Errorf("%s = %v, want ErrTaken with %q", name, err, tc.say)
		}
	}
	if err := a.Copy(ctx, "one", "ONE:latest", true); err == nil || !strings.Contains(err.Error(), "are one name") {
		t.Errorf("Copy onto itself = %v", err)
	}
	if err := a.Copy(ctx, "two", "victim", false); err != nil {
		t.Errorf("Copy of the same bytes again = %v, want it done", err)
	}
	if after := digests(); len(after) != 3 || after["victim:latest"] != before["victim:latest"] || after["one:latest"] != before["one:latest"] {
		t.Errorf("models after the refusals = %v, before %v", after, before)
	}
	if err := a.Copy(ctx, "one", "victim", true); err != nil || digests()["victim:latest"] != before["one:latest"] {
		t.Errorf("Copy with a yes = %v", err)
	}
	if err := a.Create(ctx, "one", file, CreateOptions{Replace: true}); err != nil || digests()["one:latest"] == before["one:latest"] {
		t.Errorf("Create with a yes = %v", err)
	}
}

// header is the beginning of a GGUF file, with an architecture unless it has no keys.
func header(order binary.ByteOrder, version uint32, tensors, keys uint64) []byte {
	var b bytes.Buffer
	b.WriteString("GGUF")
	put := func(v any) { _ = binary.Write(&b, order, v) } // into memory
	put(version)
	put(tensors)
	put(keys)
	if keys > 0 {
		for _, s := range []string{"general.architecture", "llama"} {
			put(uint64(len(s)))
			b.WriteString(s)
			if s == "general.architecture" {
				put(uint32(8))
			}
		}
	}
	return b.Bytes()
}

// TestNoModelFile holds that a file of which no server makes a model is refused before it is sent: the real server dies of some and
// makes models that never load of others.
func TestNoModelFile(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }))
	defer s.Close()
	le := binary.LittleEndian
	nameless := append(header(le, 3, 1, 0), bytes.Repeat([]byte{0}, 64)...)
	wide := le.AppendUint32(le.AppendUint64(header(le, 3, 1, 1), 0), 1<<31)
	for name, tc := range map[string]struct {
		file []byte
		say  string
	}{
		"big-endian":        {append(header(binary.BigEndian, 3, 1, 1), bytes.Repeat([]byte{0}, 64)...), "other byte order (big-endian); get the little-endian file"},
		"version 99":        {header(le, 99, 1, 1), "version 99 of the format and servers run 2 and 3"},
		"version 0":         {header(le, 0, 1, 1), "version 0"},
		"version 1":         {header(le, 1, 1, 1), "version 1"},
		"nothing in it":     {header(le, 3, 0, 0), "it has no tensors"},
		"only a vocabulary": {header(le, 3, 0, 1), "it has no tensors"},
		"no architecture":   {nameless, "does not name its architecture"},
		"2^31 dimensions":   {append(wide, bytes.Repeat([]byte{0}, 64)...), "is said to have 2147483648 dimensions"},
		"not a file at all": {[]byte("PK\x03\x04 and so on"), "does not begin as a GGUF file does; give a file whose name ends in .gguf"},
	} {
		err := admin(t, s.URL).Create(t.Context(), "a", modelFile(t, tc.file), CreateOptions{})
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), tc.say) || strings.Contains(err.Error(), ErrFile.Error()) {
			t.Errorf("%s: %v, want %q and nothing after it", name, err, tc.say)
		}
	}
}

// TestUnknownArchitecture holds that a model which the real server makes and cannot run is told of in words that help.
func TestUnknownArchitecture(t *testing.T) {
	o := enginetest.StartOllamaIn(t, filepath.Join(t.TempDir(), "models"))
	a := admin(t, o.URL)
	odd := bytes.Replace(enginetest.Tiny{}.GGUF(), []byte("\x05\x00\x00\x00\x00\x00\x00\x00llama"), []byte("\x05\x00\x00\x00\x00\x00\x00\x00zzzzz"), 1)
	if err := a.Create(t.Context(), "odd", modelFile(t, odd), CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := a.Load(t.Context(), "odd", LoadOptions{})
	if !errors.Is(err, research.ErrServer) || strings.Contains(err.Error(), "blobs") || strings.Contains(err.Error(), "restart") || !strings.Contains(err.Error(), "architecture is not one that this release of Ollama knows: update Ollama") {
		t.Errorf("Load = %v", err)
	}
}

// TestDamagedModel holds that a server which cannot describe one of its models is not taken for another program.
func TestDamagedModel(t *testing.T) {
	ollama := true
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/version" && ollama {
			_, _ = w.Write([]byte(`{"version":"0.17.4"}`))
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer s.Close()
	_, _, err := admin(t, s.URL).Show(t.Context(), "tiny")
	if !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "cannot describe it (status 500 without a word): its file is damaged or missing; delete it and get it again") {
		t.Errorf("Show of a damaged model = %v", err)
	}
	ollama = false
	if _, _, err = admin(t, s.URL).Show(t.Context(), "tiny"); err == nil || !strings.Contains(err.Error(), "not as an Ollama server does") {
		t.Errorf("Show of another program = %v", err)
	}
}

// TestSizeThatCannotBe holds that a size which no model has is unknown and in no sum.
func TestSizeThatCannotBe(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/version":
			_, _ = w.Write([]byte(`{"version":"0.17.4"}`))
		case "/api/tags":
			_, _ = w.Write([]byte(`{"models":[{"name":"a:latest","size":1000000000000000},{"name":"b:latest","size":-5},{"name":"c:latest","size":7}]}`))
		case "/api/ps":
			_, _ = w.Write([]byte(`{"models":[]}`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	l, err := admin(t, s.URL).List(t.Context())
	if err != nil || l.Bytes != 7 || l.Models[0].Size != 0 || l.Models[1].Size != 0 {
		t.Errorf("List = %+v, %v", l, err)
	}
}

package enginetest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask does one request and returns status, content type and body.
func ask(t *testing.T, base, method, path, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Status + "\n" + resp.Header.Get("Content-Type") + "\n" + strings.Join(resp.TransferEncoding, " ") + "\n" + string(b)
}

var (
	times   = regexp.MustCompile(`"20[0-9T:.\-]+Z"`)
	digests = regexp.MustCompile(`"[0-9a-f]{64}"`)
	counts  = regexp.MustCompile(`:[0-9]+`)
	words   = regexp.MustCompile(`"(content|parameter_size|quantization_level|done_reason|modelfile|template)":"(?:[^"\\]|\\.)*"`)
)

// plain takes out what differs from run to run: times, digests, numbers, the model's words.
func plain(s string) string {
	s = times.ReplaceAllString(s, `"TIME"`)
	s = digests.ReplaceAllString(s, `"DIGEST"`)
	s = counts.ReplaceAllString(s, ":0")
	return words.ReplaceAllString(s, `"$1":""`)
}

// TestLikeTheRealServer compares the fault server with the real one, byte for byte but for what [plain] takes out.
func TestLikeTheRealServer(t *testing.T) {
	real := StartOllama(t)
	fake := NewServer(t)
	const chat = `{"model":"tiny","messages":[{"role":"user","content":"hi"}],"options":{"num_ctx":512,"num_predict":3,"seed":1,"temperature":0},"truncate":false,"shift":false}`
	long := strings.Replace(chat, "hi", strings.Repeat("word ", 600), 1)
	tests := []struct{ name, method, path, body string }{
		{"root", "GET", "/", ""},
		{"version", "GET", "/api/version", ""},
		{"tags", "GET", "/api/tags", ""},
		{"nothing runs", "GET", "/api/ps", ""},
		{"chat", "POST", "/api/chat", chat},
		{"running", "GET", "/api/ps", ""},
		{"no such model", "POST", "/api/chat", `{"model":"none","messages":[{"role":"user","content":"hi"}]}`},
		{"show of no such model", "POST", "/api/show", `{"model":"none"}`},
		{"embed with no such model", "POST", "/api/embed", `{"model":"none","input":["a"]}`},
		{"too long", "POST", "/api/chat", long},
		{"no thinking", "POST", "/api/chat", `{"model":"tiny","think":true,"messages":[{"role":"user","content":"hi"}]}`},
		{"no such path", "GET", "/api/nothing", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			want := plain(ask(t, real.URL, tc.method, tc.path, tc.body))
			got := plain(ask(t, fake.URL, tc.method, tc.path, tc.body))
			if got != want {
				t.Errorf("fault server:\n%s\nreal server:\n%s", got, want)
			}
		})
	}
	t.Run("show has the fields", func(t *testing.T) {
		keys := func(base string) []string {
			_, body, _ := strings.Cut(ask(t, base, "POST", "/api/show", `{"model":"tiny"}`), "{")
			var m map[string]json.RawMessage
			if err := json.Unmarshal([]byte("{"+body), &m); err != nil {
				t.Fatal(err)
			}
			var out []string
			for k := range m {
				out = append(out, k)
			}
			return out
		}
		have := keys(real.URL)
		for _, k := range keys(fake.URL) {
			if !slices.Contains(have, k) {
				t.Errorf("fault server shows %q, the real one does not", k)
			}
		}
	})
}

func TestGGUFIsDeterministic(t *testing.T) {
	a, b := Tiny{}.GGUF(), Tiny{}.GGUF()
	if !bytes.Equal(a, b) || len(a) < 400000 || len(a) > 600000 || string(a[:4]) != "GGUF" {
		t.Errorf("GGUF gave %d and %d bytes, want the same half megabyte twice", len(a), len(b))
	}
	if bytes.Equal(a, Tiny{Seed: 2}.GGUF()) {
		t.Error("another seed gave the same weights")
	}
}

func TestFitFor(t *testing.T) {
	schema := `{"type":"object","properties":{"list":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/x"}},"n":{"type":"integer","minimum":3},"ok":{"type":"boolean"}},"$defs":{"x":{"enum":["a","b"]}}}`
	if got, want := FitFor(json.RawMessage(schema)), `{"list":["a","a"],"n":3,"ok":true}`; got != want {
		t.Errorf("FitFor = %s, want %s", got, want)
	}
}

func TestSpoiled(t *testing.T) {
	const good = `{"claims":[{"grade":"primary","text":"It is so."}]}`
	tests := []struct {
		fault          Fault
		text, thinking string
	}{
		{Good, good, ""},
		{Empty, "", ""},
		{NearEnums, `{"claims":[{"grade":"Primary ","text":"It is so."}]}`, ""},
		{NearKeys, `{"CLAIMS":[{"grade":"primary","text":"It is so."}]}`, ""},
		{TwoObjects, good + "\n" + good, ""},
		{Echoes, "the prompt", ""},
		{ThinkingOnly, "", "I should answer " + good},
	}
	for _, tc := range tests {
		if text, thinking := spoiled(tc.fault, good, "the prompt"); text != tc.text || thinking != tc.thinking {
			t.Errorf("spoiled(%s) = %q, %q; want %q, %q", tc.fault, text, thinking, tc.text, tc.thinking)
		}
	}
}

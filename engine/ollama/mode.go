package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Mode is the evidence of a raw look at how the server runs a model: what was asked for, and what the server's own answers
// show. A nil figure was not told.
type Mode struct {
	Version string `json:"version"` // of the server
	// AskedContext is the window sent with every call, HeldContext what /api/ps says after the calls, in tokens.
	AskedContext int  `json:"asked_context"`
	HeldContext  *int `json:"held_context"`
	// AskedThinking is "off", "low", or "none" when nothing about reasoning is sent because the model has none.
	AskedThinking  string `json:"asked_thinking"`
	Thinking       *bool  `json:"thinking"`         // the answer came with message.thinking
	ThinkingInText *bool  `json:"thinking_in_text"` // marks of reasoning stand in the visible text
	// SchemaKept says whether the answer kept the schema although the prompt asked for a sentence: then the server constrains the
	// sampler, and the model is not merely obliging.
	SchemaKept   *bool    `json:"schema_kept"`
	PromptTokens *int     `json:"prompt_eval_count"` // of the call with a schema
	TokensPerSec *float64 `json:"tokens_per_second"` // eval_count over eval_duration of the call without one
	Size         *int64   `json:"size_bytes"`        // of the loaded model
	SizeVRAM     *int64   `json:"size_vram_bytes"`   // of it on the GPU
	// Fault is the server's refusal in words, empty when both calls were answered. Memory: it says that the model does not fit.
	Fault     string     `json:"fault"`
	Memory    bool       `json:"memory"`
	Exchanges []Exchange `json:"exchanges"` // in order
}

// Exchange is one request and its answer as they went over the wire, each cut to 8 KiB.
type Exchange struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
	Sent   string `json:"sent"`
	Got    string `json:"got"`
}

const (
	maxExchange = 8 << 10 // bytes of a kept exchange
	maxRaw      = 4 << 20 // bytes of an answer that is read
)

// The calls of a proof. The schema has no free text, so that its answer ends however little the model knows.
const (
	modePrompt = "Write one short sentence about the sea."
	modeBudget = 96 // answer tokens
)

var modeSchema = json.RawMessage(`{"type":"object","properties":{"seen":{"type":"boolean"},"kind":{"type":"string","enum":["calm","rough"]}},"required":["seen","kind"],"additionalProperties":false}`)

// ProveMode calls /api/chat twice, with and without a schema, with the very options of [Model.Chat], asks /api/ps and
// /api/version, and returns what their answers show. Nothing in it is inferred from what the server says of the model
// elsewhere. The requests are written and read here and not by the official client, so that what is kept is what was sent. A
// server that refuses a call is evidence too and no error: see [Mode.Fault]. The error wraps [research.ErrUnavailable],
// [research.ErrHung], [research.ErrForbidden] or the context's error when there is no evidence at all.
func (m *Model) ProveMode(ctx context.Context) (Mode, error) {
	callCtx, cancel := context.WithTimeoutCause(ctx, m.cfg.Deadline, research.ErrHung)
	defer cancel()
	p := prover{m: m, ctx: ctx, callCtx: callCtx, mode: Mode{AskedContext: m.numCtx}}
	err := p.prove()
	return p.mode, err
}

// prover makes one proof.
type prover struct {
	m            *Model
	ctx, callCtx context.Context
	mode         Mode
}

func (p *prover) prove() error {
	var version struct{ Version string }
	if _, err := p.get("/api/version", &version); err != nil {
		return err
	}
	p.mode.Version = version.Version
	plain, err := p.chat(nil)
	if err != nil || p.mode.Fault != "" {
		return err
	}
	thought, leaked := plain.thinking != "", reasons(plain.text)
	p.mode.Thinking, p.mode.ThinkingInText = &thought, &leaked
	if plain.count > 0 && plain.nanos > 0 {
		v := float64(plain.count) * 1e9 / float64(plain.nanos)
		p.mode.TokensPerSec = &v
	}
	bound, err := p.chat(modeSchema)
	if err != nil || p.mode.Fault != "" {
		return err
	}
	kept := keepsSchema(bound.text)
	p.mode.SchemaKept = &kept
	if thought := thought || bound.thinking != ""; thought {
		p.mode.Thinking = &thought
	}
	if bound.prompt > 0 {
		p.mode.PromptTokens = &bound.prompt
	}
	return p.loaded()
}

// rawAnswer is what the lines of a chat come to.
type rawAnswer struct {
	text, thinking string
	prompt, count  int
	nanos          int64
}

// chat sends one call as Chat would, and keeps it.
func (p *prover) chat(schema json.RawMessage) (rawAnswer, error) {
	req, _, err := p.m.request(research.Call{Prompt: modePrompt, Schema: schema, Budget: modeBudget})
	if err != nil {
		return rawAnswer{}, err
	}
	for {
		p.mode.AskedThinking = asked(req.Think)
		sent, err := json.Marshal(req)
		if err != nil {
			return rawAnswer{}, fmt.Errorf("write the raw call: %w", err)
		}
		status, got, err := p.send(http.MethodPost, "/api/chat", sent)
		if err != nil {
			return rawAnswer{}, err
		}
		a, said, remote := readChat(got)
		switch {
		case p.m.cfg.Closed && remote != "":
			return a, fmt.Errorf("model %s was answered by %s: %w", p.m.cfg.Model, remote, research.ErrForbidden)
		case status == http.StatusOK && said == "":
			return a, nil
		}
		if said == "" {
			said = short(string(got))
		}
		words, kind := judge(api.StatusError{StatusCode: status, ErrorMessage: said})
		if errors.Is(kind, errNoThinking) && req.Think != nil { // the server knows better than the model's capabilities
			p.m.noThink.Store(true)
			req.Think = nil
			continue
		}
		if status == http.StatusOK { // what is wrong is in the answer
			words = said
		} else if !strings.Contains(words, fmt.Sprint("status ", status)) {
			words = fmt.Sprintf("%s (status %d)", words, status)
		}
		p.mode.Fault = words
		low := strings.ToLower(said)
		p.mode.Memory = contains(low, "requires more system memory", "out of memory", "cudamalloc", "unable to allocate", "insufficient memory")
		return a, nil
	}
}

// asked is what a call says about reasoning.
func asked(t *api.ThinkValue) string {
	switch {
	case t == nil:
		return "none"
	case t.Value == false:
		return "off"
	case t.Value == true:
		return "on"
	}
	return fmt.Sprint(t.Value)
}

// readChat joins the lines of a chat, or of one whole answer. said is the server's own fault; remote the host it forwarded to.
func readChat(b []byte) (a rawAnswer, said, remote string) {
	var text, thinking strings.Builder
	done := false
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var l struct {
			Message           struct{ Content, Thinking string }
			Error             string
			Done              bool
			RemoteHost        string `json:"remote_host"`
			PromptEvalCount   int    `json:"prompt_eval_count"`
			EvalCount         int    `json:"eval_count"`
			EvalDurationNanos int64  `json:"eval_duration"`
		}
		if err := d.Decode(&l); err != nil {
			if err != io.EOF || !done {
				said = "the answer does not end as an Ollama server's does"
			}
			break
		}
		if l.RemoteHost != "" {
			remote = l.RemoteHost
		}
		if l.Error != "" {
			return a, l.Error, remote
		}
		text.WriteString(l.Message.Content)
		thinking.WriteString(l.Message.Thinking)
		if l.Done {
			done, a.prompt, a.count, a.nanos = true, l.PromptEvalCount, l.EvalCount, l.EvalDurationNanos
		}
	}
	a.text, a.thinking = text.String(), thinking.String()
	return a, said, remote
}

// reasons reports whether visible text carries the marks by which model families set their reasoning apart.
func reasons(text string) bool {
	return contains(strings.ToLower(text), "<think>", "</think>", "<thinking>", "<|channel|>analysis", "<reasoning>", "◁think▷")
}

// keepsSchema reports whether a text is one value of modeSchema and nothing else. It goes by the tokens: a decoder into a struct
// takes keys in any case, and keys twice.
func keepsSchema(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	held := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		value, err := d.Token()
		if err != nil {
			return false
		}
		name, _ := key.(string)
		switch _, truth := value.(bool); {
		case held[name]:
			return false
		case name == "seen" && truth, name == "kind" && (value == "calm" || value == "rough"):
			held[name] = true
		default:
			return false
		}
	}
	if t, err := d.Token(); err != nil || t != json.Delim('}') || len(held) != 2 {
		return false
	}
	_, err := d.Token()
	return err == io.EOF
}

// loaded reads how the model stands in the server's memory.
func (p *prover) loaded() error {
	var ps struct {
		Models []struct {
			Name, Model, Digest string
			Size                *int64 `json:"size"`
			SizeVRAM            *int64 `json:"size_vram"`
			ContextLength       *int   `json:"context_length"`
		}
	}
	if ok, err := p.get("/api/ps", &ps); err != nil || !ok {
		return err
	}
	name := p.m.cfg.Model
	for _, l := range ps.Models {
		if l.Digest != "" && l.Digest == p.m.info.Digest || l.Name == name || l.Name == name+":latest" {
			p.mode.Size, p.mode.SizeVRAM, p.mode.HeldContext = l.Size, l.SizeVRAM, l.ContextLength
		}
	}
	return nil
}

// get asks the server and reads its JSON; ok is false when it answers something else, which leaves the figures unknown.
func (p *prover) get(path string, into any) (ok bool, err error) {
	status, got, err := p.send(http.MethodGet, path, nil)
	if err != nil {
		return false, err
	}
	return status == http.StatusOK && json.Unmarshal(got, into) == nil, nil
}

// send does one request and keeps it.
func (p *prover) send(method, path string, body []byte) (status int, got []byte, err error) {
	req, err := http.NewRequestWithContext(p.callCtx, method, strings.TrimRight(p.m.cfg.BaseURL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("prove the mode of %s: %w", p.m.cfg.Model, err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.m.cfg.HTTP.Do(req)
	if err == nil {
		status = resp.StatusCode
		got, err = io.ReadAll(io.LimitReader(resp.Body, maxRaw))
		if cerr := resp.Body.Close(); err == nil {
			err = cerr
		}
	}
	p.mode.Exchanges = append(p.mode.Exchanges, Exchange{method, path, status, cut(body), cut(got)})
	if err != nil {
		return status, got, p.m.fault(p.ctx, p.callCtx, "prove the mode", err)
	}
	return status, got, nil
}

func cut(b []byte) string {
	return strings.ToValidUTF8(string(b[:min(len(b), maxExchange)]), "")
}

package enginetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"
)

// message and chunk have the fields of the real server's lines, in its order.
type message struct {
	Role     string `json:"role"`
	Content  string `json:"content"`
	Thinking string `json:"thinking,omitempty"`
}

type chunk struct {
	Model              string  `json:"model"`
	RemoteModel        string  `json:"remote_model,omitempty"`
	RemoteHost         string  `json:"remote_host,omitempty"`
	CreatedAt          string  `json:"created_at"`
	Message            message `json:"message"`
	Done               bool    `json:"done"`
	DoneReason         string  `json:"done_reason,omitempty"`
	TotalDuration      int64   `json:"total_duration,omitempty"`
	LoadDuration       int64   `json:"load_duration,omitempty"`
	PromptEvalCount    int     `json:"prompt_eval_count,omitempty"`
	PromptEvalDuration int64   `json:"prompt_eval_duration,omitempty"`
	EvalCount          int     `json:"eval_count,omitempty"`
	EvalDuration       int64   `json:"eval_duration,omitempty"`
}

// chat answers one chat, well or with the fault that is due.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		return
	}
	var req ChatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	req.Raw = body
	m, ok := s.model(req.Model)
	if !ok {
		writeError(w, http.StatusNotFound, "model '"+req.Model+"' not found")
		return
	}
	if req.Think != nil && req.Think != false && !slices.Contains(m.Capabilities, "thinking") {
		writeError(w, http.StatusBadRequest, fmt.Sprintf("%q does not support thinking", req.Model))
		return
	}
	fault, release := s.accept(req, m)
	window := max(4, min(req.Int("num_ctx"), m.Context))
	count := tokensOf(req.Prompt(), m)
	refused := req.Truncate != nil && !*req.Truncate && count > window
	if refused || fault == TooLong400 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		flush(w)
		fmt.Fprint(w, `{"error":"the input length exceeds the context length"}`)
		return
	}
	count = min(count, window)
	switch fault {
	case CutCount:
		count = min(count/3, window/2+2)
	case FullCount:
		count = window
	case Hangs:
		s.hang(w, r, release)
		return
	}
	if code, text, ok := statusOf(fault, req.Model); ok {
		writeStatus(w, code, text)
		return
	}
	if !s.compute(r, req) {
		s.gone()
		return
	}
	s.stream(w, r, req, m, fault, count, release)
}

// accept records the chat and says which fault is due.
func (s *Server) accept(req ChatRequest, m ServerModel) (Fault, chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.chats)
	s.chats = append(s.chats, req)
	window := min(req.Int("num_ctx"), m.Context)
	if len(s.loads) == 0 || s.loads[len(s.loads)-1] != window {
		s.loads = append(s.loads, window)
	}
	if len(s.next) > 0 {
		f := s.next[0]
		s.next = s.next[1:]
		return f, s.release
	}
	if s.Fault != nil {
		return s.Fault(n, req), s.release
	}
	return Good, s.release
}

// statusOf is the status and the words of the faults that are one.
func statusOf(f Fault, model string) (int, string, bool) {
	switch f {
	case NoQuery500:
		return 500, `{"error":"no user query found in messages"}`, true
	case Status400:
		return 400, `{"error":"invalid options: num_ctx"}`, true
	case Status404:
		return 404, `{"error":"model '` + model + `' not found"}`, true
	case NotOllama404:
		return 404, "404 page not found", true
	case Status429:
		return 429, `{"error":"too many requests"}`, true
	case Status500:
		return 500, `{"error":"llama runner process has terminated: exit status 2"}`, true
	case Memory500:
		return 500, `{"error":"model requires more system memory (18.1 GiB) than is available (9.3 GiB)"}`, true
	case Status503:
		return 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, true
	case HTMLInsteadOf:
		return 200, "<!doctype html><title>Sign in</title>", true
	}
	return 0, "", false
}

func writeStatus(w http.ResponseWriter, code int, text string) {
	kind := "application/json; charset=utf-8"
	switch {
	case strings.HasPrefix(text, "<"):
		kind = "text/html; charset=utf-8"
	case !strings.HasPrefix(text, "{"):
		kind = "text/plain"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	fmt.Fprint(w, text)
}

// hang says nothing until the client or the server goes away.
func (s *Server) hang(w http.ResponseWriter, r *http.Request, release chan struct{}) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	select {
	case <-r.Context().Done():
		s.mu.Lock()
		s.left++
		s.mu.Unlock()
	case <-release:
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// stream writes the lines of an answer.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, req ChatRequest, m ServerModel, fault Fault, count int, release chan struct{}) {
	good := "The passage says so."
	switch {
	case s.Answer != nil:
		good = s.Answer(req)
	case len(req.Format) > 0:
		good = FitFor(req.Format)
	}
	text, thinking := spoiled(fault, good, req.Prompt())
	if slices.Contains(m.Capabilities, "thinking") && req.Think != nil && req.Think != false && thinking == "" {
		thinking = "The question is simple."
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	line := func(c chunk) bool {
		c.Model, c.CreatedAt = req.Model, time.Now().UTC().Format(time.RFC3339Nano)
		c.RemoteHost, c.RemoteModel, c.Message.Role = m.RemoteHost, m.RemoteModel, "assistant"
		b, err := json.Marshal(c)
		if err != nil {
			return false
		}
		_, err = w.Write(append(b, '\n'))
		flush(w)
		return err == nil && s.pause(r)
	}
	if thinking != "" && !line(chunk{Message: message{Thinking: thinking}}) {
		s.gone()
		return
	}
	limit, reason := req.Int("num_predict"), "stop"
	parts := pieces(text)
	if limit > 0 && len(parts) > limit {
		parts, reason = parts[:limit], "length"
	}
	for i, p := range parts {
		if i >= len(parts)/2 && midway(w, fault) {
			if fault == HangsMidway {
				s.hang(w, r, release)
			}
			return
		}
		if !line(chunk{Message: message{Content: p}}) {
			s.gone()
			return
		}
	}
	line(chunk{Done: true, DoneReason: reason, TotalDuration: 930823883, LoadDuration: 300562351, PromptEvalCount: count, PromptEvalDuration: 345127464, EvalCount: max(1, len(parts)), EvalDuration: 279673665})
}

// midway breaks a stream in its middle; false when the fault does not.
func midway(w http.ResponseWriter, f Fault) bool {
	switch f {
	case HangsMidway, EndsMidway:
		return true
	case DiesMidway:
		panic(http.ErrAbortHandler) // the connection is reset
	case ErrorMidway:
		fmt.Fprintln(w, `{"error":"an error was encountered while running the model: unexpected EOF"}`)
		return true
	case BadNDJSON:
		fmt.Fprintln(w, `{"model":"tiny","message":{"role":"assistant","content":"x"`)
		return true
	}
	return false
}

func (s *Server) gone() {
	s.mu.Lock()
	s.left++
	s.mu.Unlock()
}

// pause waits for the next part; false when the client went away.
func (s *Server) pause(r *http.Request) bool {
	if s.Every == 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(s.Every)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// pieces cuts a text as tokens would, four runes each.
func pieces(text string) []string {
	var out []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(4, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

// spoiled is a good answer after a fault of the model, and its thinking.
func spoiled(f Fault, good, prompt string) (text, thinking string) {
	switch f {
	case Empty:
		return "", ""
	case ThinkingOnly:
		return "", "I should answer " + good
	case ThinkingInto:
		return "<think>Perhaps {\"no\": 1}? No.</think>" + good, ""
	case ProseAround:
		return "Certainly! Here is the JSON you asked for:\n\n```json\n" + good + "\n```\n\nLet me know if you need anything else.", ""
	case TwoObjects:
		return good + "\n" + good, ""
	case TrailingJunk:
		return good + "}]}\n\nNote: [1] is {incomplete", ""
	case CutJSON:
		r := []rune(good)
		return string(r[:len(r)*3/4]), ""
	case WrongKeys:
		return `{"Ollama简介":"…"}`, ""
	case NearKeys:
		return renamed(good), ""
	case NearEnums:
		var v any
		if json.Unmarshal([]byte(good), &v) != nil {
			return good, ""
		}
		b, err := json.Marshal(capital(v))
		if err != nil {
			return good, ""
		}
		return string(b), ""
	case Repeats:
		return good[:len(good)/2] + strings.Repeat(" and so on and so on", 20000), ""
	case Refuses:
		return "I'm sorry, but I can't help with that request.", ""
	case WrongLanguage:
		return "对不起，我只能用中文回答这个问题。", ""
	case Echoes:
		return prompt, ""
	case ControlTokens:
		return "<|im_start|>assistant\n" + good + "<|im_end|><|endoftext|>", ""
	}
	return good, ""
}

// capital writes every string that is one word, as enum values are, with a capital and a space after it.
func capital(v any) any {
	switch v := v.(type) {
	case string:
		if v != "" && !strings.ContainsAny(v, " 0123456789") {
			return strings.ToUpper(v[:1]) + v[1:] + " "
		}
	case []any:
		for i := range v {
			v[i] = capital(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = capital(v[k])
		}
	}
	return v
}

// renamed writes the keys of an object in another spelling.
func renamed(good string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(good), &m) != nil {
		return good
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%q:%s", strings.ToUpper(strings.ReplaceAll(k, "_", " ")), m[k])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// FitFor returns the JSON of a small value that fits a schema: every property, one element a list, the first of an enum. It
// knows the keywords that Assay's own schemas use.
func FitFor(schema json.RawMessage) string {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return "{}"
	}
	b, err := json.Marshal(fit(root, root, 0))
	if err != nil {
		return "{}"
	}
	return string(b)
}

func fit(node, root map[string]any, depth int) any {
	if ref, ok := node["$ref"].(string); ok {
		cur := any(root)
		for _, p := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			m, _ := cur.(map[string]any)
			cur = m[p]
		}
		node, _ = cur.(map[string]any)
	}
	if depth > 12 || node == nil {
		return nil
	}
	if enum, ok := node["enum"].([]any); ok && len(enum) > 0 {
		return enum[0]
	}
	kind, _ := node["type"].(string)
	if list, ok := node["type"].([]any); ok && len(list) > 0 {
		kind, _ = list[0].(string)
	}
	switch kind {
	case "object":
		out := map[string]any{}
		props, _ := node["properties"].(map[string]any)
		for k, p := range props {
			child, _ := p.(map[string]any)
			out[k] = fit(child, root, depth+1)
		}
		return out
	case "array":
		child, _ := node["items"].(map[string]any)
		n := 1
		if f, ok := node["minItems"].(float64); ok {
			n = max(n, int(f))
		}
		out := make([]any, n)
		for i := range out {
			out[i] = fit(child, root, depth+1)
		}
		return out
	case "integer", "number":
		if f, ok := node["minimum"].(float64); ok {
			return f
		}
		return 0
	case "boolean":
		return true
	case "string":
		return "The passage says so."
	}
	return nil
}

package enginetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// CompletionRequest is what a client sent to /chat/completions.
type CompletionRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Stream         bool            `json:"stream"`
	StreamOptions  json.RawMessage `json:"stream_options"`
	ResponseFormat *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Seed                *int64 `json:"seed"`
	MaxTokens           int    `json:"max_tokens"`
	MaxCompletionTokens int    `json:"max_completion_tokens"`
	Key                 string `json:"-"` // of the header
}

// Prompt is all messages as one text.
func (r CompletionRequest) Prompt() string {
	parts := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		parts[i] = m.Content
	}
	return strings.Join(parts, "\n")
}

// OpenAI plays a server that speaks the chat completions protocol, in the shapes that vLLM, llama.cpp and LM Studio document. Set
// the fields before the first request.
type OpenAI struct {
	URL    string // with /v1
	Models []string
	Window int    // tokens; if zero, 8192
	Tells  string // who says what the window is: "vllm" in the list, "llama.cpp" at /props, "lmstudio" at /api/v0/models; else nobody
	Key    string // asked for when it is not empty
	// Refuses are the fields of a request that are answered with status 400: "response_format", "seed", "stream_options",
	// "max_tokens".
	Refuses []string
	// Whole sends the answer as one object and not as a stream; NoDone leaves the end mark of a stream out; NoUsage its counts.
	Whole, NoDone, NoUsage bool
	// Fault chooses the fault of the nth call, from 0. If nil, none.
	Fault func(n int, r CompletionRequest) Fault

	mu      sync.Mutex
	calls   []CompletionRequest
	left    int
	http    *httptest.Server
	release chan struct{}
}

// StartOpenAI starts s until the test ends.
func StartOpenAI(t testing.TB, s *OpenAI) *OpenAI {
	t.Helper()
	if s.Models == nil {
		s.Models = []string{TinyModel}
	}
	if s.Window == 0 {
		s.Window = 8192
	}
	s.release = make(chan struct{})
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL + "/v1"
	t.Cleanup(s.Kill)
	return s
}

// Kill ends the server.
func (s *OpenAI) Kill() {
	s.mu.Lock()
	h := s.http
	s.http = nil
	s.mu.Unlock()
	if h != nil {
		close(s.release)
		h.CloseClientConnections()
		h.Close()
	}
}

// Calls returns the calls so far.
func (s *OpenAI) Calls() []CompletionRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]CompletionRequest(nil), s.calls...)
}

// Left counts the calls whose client closed its connection before the end.
func (s *OpenAI) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

func (s *OpenAI) serve(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.Key != "" && key != s.Key {
		writeJSON(w, http.StatusUnauthorized, openAIError("Incorrect API key provided", "invalid_request_error"))
		return
	}
	switch r.URL.Path {
	case "/v1/models":
		type entry map[string]any
		data := []entry{}
		for _, m := range s.Models {
			e := entry{"id": m, "object": "model", "created": 1764590000, "owned_by": "local"}
			if s.Tells == "vllm" {
				e["max_model_len"] = s.Window
			}
			data = append(data, e)
		}
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": data})
	case "/props":
		if s.Tells != "llama.cpp" {
			http.NotFound(w, r)
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{"default_generation_settings": map[string]any{"n_ctx": s.Window}, "total_slots": 1})
	case "/api/v0/models":
		if s.Tells != "lmstudio" {
			http.NotFound(w, r)
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []map[string]any{{"id": s.Models[0], "state": "loaded", "max_context_length": 131072, "loaded_context_length": s.Window}}})
	case "/v1/chat/completions":
		s.complete(w, r, key)
	case "/v1/embeddings":
		s.embed(w, r)
	default:
		http.NotFound(w, r)
	}
}

func openAIError(text, kind string) map[string]any {
	return map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil, "code": nil}}
}

// complete answers one call, well or with the fault that is due.
func (s *OpenAI) complete(w http.ResponseWriter, r *http.Request, key string) {
	var req CompletionRequest
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil || json.Unmarshal(body, &req) != nil {
		writeJSON(w, http.StatusBadRequest, openAIError("invalid body", "invalid_request_error"))
		return
	}
	req.Key = key
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, req)
	s.mu.Unlock()
	var sent map[string]json.RawMessage
	_ = json.Unmarshal(body, &sent) // read once already
	for _, f := range s.Refuses {
		if _, ok := sent[f]; ok {
			hint := ""
			if f == "max_tokens" {
				hint = " Use 'max_completion_tokens' instead."
			}
			writeJSON(w, http.StatusBadRequest, openAIError("Unsupported parameter: '"+f+"' is not supported with this model."+hint, "invalid_request_error"))
			return
		}
	}
	fault := Good
	if s.Fault != nil {
		fault = s.Fault(n, req)
	}
	m := ServerModel{TokensPerByte: 0.25}
	count := tokensOf(req.Prompt(), m)
	if count > s.Window || fault == TooLong400 {
		writeJSON(w, http.StatusBadRequest, openAIError(fmt.Sprintf("This model's maximum context length is %d tokens. However, your request has %d input tokens. Please reduce the length of the input messages.", s.Window, count), "BadRequestError"))
		return
	}
	switch fault {
	case CutCount:
		count /= 3
	case FullCount:
		count = s.Window
	case Hangs:
		s.hang(w, r)
		return
	}
	if code, text, ok := statusOf(fault, req.Model); ok {
		writeStatus(w, code, text)
		return
	}
	s.stream(w, r, req, fault, count)
}

func (s *OpenAI) hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	select {
	case <-r.Context().Done():
		s.mu.Lock()
		s.left++
		s.mu.Unlock()
	case <-s.release:
	}
}

// stream writes the events of an answer.
func (s *OpenAI) stream(w http.ResponseWriter, r *http.Request, req CompletionRequest, fault Fault, count int) {
	good := "The passage says so."
	if f := req.ResponseFormat; f != nil {
		good = FitFor(f.JSONSchema.Schema)
	}
	text, thinking := spoiled(fault, good, req.Prompt())
	parts, reason := pieces(text), "stop"
	if limit := max(req.MaxTokens, req.MaxCompletionTokens); limit > 0 && len(parts) > limit {
		parts, reason = parts[:limit], "length"
	}
	usage := map[string]int{"prompt_tokens": count, "completion_tokens": len(parts), "total_tokens": count + len(parts)}
	if s.Whole && fault != HangsMidway && fault != EndsMidway && fault != DiesMidway && fault != ErrorMidway && fault != BadNDJSON {
		reply := map[string]any{"id": "c", "object": "chat.completion", "choices": []any{map[string]any{"index": 0, "finish_reason": reason,
			"message": map[string]any{"role": "assistant", "content": strings.Join(parts, ""), "reasoning_content": thinking}}}}
		if !s.NoUsage {
			reply["usage"] = usage
		}
		writeJSON(w, http.StatusOK, reply)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(v any) bool {
		b, err := json.Marshal(v)
		if err != nil {
			return false
		}
		_, err = fmt.Fprintf(w, "data: %s\n\n", b)
		flush(w)
		return err == nil && r.Context().Err() == nil
	}
	delta := func(d map[string]any, reason any) map[string]any {
		return map[string]any{"id": "c", "object": "chat.completion.chunk", "model": req.Model, "choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": reason}}}
	}
	fmt.Fprint(w, ": ping\n\n")
	event(delta(map[string]any{"role": "assistant", "content": ""}, nil))
	if thinking != "" {
		event(delta(map[string]any{"reasoning_content": thinking}, nil))
	}
	for i, p := range parts {
		if i >= len(parts)/2 && s.midway(w, r, fault) {
			return
		}
		if !event(delta(map[string]any{"content": p}, nil)) {
			s.mu.Lock()
			s.left++
			s.mu.Unlock()
			return
		}
	}
	event(delta(map[string]any{}, reason))
	if !s.NoUsage && len(req.StreamOptions) > 0 {
		event(map[string]any{"id": "c", "object": "chat.completion.chunk", "choices": []any{}, "usage": usage})
	}
	if !s.NoDone {
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// midway breaks a stream in its middle; false when the fault does not.
func (s *OpenAI) midway(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f {
	case HangsMidway:
		flush(w)
		s.hang(w, r)
		return true
	case EndsMidway:
		return true
	case DiesMidway:
		panic(http.ErrAbortHandler) // the connection is reset
	case ErrorMidway:
		fmt.Fprint(w, "data: {\"error\":{\"message\":\"EngineCore encountered an issue\",\"type\":\"InternalServerError\",\"code\":500}}\n\n")
		return true
	case BadNDJSON:
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"\n\n")
		return true
	}
	return false
}

// embed gives each text a vector of four numbers that depend on its bytes only, last text first.
func (s *OpenAI) embed(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		writeJSON(w, http.StatusBadRequest, openAIError("invalid body", "invalid_request_error"))
		return
	}
	data := []map[string]any{}
	for i := len(req.Input) - 1; i >= 0; i-- {
		v := make([]float32, 4)
		for j, b := range []byte(req.Input[i]) {
			v[j%4] += float32(b) / 255
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": data})
}

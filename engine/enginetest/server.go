package enginetest

import (
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine/research"
)

// ServerModel is a model of a fault server. The zero value chats, does not think and has a window of 8192 tokens.
type ServerModel struct {
	Name          string
	Family        string   // if empty, "llama"
	Context       int      // if zero, 8192
	Capabilities  []string // if nil, "completion"
	RemoteHost    string
	RemoteModel   string
	Template      string  // if empty, one with a place for the system prompt
	TokensPerByte float64 // if zero, 0.25
	Size          int64   // bytes; if zero, 4 GB
	SizeVRAM      int64   // of the loaded model; if zero, Size
	LoadedContext int     // what /api/ps says; if zero, what was asked
}

// ChatRequest is what a client sent to /api/chat.
type ChatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Stream    *bool           `json:"stream"`
	Format    json.RawMessage `json:"format"`
	KeepAlive any             `json:"keep_alive"`
	Options   map[string]any  `json:"options"`
	Think     any             `json:"think"`
	Truncate  *bool           `json:"truncate"`
	Shift     *bool           `json:"shift"`
	Raw       []byte          `json:"-"` // the whole body
}

// Prompt is all messages as one text.
func (r ChatRequest) Prompt() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content)
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Int returns an option; 0 when it was not sent.
func (r ChatRequest) Int(option string) int {
	f, _ := r.Options[option].(float64)
	return int(f)
}

// Server plays an Ollama server of release 0.17.4. Set the fields before the first request; the methods may be called at any
// time.
type Server struct {
	URL     string
	Version string        // if empty, "0.17.4"
	Models  []ServerModel // if nil, one called "tiny"
	// Answer gives the visible text of a good answer. If nil, [FitFor] of the schema that was sent, or a sentence.
	Answer func(ChatRequest) string
	// Fault chooses the fault of the nth chat, from 0, when none was queued by [Server.Next]. If nil, none.
	Fault func(n int, r ChatRequest) Fault
	// Every is the time between two parts of a stream.
	Every time.Duration
	// Service, when not zero, is how long an answer takes, and Slots how many are computed at once (if zero, 1); the others wait.
	Service time.Duration
	Slots   int

	t    testing.TB
	addr string

	mu      sync.Mutex
	http    *httptest.Server
	next    []Fault
	chats   []ChatRequest
	left    int // chats whose client went away first
	loads   []int
	slots   chan struct{} // of Slots
	served  []Served
	waiting int           // chats that came and are not answered
	most    int           // of waiting
	release chan struct{} // closed to end hung streams
}

// NewServer starts a fault server that stops when the test ends.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t}
	s.Start()
	t.Cleanup(s.Kill)
	return s
}

// Start listens, again on the same port after [Server.Kill].
func (s *Server) Start() {
	s.t.Helper()
	addr := s.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addr = l.Addr().String()
	s.URL = "http://" + s.addr
	s.release = make(chan struct{})
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	_ = s.http.Listener.Close()
	s.http.Listener = l
	s.http.Start()
}

// Kill ends the server: its port refuses, its connections break.
func (s *Server) Kill() {
	s.mu.Lock()
	h := s.http
	s.http = nil
	if h != nil {
		close(s.release)
	}
	s.mu.Unlock()
	if h != nil {
		h.CloseClientConnections()
		h.Close()
	}
}

// Next queues the faults of the next chats.
func (s *Server) Next(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

// Chats returns the chats so far.
func (s *Server) Chats() []ChatRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ChatRequest(nil), s.chats...)
}

// Left counts the chats whose client closed its connection before the end.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// Loads lists the window of every load of a model: more than one means that a client made the server load again.
func (s *Server) Loads() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.loads...)
}

func (s *Server) models() []ServerModel {
	if s.Models == nil {
		return []ServerModel{{Name: TinyModel}}
	}
	return s.Models
}

func (s *Server) model(name string) (ServerModel, bool) {
	for _, m := range s.models() {
		if m.Name == name || m.Name+":latest" == name {
			if m.Context == 0 {
				m.Context = 8192
			}
			if m.Capabilities == nil {
				m.Capabilities = []string{"completion"}
			}
			if m.TokensPerByte == 0 {
				m.TokensPerByte = 0.25
			}
			if m.Template == "" {
				m.Template = "{{ if .System }}{{ .System }}\n{{ end }}{{ .Prompt }}"
			}
			return m, true
		}
	}
	return ServerModel{}, false
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, "Ollama is running")
	case "/api/version":
		v := s.Version
		if v == "" {
			v = ollamaVersion
		}
		writeJSON(w, http.StatusOK, struct {
			Version string `json:"version"`
		}{v})
	case "/api/tags":
		s.tags(w)
	case "/api/ps":
		s.ps(w)
	case "/api/show":
		s.show(w, r)
	case "/api/embed":
		s.embed(w, r)
	case "/api/chat":
		s.chat(w, r)
	default:
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "404 page not found")
	}
}

// writeJSON writes as the real server does: no escaped angle brackets are due here, and no line end.
func writeJSON(w http.ResponseWriter, code int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(b)
}

func writeError(w http.ResponseWriter, code int, text string) {
	writeJSON(w, code, struct {
		Error string `json:"error"`
	}{text})
}

type details struct {
	ParentModel       string   `json:"parent_model"`
	Format            string   `json:"format"`
	Family            string   `json:"family"`
	Families          []string `json:"families"`
	ParameterSize     string   `json:"parameter_size"`
	QuantizationLevel string   `json:"quantization_level"`
}

func (m ServerModel) details() details {
	f := m.Family
	if f == "" {
		f = "llama"
	}
	return details{"", "gguf", f, []string{f}, "8.0B", "Q4_K_M"}
}

func (m ServerModel) size() int64 {
	if m.Size == 0 {
		return 4 << 30
	}
	return m.Size
}

func full(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return name + ":latest"
}

func digest(name string) string { return research.SHA256(name) }

type tag struct {
	Name        string  `json:"name"`
	Model       string  `json:"model"`
	RemoteModel string  `json:"remote_model,omitempty"`
	RemoteHost  string  `json:"remote_host,omitempty"`
	ModifiedAt  string  `json:"modified_at"`
	Size        int64   `json:"size"`
	Digest      string  `json:"digest"`
	Details     details `json:"details"`
}

func (s *Server) tags(w http.ResponseWriter) {
	list := struct {
		Models []tag `json:"models"`
	}{[]tag{}}
	for _, m := range s.models() {
		list.Models = append(list.Models, tag{full(m.Name), full(m.Name), m.RemoteModel, m.RemoteHost, "2026-11-30T20:10:15.303263969Z", m.size(), digest(full(m.Name)), m.details()})
	}
	writeJSON(w, http.StatusOK, list)
}

type running struct {
	Name          string  `json:"name"`
	Model         string  `json:"model"`
	Size          int64   `json:"size"`
	Digest        string  `json:"digest"`
	Details       details `json:"details"`
	ExpiresAt     string  `json:"expires_at"`
	SizeVRAM      int64   `json:"size_vram"`
	ContextLength int     `json:"context_length"`
}

func (s *Server) ps(w http.ResponseWriter) {
	list := struct {
		Models []running `json:"models"`
	}{[]running{}}
	s.mu.Lock()
	if n := len(s.chats); n > 0 && len(s.loads) > 0 {
		if m, ok := s.model(s.chats[n-1].Model); ok {
			vram, window := m.SizeVRAM, m.LoadedContext
			if vram == 0 {
				vram = m.size()
			}
			if window == 0 {
				window = s.loads[len(s.loads)-1]
			}
			list.Models = append(list.Models, running{full(m.Name), full(m.Name), m.size(), digest(full(m.Name)), m.details(), "2026-11-30T20:15:16.412040878Z", vram, window})
		}
	}
	s.mu.Unlock()
	writeJSON(w, http.StatusOK, list)
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var req struct{ Model string }
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		writeError(w, http.StatusBadRequest, "invalid character")
		return
	}
	m, ok := s.model(req.Model)
	if !ok {
		writeError(w, http.StatusNotFound, "model '"+req.Model+"' not found")
		return
	}
	arch := m.details().Family
	writeJSON(w, http.StatusOK, struct {
		Modelfile    string         `json:"modelfile,omitempty"`
		Template     string         `json:"template,omitempty"`
		Details      details        `json:"details,omitempty"`
		RemoteModel  string         `json:"remote_model,omitempty"`
		RemoteHost   string         `json:"remote_host,omitempty"`
		ModelInfo    map[string]any `json:"model_info"`
		Capabilities []string       `json:"capabilities,omitempty"`
		ModifiedAt   string         `json:"modified_at,omitempty"`
	}{
		"# Modelfile", m.Template, m.details(), m.RemoteModel, m.RemoteHost,
		map[string]any{"general.architecture": arch, arch + ".context_length": m.Context, arch + ".block_count": 24, arch + ".embedding_length": 2880},
		m.Capabilities, "2026-11-30T20:10:15.303263969Z",
	})
}

// embed gives each text a vector of four numbers that depend on its bytes only.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model    string
		Input    []string
		Truncate *bool
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		writeError(w, http.StatusBadRequest, "invalid character")
		return
	}
	m, ok := s.model(req.Model)
	if !ok {
		writeError(w, http.StatusNotFound, "model \""+req.Model+"\" not found, try pulling it first")
		return
	}
	out := [][]float32{}
	for _, text := range req.Input {
		if tokensOf(text, m) > m.Context && req.Truncate != nil && !*req.Truncate {
			writeError(w, http.StatusBadRequest, "the input length exceeds the context length")
			return
		}
		v := make([]float32, 4)
		for i, b := range []byte(text) {
			v[i%4] += float32(b) / 255
		}
		out = append(out, v)
	}
	writeJSON(w, http.StatusOK, struct {
		Model      string      `json:"model"`
		Embeddings [][]float32 `json:"embeddings"`
		Total      int64       `json:"total_duration,omitempty"`
		Load       int64       `json:"load_duration,omitempty"`
		Count      int         `json:"prompt_eval_count,omitempty"`
	}{req.Model, out, 1000, 100, len(out)})
}

// templateTokens is what the template of a model adds to a prompt.
const templateTokens = 11

func tokensOf(text string, m ServerModel) int {
	return templateTokens + int(math.Ceil(float64(len(text))*m.TokensPerByte))
}

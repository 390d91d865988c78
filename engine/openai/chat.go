package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/window"
)

// errLoop and errLong stop a stream from within; the text so far is the answer.
var (
	errLoop = errors.New("the model repeats itself")
	errLong = errors.New("the answer is longer than it may be")
)

// Chat sends one call and returns the model's answer, whatever it says. The prompt is counted first: one that does not leave
// room for its answer is refused without being sent ([research.ErrTooLong]), and an answer to a prompt that the server cut is
// an error ([research.ErrTruncated]). A call with an odd Try asks for its schema in words instead of constraining the sampler.
// Chat returns within two seconds of the context's end; its errors wrap the faults of package research or the context's error.
func (m *Model) Chat(ctx context.Context, call research.Call) (research.Answer, error) {
	began := time.Now()
	callCtx, cancel := context.WithTimeoutCause(ctx, m.cfg.Deadline, research.ErrHung)
	defer cancel()
	if err := m.measured(ctx, callCtx); err != nil {
		return research.Answer{}, err
	}
	got, size, err := m.ask(ctx, callCtx, call)
	if errors.Is(err, research.ErrTooLong) {
		m.mu.Lock()
		m.count.TooFew(size, m.numCtx)
		m.mu.Unlock()
	}
	if err == nil {
		err = m.whole(size, got.prompt)
	}
	if err != nil {
		return research.Answer{}, err
	}
	return research.Answer{
		Text: got.text.String(), Thinking: got.thinking.String(), PromptTokens: got.prompt, AnswerTokens: got.answer, NumCtx: m.numCtx,
		DoneReason: got.reason, By: "openai:" + m.cfg.Model, TookMs: time.Since(began).Milliseconds(),
	}, nil
}

// ask sends a call, waits while the server is busy, and leaves out what it refuses by name. size is the prompt's, in bytes.
func (m *Model) ask(ctx, callCtx context.Context, call research.Call) (got stream, size int, err error) {
	for busy := 0; ; {
		m.mu.Lock()
		may := m.takes
		m.mu.Unlock()
		body, n, err := m.request(call, may)
		if err != nil {
			return got, n, err
		}
		got, err = m.send(ctx, callCtx, body)
		if errors.Is(err, research.ErrBusy) && busy+1 < window.BusyTries {
			if sleep(callCtx, m.cfg.Pause<<busy) == nil {
				busy++
				continue
			}
		}
		if err != nil && m.without(err, may) {
			continue
		}
		return got, n, err
	}
}

// without notes which field the server refused with err; false when it refused none that was sent.
func (m *Model) without(err error, sent takes) bool {
	var status *statusError
	if !errors.As(err, &status) || status.code != http.StatusBadRequest && status.code != http.StatusUnprocessableEntity {
		return false
	}
	low := strings.ToLower(status.text)
	m.mu.Lock()
	defer m.mu.Unlock()
	next := sent
	switch {
	case sent.limit == "max_tokens" && strings.Contains(low, "max_completion_tokens"):
		next.limit = "max_completion_tokens"
	case sent.usage && strings.Contains(low, "stream_options"):
		next.usage = false
	case sent.seed && strings.Contains(low, "seed"):
		next.seed = false
	case sent.schema && contains(low, "response_format", "json_schema", "grammar", "guided", "structured output"):
		next.schema = false
	default:
		return false
	}
	m.takes = next
	return true
}

// request makes what is sent for a call, and says how many bytes of prompt are in it.
func (m *Model) request(call research.Call, may takes) (map[string]any, int, error) {
	system := call.System
	body := map[string]any{"model": m.cfg.Model, "stream": true, "temperature": json.Number("0")}
	if call.Temperature != "" && json.Valid([]byte(call.Temperature)) {
		body["temperature"] = json.Number(call.Temperature)
	}
	if len(call.Schema) > 0 {
		if may.schema && call.Try%2 == 0 {
			body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": call.Schema}}
		} else {
			system = strings.TrimSpace(system + "\n\nAnswer with one JSON value and nothing else. It must fit this JSON Schema:\n" + string(call.Schema))
		}
	}
	if may.seed {
		body["seed"] = call.Seed
	}
	if may.usage {
		body["stream_options"] = map[string]any{"include_usage": true}
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var messages []message
	if system != "" {
		messages = append(messages, message{"system", system})
	}
	body["messages"] = append(messages, message{"user", call.Prompt})
	budget := call.Budget
	if budget <= 0 {
		budget = window.DefaultBudget
	}
	body[may.limit] = budget
	n := len(system) + len(call.Prompt)
	m.mu.Lock()
	counted := m.count.Tokens(n)
	m.mu.Unlock()
	if counted+budget > m.numCtx {
		return nil, n, fmt.Errorf("prompt of %d bytes counts as %d tokens, and with %d for the answer the window of %d is too small: %w", n, counted, budget, m.numCtx, research.ErrTooLong)
	}
	return body, n, nil
}

// stream is what came back.
type stream struct {
	text, thinking strings.Builder
	prompt, answer int // tokens; 0 when the server does not say
	reason         string
}

// send does one request and reads its stream under watch.
func (m *Model) send(ctx, callCtx context.Context, body map[string]any) (s stream, err error) {
	watched, stop := context.WithCancelCause(callCtx)
	defer stop(nil)
	watch := time.AfterFunc(m.cfg.First, func() { stop(research.ErrHung) })
	defer watch.Stop()
	resp, err := m.do(watched, http.MethodPost, m.base.JoinPath("chat", "completions"), body)
	if err != nil {
		return s, m.fault(ctx, watched, "chat", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode/100 != 2 {
		b, rerr := io.ReadAll(io.LimitReader(resp.Body, maxReply))
		if rerr != nil {
			return s, m.fault(ctx, watched, "chat", rerr)
		}
		return s, m.fault(ctx, watched, "chat", newStatusError(resp.StatusCode, b))
	}
	looked := 0
	err = events(resp.Body, func(c chunk) error {
		watch.Reset(m.cfg.Idle)
		s.take(c)
		switch {
		case s.text.Len() > window.MaxAnswer:
			return errLong
		case s.text.Len()-looked >= 256:
			looked = s.text.Len()
			if window.Loops(s.text.String()) {
				return errLoop
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, errLoop):
		s.reason, err = "repeat", nil
	case errors.Is(err, errLong):
		s.reason, err = "length", nil
	case err != nil:
		err = m.fault(ctx, watched, "chat", err)
	}
	return s, err
}

// take adds a part of the answer.
func (s *stream) take(c chunk) {
	if u := c.Usage; u != nil && u.PromptTokens > 0 {
		s.prompt, s.answer = u.PromptTokens, u.CompletionTokens
	}
	if len(c.Choices) == 0 {
		return
	}
	ch := c.Choices[0]
	s.text.WriteString(ch.Delta.Content)
	s.text.WriteString(ch.Message.Content)
	for _, t := range []string{ch.Delta.ReasoningContent, ch.Delta.Reasoning, ch.Message.ReasoningContent, ch.Message.Reasoning} {
		if s.thinking.Len() < window.MaxThinking {
			s.thinking.WriteString(t)
		}
	}
	if ch.FinishReason != "" {
		s.reason = ch.FinishReason
	}
}

// whole reports whether the server read the prompt to its end, and learns from its count.
func (m *Model) whole(bytes, tokens int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if whole, fewest := m.count.Whole(bytes, tokens, m.numCtx); !whole {
		return fmt.Errorf("server read %d tokens of a prompt of %d bytes, which is at least %d: %w", tokens, bytes, fewest, research.ErrTruncated)
	}
	return nil
}

// measured measures the model's tokens before the first call, once.
func (m *Model) measured(ctx, callCtx context.Context) error {
	select {
	case m.turn <- struct{}{}:
	case <-callCtx.Done():
		return m.fault(ctx, callCtx, "load", callCtx.Err())
	}
	defer func() { <-m.turn }()
	if m.ready {
		return nil
	}
	const short = "Say yes."
	first, err := m.probe(ctx, callCtx, short)
	if err != nil {
		return err
	}
	full := 0
	if m.cfg.TokensPerByte <= 0 && first > 0 {
		if full, err = m.probe(ctx, callCtx, window.Sample); err != nil && !errors.Is(err, research.ErrTooLong) {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count.Template(first, len(short))
	if full > 0 {
		m.count.Calibrate(first, len(short), full, len(window.Sample))
	}
	m.ready = true
	return nil
}

// probe says how many tokens the server counts in a prompt; 0 when it does not say.
func (m *Model) probe(ctx, callCtx context.Context, prompt string) (int, error) {
	got, _, err := m.ask(ctx, callCtx, research.Call{Prompt: prompt, Budget: 1})
	return got.prompt, err
}

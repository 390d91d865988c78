package ollama

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
	"assay/engine/window"
)

// thinkBudget is added for a model that cannot answer without reasoning, so that the reasoning does not eat the answer.
const thinkBudget = 1024

// errLoop and errLong stop a stream from within; the text so far is the answer.
var (
	errLoop = errors.New("the model repeats itself")
	errLong = errors.New("the answer is longer than it may be")
)

// Chat sends one call and returns the model's answer, whatever it says. The prompt is counted first: one that does not leave
// room for its answer is refused without being sent ([research.ErrTooLong]), and an answer to a prompt that the server cut is
// an error ([research.ErrTruncated]). A call with an odd Try asks for its schema in words instead of constraining the
// sampler, because some models answer nothing under a constraint. Chat returns within two seconds of the context's end; its
// errors wrap the faults of package research or the context's error.
func (m *Model) Chat(ctx context.Context, call research.Call) (research.Answer, error) {
	began := time.Now()
	callCtx, cancel := context.WithTimeoutCause(ctx, m.cfg.Deadline, research.ErrHung)
	defer cancel()
	if err := m.measured(ctx, callCtx); err != nil {
		return research.Answer{}, err
	}
	req, bytes, err := m.request(call)
	if err != nil {
		return research.Answer{}, err
	}
	var got stream
	for try := 0; ; try++ {
		got, err = m.send(ctx, callCtx, req)
		switch {
		case err == nil:
		case errors.Is(err, research.ErrBusy) && try+1 < window.BusyTries:
			if sleep(callCtx, m.cfg.Pause<<try) == nil {
				continue
			}
		case errors.Is(err, errNoThinking) && req.Think != nil:
			req.Think = nil
			continue
		}
		break
	}
	if errors.Is(err, research.ErrTooLong) {
		m.mu.Lock()
		m.count.TooFew(bytes, m.numCtx)
		m.mu.Unlock()
	}
	if err != nil {
		return research.Answer{}, err
	}
	if err := m.whole(bytes, got.last.PromptEvalCount); err != nil {
		return research.Answer{}, err
	}
	return research.Answer{
		Text: got.text.String(), Thinking: got.thinking.String(),
		PromptTokens: got.last.PromptEvalCount, AnswerTokens: got.last.EvalCount, NumCtx: m.numCtx,
		DoneReason: got.last.DoneReason, By: "ollama:" + m.cfg.Model, TookMs: time.Since(began).Milliseconds(),
	}, nil
}

// request makes what is sent for a call, and says how many bytes of prompt are in it.
func (m *Model) request(call research.Call) (*api.ChatRequest, int, error) {
	system, prompt := call.System, call.Prompt
	yes, no := true, false
	req := &api.ChatRequest{
		Model: m.cfg.Model, Stream: &yes, Truncate: &no, Shift: &no,
		KeepAlive: &api.Duration{Duration: m.cfg.KeepAlive}, Think: m.think(),
	}
	if len(call.Schema) > 0 {
		if call.Try%2 == 0 {
			req.Format = call.Schema
		} else {
			system = strings.TrimSpace(system + "\n\nAnswer with one JSON value and nothing else. It must fit this JSON Schema:\n" + string(call.Schema))
		}
	}
	if m.info.noSystem && system != "" {
		system, prompt = "", system+"\n\n"+prompt
	}
	if system != "" {
		req.Messages = append(req.Messages, api.Message{Role: "system", Content: system})
	}
	req.Messages = append(req.Messages, api.Message{Role: "user", Content: prompt})
	predict := call.Budget
	if predict <= 0 {
		predict = window.DefaultBudget
	}
	if m.mustThink() {
		predict += thinkBudget
	}
	n := len(system) + len(prompt)
	m.mu.Lock()
	counted := m.count.Tokens(n)
	m.mu.Unlock()
	if counted+predict > m.numCtx {
		return nil, n, fmt.Errorf("prompt of %d bytes counts as %d tokens, and with %d for the answer the window of %d is too small: %w", n, counted, predict, m.numCtx, research.ErrTooLong)
	}
	req.Options = m.options(call, predict)
	return req, n, nil
}

// mustThink reports whether the model reasons whatever it is told; gpt-oss only knows how much.
func (m *Model) mustThink() bool {
	return m.info.Thinks && (m.info.Family == "gptoss" || m.info.Family == "gpt-oss")
}

// think asks for as little reasoning as the family allows; nil for a model that has none.
func (m *Model) think() *api.ThinkValue {
	switch {
	case !m.info.Thinks || m.noThink.Load():
		return nil
	case m.mustThink():
		return &api.ThinkValue{Value: "low"}
	}
	return &api.ThinkValue{Value: false}
}

// stream is what came back.
type stream struct {
	text, thinking strings.Builder
	last           api.ChatResponse
}

// send does one request and reads its stream under watch.
func (m *Model) send(ctx, callCtx context.Context, req *api.ChatRequest) (stream, error) {
	watched, stop := context.WithCancelCause(callCtx)
	defer stop(nil)
	watch := time.AfterFunc(m.cfg.First, func() { stop(research.ErrHung) })
	defer watch.Stop()
	var s stream
	looked := 0
	err := m.api.Chat(watched, req, func(r api.ChatResponse) error {
		watch.Reset(m.cfg.Idle)
		if m.cfg.Closed && r.RemoteHost != "" {
			return fmt.Errorf("model %s was answered by %s: %w", m.cfg.Model, r.RemoteHost, research.ErrForbidden)
		}
		s.text.WriteString(r.Message.Content)
		if s.thinking.Len() < window.MaxThinking {
			s.thinking.WriteString(r.Message.Thinking)
		}
		s.last = r
		switch {
		case r.Done:
			return nil
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
		s.last.DoneReason = "repeat"
		return s, nil
	case errors.Is(err, errLong):
		s.last.DoneReason = "length"
		return s, nil
	case errors.Is(err, research.ErrForbidden):
		return s, err
	case err == nil && !s.last.Done && window.Stuck(s.text.String()):
		s.last.DoneReason = "repeat"
		return s, nil
	case err == nil && !s.last.Done:
		err = errCut // the official client takes a broken stream for a finished one
	}
	return s, m.fault(ctx, watched, "chat", err)
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

// measured loads the model and measures its tokens before the first call, once.
func (m *Model) measured(ctx, callCtx context.Context) error {
	if m.ready.Load() {
		return nil
	}
	select {
	case m.turn <- struct{}{}:
	case <-callCtx.Done():
		return m.fault(ctx, callCtx, "load", callCtx.Err())
	}
	defer func() { <-m.turn }()
	if m.ready.Load() {
		return nil
	}
	const short = "Say yes."
	first, err := m.probe(ctx, callCtx, short)
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.count.Template(first, len(short))
	m.mu.Unlock()
	if m.cfg.TokensPerByte <= 0 {
		full, err := m.probe(ctx, callCtx, window.Sample)
		switch {
		case errors.Is(err, research.ErrTooLong): // a window smaller than the sample: the guess stays
		case err != nil:
			return err
		default:
			m.mu.Lock()
			m.count.Calibrate(first, len(short), full, len(window.Sample))
			m.mu.Unlock()
		}
	}
	m.compare(callCtx)
	m.ready.Store(true)
	return nil
}

// probe says how many tokens the server counts in a prompt.
func (m *Model) probe(ctx, callCtx context.Context, prompt string) (int, error) {
	yes, no := true, false
	got, err := m.send(ctx, callCtx, &api.ChatRequest{
		Model: m.cfg.Model, Stream: &yes, Truncate: &no, Shift: &no, KeepAlive: &api.Duration{Duration: m.cfg.KeepAlive},
		Think: m.think(), Messages: []api.Message{{Role: "user", Content: prompt}}, Options: m.options(research.Call{}, 1),
	})
	if errors.Is(err, errNoThinking) {
		m.noThink.Store(true)
		return m.probe(ctx, callCtx, prompt)
	}
	return got.last.PromptEvalCount, err
}

// compare tells the person where the loaded model is not what was asked for.
func (m *Model) compare(ctx context.Context) {
	ps, err := m.api.ListRunning(ctx)
	if err != nil {
		return // an old server; what it can do is seen from its answers
	}
	for _, p := range ps.Models {
		if p.Digest != m.info.Digest && p.Name != m.cfg.Model {
			continue
		}
		if p.ContextLength > 0 && p.ContextLength != m.numCtx {
			m.note("warn", "The server loaded %s with a window of %d tokens instead of %d.", m.cfg.Model, p.ContextLength, m.numCtx)
		}
		if p.SizeVRAM > 0 && p.SizeVRAM < p.Size {
			m.note("warn", "%d %% of %s is in main memory, not on the GPU; it will be slow.", (p.Size-p.SizeVRAM)*100/p.Size, m.cfg.Model)
		}
		return
	}
}

package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay/engine/research"
	"assay/engine/window"
)

// chunk is one event of a stream. Servers call the reasoning by different names.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content          string `json:"content"`
			ReasoningContent string `json:"reasoning_content"`
			Reasoning        string `json:"reasoning"`
		} `json:"delta"`
		// Message stands in place of Delta when a server does not stream.
		Message struct {
			Content          string `json:"content"`
			ReasoningContent string `json:"reasoning_content"`
			Reasoning        string `json:"reasoning"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// maxLine bounds one event, in bytes: a server that does not stream sends its whole answer as one.
const maxLine = 2 * window.MaxAnswer

// errCut says that a stream ended before its answer did.
var errCut = errors.New("the stream ended before its answer did")

// errForeign says that what came is not what such a server sends.
var errForeign = fmt.Errorf("it answers, but not as such a server does: check its address and its path (mostly /v1): %w", research.ErrServer)

// events reads a stream of server-sent events and gives fn each chunk. A reply that is one JSON object counts as a stream of one. It
// returns nil when the stream said that it was done, and [errCut] when it only ended.
func events(rd io.Reader, fn func(chunk) error) error {
	sc := bufio.NewScanner(rd)
	sc.Buffer(make([]byte, 0, 64<<10), maxLine)
	finished, met := false, false
	for sc.Scan() {
		line := bytes.TrimSpace(sc.Bytes())
		switch {
		case len(line) == 0, line[0] == ':', bytes.HasPrefix(line, []byte("event:")), bytes.HasPrefix(line, []byte("id:")), bytes.HasPrefix(line, []byte("retry:")):
			continue // comments keep a connection open
		}
		data, streamed := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			return nil
		}
		var c chunk
		if json.Unmarshal(data, &c) != nil {
			if !met {
				return errForeign
			}
			return errCut
		}
		met = true
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return newStatusError(0, data)
		}
		if err := fn(c); err != nil {
			return err
		}
		for _, ch := range c.Choices {
			finished = finished || ch.FinishReason != ""
		}
		if !streamed && finished {
			return nil
		}
	}
	switch err := sc.Err(); {
	case err != nil:
		return err
	case !met:
		return errForeign
	case !finished:
		return errCut
	}
	return nil // some servers send no [DONE]
}

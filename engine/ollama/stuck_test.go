package ollama

import (
	"errors"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestCutForRepeating: a stream that the server ends because the model repeats itself is an answer of the model; one that ends
// otherwise is a fault of the server.
func TestCutForRepeating(t *testing.T) {
	for text, cut := range map[string]bool{strings.Repeat("ang ", 80): false, strings.Repeat("The valve was closed at noon. ", 3): true} {
		s := enginetest.NewServer(t)
		s.Answer = func(enginetest.ChatRequest) string { return text }
		m := open(t, s.URL, func(c *Config) { c.TokensPerByte = 0.3 })
		s.Next(enginetest.Good, enginetest.EndsMidway)
		a, err := m.Chat(t.Context(), reader("Read this."))
		if cut != errors.Is(err, research.ErrServer) || !cut && (a.DoneReason != "repeat" || !strings.HasPrefix(a.Text, "ang ang")) {
			t.Errorf("Chat = %+v, %v; want a fault: %v", a, err, cut)
		}
	}
}

package ollama

import (
	"errors"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

func TestStuck(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"prose", "The valve was closed at noon, and nobody opened it again until the evening of the same day.", false},
		{"nothing", "", false},
		{"one piece", `{"claims":[` + strings.Repeat("ang", 31), true},
		{"one letter", "so" + strings.Repeat("o", 31), true},
		{"with spaces", strings.Repeat(" and", 31), true},
		{"line ends", "yes" + strings.Repeat("\n", 31), true},
		{"too few", strings.Repeat("ang", 29), false},
		{"a long piece", strings.Repeat("0123456789abcdefghijklmnopqrstuvwxyz", 31), false},
		{"not at the end", strings.Repeat("ang", 40) + " and then the end", false},
		{"a rule of dashes", "| a | b |\n|" + strings.Repeat("-", 12), false},
	} {
		if got := stuck(tc.text); got != tc.want {
			t.Errorf("%s: stuck = %v, want %v", tc.name, got, tc.want)
		}
	}
}

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

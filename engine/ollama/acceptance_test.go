package ollama

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestAcceptance holds public reports on the context and the clock of a call. Those on lists, pulls and stops stand with the tests of
// these, under the same label.
func TestAcceptance(t *testing.T) {
	long := reader(strings.Repeat("The valve was closed again. ", 300))
	for _, tc := range []struct {
		name  string
		fault enginetest.Fault
		want  error
		say   string // in the sentence
		not   string
	}{
		{"ACCEPTANCE 47: half the window is counted for a longer prompt", enginetest.CutCount, research.ErrTruncated, "server read ", ""},
		{"ACCEPTANCE 49: no user query found is an overflow", enginetest.NoQuery500, research.ErrTooLong, "too long", "status 500"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			m := open(t, s.URL, nil)
			if _, err := m.Chat(t.Context(), reader("Read this.")); err != nil {
				t.Fatal(err)
			}
			s.Next(tc.fault)
			_, err := m.Chat(t.Context(), long)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.say) || tc.not != "" && strings.Contains(err.Error(), tc.not) {
				t.Errorf("Chat = %v, want %v with %q", err, tc.want, tc.say)
			}
		})
	}
	t.Run("ACCEPTANCE 84: a heading thirty times is stopped, four studies with the same headings are not", func(t *testing.T) {
		studies := ""
		for _, name := range []string{"Harbour lights of the northern bay", "Fog signals and their range", "Keepers and their families", "Oil, gas and electric lamps"} {
			studies += "## Study: " + name + "\n\n### Methodology\n\nThe authors of the study on " + strings.ToLower(name) + " asked those who had served there and read the logs that were kept.\n\n" +
				"### Results\n\nOn " + strings.ToLower(name) + " the study finds less than was hoped for, and says why.\n\n"
		}
		for text, cut := range map[string]bool{strings.Repeat("### Methodology\n\n", 120): true, studies: false} {
			s := enginetest.NewServer(t)
			s.Answer = func(enginetest.ChatRequest) string { return text }
			m := open(t, s.URL, func(c *Config) { c.TokensPerByte = 0.3 })
			call := reader("Read this.")
			call.Budget = 4000
			a, err := m.Chat(t.Context(), call)
			if err != nil || (a.DoneReason == "repeat") != cut || !cut && a.Text != text {
				t.Errorf("Chat of %.40q = %q after %d of %d bytes, %v; want it cut: %v", text, a.DoneReason, len(a.Text), len(text), err, cut)
			}
		}
	})
	t.Run("ACCEPTANCE 81: a call's clock starts when the call does", func(t *testing.T) {
		s := enginetest.NewServer(t)
		m := open(t, s.URL, func(c *Config) { c.Deadline = 5 * time.Second })
		if _, err := m.Chat(t.Context(), reader("Read this.")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		s.Service, s.Slots = 1500*time.Millisecond, 1
		for i := range 4 { // longer together than one call may take
			if _, err := m.Chat(t.Context(), reader("Read this.")); err != nil {
				t.Fatalf("call %d: %v", i+1, err)
			}
		}
	})
}

package ollama

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestEmbedderRealServer asks the real server for vectors of models made by code: of one that does nothing else, and of one that
// chats, which llama.cpp runs.
func TestEmbedderRealServer(t *testing.T) {
	for _, embeds := range []bool{true, false} {
		t.Run(fmt.Sprint("embeds ", embeds), func(t *testing.T) {
			o := enginetest.StartOllama(t, enginetest.Tiny{Context: 512, Embeds: embeds})
			e, err := NewEmbedder(t.Context(), Config{HTTP: client(t), BaseURL: o.URL, Model: enginetest.TinyModel, Closed: true}, true)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(e.Name(), "ollama:tiny@") || e.Info().Embeds != embeds {
				t.Errorf("Name = %q, Info = %+v", e.Name(), e.Info())
			}
			got, err := e.Embed(t.Context(), []string{"The anchor.", "A rudder.", "The anchor."})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 3 || len(got[0]) != 64 || len(got[1]) != 64 {
				t.Fatalf("%d vectors of %d numbers", len(got), len(got[0]))
			}
			same, other := 0.0, 0.0
			for i := range got[0] {
				same = max(same, math.Abs(float64(got[0][i]-got[2][i])))
				other = max(other, math.Abs(float64(got[0][i]-got[1][i])))
			}
			if same > 1e-3 || other < 1e-3 {
				t.Errorf("the same text differs by %g, another by %g", same, other)
			}
			if _, err := e.Embed(t.Context(), []string{strings.Repeat("long ", 400)}); !errors.Is(err, research.ErrTooLong) {
				t.Errorf("a text longer than the window: %v, want ErrTooLong", err)
			}
		})
	}
}

// TestEmbedderRefused asks a model that the server's own engine runs and that has no vectors to give.
func TestEmbedderRefused(t *testing.T) {
	o := enginetest.StartOllama(t, enginetest.Tiny{Arch: "qwen3", Context: 512})
	e, err := NewEmbedder(t.Context(), Config{HTTP: client(t), BaseURL: o.URL, Model: enginetest.TinyModel, Closed: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"The anchor."}); !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "embeddings") {
		t.Errorf("Embed = %v, want the server's refusal", err)
	}
	if _, err := NewEmbedder(t.Context(), Config{HTTP: client(t), BaseURL: o.URL, Model: "absent", Closed: true}, false); !errors.Is(err, research.ErrMissing) {
		t.Errorf("NewEmbedder = %v, want ErrMissing", err)
	}
}

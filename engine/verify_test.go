package engine

import (
	"context"
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/store"
)

// verifier holds claims against the library of the tests.
func verifier(t testing.TB) *Verifier {
	t.Helper()
	c := config(t, "claims")
	v, err := NewVerifier(c, store.NewMemory(c.Request, c.Code))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerify(t *testing.T) {
	v := verifier(t)
	for claim, want := range map[string]research.Conclusion{
		"The Skerry Point lighthouse was built in 1874.":                research.Supported,
		"Agnes Calder was the engineer of the Skerry Point lighthouse.": research.Supported,
		"The Skerry Point lighthouse was built in 1894.":                research.Contradicted,
		"The Skerry Point lighthouse was not built in 1874.":            research.Contradicted,
		"2019年，斯凯里角灯塔接待了15500名游客。":                                      research.Supported,
		"2019年，斯凯里角灯塔接待了25500名游客。":                                      research.Contradicted,
		"斯凯里角灯塔建于1894年。":                                                research.Contradicted,
		"2019年，斯凯里角灯塔接待了超过2万名游客。":                                       research.Contradicted,
		"2019年，斯凯里角灯塔接待了超过1万名游客。":                                       research.Supported,
		"2019年，斯凯里角灯塔接待了约1.55万名游客。":                                     research.Supported,
		"2019年，斯凯里角灯塔卖给了雷克雅未克的一家银行。":                                    research.NotFound,
		"Penguins founded the Roman empire.":                            research.NotFound,
		"The Skerry Point lighthouse was sold to a bank in Reykjavik.":  research.NotFound,
	} {
		got, err := v.Verify(context.Background(), claim)
		if err != nil {
			t.Fatal(err)
		}
		if got.Conclusion != want {
			t.Errorf("%q is %s, want %s: %+v", claim, got.Conclusion, want, got.Evidence)
		}
		if (got.Support == nil) != (want == research.NotFound) {
			t.Errorf("%q: Support = %+v", claim, got.Support)
		}
		for _, e := range got.Evidence {
			if e.Passage.ID == "" || e.Passage.SHA256 != research.SHA256(e.Passage.Text) || e.Location == "" || e.Reason == "" {
				t.Errorf("%q: a place without its proof: %+v", claim, e)
			}
			if want == research.NotFound && e.Stance != research.Neutral {
				t.Errorf("%q was not found, and a place is said to %s", claim, e.Stance)
			}
		}
	}
	if _, err := v.Verify(context.Background(), "  "); err == nil {
		t.Error("an empty claim was verified")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := v.Verify(ctx, "The Skerry Point lighthouse was built in 1874."); err == nil {
		t.Error("an ended context was not heeded")
	}
}

// TestVerifyKeepsVoices: what one voice says twice counts once.
func TestVerifyKeepsVoices(t *testing.T) {
	got, err := verifier(t).Verify(context.Background(), "The Skerry Point lighthouse was built in 1874.")
	if err != nil {
		t.Fatal(err)
	}
	voices := map[string]bool{}
	for _, e := range got.Evidence {
		voices[strings.ToLower(e.Voice)] = true
	}
	if got.Support == nil || got.Support.N > len(voices) {
		t.Errorf("%d voices count, and %d speak", got.Support.N, len(voices))
	}
}

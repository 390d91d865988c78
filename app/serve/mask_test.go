package serve

import (
	"bytes"
	"strings"
	"testing"
)

// Whatever the pieces in which a text is written, no secret is in what arrives, and all else is.
func FuzzMasker(f *testing.F) {
	f.Add("a sesame-open-1 b sesame-open-1", uint8(3), "sesame-open-1")
	f.Add("aaaaaaaab", uint8(1), "aaaaaaab")
	f.Add("secret \"quoted\"", uint8(2), `t "quoted"`)
	f.Add("xyxyxyxz", uint8(2), "xyxyxz")
	f.Fuzz(func(t *testing.T, text string, size uint8, secret string) {
		if secret == "" || strings.Contains(masked, secret) || strings.Contains(secret, "[") || strings.Contains(secret, "]") || strings.Contains(text, "[") {
			t.Skip("the secret stands in its own mask, or the text looks masked")
		}
		var out bytes.Buffer
		m := newMasker(&out, secret)
		for b := []byte(text); len(b) > 0; {
			n := min(int(size)%7+1, len(b))
			if _, err := m.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
			b = b[n:]
		}
		if err := m.end(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if strings.Contains(got, secret) {
			t.Errorf("%q holds %q", got, secret)
		}
		if !strings.Contains(text, secret) && len(m.secrets) == 1 && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestMaskSettings(t *testing.T) {
	got := maskSettings(map[string]any{
		"smtp_password": "x", "keys": []any{map[string]any{"api_key": "y"}}, "url": "http://me:z@host/?token=w&a=1", "monkey": "", "depth": "quick",
	}).(map[string]any)
	if got["smtp_password"] != masked || got["keys"].([]any)[0].(map[string]any)["api_key"] != masked || got["url"] != "http://[masked]@host/?token=[masked]&a=1" ||
		got["monkey"] != "" || got["depth"] != "quick" {
		t.Errorf("masked %v", got)
	}
}

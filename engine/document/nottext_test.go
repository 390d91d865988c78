package document

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"assay/engine/research"
)

// TestNotText: random bytes by the name of a text are refused with the reason, whatever their number.
func TestNotText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{256, 1000, 4096, 100_000} {
		for range 20 {
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(r.IntN(256))
			}
			for _, name := range []string{"a.txt", "a.md", "a.csv"} {
				doc, err := FromBytes(context.Background(), name, MediaType(name, nil), data, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if doc.Verdict != research.Unread || !strings.Contains(doc.Fault, "is not text") || doc.Text != "" {
					t.Fatalf("%d random bytes as %s: verdict %q, fault %q, %d bytes of text", n, name, doc.Verdict, doc.Fault, len(doc.Text))
				}
			}
		}
	}
}

// TestIsText: text in other encodings and with the marks of old formats is none of it.
func TestIsText(t *testing.T) {
	encoded := func(e encoding.Encoding, s string) []byte {
		b, err := e.NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	european := strings.Repeat("Die Größe der Kähne über dem Fluß ist öfter geändert worden, sagt Zoë.\n", 20)
	for name, data := range map[string][]byte{
		"UTF-8":           []byte(european),
		"windows-1252":    encoded(charmap.Windows1252, european),
		"KOI8-R":          encoded(charmap.KOI8R, strings.Repeat("Маяк построен на скале в тысяча восемьсот семидесятом году.\n", 20)),
		"GB18030":         encoded(simplifiedchinese.GB18030, strings.Repeat("灯塔于一八七四年建成，由工程师设计。\n", 20)),
		"Shift_JIS":       encoded(japanese.ShiftJIS, strings.Repeat("灯台は千八百七十四年に完成しました。\n", 20)),
		"ISO-2022-JP":     encoded(japanese.ISO2022JP, strings.Repeat("灯台は千八百七十四年に完成しました。\n", 20)),
		"UTF-16":          append([]byte{0xff, 0xfe}, encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), european)...),
		"overstruck":      []byte(strings.Repeat("N\bNA\bAM\bME\bE\n  the lamp is lit at dusk\n", 20)),
		"form feeds":      []byte(strings.Repeat("A page of words about the lamp.\n\f\n", 20)),
		"escapes":         []byte(strings.Repeat("\x1b[1mNAME\x1b[0m\nthe lamp is lit at dusk\n", 20)),
		"two stray bytes": []byte("the lamp\x00 is lit\x01 at dusk"),
		"a broken place":  bytes.Replace([]byte(strings.Repeat("the lamp is lit at dusk and put out at dawn\n", 20)), []byte("dusk"), []byte("du\xff\x01\x02k"), 1),
	} {
		doc, err := FromBytes(context.Background(), "a.txt", Plain, data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Fault != "" || doc.Text == "" {
			t.Errorf("%s: fault %q, %d bytes of text", name, doc.Fault, len(doc.Text))
		}
	}
}

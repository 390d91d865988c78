package document

import (
	"encoding/base64"
	"strings"
	"testing"

	"assay/engine/research"
)

const savedBody = `<html lang="en"><head><title>Kilns of the valley</title><meta name="author" content="Rowan Ost"></head><body><nav><a href="/">Home</a></nav><article><h1>Kilns of the valley</h1>
<p>The Marrow kiln is fired to 1,240 degrees, and it holds twelve shelves that were laid by hand.</p><p>Its potters burn wood for thirty hours before the kiln is left to cool down slowly again.</p></article></body></html>`

func mhtml(encoding, body string) string {
	return "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://kilns.example.org/a\r\nSubject: Kilns\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--x1\"\r\n\r\n" +
		"----x1\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: https://kilns.example.org/a.png\r\n\r\niVBORw0KGgo=\r\n" +
		"----x1\r\nContent-Type: text/html; charset=utf-8\r\nContent-ID: <f@mhtml.blink>\r\nContent-Transfer-Encoding: " + encoding + "\r\nContent-Location: https://kilns.example.org/a\r\n\r\n" + body + "\r\n----x1--\r\n"
}

func TestSavedPages(t *testing.T) {
	quoted := strings.ReplaceAll(savedBody, "=", "=3D")
	single := "<!DOCTYPE html><html><!--\n Page saved with SingleFile \n url: https://kilns.example.org/a \n saved date: Mon\n-->" + savedBody[6:]
	for _, tc := range []struct{ name, file, data, canonical string }{
		{"quoted-printable", "a.mhtml", mhtml("quoted-printable", quoted), "https://kilns.example.org/a"},
		{"base64", "a.mht", mhtml("base64", base64.StdEncoding.EncodeToString([]byte(savedBody))), "https://kilns.example.org/a"},
		{"plain", "a.mhtml", mhtml("8bit", savedBody), "https://kilns.example.org/a"},
		{"SingleFile", "a.html", single, "https://kilns.example.org/a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, err := FromBytes(t.Context(), tc.file, MediaType(tc.file, []byte(tc.data)), []byte(tc.data), Options{})
			if err != nil || d.Fault != "" || !strings.Contains(d.Text, "1,240 degrees") || strings.Contains(d.Text, "Home") || d.Byline != "Rowan Ost" || d.Canonical != tc.canonical {
				t.Errorf("%+v, %v, text %q", d, err, d.Text)
			}
			sound(t, d)
		})
	}
	for name, data := range map[string]string{
		"nothing": "", "no header": "\x00\x01", "no page": "Content-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: image/png\r\n\r\nabc\r\n--x--",
		"cut off": mhtml("base64", "!!!"), "another thing": "Content-Type: text/calendar\r\n\r\nBEGIN", "no boundary": "Content-Type: multipart/related\r\n\r\nx",
	} {
		d, err := FromBytes(t.Context(), "a.mhtml", MHTML, []byte(data), Options{})
		if err != nil || d.Fault == "" || d.Verdict != research.Unread {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

func FuzzMHTML(f *testing.F) {
	f.Add([]byte(mhtml("quoted-printable", savedBody)))
	f.Add([]byte(mhtml("base64", base64.StdEncoding.EncodeToString([]byte(savedBody)))))
	f.Add([]byte("Content-Type: text/html\n\n<p>x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := FromBytes(t.Context(), "a.mhtml", MHTML, b, Options{MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, d)
	})
}

package document

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"regexp"
	"strings"

	"assay/engine/research"
)

// maxMHTMLParts bounds the parts of a saved page that are looked through for its HTML.
const maxMHTMLParts = 2000

// readMHTML reads a page that a browser saved as one file (RFC 2557): of its parts only the HTML is read, with the address it was saved from.
func readMHTML(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	msg, err := mail.ReadMessage(bytes.NewReader(bytes.TrimLeft(data, "\r\n\t \ufeff")))
	if err != nil {
		return research.Document{}, errors.New("is damaged: it does not begin as a saved page does; save it again from the browser")
	}
	base, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	at := savedFrom(msg.Header.Get("Snapshot-Content-Location"))
	switch {
	case err != nil:
		return research.Document{}, errors.New("is damaged: it does not say what it holds; save it again from the browser")
	case base == HTML:
		return savedHTML(ctx, msg.Body, msg.Header.Get("Content-Transfer-Encoding"), params["charset"], at, opt)
	case !strings.HasPrefix(base, "multipart/") || params["boundary"] == "":
		return research.Document{}, errors.New("holds no page but " + oneLine(base, 80) + "; save the page itself from the browser")
	}
	start := strings.Trim(params["start"], "<>")
	for parts, n := multipart.NewReader(msg.Body, params["boundary"]), 0; n < maxMHTMLParts; n++ {
		if ctx.Err() != nil {
			return research.Document{}, ctx.Err()
		}
		part, err := parts.NextRawPart()
		if err != nil {
			break
		}
		kind, p, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if err != nil || kind != HTML && kind != "application/xhtml+xml" || start != "" && strings.Trim(part.Header.Get("Content-Id"), "<>") != start {
			continue
		}
		if from := savedFrom(part.Header.Get("Content-Location")); from != "" && at == "" {
			at = from
		}
		return savedHTML(ctx, part, part.Header.Get("Content-Transfer-Encoding"), p["charset"], at, opt)
	}
	return research.Document{}, errors.New("holds no page; save it again from the browser")
}

// savedHTML reads the HTML of a saved page as a page of the web.
func savedHTML(ctx context.Context, r io.Reader, encoding, charset, at string, opt Options) (research.Document, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	}
	b, err := io.ReadAll(io.LimitReader(checked{ctx, r}, opt.maxBytes()))
	if ctx.Err() != nil {
		return research.Document{}, ctx.Err()
	}
	if len(b) == 0 && err != nil {
		return research.Document{}, errors.New("is damaged: its page cannot be decoded; save it again from the browser")
	}
	opt.Web, opt.URL = true, at
	d := readHTML(ctx, decode(b, charset, true), opt)
	if at != "" {
		d.Canonical = at
	}
	return d, nil
}

// savedFrom is the address that a saved page says it is of; empty when it is none of the web.
func savedFrom(s string) string {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(s) > 2048 {
		return ""
	}
	return s
}

// singleFile is the comment by which SingleFile says where a page was saved from.
var singleFile = regexp.MustCompile(`(?s)<!--\s*Page saved with SingleFile\s+url:\s*(\S+)`)

// savedBySingleFile returns the address of a page that SingleFile saved, and whether it did.
func savedBySingleFile(src string) (string, bool) {
	m := singleFile.FindStringSubmatch(src[:min(len(src), 4096)])
	if m == nil {
		return "", false
	}
	return savedFrom(m[1]), true
}

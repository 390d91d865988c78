package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Bounds of a packed document. What it unpacks to is bounded as a plain file is (Options.MaxBytes), whatever its directory says.
const (
	maxEntries = 20_000
	// maxXMLDepth is how deep elements may lie in one another; documents of people stay under fifty.
	maxXMLDepth = 300
)

// Why a packed document is not read, as clauses.
var (
	errNoPack   = errors.New("is damaged: it cannot be unpacked; open it in the program that made it and save it again")
	errEntries  = fmt.Errorf("holds more than %d files, which no document does; it was not read", maxEntries)
	errDeep     = errors.New("lays its elements too deep in one another; it was not read")
	errBadXML   = errors.New("is damaged: its text cannot be read; open it in the program that made it and save it again")
	errNoText   = errors.New("is damaged: it lacks the part that holds its text")
	errLockedIn = errors.New("is locked with a password or by its seller; save it unlocked to have it read")
)

// pack is an unpacked document, read on demand. All that is read from it counts against one bound.
type pack struct {
	ctx   context.Context
	files map[string]*zip.File
	limit int64 // bytes
	left  int64
}

// openPack opens a ZIP container.
func openPack(ctx context.Context, data []byte, limit int64) (*pack, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errNoPack
	}
	if len(z.File) > maxEntries {
		return nil, errEntries
	}
	p := &pack{ctx: ctx, files: map[string]*zip.File{}, limit: limit, left: limit}
	for _, f := range z.File {
		if f.Flags&1 != 0 {
			return nil, errLockedIn
		}
		name := path.Clean(strings.ReplaceAll(f.Name, `\`, "/"))
		if _, twice := p.files[name]; !twice {
			p.files[name] = f
		}
	}
	return p, nil
}

// has reports whether the container holds a file.
func (p *pack) has(name string) bool { return p.files[path.Clean(name)] != nil }

// read returns a file of the container; nil without an error when there is none.
func (p *pack) read(name string) ([]byte, error) {
	f := p.files[path.Clean(name)]
	if f == nil {
		return nil, nil
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, errNoPack
	}
	defer r.Close() // read to its end or given up
	b, err := io.ReadAll(io.LimitReader(checked{p.ctx, r}, p.left+1))
	if ctxErr := p.ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if int64(len(b)) > p.left {
		return nil, fmt.Errorf("unpacks to more than %d MiB, which is not read; split it into smaller files", p.limit>>20)
	}
	if err != nil {
		return nil, errNoPack
	}
	p.left -= int64(len(b))
	return b, nil
}

// elements reads XML element by element. Entities that a document declares itself are not expanded; the decoder knows the five of
// XML and refuses others.
type elements struct {
	d     *xml.Decoder
	ctx   context.Context
	depth int
	n     int
}

func newElements(ctx context.Context, b []byte) *elements {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		return strings.NewReader(decode(raw, label, false)), nil
	}
	return &elements{d: d, ctx: ctx}
}

// next returns the next token; io.EOF at the end.
func (e *elements) next() (xml.Token, error) {
	if e.n++; e.n%4096 == 0 {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
	}
	t, err := e.d.Token()
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, errBadXML
	}
	switch t.(type) {
	case xml.StartElement:
		if e.depth++; e.depth > maxXMLDepth {
			return nil, errDeep
		}
	case xml.EndElement:
		e.depth--
	}
	return t, nil
}

// skip passes over the element that was just opened.
func (e *elements) skip() error {
	for at := e.depth - 1; e.depth > at; {
		if _, err := e.next(); err != nil {
			return err
		}
	}
	return nil
}

// text returns all text inside the element that was just opened.
func (e *elements) text() (string, error) {
	var b strings.Builder
	for at := e.depth - 1; e.depth > at; {
		t, err := e.next()
		if err != nil {
			return "", err
		}
		if c, ok := t.(xml.CharData); ok {
			b.Write(c)
		}
	}
	return b.String(), nil
}

// attrOf returns an attribute by its local name.
func attrOf(el xml.StartElement, local string) string {
	for _, a := range el.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// properties reads what office formats and books say about themselves, by the local names of their elements.
func (p *pack) properties(name string) (map[string]string, error) {
	got := map[string]string{}
	b, err := p.read(name)
	if err != nil || b == nil {
		return got, err
	}
	e := newElements(p.ctx, b)
	for {
		t, err := e.next()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, p.ctx.Err() // damaged: what was read so far is used
		}
		el, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch el.Name.Local {
		case "title", "creator", "initial-creator", "publisher", "date", "created", "modified", "creation-date", "language":
			s, err := e.text()
			if err != nil {
				return got, p.ctx.Err()
			}
			if got[el.Name.Local] == "" {
				got[el.Name.Local] = strings.TrimSpace(s)
			}
		}
	}
}

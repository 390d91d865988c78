package document

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	tongue "golang.org/x/text/language"

	"assay/engine/research"
)

// ZIMEnding is the ending of the names of archives of pages, such as those of Kiwix.
const ZIMEnding = ".zim"

// Bounds of an archive. Every length and place that a file names is held against them and against the size of the file before anything
// is read or reserved; what a cluster unpacks to is bounded by [Options.MaxBytes], 64 MiB.
const (
	zimMagic     = 72173914
	zimHeader    = 80
	zimMostMimes = 64 << 10 // bytes of the list of media types
	zimMostEntry = 4 << 10  // bytes of an entry: its path and title
	zimHops      = 8        // redirects in a row
	zimHeld      = 2        // unpacked clusters that are kept; articles that follow each other lie in one
)

// ZIM is an open archive. It is safe for concurrent use and must be closed.
type ZIM struct {
	r       io.ReaderAt
	close   func() error
	size    uint64
	entries uint32
	paths   uint64 // where the places of the entries begin
	mimes   []string
	packed  zimClusters
	Title   string // what the archive says of itself
	Lang    string // ISO 639-1, empty when it has several
	Date    string // ISO 8601
	By      string // who made its pages
	content byte   // the name space of its pages
}

// errZIM says that an archive is not read, as a clause after its name.
var errZIM = errors.New("is damaged: it is no whole ZIM archive; download it again")

// OpenZIM opens the archive at path. Its errors are clauses that go after the name of the file.
func OpenZIM(path string) (*ZIM, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New("is not readable: " + reason(err) + "; check that it exists and may be read")
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.New("is not a regular file, so it was not read; give the file itself")
	}
	z, err := newZIM(f, info.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	z.close = f.Close
	return z, nil
}

// newZIM reads the head of an archive.
func newZIM(r io.ReaderAt, size int64) (*ZIM, error) {
	z := &ZIM{r: r, size: uint64(max(size, 0)), close: func() error { return nil }}
	h, err := z.bytes(0, zimHeader)
	if err != nil || binary.LittleEndian.Uint32(h) != zimMagic {
		return nil, errZIM
	}
	major, minor := binary.LittleEndian.Uint16(h[4:]), binary.LittleEndian.Uint16(h[6:])
	if major < 5 || major > 6 {
		return nil, fmt.Errorf("is a ZIM archive of version %d, and 5 and 6 are read; download a newer one", major)
	}
	z.content = 'A'
	if major == 6 && minor >= 1 {
		z.content = 'C'
	}
	z.entries = binary.LittleEndian.Uint32(h[24:])
	clusters := binary.LittleEndian.Uint32(h[28:])
	z.paths = binary.LittleEndian.Uint64(h[32:])
	places, mimes, sum := binary.LittleEndian.Uint64(h[48:]), binary.LittleEndian.Uint64(h[56:]), binary.LittleEndian.Uint64(h[72:])
	if !z.holds(z.paths, 8*uint64(z.entries)) || !z.holds(places, 8*uint64(clusters)) {
		return nil, errZIM
	}
	end := z.size
	if sum > zimHeader && sum < z.size {
		end = sum
	}
	z.packed = zimClusters{z: z, count: clusters, places: places, end: end}
	if z.mimes, err = z.readMimes(mimes); err != nil {
		return nil, err
	}
	z.about()
	return z, nil
}

// Close closes the file.
func (z *ZIM) Close() error { return z.close() }

// holds reports whether so many bytes lie in the file at a place.
func (z *ZIM) holds(at, n uint64) bool { return at <= z.size && n <= z.size-at }

// bytes reads n bytes, which must lie in the file.
func (z *ZIM) bytes(at uint64, n int) ([]byte, error) {
	if n < 0 || !z.holds(at, uint64(n)) {
		return nil, errZIM
	}
	b := make([]byte, n)
	if _, err := z.r.ReadAt(b, int64(at)); err != nil {
		return nil, errZIM
	}
	return b, nil
}

// upTo reads at most n bytes.
func (z *ZIM) upTo(at uint64, n int) ([]byte, error) {
	if at > z.size {
		return nil, errZIM
	}
	return z.bytes(at, int(min(uint64(n), z.size-at)))
}

func (z *ZIM) readMimes(at uint64) ([]string, error) {
	b, err := z.upTo(at, zimMostMimes)
	if err != nil {
		return nil, err
	}
	var out []string
	for len(b) > 0 && b[0] != 0 {
		i := bytes.IndexByte(b, 0)
		if i < 0 {
			return nil, errZIM
		}
		t, _, err := mime.ParseMediaType(string(b[:i]))
		if err != nil {
			t = ""
		}
		out = append(out, t)
		b = b[i+1:]
	}
	return out, nil
}

// zimEntry is one entry: a page, a picture, a redirect to another.
type zimEntry struct {
	space    byte
	path     string
	title    string
	mime     uint16
	redirect bool
	to       uint32 // of a redirect
	cluster  uint32
	blob     uint32
}

// What stands in the place of a media type when an entry is something else.
const (
	zimRedirect = 0xffff
	zimLink     = 0xfffe
	zimDeleted  = 0xfffd
)

// entry reads entry number i, in the order of name spaces and paths.
func (z *ZIM) entry(i uint32) (e zimEntry, err error) {
	if i >= z.entries {
		return e, errZIM
	}
	p, err := z.bytes(z.paths+8*uint64(i), 8)
	if err != nil {
		return e, err
	}
	b, err := z.upTo(binary.LittleEndian.Uint64(p), zimMostEntry)
	if err != nil || len(b) < 16 {
		return e, errZIM
	}
	e.mime, e.space = binary.LittleEndian.Uint16(b), b[3]
	head := 16
	switch e.mime {
	case zimRedirect:
		e.redirect, e.to, head = true, binary.LittleEndian.Uint32(b[8:]), 12
	case zimLink, zimDeleted:
		head = 8
	default:
		e.cluster, e.blob = binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])
	}
	path, rest, ok := bytes.Cut(b[head:], []byte{0})
	title, _, ended := bytes.Cut(rest, []byte{0})
	if !ok || !ended {
		return e, errZIM
	}
	e.path, e.title = string(path), string(title)
	return e, nil
}

// find returns the entry of a path, redirects followed.
func (z *ZIM) find(space byte, path string) (zimEntry, error) {
	var bad error
	i := sort.Search(int(z.entries), func(i int) bool {
		e, err := z.entry(uint32(i))
		if err != nil {
			bad = err
			return true
		}
		return e.space > space || e.space == space && e.path >= path
	})
	if bad != nil {
		return zimEntry{}, bad
	}
	e, err := z.entry(uint32(i))
	if err != nil || e.space != space || e.path != path {
		return zimEntry{}, errNoArticle
	}
	for hops := 0; e.redirect; hops++ {
		if hops == zimHops {
			return zimEntry{}, errors.New("is a redirect that leads in a circle; it was not read")
		}
		if e, err = z.entry(e.to); err != nil {
			return zimEntry{}, err
		}
	}
	return e, nil
}

// errNoArticle says that an archive has no such page.
var errNoArticle = errors.New("is not in the archive; add its folder again")

// mediaType is the media type of an entry, empty for a redirect and for what is none.
func (z *ZIM) mediaType(e zimEntry) string {
	if int(e.mime) >= len(z.mimes) {
		return ""
	}
	return z.mimes[e.mime]
}

// about reads what the archive says of itself. What is missing or damaged stays empty.
func (z *ZIM) about() {
	get := func(name string) string {
		e, err := z.find('M', name)
		if err != nil {
			return ""
		}
		b, err := z.packed.blob(context.Background(), e, zimMostEntry)
		if err != nil {
			return ""
		}
		return oneLine(decode(b, "utf-8", false), 300)
	}
	z.Title = get("Title")
	z.Date = isoDate(get("Date"))
	if z.By = get("Creator"); z.By == "" {
		z.By = get("Publisher")
	}
	if lang := get("Language"); !strings.Contains(lang, ",") {
		if base, err := tongue.ParseBase(lang); err == nil && len(base.String()) == 2 {
			z.Lang = base.String()
		}
	}
}

// Pages calls yield with the path of every page and document of the archive, in their order: no redirects, pictures, scripts or styles.
// It returns how many entries it left out because they are damaged or their paths cannot stand in a location. It ends early when yield
// returns an error, and returns that.
func (z *ZIM) Pages(ctx context.Context, yield func(path string) error) (left int, err error) {
	for i := range z.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return left, ctx.Err()
		}
		e, err := z.entry(i)
		if err != nil {
			left++
			continue
		}
		if e.space != z.content || e.redirect || !zimReads[z.mediaType(e)] {
			continue
		}
		if !plainPath(e.path) {
			left++
			continue
		}
		if err := yield(e.path); err != nil {
			return left, err
		}
	}
	return left, nil
}

// zimReads are the formats of pages that are read out of an archive.
var zimReads = map[string]bool{HTML: true, "application/xhtml+xml": true, Plain: true, Markdown: true, PDF: true, EPUB: true}

// plainPath reports whether a path is one of names with slashes between them, as a path in a folder is.
func plainPath(p string) bool {
	if !utf8.ValidString(p) || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// Read gives the page at a path of the archive, as [Read] gives a file.
func (z *ZIM) Read(ctx context.Context, location, path string, opt Options) (research.Document, error) {
	e, err := z.find(z.content, path)
	if err != nil {
		return unread(location, "", location+" "+err.Error()), ctx.Err()
	}
	b, err := z.packed.blob(ctx, e, opt.maxBytes())
	if ctx.Err() != nil {
		return research.Document{}, ctx.Err()
	}
	if err != nil {
		return unread(location, z.mediaType(e), location+" "+err.Error()), nil
	}
	doc, err := FromBytes(ctx, location, z.mediaType(e), b, opt)
	if err != nil || doc.Fault != "" {
		return doc, err
	}
	if title := oneLine(e.title, 300); title != "" {
		doc.Title = title
	}
	if doc.Published == "" {
		doc.Published = z.Date
	}
	if doc.Publisher == "" {
		doc.Publisher = z.By
	}
	if doc.Lang == "" {
		doc.Lang = z.Lang
	}
	return doc, nil
}

// InZIM cuts the path of a page inside an archive, "/books/wiki.zim/Some/Page", into the archive and the page; false when there is no
// archive in it.
func InZIM(path string) (archive, page string, ok bool) {
	slashed := filepath.ToSlash(path)
	i := strings.Index(strings.ToLower(slashed), ZIMEnding+"/")
	for i >= 0 {
		end := i + len(ZIMEnding)
		if info, err := os.Stat(filepath.FromSlash(slashed[:end])); err == nil && info.Mode().IsRegular() {
			return filepath.FromSlash(slashed[:end]), slashed[end+1:], true
		}
		next := strings.Index(strings.ToLower(slashed[end:]), ZIMEnding+"/")
		if next < 0 {
			break
		}
		i = end + next
	}
	return "", "", false
}

// Archives keeps archives open that are read from again and again. The zero value is ready; it must be closed.
type Archives struct {
	mu   sync.Mutex
	open map[string]*ZIM
}

// get opens an archive once.
func (a *Archives) get(path string) (*ZIM, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if z := a.open[path]; z != nil {
		return z, nil
	}
	z, err := OpenZIM(path)
	if err != nil {
		return nil, err
	}
	if a.open == nil {
		a.open = map[string]*ZIM{}
	}
	a.open[path] = z
	return z, nil
}

// Close closes what is open.
func (a *Archives) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, z := range a.open {
		errs = append(errs, z.Close())
	}
	a.open = nil
	return errors.Join(errs...)
}

// readInZIM gives a page of an archive by the path of both.
func readInZIM(ctx context.Context, location, archive, page string, opt Options) (research.Document, error) {
	open := opt.Archives
	if open == nil {
		open = &Archives{}
		defer open.Close()
	}
	z, err := open.get(archive)
	if err != nil {
		return unread(location, "", filepath.Base(archive)+" "+err.Error()), ctx.Err()
	}
	doc, err := z.Read(ctx, location, page, opt)
	doc.Path = archive
	return doc, err
}

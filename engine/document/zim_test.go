package document

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// zimFile is an archive to be written.
type zimFile struct {
	major, minor uint16
	mimes        []string
	entries      []zimMade
	pack         byte // of the one cluster
	wide         bool
}

// zimMade is an entry to be written, with its content unless it is a redirect.
type zimMade struct {
	space       byte
	path, title string
	mime        uint16
	content     string
	to          uint32
}

// write lays the archive out: head, media types, entries, their places, the cluster, its place.
func (f zimFile) write(t testing.TB) []byte {
	t.Helper()
	le := binary.LittleEndian
	sort.SliceStable(f.entries, func(i, j int) bool {
		a, b := f.entries[i], f.entries[j]
		return a.space < b.space || a.space == b.space && a.path < b.path
	})
	out := make([]byte, zimHeader)
	mimes := len(out)
	for _, m := range f.mimes {
		out = append(append(out, m...), 0)
	}
	out = append(out, 0)
	var places, blobs []byte
	width := 4
	if f.wide {
		width = 8
	}
	contents := 0
	for _, e := range f.entries {
		if e.mime != zimRedirect {
			contents++
		}
	}
	at, n := width*(contents+1), 0
	offset := func(v int) {
		if f.wide {
			blobs = le.AppendUint64(blobs, uint64(v))
		} else {
			blobs = le.AppendUint32(blobs, uint32(v))
		}
	}
	var data []byte
	offset(at)
	for _, e := range f.entries {
		places = le.AppendUint64(places, uint64(len(out)))
		out = le.AppendUint16(out, e.mime)
		out = append(out, 0, e.space, 0, 0, 0, 0)
		if e.mime == zimRedirect {
			out = le.AppendUint32(out, e.to)
		} else {
			out = le.AppendUint32(le.AppendUint32(out, 0), uint32(n))
			data = append(data, e.content...)
			at += len(e.content)
			offset(at)
			n++
		}
		out = append(append(append(append(out, e.path...), 0), e.title...), 0)
	}
	paths := len(out)
	out = append(out, places...)
	cluster := len(out)
	kind := f.pack
	if f.wide {
		kind |= zimWide
	}
	out = append(append(out, kind), packCluster(t, f.pack, append(blobs, data...))...)
	clusters := len(out)
	out = le.AppendUint64(out, uint64(cluster))
	sum := len(out)
	out = append(out, make([]byte, 16)...)
	le.PutUint32(out, zimMagic)
	le.PutUint16(out[4:], f.major)
	le.PutUint16(out[6:], f.minor)
	le.PutUint32(out[24:], uint32(len(f.entries)))
	le.PutUint32(out[28:], 1)
	le.PutUint64(out[32:], uint64(paths))
	le.PutUint64(out[48:], uint64(clusters))
	le.PutUint64(out[56:], uint64(mimes))
	le.PutUint64(out[72:], uint64(sum))
	return out
}

func packCluster(t testing.TB, pack byte, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	switch pack {
	case zimXZ:
		w, err := xz.NewWriter(&out)
		if err == nil {
			_, err = w.Write(b)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	case zimZstd:
		w, err := zstd.NewWriter(&out)
		if err == nil {
			_, err = w.Write(b)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	default:
		out.Write(b)
	}
	return out.Bytes()
}

// harbour is a small archive.
func harbour(pack byte, wide bool) zimFile {
	return zimFile{major: 6, minor: 1, pack: pack, wide: wide, mimes: []string{"text/html; charset=utf-8", "text/plain", "image/png"}, entries: []zimMade{
		{space: 'C', path: "Harbour/Light", title: "The Light", content: "<html><head><title>x</title></head><body><h1>The Light</h1><p>The light stands on the reef and was built in 1874 by the harbour office.</p></body></html>"},
		{space: 'C', path: "Old_Light", title: "Old Light", mime: zimRedirect, to: 0},
		{space: 'C', path: "a.png", mime: 2, content: "\x89PNG"},
		{space: 'C', path: "灯塔", title: "灯塔", content: "<html><body><h1>灯塔</h1><p>这座灯塔建于一八七四年，位于礁石之上，由港务局管理。</p></body></html>"},
		{space: 'C', path: "notes", mime: 1, content: "The keeper wrote down every ship that passed the light in the winter."},
		{space: 'M', path: "Date", mime: 1, content: "2025-03-04"},
		{space: 'M', path: "Language", mime: 1, content: "eng"},
		{space: 'M', path: "Title", mime: 1, content: "The harbour"},
		{space: 'M', path: "Creator", mime: 1, content: "Harbour Office"},
	}}
}

func openBytes(t testing.TB, b []byte) *ZIM {
	t.Helper()
	z, err := newZIM(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func pagesOf(t testing.TB, z *ZIM) ([]string, int) {
	t.Helper()
	var out []string
	left, err := z.Pages(context.Background(), func(p string) error {
		out = append(out, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, left
}

func TestZIM(t *testing.T) {
	for _, tc := range []struct {
		name string
		pack byte
		wide bool
	}{{"not packed", zimPlain1, false}, {"not packed, wide", zimPlain1, true}, {"xz", zimXZ, false}, {"zstd", zimZstd, false}, {"zstd, wide", zimZstd, true}} {
		t.Run(tc.name, func(t *testing.T) {
			z := openBytes(t, harbour(tc.pack, tc.wide).write(t))
			if z.Title != "The harbour" || z.Lang != "en" || z.Date != "2025-03-04" || z.By != "Harbour Office" {
				t.Errorf("about: %q %q %q %q", z.Title, z.Lang, z.Date, z.By)
			}
			got, left := pagesOf(t, z)
			if want := "Harbour/Light notes 灯塔"; strings.Join(got, " ") != want || left != 0 {
				t.Errorf("pages %q, %d left out; want %q", got, left, want)
			}
			for path, want := range map[string]string{"Harbour/Light": "built in 1874", "Old_Light": "built in 1874", "notes": "every ship", "灯塔": "建于一八七四年"} {
				doc, err := z.Read(t.Context(), "lib/h.zim/"+path, path, Options{})
				if err != nil || !strings.Contains(doc.Text, want) || doc.Published != "2025-03-04" || doc.Publisher != "Harbour Office" {
					t.Errorf("%s: %v %+v", path, err, doc)
				}
			}
			if doc, err := z.Read(t.Context(), "x", "Nowhere", Options{}); err != nil || !strings.Contains(doc.Fault, "is not in the archive") {
				t.Errorf("a page that is none: %v %q", err, doc.Fault)
			}
			if doc, err := z.Read(t.Context(), "x", "Harbour/Light", Options{MaxBytes: 20}); err != nil || !strings.Contains(doc.Fault, "are not read") {
				t.Errorf("over the bound: %v %q", err, doc.Fault)
			}
		})
	}
}

// The title is that of the entry, the language what the words say.
func TestZIMTitleAndLanguage(t *testing.T) {
	z := openBytes(t, harbour(zimZstd, false).write(t))
	doc, err := z.Read(t.Context(), "x", "Harbour/Light", Options{})
	if err != nil || doc.Title != "The Light" || doc.Lang != "en" {
		t.Errorf("%v: title %q, language %q", err, doc.Title, doc.Lang)
	}
	if doc, err = z.Read(t.Context(), "x", "灯塔", Options{}); err != nil || doc.Title != "灯塔" || doc.Lang != "zh" {
		t.Errorf("%v: title %q, language %q", err, doc.Title, doc.Lang)
	}
}

// A page is read by the path of the archive and its own, as a file is.
func TestReadInZIM(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "h.ZIM")
	if err := os.WriteFile(name, harbour(zimZstd, false).write(t), 0o600); err != nil {
		t.Fatal(err)
	}
	open := &Archives{}
	defer open.Close()
	for _, opt := range []Options{{}, {Archives: open}, {Archives: open}} {
		doc, err := Read(t.Context(), "lib/h.ZIM/notes", name+"/notes", opt)
		if err != nil || !strings.Contains(doc.Text, "every ship") || doc.Path != name {
			t.Errorf("%v %+v", err, doc)
		}
	}
	if doc, err := Read(t.Context(), "lib/gone.zim/notes", filepath.Join(dir, "gone.zim/notes"), Options{}); err != nil || doc.Fault == "" {
		t.Errorf("an archive that is not there: %v %q", err, doc.Fault)
	}
}

// spoiled are archives that a hostile or broken hand made of a good one.
func spoiled(t testing.TB) map[string][]byte {
	le := binary.LittleEndian
	change := func(pack byte, f func(b []byte)) []byte {
		b := harbour(pack, false).write(t)
		f(b)
		return b
	}
	loop := harbour(zimZstd, false)
	loop.entries[1].to = 1
	names := harbour(zimZstd, false)
	names.entries = append(names.entries, zimMade{space: 'C', path: "../../etc/passwd", content: "<p>x</p>"}, zimMade{space: 'C', path: "a//b", content: "<p>x</p>"},
		zimMade{space: 'C', path: "nul\x01", content: "<p>x</p>"}, zimMade{space: 'C', path: "\xff", content: "<p>x</p>"})
	bomb := harbour(zimZstd, false)
	bomb.entries[0].content = "<p>" + strings.Repeat("a bomb is a bomb. ", mostUnpacked/18+1000) + "</p>"
	bigDict := change(zimXZ, func(b []byte) {
		i := bytes.Index(b, []byte(xzMagic))
		b[i+xzStream+4] = 40 // the greatest dictionary, 4 GiB
	})
	whole := harbour(zimZstd, false).write(t)
	return map[string][]byte{
		"nothing":                 {},
		"the head alone":          whole[:zimHeader],
		"half":                    whole[:len(whole)/2],
		"cut in the cluster":      whole[:len(whole)-40],
		"another format":          []byte("PK\x03\x04 this is a zip file and no archive of pages, though it is as long as one; it is longer than a head"),
		"4,000,000,000 entries":   change(zimZstd, func(b []byte) { le.PutUint32(b[24:], 4_000_000_000) }),
		"4,000,000,000 clusters":  change(zimZstd, func(b []byte) { le.PutUint32(b[28:], 4_000_000_000) }),
		"places past the end":     change(zimZstd, func(b []byte) { le.PutUint64(b[32:], math.MaxUint64-4) }),
		"clusters past the end":   change(zimZstd, func(b []byte) { le.PutUint64(b[48:], 10<<30) }),
		"types past the end":      change(zimZstd, func(b []byte) { le.PutUint64(b[56:], math.MaxUint64) }),
		"version 99":              change(zimZstd, func(b []byte) { le.PutUint16(b[4:], 99) }),
		"entries past the end":    change(zimZstd, func(b []byte) { at := le.Uint64(b[32:]); le.PutUint64(b[at:], 10<<30) }),
		"a cluster of 10 GiB":     change(zimZstd, func(b []byte) { le.PutUint64(b[le.Uint64(b[48:]):], 10<<30) }),
		"an unknown packing":      change(zimZstd, func(b []byte) { at := le.Uint64(b[le.Uint64(b[48:]):]); b[at] = 9 }),
		"packed bytes changed":    change(zimZstd, func(b []byte) { at := le.Uint64(b[le.Uint64(b[48:]):]); copy(b[at+8:], "broken broken broken") }),
		"xz bytes changed":        change(zimXZ, func(b []byte) { at := le.Uint64(b[le.Uint64(b[48:]):]); copy(b[at+40:], "broken broken broken") }),
		"an xz dictionary of 4 G": bigDict,
		"offsets of 4 GiB":        change(zimPlain1, func(b []byte) { at := le.Uint64(b[le.Uint64(b[48:]):]); le.PutUint32(b[at+5:], math.MaxUint32) }),
		"a redirect to itself":    loop.write(t),
		"names that lead out":     names.write(t),
		"a bomb":                  bomb.write(t),
	}
}

// mostSpoiledMiB is what an archive may take of memory whatever it says: two unpacked clusters of 64 MiB, the window of the unpacker, and
// what growing them takes for a moment.
const mostSpoiledMiB = 400

// A spoiled archive is refused, or its pages are, with a reason; nothing of it is reserved on its word.
func TestSpoiledZIM(t *testing.T) {
	for name, b := range spoiled(t) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			z, err := newZIM(bytes.NewReader(b), int64(len(b)))
			faults := []string{}
			if err != nil {
				faults = append(faults, err.Error())
			} else {
				paths, left := pagesOf(t, z)
				if left > 0 {
					faults = append(faults, fmt.Sprint(left, " left out"))
				}
				for _, p := range append(paths, "Old_Light") {
					doc, err := z.Read(t.Context(), "lib/x.zim/"+p, p, Options{})
					if err != nil {
						t.Fatal(err)
					}
					if doc.Fault != "" {
						faults = append(faults, doc.Fault)
					}
				}
			}
			runtime.ReadMemStats(&after)
			if len(faults) == 0 {
				t.Error("nothing was said")
			}
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 4*mostSpoiledMiB {
				t.Errorf("%d MiB were reserved", mib)
			}
			if mib := after.HeapSys >> 20; mib > mostSpoiledMiB && after.HeapSys > before.HeapSys {
				t.Errorf("the heap grew to %d MiB", mib)
			}
			t.Logf("%.150q, %d MiB reserved in all, heap %d MiB", faults, (after.TotalAlloc-before.TotalAlloc)>>20, after.HeapSys>>20)
		})
	}
}

var update = flag.Bool("update", false, "rewrite golden files")

// The archive that the tests of the library ingest is the one of these tests.
func TestZIMOfLibrary(t *testing.T) {
	name := filepath.Join("..", "library", "testdata", "harbour.zim")
	want := harbour(zimZstd, false).write(t)
	if *update {
		if err := os.WriteFile(name, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	z, err := OpenZIM(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got, left := pagesOf(t, z); len(got) != 3 || left != 0 {
		t.Errorf("pages %q, %d left out", got, left)
	}
}

func FuzzZIM(f *testing.F) {
	for _, pack := range []byte{zimPlain1, zimXZ, zimZstd} {
		f.Add(harbour(pack, pack == zimZstd).write(f))
	}
	for name, b := range spoiled(f) {
		if name != "a bomb" {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		z, err := newZIM(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		n := 0
		if _, err := z.Pages(t.Context(), func(p string) error {
			if n++; n > 20 {
				return context.Canceled
			}
			doc, err := z.Read(t.Context(), "l", p, Options{MaxBytes: 1 << 20, Worker: "/nonexistent"})
			if err == nil && doc.Fault == "" && doc.Text == "" {
				t.Fatalf("%q: neither text nor fault", p)
			}
			return nil
		}); err != nil && err != context.Canceled {
			t.Fatal(err)
		}
	})
}

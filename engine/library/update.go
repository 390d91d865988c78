package library

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	bleveindex "github.com/blevesearch/bleve_index_api"
)

// Update brings the entries of a folder up to date where paths, files and folders in it, were made, changed, moved or deleted,
// and looks at nothing else of it. Without paths it settles what was put off: the copies among formats, and the kept texts
// that no entry names any more. A folder that the library does not hold, and one whose index is damaged, is read as [Library.Add]
// does, and so is one where a path leads over a link.
func (l *Library) Update(ctx context.Context, folder string, paths []string) (Ingest, error) {
	path, err := resolve(folder)
	if err != nil {
		return Ingest{Folder: folder}, err
	}
	var out Ingest
	err = l.update(ctx, func(x *index, f *folders, rebuilt bool) error {
		i := slices.IndexFunc(f.Folders, func(e Folder) bool { return e.Path == path })
		if rebuilt || i < 0 {
			out, err = l.addIn(ctx, x, f, path, rebuilt)
			return err
		}
		if len(paths) == 0 {
			if err := l.settleCopies(ctx, x, f.Folders[i].Base); err != nil {
				return err
			}
			return l.sweep(ctx, x, *f)
		}
		changed, plain := changedIn(path, paths)
		if !plain {
			out, err = l.ingest(ctx, x, f.Folders[i])
			return err
		}
		out, err = l.ingestSome(ctx, x, f.Folders[i], changed)
		return err
	})
	out.Folder = path
	return out, err
}

// changedIn returns the slash paths, relative to the folder, of what changed: without what lies in another of them, and without
// what is never listed. It is false when a link is among them or on the way.
func changedIn(folder string, paths []string) (changed []string, plain bool) {
	for _, p := range paths {
		rel, err := filepath.Rel(folder, p)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		if rel == "." {
			return nil, false
		}
		parts := strings.Split(rel, string(filepath.Separator))
		listed, at := true, folder
		for _, name := range parts {
			listed = listed && !strings.HasPrefix(name, ".") && utf8.ValidString(name)
			at = filepath.Join(at, name)
			if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return nil, false
			}
		}
		if listed && len(parts) <= maxDepth {
			changed = append(changed, filepath.ToSlash(rel))
		}
	}
	slices.Sort(changed)
	changed = slices.Compact(changed)
	// A folder comes before what lies in it, but not always next to it: "a", "a-b", "a/c".
	kept := map[string]bool{}
	return slices.DeleteFunc(changed, func(rel string) bool {
		for i := range rel {
			if rel[i] == '/' && kept[rel[:i]] {
				return true
			}
		}
		kept[rel] = true
		return false
	}), true
}

// ingestSome looks at the changed paths of a folder alone.
func (l *Library) ingestSome(ctx context.Context, x *index, folder Folder, changed []string) (Ingest, error) {
	var recs []*record
	for _, rel := range changed {
		old, err := x.recordsAt(ctx, folder.Base+"/"+rel)
		if err != nil {
			return Ingest{}, err
		}
		recs = append(recs, old...)
	}
	return l.ingestWith(ctx, x, folder, recs, func(w *walker) error {
		real, err := filepath.EvalSymlinks(w.root)
		if err != nil {
			return err
		}
		w.root, w.seen = real, map[string]bool{real: true}
		for _, rel := range changed {
			path := filepath.Join(real, filepath.FromSlash(rel))
			info, err := os.Lstat(path)
			if err != nil {
				continue // gone, or going: what was known of it is taken out
			}
			if err := w.entry(path, w.base+"/"+rel, info.Mode().Type(), strings.Count(rel, "/")); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordsAt returns the entry of a location and those below it, which it has when it is or was a folder or an archive.
func (x *index) recordsAt(ctx context.Context, location string) ([]*record, error) {
	var out []*record
	take := func(location string) error {
		r, err := x.record(location)
		if err == nil && r != nil {
			out = append(out, r)
		}
		return err
	}
	if err := take(location); err != nil {
		return nil, err
	}
	adv, err := x.Advanced()
	if err != nil {
		return nil, unreadable(err)
	}
	reader, err := adv.Reader()
	if err != nil {
		return nil, unreadable(err)
	}
	defer reader.Close()
	ids, err := idsUnder(ctx, reader, fileID(location)+"/")
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := take(strings.TrimPrefix(id, filePrefix)); err != nil { // one that was deleted has none
			return nil, err
		}
	}
	return out, nil
}

// idsUnder lists the identifiers of the index that begin so; some may be of entries that were deleted.
func idsUnder(ctx context.Context, reader bleveindex.IndexReader, prefix string) ([]string, error) {
	dict, err := reader.FieldDictPrefix("_id", []byte(prefix))
	if err != nil {
		return nil, unreadable(err)
	}
	defer dict.Close()
	var out []string
	for {
		e, err := dict.Next()
		if err != nil {
			return nil, unreadable(err)
		}
		if e == nil {
			return out, ctx.Err()
		}
		out = append(out, e.Term)
	}
}

package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"assay/engine"
	"assay/engine/difference"
	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/store"
)

// maxLooks is how many sources of an earlier report are looked at again; a deep run opens as many.
const maxLooks = 60

// edition is a report that another one is held against.
type edition struct {
	run    string
	digest research.Digest
}

// editionOf reads the report of a run; the empty id gives none.
func (d *Desk) editionOf(id string) (edition, error) {
	if id == "" {
		return edition{}, nil
	}
	id, err := d.FindRun(id)
	if err != nil {
		return edition{}, err
	}
	digest, err := d.Digest(id)
	return edition{id, digest}, err
}

// Difference says what changed from the report of one run to that of another, both given by id. Sources that the later one does not
// cite are not looked at again.
func (d *Desk) Difference(earlier, later string) (research.Difference, error) {
	a, err := d.editionOf(earlier)
	if err != nil {
		return research.Difference{}, err
	}
	b, err := d.editionOf(later)
	if err != nil {
		return research.Difference{}, err
	}
	if a.run == "" || b.run == "" {
		return research.Difference{}, usage("name two runs: list them with assay runs list")
	}
	return difference.Between(a.digest, b.digest, difference.Options{EarlierRun: a.run, LaterRun: b.run}), nil
}

// lookAgain reads the sources of the earlier report that the new one does not cite, as far as the run did not read them itself: with
// the run's own reader, so that nothing is reached that the run may not reach, and in its outbox. What cannot be read for another
// reason than its own, such as a page of the web in a closed run, is not looked at.
func (j *Job) lookAgain(ctx context.Context, reader engine.Reader, digest research.Digest) {
	if j.against.run == "" {
		return
	}
	j.looks = j.hasRead()
	j.looking.Store(true)
	defer j.looking.Store(false)
	cited := map[string]bool{}
	for _, s := range digest.Sources {
		cited[s.URL] = true
	}
	left := maxLooks
	for _, s := range j.against.digest.Sources {
		if _, done := j.looks[s.URL]; cited[s.URL] || done || left == 0 || ctx.Err() != nil || !j.reaches(s.URL) {
			continue
		}
		left--
		doc, err := reader.Read(ctx, s.URL)
		if err != nil || doc.Verdict == research.Blocked {
			continue
		}
		j.looks[s.URL] = lookAt(doc)
	}
}

func lookAt(doc research.Document) research.SourceLook {
	l := research.SourceLook{SHA256: doc.SHA256, Fault: doc.Fault, As: doc.Verdict}
	if l.Fault == "" && l.SHA256 == "" {
		l.SHA256 = research.SHA256(doc.Text)
	}
	return l
}

// reaches reports whether the run may look at a place at all.
func (j *Job) reaches(location string) bool {
	req := j.rec.Request()
	return !strings.Contains(location, "://") || req.Egress == research.Web || req.Servers
}

// hasRead are the documents that the run read, by location.
func (j *Job) hasRead() map[string]research.SourceLook {
	out := map[string]research.SourceLook{}
	events, err := j.rec.Events(0, 0)
	if err != nil {
		return out // then they are read once more
	}
	for _, ev := range events {
		var doc research.Document
		if (ev.Kind == research.EventRead || ev.Kind == research.EventFetch) && json.Unmarshal(ev.Payload, &doc) == nil && doc.Location != "" && doc.Verdict != research.Blocked {
			out[doc.Location] = lookAt(doc)
		}
	}
	return out
}

// compare holds the report against the earlier one, writes what changed beside it and says it in the record.
func (j *Job) compare(res *Result, dirs []string, held bool) error {
	if j.against.run == "" {
		return nil
	}
	diff := difference.Between(j.against.digest, *res.Digest, difference.Options{EarlierRun: j.against.run, LaterRun: j.id, Looks: j.looks})
	res.Difference = &diff
	files, err := writeDifference(diff, dirs)
	if err != nil {
		return err
	}
	res.Files = append(res.Files, files...)
	if held {
		return nil
	}
	return j.note("info", diff.Line)
}

// writeDifference writes a difference in its three forms into every folder and returns the names.
func writeDifference(diff research.Difference, dirs []string) ([]string, error) {
	page, text, err := render.Difference(diff)
	if err != nil {
		return nil, fmt.Errorf("write difference: %w", err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(diff); err != nil {
		return nil, fmt.Errorf("write difference: %w", err)
	}
	var names []string
	for _, dir := range dirs {
		for _, f := range []struct {
			name string
			data []byte
		}{{FileDifferenceHTML, page}, {FileDifferenceMarkdown, text}, {FileDifference, b.Bytes()}} {
			name := filepath.Join(dir, f.name)
			if err := store.WriteOut(name, f.data); err != nil {
				return nil, err
			}
			names = append(names, name)
		}
	}
	return names, nil
}

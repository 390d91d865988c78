package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/engine"
	"assay/engine/fetch"
	"assay/engine/research"
	"assay/engine/store"
)

// outbox records a request to others, those to servers on this machine too: what was asked of whom is for the person to see.
func (j *Job) outbox(o research.Outbound) {
	if j.looking.Load() {
		o.Kind = research.OutboxLook
	}
	_ = j.append(research.EventOutbox, "", o)
}

// pagesDir holds, in a run's folder, the pages that it fetched: the bytes under their hash, and beside them where they came from.
const pagesDir = "pages"

// keptPage is what is kept of a page beside its bytes.
type keptPage struct {
	URL      string `json:"url"`
	Type     string `json:"type"`
	Modified string `json:"modified,omitempty"`
	Tag      string `json:"tag,omitempty"`
	Language string `json:"language,omitempty"`
	SHA256   string `json:"sha256"`
	Bytes    int    `json:"bytes"`
	AtMs     int64  `json:"at_ms,omitempty"` // when it was fetched
}

// keepPage keeps the bytes of a page. One that cannot be kept is still read: the record holds its text.
func (j *Job) keepPage(p fetch.Page) {
	sum := sha256.Sum256(p.Body)
	sha := hex.EncodeToString(sum[:])
	at := filepath.Join(j.Dir(), pagesDir, sha)
	if _, err := os.Stat(at); err == nil {
		return
	}
	about, err := json.Marshal(keptPage{URL: p.URL, Type: p.Type, Modified: p.Modified, Tag: p.Tag, Language: p.Language, SHA256: sha, Bytes: len(p.Body), AtMs: j.desk.wire.now().UnixMilli()})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(at), 0o755)
	}
	if err == nil {
		err = errors.Join(store.WriteFile(at, p.Body), store.WriteFile(at+".json", about))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		_ = j.note("warn", "A page was read but not kept: "+err.Error())
	}
}

// mayAsk refuses what would bring text of the person's own files to somebody else: a run of the web that reads files and is answered
// by a model elsewhere, whose prompts hold passages of them.
func (d *Desk) mayAsk(req research.Request) error {
	if req.Egress != research.Web || len(req.Libraries)+len(req.Attach) == 0 {
		return nil
	}
	refuse := func(base string) error {
		return usage("this research reads files of your own and searches the web, and the model server %s is on another machine, where passages of the files would go: use a model of this machine, --model extractive, or ask without the files", base)
	}
	for _, m := range strings.Split(req.Model, ",") {
		kind, _, _ := strings.Cut(m, ":")
		switch {
		case kind == "openai" && d.openaiURL() != "" && !loopback(d.openaiURL()):
			return refuse(hostKey(d.openaiURL()))
		case (kind == "ollama" || kind == "auto") && !d.Settings().ManagedServer && !loopback(d.ollamaURL()):
			return refuse(hostKey(d.ollamaURL()))
		}
	}
	return nil
}

// modelReach is how far a run's model may be away: where a run reads files of the person's own and searches the web, a model that others
// answer is as refused as in a closed one.
func modelReach(req research.Request) research.Egress {
	if req.Egress == research.Web && len(req.Libraries)+len(req.Attach) > 0 {
		return research.Closed
	}
	return req.Egress
}

// closing is what a run lets go of at its end, one after the other.
func closing(fns ...func() error) func() error {
	return func() error {
		var all []error
		for _, fn := range fns {
			if fn != nil {
				all = append(all, fn())
			}
		}
		return errors.Join(all...)
	}
}

var (
	_ engine.Outsider = asker{}
	_ engine.Namer    = namer{}
)

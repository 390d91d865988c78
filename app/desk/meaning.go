package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/engine/fetch"
	"assay/engine/library"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// LibrarySettings are about the folders that research uses by itself. The zero value of a field means its default.
type LibrarySettings struct {
	// Watch is "on" or "off": whether folders are kept up to date while the window is open. If empty, on.
	Watch string `json:"watch,omitempty"`
	// Meaning is the embedding model by which the library is searched besides its words: a name, "off", or "auto", the first by name
	// of the models of this machine's server that do nothing else. If empty, auto.
	Meaning string `json:"meaning,omitempty"`
}

func (s LibrarySettings) check() error {
	if s.Watch != "" && s.Watch != "on" && s.Watch != "off" {
		return fmt.Errorf("library watch %q: use on or off", s.Watch)
	}
	if len(s.Meaning) > 500 || strings.ContainsAny(s.Meaning, "\n\r\t ") {
		return fmt.Errorf("library meaning %q: use auto, off or the name of an embedding model", s.Meaning)
	}
	return nil
}

// LibraryNames are what [Desk.SetLibrary] sets.
var LibraryNames = []string{"watch", "meaning"}

// SetLibrary sets one of [LibraryNames]. Of "meaning" set to "off" the vectors are deleted.
func (d *Desk) SetLibrary(name, value string) error {
	s := d.Settings().Library
	switch name {
	case "watch":
		s.Watch = value
	case "meaning":
		s.Meaning = value
	default:
		return usage("library %s: there is nothing of that name to set: use %s", name, strings.Join(LibraryNames, " or "))
	}
	if err := s.check(); err != nil {
		return &UsageError{Err: err}
	}
	if name == "meaning" && value == "off" {
		lib, err := d.library()
		if err != nil {
			return err
		}
		if err := lib.DropVectors(); err != nil {
			return err
		}
	}
	return d.change(func(now *Settings) { now.Library = s })
}

// wordsAlone is why the library is searched by words alone, in one sentence without its end.
type wordsAlone struct{ why string }

func (w *wordsAlone) Error() string { return w.why }

// embedding is an embedding model of this machine's server, for the library.
type embedding struct {
	*ollama.Embedder
	close func()
}

// embedder finds the embedding model of the library. The error is a [*wordsAlone] when there is none to be used. A server of our own
// is used when it runs, and not started for this. Only a server of this machine is asked, whatever a run may reach.
func (d *Desk) embedder(ctx context.Context, onProcessor bool) (*embedding, error) {
	want := or(d.Settings().Library.Meaning, "auto")
	if want == "off" {
		return nil, &wordsAlone{"searching by meaning is switched off (assay library set meaning auto)"}
	}
	base, err := d.embedServer(ctx)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, &wordsAlone{err.Error()}
	}
	e, err := chooseEmbedder(ctx, client, base, want, onProcessor)
	if err != nil {
		client.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return &embedding{e, client.Close}, nil
}

// embedServer is the address of the server that is asked for vectors.
func (d *Desk) embedServer(ctx context.Context) (string, error) {
	base := d.ollamaURL()
	_, held := store.LeaseHolder(d.serverDir())
	switch {
	case held || d.managed.own() != nil:
		st, err := d.readServer()
		if err != nil {
			return "", &wordsAlone{"the model server that Assay runs is only starting"}
		}
		base = st.URL
	case d.Settings().ManagedServer:
		return "", &wordsAlone{"the model server that Assay runs is not started (assay server start)"}
	}
	if !loopback(base) {
		return "", &wordsAlone{fmt.Sprintf("the model server %s is on another machine, and passages of the library stay on this one", base)}
	}
	if d.answers(ctx, base) != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &wordsAlone{fmt.Sprintf("no model server answers at %s", base)}
	}
	return base, nil
}

func chooseEmbedder(ctx context.Context, client *fetch.Client, base, want string, onProcessor bool) (*ollama.Embedder, error) {
	web := client.HTTP(fetch.Model)
	if want == "auto" {
		admin, err := ollama.NewAdmin(web, base)
		if err != nil {
			return nil, &wordsAlone{err.Error()}
		}
		defer admin.Close()
		list, err := admin.List(ctx)
		if err != nil {
			return nil, &wordsAlone{err.Error()}
		}
		if want = onlyEmbeds(list.Models); want == "" {
			return nil, &wordsAlone{fmt.Sprintf("the model server %s has no embedding model (assay models pull nomic-embed-text gets one)", base)}
		}
	}
	e, err := ollama.NewEmbedder(ctx, ollama.Config{HTTP: web, BaseURL: base, Model: want, Closed: true}, onProcessor)
	if err != nil {
		return nil, &wordsAlone{err.Error()}
	}
	return e, nil
}

// Meant is how far the vectors of the library go.
type Meant = library.Meant

// EmbedLibrary gives the passages that have no vector one. words says why the library is searched by words alone, and is empty
// otherwise. tell may be nil and must not block.
func (d *Desk) EmbedLibrary(ctx context.Context, tell func(Meant)) (m Meant, words string, err error) {
	if len(d.Settings().Libraries) == 0 {
		return m, "the library is empty", nil
	}
	e, err := d.wire.embed(ctx, false)
	var none *wordsAlone
	if errors.As(err, &none) {
		return m, none.why, nil
	}
	if err != nil {
		return m, "", err
	}
	defer e.close()
	lib, err := d.library()
	if err != nil {
		return m, "", err
	}
	err = patiently(ctx, nil, func() (err error) {
		m, err = lib.Embed(ctx, e, tell)
		return err
	})
	return m, "", err
}

// mostEmbeddedFirst is how many passages without a vector are given one before a run begins; with more it goes on without.
const mostEmbeddedFirst = 500

// meaning has the libraries of a run searched by meaning too, and returns the name of the model; "" for words alone. Of a run that is
// resumed, want is what it began with: another model's order would be another run. note is told what the person should know.
func (d *Desk) meaning(ctx context.Context, l *look, held bool, want string, note func(string) error) (string, error) {
	if l.scope == nil || held && want == "" {
		return "", nil
	}
	e, err := d.wire.embed(ctx, true)
	var none *wordsAlone
	if errors.As(err, &none) {
		if held || d.Settings().Library.Meaning != "" && d.Settings().Library.Meaning != "off" {
			return "", note("The library is searched by words alone, because " + none.why + ".")
		}
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if held && e.Name() != want {
		e.close()
		return "", note(fmt.Sprintf("The library is searched by words alone from here on, because the embedding model is now %s and not %s.", e.Name(), want))
	}
	l.close = closers(l.close, e.close)
	m, err := l.lib.Meant(ctx, e.Name())
	if err != nil {
		return "", err
	}
	if missing := m.Passages - m.Have; missing > 0 && missing <= mostEmbeddedFirst {
		if m, err = l.lib.Embed(ctx, e, nil); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			if err := note(fmt.Sprintf("Some passages have no vectors, because %v.", err)); err != nil {
				return "", err
			}
		}
	}
	if m.Have == 0 {
		return "", note(fmt.Sprintf("The library is searched by words alone, because its passages have no vectors of %s yet; assay library add makes them.", e.Name()))
	}
	text := fmt.Sprintf("The library is searched by words and by meaning: %s.", m)
	if err := note(text); err != nil {
		return "", err
	}
	l.scope.Meaning(e, func(why string) { _ = note(why) }) // a note that cannot be kept: the next step meets the same disk
	return e.Name(), nil
}

func closers(list ...func()) func() {
	return func() {
		for _, fn := range list {
			if fn != nil {
				fn()
			}
		}
	}
}

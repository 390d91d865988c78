package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/store"
)

// Settings is what the person set. The zero value of a field means its default.
type Settings struct {
	// Model is "auto", "extractive", "ollama:NAME", "openai" or "openai:NAME", or two of the last three with a comma between: the
	// second answers whenever the first cannot. If empty, auto.
	Model string `json:"model,omitempty"`
	// OllamaURL is where the model server answers. If empty, OLLAMA_HOST, then http://127.0.0.1:11434.
	OllamaURL string `json:"ollama_url,omitempty"`
	// OpenAIURL is where a server answers that speaks the protocol of OpenAI, such as "http://127.0.0.1:8080/v1". If empty,
	// ASSAY_OPENAI_URL. Its key is that of ASSAY_OPENAI_KEY and is never kept.
	OpenAIURL string         `json:"openai_url,omitempty"`
	Depth     research.Depth `json:"depth,omitempty"` // If empty, standard.
	Lang      string         `json:"lang,omitempty"`  // "auto", "en", "zh". If empty, auto.
	// Template is the name of the template of reports (see intent.TemplateNames). If empty, code chooses by the question.
	Template string `json:"template,omitempty"`
	// Embedding is the model by whose vectors the pages of a run are held against its question: "auto", "off" or a name. If empty,
	// auto: the first by name of the server's models that do nothing else, else the model that answers when it can.
	Embedding string `json:"embedding,omitempty"`
	// Offline keeps every run closed: no byte leaves the machine.
	Offline bool `json:"offline,omitempty"`
	// Libraries are absolute folders, in the order in which they were added.
	Libraries []string `json:"libraries,omitempty"`

	// Library says how the folders are kept up to date and searched.
	Library LibrarySettings `json:"library,omitzero"`

	// Web says whom a run asks that may leave the machine.
	Web WebSettings `json:"web,omitzero"`

	// ManagedServer has Assay start the installed Ollama by itself, on a port of its own, for its runs.
	ManagedServer bool `json:"managed_server,omitempty"`
	// OllamaBinary is the path of the installed program. If empty, it is looked for on the PATH and in the usual places.
	OllamaBinary string `json:"ollama_binary,omitempty"`
	// FlashAttention is "auto", "on" or "off" for the managed server. If empty, auto: as the server decides for each model,
	// and on when KVType is not f16, because the server ignores the type otherwise.
	FlashAttention string `json:"flash_attention,omitempty"`
	// KVType is the type of the key-value cache of the managed server: "f16", "q8_0", "q4_0", or "auto": f16, and q8_0 where a
	// plan fits a better model or a longer window only with that. If empty, auto.
	KVType string `json:"kv_type,omitempty"`
	// Parallel is how many calls the managed server answers at once, 1 to 16; each takes a window of its own. If zero, 1.
	//
	// FlashAttention, KVType and Parallel of a server that Assay did not start cannot be asked for: what is set here is then
	// taken for what that server was started with, and a plan says so.
	Parallel int `json:"parallel,omitempty"`

	// Knowledge is whether and how earlier runs are looked into.
	Knowledge KnowledgeSettings `json:"knowledge,omitzero"`

	// Deliver are the places that results are handed to. Their secrets are not among them: see [Desk.SetDeliveryKey].
	Deliver []Delivery `json:"deliver,omitempty"`

	// Memory is how much of the cards' memory models may take, and what is insisted on.
	Memory MemorySettings `json:"memory,omitzero"`

	// Queue is how the queue is worked on.
	Queue QueueSettings `json:"queue,omitzero"`

	// Access changes what the roles of other programs may in a day.
	Access map[Role]RoleLimits `json:"access,omitempty"`
}

// maxSettings bounds settings.json, in bytes.
const maxSettings = 1 << 20

// check says in one sentence what is wrong with s, or returns nil.
func (s Settings) check() error {
	if err := checkModel(s.Model); err != nil {
		return err
	}
	if strings.HasPrefix(s.Model, "recorded:") {
		return fmt.Errorf("model %q: a record answers one run only and is no setting", s.Model)
	}
	if s.OllamaURL != "" {
		if u, err := url.Parse(s.OllamaURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("model server %q: it is not an address such as http://127.0.0.1:11434", s.OllamaURL)
		}
	}
	if s.OpenAIURL != "" {
		if err := checkServerURL(s.OpenAIURL); err != nil {
			return err
		}
	}
	if err := checkDepth(s.Depth); err != nil {
		return err
	}
	if err := s.checkServer(); err != nil {
		return err
	}
	if err := s.Memory.check(); err != nil {
		return err
	}
	if err := s.Queue.check(); err != nil {
		return err
	}
	if err := s.Library.check(); err != nil {
		return err
	}
	if err := s.Web.check(); err != nil {
		return err
	}
	if err := checkDeliveries(s.Deliver); err != nil {
		return err
	}
	if err := checkEmbedding(s.Embedding); err != nil {
		return err
	}
	if err := checkTemplate(s.Template); err != nil {
		return err
	}
	if _, err := s.Knowledge.pagesAge(); err != nil {
		return err
	}
	if err := checkAccess(s.Access); err != nil {
		return err
	}
	return checkLang(s.Lang)
}

func checkTemplate(name string) error {
	if name == "" || name == "auto" || slices.Contains(intent.TemplateNames(), name) {
		return nil
	}
	return fmt.Errorf("template %q: use auto, %s", name, strings.Join(intent.TemplateNames(), ", "))
}

func checkModel(m string) error {
	name, rest, _ := strings.Cut(m, ":")
	first, second, two := strings.Cut(m, ",")
	switch {
	case m == "", m == "auto", m == "extractive", m == "openai":
		return nil
	case name == "recorded" && rest != "": // the name of a file may hold a comma
		return nil
	case two && server(first) && server(second):
		return nil
	case !two && server(m):
		return nil
	}
	return fmt.Errorf("model %q: use auto, extractive, ollama:NAME, openai:NAME, two of these servers with a comma, or recorded:RUN.json", m)
}

// server reports whether m names a model of a server.
func server(m string) bool {
	name, rest, named := strings.Cut(m, ":")
	return m == "openai" || (name == "ollama" || name == "openai") && named && rest != "" && !strings.Contains(rest, ",")
}

func checkDepth(d research.Depth) error {
	switch d {
	case "", research.Quick, research.Standard, research.Deep:
		return nil
	}
	return fmt.Errorf("depth %q: use quick, standard or deep", d)
}

func checkLang(l string) error {
	switch l {
	case "", "auto", "en", "zh":
		return nil
	}
	return fmt.Errorf("language %q: use auto, en or zh", l)
}

func checkShape(s research.Shape) error {
	switch s {
	case "", research.ShapeAuto, research.ShapeDebate, research.ShapeSurvey:
		return nil
	}
	return fmt.Errorf("shape %q: use auto, debate or survey", s)
}

func readSettings(dir string) (Settings, error) {
	var s Settings
	name := filepath.Join(dir, "settings.json")
	st, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return s, usage("home %s: a part of this path is a file and not a folder: set ASSAY_HOME to a folder", dir)
	}
	if err == nil && st.Size() > maxSettings {
		err = fmt.Errorf("it is %d bytes long", st.Size())
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(name)
	}
	if err == nil {
		if bad := json.Unmarshal(b, &s); bad != nil {
			err = errors.New(store.BadJSON(bad))
		}
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return s, fmt.Errorf("settings %s: %w: correct the file or remove it", name, err)
	}
	return s, nil
}

func writeSettings(dir string, s Settings) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return store.Fault("keep the settings", dir, err)
	}
	return store.WriteFile(filepath.Join(dir, "settings.json"), append(b, '\n'))
}

// Settings returns the settings in force: those on disk, which another program may have changed since, or the last good ones
// while the file is damaged.
func (d *Desk) Settings() Settings {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, err := readSettings(d.dirs.Config); err == nil {
		d.settings = s
	}
	s := d.settings
	s.Libraries = append([]string(nil), s.Libraries...)
	return s
}

// SetSettings checks and keeps s. Libraries are left as they are: see [Desk.AddLibrary] and [Desk.RemoveLibrary].
func (d *Desk) SetSettings(s Settings) error {
	if err := s.check(); err != nil {
		return err
	}
	return d.change(func(now *Settings) { s.Libraries = now.Libraries; *now = s })
}

// change applies fn to the settings on disk, which another program may have changed since.
func (d *Desk) change(fn func(*Settings)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, err := readSettings(d.dirs.Config)
	if err != nil {
		return err
	}
	fn(&s)
	if err := writeSettings(d.dirs.Config, s); err != nil {
		return err
	}
	d.settings = s
	return nil
}

// TemplateNames lists the templates that a report may have.
func TemplateNames() []string { return intent.TemplateNames() }

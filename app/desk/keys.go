package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"assay/engine/research"
	"assay/engine/search"
)

// KeyNames are the services that take a key of the person's own.
var KeyNames = []string{"brave", "mojeek", "openalex", "pubmed", "semanticscholar", "tavily"}

// keyringName is what this program's keys are filed under in the keyring of the system.
const keyringName = "assay"

// keyPatience is how long the keyring of the system may take to answer: it may ask the person for a password that nobody enters.
const keyPatience = 3 * time.Second

// secrets is a store of secrets; tests put another in its place.
type secrets interface {
	get(name string) (string, error)
	set(name, key string) error
}

type systemKeyring struct{}

func (systemKeyring) get(name string) (string, error) {
	type answer struct {
		key string
		err error
	}
	got := make(chan answer, 1)
	go func() {
		k, err := keyring.Get(keyringName, name)
		got <- answer{k, err}
	}()
	select {
	case a := <-got:
		return a.key, a.err
	case <-time.After(keyPatience):
		return "", errors.New("the keyring does not answer")
	}
}

func (systemKeyring) set(name, key string) error {
	if key == "" {
		err := keyring.Delete(keyringName, name)
		if errors.Is(err, keyring.ErrNotFound) {
			return nil
		}
		return err
	}
	return keyring.Set(keyringName, name, key)
}

// keyEnv is the environment variable that holds the key of a service, where there is no keyring.
func keyEnv(name string) string {
	return "ASSAY_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_KEY"
}

// key returns the key of a service: of the environment, else of the keyring; "" when there is none.
func (d *Desk) key(name string) string {
	if k := strings.TrimSpace(d.getenv(keyEnv(name))); k != "" {
		return k
	}
	if d.wire.keyring == nil {
		return ""
	}
	k, err := d.wire.keyring.get(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(k)
}

// SetKey keeps the key of a service in the keyring of the system; an empty key takes it out.
func (d *Desk) SetKey(name, key string) error {
	key = strings.TrimSpace(key)
	if !slices.Contains(KeyNames, name) {
		return usage("key %q: keys are for %s", name, strings.Join(KeyNames, ", "))
	}
	if key != "" && (len(key) < 8 || len(key) > 512 || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f })) {
		return usage("key of %s: it holds characters that no key has, or is too short or too long to be one", name)
	}
	return d.keepKey(name, key)
}

// keepKey keeps a secret in the keyring of the system.
func (d *Desk) keepKey(name, key string) error {
	if d.wire.keyring == nil {
		return fmt.Errorf("key of %s: there is no keyring: set %s instead", name, keyEnv(name))
	}
	if err := d.wire.keyring.set(name, key); err != nil {
		return fmt.Errorf("key of %s: the keyring of the system took nothing (%w): set %s instead", name, err, keyEnv(name))
	}
	return nil
}

// keys are what the providers of a run are made with.
func (d *Desk) keys(req research.Request, w WebSettings) (search.Keys, error) {
	k := search.Keys{Contact: w.Contact, SearXNG: w.SearXNG, Kiwix: w.Kiwix, MediaWikis: w.MediaWikis, Feeds: w.Feeds}
	if req.Egress != research.Web {
		if req.Egress == research.Closed { // it asks nobody
			k.SearXNG, k.Feeds = "", nil
		}
		return k, nil
	}
	k.Brave, k.Tavily, k.Mojeek = d.key("brave"), d.key("tavily"), d.key("mojeek")
	k.OpenAlex, k.SemanticScholar, k.PubMed = d.key("openalex"), d.key("semanticscholar"), d.key("pubmed")
	k.TavilyKeyless, k.DuckDuckGo = slices.Contains(w.On, "tavily"), slices.Contains(w.On, "duckduckgo")
	return k, nil
}

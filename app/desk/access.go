package desk

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/engine/store"
)

// Role is what another program may do with this home. Each may all that the one before it may.
type Role string

// The roles, from the one that may least. They are InfoMiner's tiers (HDRI 5.6) for programs in place of members.
const (
	Reader     Role = "reader"     // reads what was researched, searches the library, has claims verified
	Researcher Role = "researcher" // starts, stops and renames runs over the libraries of the settings
	Admin      Role = "admin"      // names folders and files of this machine, deletes runs, sees the settings
)

// Roles are all roles, from the one that may least.
var Roles = []Role{Reader, Researcher, Admin}

// May reports whether r may what least may.
func (r Role) May(least Role) bool {
	have, need := slices.Index(Roles, r), slices.Index(Roles, least)
	return need >= 0 && have >= need
}

// Caller is another program that asks something of this home.
type Caller struct {
	Name string `json:"name"` // of its token
	Role Role   `json:"role"`
}

type callerKey struct{}

// WithCaller returns ctx with who asks.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who asks, and false when nobody was put into ctx.
func CallerOf(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// Token is what is kept of a token: never itself.
type Token struct {
	Name      string `json:"name"`
	Role      Role   `json:"role"`
	Hash      string `json:"hash"` // SHA-256 of the token, in hex
	CreatedMs int64  `json:"created_ms"`
}

const (
	// tokenPrefix begins every token, so that one that got into a log or a repository is found by a search.
	tokenPrefix = "assay_"
	// tokenBytes of randomness make a token: it cannot be guessed, so its plain hash may be kept.
	tokenBytes = 32
	// maxTokens bounds the list that every request is held against.
	maxTokens = 100
	// accessFolder of the home holds the tokens and what was used of the quotas.
	accessFolder = "access"
)

// tokenName is what a token may be called: it stands in logs and in a file.
var tokenName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func (d *Desk) tokenFile() string { return filepath.Join(d.dirs.Data, accessFolder, "tokens.json") }

// AddToken makes a token and returns it. It is not kept and cannot be shown again.
func (d *Desk) AddToken(name string, role Role) (string, error) {
	if !tokenName.MatchString(name) {
		return "", usage("token %q: a name has up to 40 of a-z, 0-9, dot, dash and underscore, and begins with a letter or digit", name)
	}
	if !slices.Contains(Roles, role) {
		return "", usage("role %q: use reader, researcher or admin", role)
	}
	b := make([]byte, tokenBytes)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	secret := tokenPrefix + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
	err := d.changeTokens(func(list []Token) ([]Token, error) {
		switch {
		case slices.ContainsFunc(list, func(t Token) bool { return t.Name == name }):
			return nil, usage("token %s: there is one of this name: remove it first, or choose another name", name)
		case len(list) >= maxTokens:
			return nil, usage("token %s: there are %d tokens, the most there may be: remove one that is not used", name, maxTokens)
		}
		return append(list, Token{Name: name, Role: role, Hash: hashOf(secret), CreatedMs: d.now().UnixMilli()}), nil
	})
	if err != nil {
		return "", err
	}
	return secret, nil
}

// RemoveToken revokes a token. A server that runs refuses it from its next request on.
func (d *Desk) RemoveToken(name string) error {
	return d.changeTokens(func(list []Token) ([]Token, error) {
		i := slices.IndexFunc(list, func(t Token) bool { return t.Name == name })
		if i < 0 {
			return nil, usage("token %s: there is none of this name: list them with assay serve token list", name)
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// Tokens lists the tokens in the order in which they were made.
func (d *Desk) Tokens() ([]Token, error) {
	list := []Token{}
	if err := readSmall(d.tokenFile(), &list); err != nil {
		return nil, fmt.Errorf("tokens: %w: correct the file or remove it, which revokes all tokens", err)
	}
	return list, nil
}

// Identify returns whose token a secret is. It takes the same time for every token of the list, so that nothing is learned from
// how long it took. The file is read each time: a token that another program revoked is refused at once.
func (d *Desk) Identify(secret string) (Caller, bool, error) {
	list, err := d.Tokens()
	if err != nil {
		return Caller{}, false, err
	}
	have := []byte(hashOf(secret))
	found := Caller{}
	ok := 0
	for _, t := range list {
		same := subtle.ConstantTimeCompare(have, []byte(t.Hash))
		ok |= same
		if same == 1 {
			found = Caller{Name: t.Name, Role: t.Role}
		}
	}
	return found, ok == 1 && slices.Contains(Roles, found.Role), nil
}

func hashOf(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// changeTokens applies fn to the list on disk, one program at a time.
func (d *Desk) changeTokens(fn func([]Token) ([]Token, error)) error {
	return d.guarded(func() error {
		list, err := d.Tokens()
		if err != nil {
			return err
		}
		if list, err = fn(list); err != nil {
			return err
		}
		return writeSmall(d.tokenFile(), list)
	})
}

// guarded does fn while no other program changes the files of the access folder.
func (d *Desk) guarded(fn func() error) error {
	d.access.Lock()
	defer d.access.Unlock()
	release, err := d.store.Guard(accessFolder)
	if err != nil {
		return err
	}
	defer release()
	return fn()
}

// maxSmall bounds a file of the access folder, in bytes.
const maxSmall = 1 << 20

// readSmall reads a JSON file into v, which stays as it is when there is none.
func readSmall(name string, v any) error {
	st, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && st.Size() > maxSmall {
		return fmt.Errorf("%s is %d bytes long", name, st.Size())
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(name)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %s", name, store.BadJSON(err))
	}
	return nil
}

func writeSmall(name string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return store.WriteFile(name, b.Bytes())
}

// now is the clock of this home.
func (d *Desk) now() time.Time { return d.clock() }

package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"assay/app/desk"
)

// masked stands in answers where a key was.
const masked = "[masked]"

// secretsAge is how long the keys of the home are taken to be the same: the keyring is slow to ask.
const secretsAge = time.Minute

// secrets are the keys of the home that no answer may hold.
type secrets struct {
	mu    sync.Mutex
	read  time.Time
	known []string
}

func (s *secrets) of(d *desk.Desk, now time.Time) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read.IsZero() || now.Sub(s.read) >= secretsAge || now.Before(s.read) {
		s.known, s.read = d.Secrets(), now
	}
	return s.known
}

// masker passes on what is written to it, with secrets replaced, also where two writes share one.
type masker struct {
	to      io.Writer
	secrets []string
	held    []byte // the end of what was written, which may begin a secret
}

// newMasker masks the secrets as they are, and as they stand in JSON.
func newMasker(to io.Writer, known ...string) *masker {
	m := &masker{to: to}
	for _, k := range known {
		if k == "" {
			continue
		}
		m.secrets = append(m.secrets, k)
		if b, err := json.Marshal(k); err == nil && string(b[1:len(b)-1]) != k {
			m.secrets = append(m.secrets, string(b[1:len(b)-1]))
		}
	}
	return m
}

func (m *masker) Write(p []byte) (int, error) {
	if len(m.secrets) == 0 {
		return m.to.Write(p)
	}
	b := append(m.held, p...)
	for _, k := range m.secrets {
		b = bytes.ReplaceAll(b, []byte(k), []byte(masked))
	}
	keep := m.begins(b)
	m.held = bytes.Clone(b[len(b)-keep:])
	if _, err := m.to.Write(b[:len(b)-keep]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// begins returns the length of the longest end of b with which a secret begins.
func (m *masker) begins(b []byte) int {
	most := 0
	for _, k := range m.secrets {
		for n := min(len(k)-1, len(b)); n > most; n-- {
			if strings.HasPrefix(k, string(b[len(b)-n:])) {
				most = n
			}
		}
	}
	return most
}

// end writes what was held back.
func (m *masker) end() error {
	_, err := m.to.Write(m.held)
	m.held = nil
	return err
}

// maskText takes secrets, and what keys look like in addresses, out of a sentence.
func maskText(text string, known []string) string {
	for _, k := range known {
		text = strings.ReplaceAll(text, k, masked)
	}
	return desk.Masked(text)
}

// maskSettings takes out of a decoded JSON value whatever is a key by its name, and the sign-ins of addresses.
func maskSettings(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, of := range v {
			if text, ok := of.(string); ok && text != "" && secretName(name) {
				v[name] = masked
				continue
			}
			v[name] = maskSettings(of)
		}
	case []any:
		for i := range v {
			v[i] = maskSettings(v[i])
		}
	case string:
		return desk.Masked(v)
	}
	return v
}

func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"key", "secret", "password", "token"} {
		if strings.HasSuffix(name, part) {
			return true
		}
	}
	return false
}

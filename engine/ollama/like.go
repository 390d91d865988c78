package ollama

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
)

// likeOllama lets answers through that look like an Ollama server's. Another program at the address, such as a proxy's page of
// welcome, answers any question with status 200, and the official client takes that for a yes wherever it reads no body.
type likeOllama struct{ next http.RoundTripper }

// checked is h with answers that are looked at; h itself when it has no transport of its own.
func checked(h *http.Client) *http.Client {
	if h == nil || h.Transport == nil {
		return h
	}
	c := *h
	c.Transport = likeOllama{h.Transport}
	return &c
}

// RoundTrip returns an error that wraps [errNotOllama] when an answer of success is neither JSON nor empty. It waits for the first
// byte of the answer's body.
func (l likeOllama) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 {
		return resp, err
	}
	body := bufio.NewReaderSize(resp.Body, 4096)
	if page := strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "html"); page || !startsAsJSON(body) {
		_ = resp.Body.Close() // nobody reads it
		return nil, errNotOllama
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
	return resp, nil
}

// startsAsJSON reports whether a body starts as an object or a list does, is empty, or cannot be read, which its reader then learns.
func startsAsJSON(body *bufio.Reader) bool {
	for n := 1; n <= 64; n++ {
		b, err := body.Peek(n)
		if err != nil {
			return !errors.Is(err, io.EOF) || len(strings.TrimSpace(string(b))) == 0
		}
		switch b[n-1] {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			return true
		default:
			return false
		}
	}
	return false
}

package desk

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"assay/engine/fetch"
	"assay/engine/openai"
	"assay/engine/research"
)

// Environment variables of a server that speaks the protocol of OpenAI: its address, where the settings name none, and its key,
// which is kept nowhere else.
const (
	envOpenAIURL = "ASSAY_OPENAI_URL"
	envOpenAIKey = "ASSAY_OPENAI_KEY"
)

// openaiURL is where such a server is asked for; "" when nobody said.
func (d *Desk) openaiURL() string {
	if u := d.Settings().OpenAIURL; u != "" {
		return strings.TrimRight(u, "/")
	}
	return strings.TrimRight(strings.TrimSpace(d.getenv(envOpenAIURL)), "/")
}

// checkServerURL says what is wrong with the address of a model server; what it may hold is never repeated whole, as a key can
// stand in it.
func checkServerURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return fmt.Errorf("openai_url: it is not an address such as http://127.0.0.1:8080/v1, without a name or key in it")
	}
	return nil
}

// openaiChannel asks the server for the model of this name, or for the first it has when the name is empty. A server on another
// machine is refused to a closed run; in an open one it is used only because the person named both it and the channel.
func (d *Desk) openaiChannel(ctx context.Context, name string, egress research.Egress, at pinnedLoad, tell told) (ch Channel, err error) {
	base, given := hostOf(ctx, "openai")
	if !given {
		base = d.openaiURL()
	}
	if base == "" {
		return ch, usage("model openai: no address is known: set %s to that of the server, such as http://127.0.0.1:8080/v1", envOpenAIURL)
	}
	if err := checkServerURL(base); err != nil {
		return ch, &UsageError{Err: err}
	}
	u, err := url.Parse(base)
	if err != nil {
		return ch, usage("model openai: its address cannot be read")
	}
	if egress == research.Closed && !loopback(base) {
		return ch, fmt.Errorf("the model server %s is on another machine and a closed research stays on this one: %w", u.Host, research.ErrForbidden)
	}
	client, err := fetch.New(fetch.Policy{
		Egress:   egress,
		Services: []fetch.Service{{Base: u.Scheme + "://" + u.Host, For: []fetch.Kind{fetch.Model}}},
		Outbox:   tell.outbox,
	})
	if err != nil {
		return ch, err
	}
	model, err := openai.New(ctx, openai.Config{
		HTTP: client.HTTP(fetch.Model), BaseURL: base, Model: name, Key: d.getenv(envOpenAIKey),
		NumCtx: at.NumCtx, TokensPerByte: at.TokensPerByte, Note: tell.note,
	})
	if err != nil {
		client.Close()
		return ch, err
	}
	why := "This model was asked for."
	if !loopback(base) {
		why = "This model was asked for; its prompts, with the passages in them, go to " + u.Host + "."
	}
	return Channel{Name: "openai:" + model.Name(), Why: why, model: model, close: client.Close}, nil
}

package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"assay/engine/research"
)

// seals compares the record with the hashes it was written with. An event is compared with the seal printed for the one before
// it, so that a change of one event is told once, at its place.
func (c *checker) seals() {
	s := c.run.Seals
	if s == nil {
		c.want(false, "seals", "the record has none, so nothing says that its events and its texts are as they were written")
		return
	}
	head := research.Run{Schema: c.run.Schema, Code: c.run.Code, ID: c.run.ID, Title: c.run.Title, State: c.run.State, Request: c.run.Request}
	c.sealed("head", s.Head, "", head, "the fields schema, code, id, title, state and request", c.changedHead)
	same(c, "seals", "number of events", len(s.Events), len(c.run.Events))
	before := ""
	for i, e := range c.run.Events {
		if i >= len(s.Events) {
			break // told by the number
		}
		if len(e.Payload) == 0 {
			e.Payload = json.RawMessage("null")
		}
		canonical := e
		canonical.Payload = research.Canonical(e.Payload)
		if !sealOf(s.Events[i], before+"\n", e) { // as earlier versions sealed: the payload as it was written
			e = canonical
		}
		prior := before
		c.sealed(fmt.Sprintf("event %d", e.Seq), s.Events[i], before+"\n", e, "its content ("+named(e)+")", func() string { return c.changedEvent(i, canonical, prior) })
		before = s.Events[i]
	}
	if c.run.Digest == nil {
		same(c, "seals", "seal of the digest", s.Digest, "")
		return
	}
	c.sealed("digest", s.Digest, "", *c.run.Digest, "its content", c.changedDigest)
}

// sealOf reports whether printed is the SHA-256 of before and the JSON of v.
func sealOf(printed, before string, v any) bool {
	text, err := json.Marshal(v)
	if err != nil {
		return false
	}
	sum := sha256.Sum256(append([]byte(before), text...))
	return hex.EncodeToString(sum[:]) == printed
}

// sealed wants that printed is the SHA-256 of before and the JSON of v; changed says which field is not as it was, as far as that can be told.
func (c *checker) sealed(where, printed, before string, v any, what string, changed func() string) {
	if sealOf(printed, before, v) {
		c.report.Checked++
		return
	}
	c.want(false, where, "%s is not what was sealed: it was changed after it was recorded; %s", what, changed())
}

// named says which event it is, in few words.
func named(e research.Event) string {
	if e.Key == "" {
		return show(e.Kind)
	}
	return show(e.Kind) + ", key " + show(e.Key)
}

// lastState compares the state of the run with the last that an event tells of.
func (c *checker) lastState() {
	for i := len(c.run.Events) - 1; i >= 0; i-- {
		if c.run.Events[i].Kind != research.EventState {
			continue
		}
		var news research.StateNews
		if json.Unmarshal(c.run.Events[i].Payload, &news) != nil || news.State == "" {
			continue
		}
		c.want(news == c.run.State, "state", "is %q, and event %d says %q", c.run.State.State, c.run.Events[i].Seq, news.State)
		return
	}
}

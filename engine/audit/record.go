package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"assay/engine/research"
)

// record checks the events and blobs, and reads from the events what the rest compares with.
func (c *checker) record() {
	for _, sha := range keysOf(c.run.Blobs) {
		c.want(research.SHA256(c.run.Blobs[sha]) == sha, "blob "+sha, "its text has the sha256 %s; the kept text was changed", research.SHA256(c.run.Blobs[sha]))
	}
	c.answered, c.left = map[string]int{}, map[[2]string]int{}
	held := map[string]int64{}
	for i, e := range c.run.Events {
		where := fmt.Sprintf("event %d", e.Seq)
		c.want(e.Seq == int64(i)+1, where, "stands at place %d of the record", i+1)
		if e.Key != "" {
			first, dup := held[e.Key]
			c.want(!dup, where, "has the key %s of event %d", e.Key, first)
			held[e.Key] = e.Seq
		}
		c.event(where, e)
	}
	if len(c.run.Events) > 0 {
		c.want(c.run.Events[0].Kind == research.EventRequest, "event 1", "is of kind %q, the first must be the request", c.run.Events[0].Kind)
	}
}

// event reads one event.
func (c *checker) event(where string, e research.Event) {
	read := func(v any) bool {
		err := json.Unmarshal(e.Payload, v)
		return c.want(err == nil, where, "payload of kind %q cannot be read: %v", e.Kind, err)
	}
	switch e.Kind {
	case research.EventRequest:
		var r research.Request
		if read(&r) {
			c.want(reflect.DeepEqual(normal(r), normal(c.run.Request)), where, "the recorded request is not the request of the run")
		}
	case research.EventSource:
		var s research.Source
		if read(&s) && c.want(s.ID != "", where, "the source at %q has no id", s.Location) {
			c.opened[s.ID] = s
		}
	case research.EventRead, research.EventFetch:
		var d research.Document
		if read(&d) && d.SHA256 != "" && d.Fault == "" {
			_, ok := c.run.Blobs[d.SHA256]
			c.want(ok, where, "the text of %q (sha256 %s) is not among the blobs", d.Location, d.SHA256)
			c.documents[d.SHA256] = d
		}
	case research.EventModel:
		var a research.Answer
		if read(&a) {
			c.answered[a.By]++
		}
	case research.EventOutbox:
		var o research.Outbound
		if read(&o) && !research.Loopback(o.Host) && !research.AfterReport(o.Kind) {
			c.left[[2]string{o.Host, o.Kind}]++
		}
	}
}

// recordedDigest compares the digest with the one that was recorded, and names each field that differs.
func (c *checker) recordedDigest() {
	recorded, seq := c.lastDigest()
	if recorded == nil {
		return
	}
	told := differences(normal(c.d), recorded)
	c.want(len(told) == 0, "digest", "differs from the one that event %d recorded, %s", seq, c.fieldsThatDiffer(told, seq))
}

// lastDigest returns the generic value of the digest that the last report or persist stage recorded, either as its whole payload or as the
// field digest, and the number of that event; nil when there is none.
func (c *checker) lastDigest() (any, int64) {
	for i := len(c.run.Events) - 1; i >= 0; i-- {
		e := c.run.Events[i]
		if e.Kind != research.EventStage+"report" && e.Kind != research.EventStage+"persist" {
			continue
		}
		var held struct {
			Digest json.RawMessage `json:"digest"`
		}
		payload := e.Payload
		if json.Unmarshal(e.Payload, &held) == nil && len(held.Digest) > 0 {
			payload = held.Digest
		}
		var recorded research.Digest
		if json.Unmarshal(payload, &recorded) != nil || recorded.Schema == 0 || recorded.Topic == "" {
			continue
		}
		return normal(recorded), e.Seq
	}
	return nil, 0
}

// normal returns v as the generic value of its JSON, numbers as text.
func normal(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out any
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// heads compares what the digest repeats of the request.
func (c *checker) heads() {
	same(c, "digest", "schema", c.d.Schema, c.run.Schema)
	same(c, "digest", "topic", c.d.Topic, c.run.Request.Question)
	if now := c.run.Request.Now; len(now) >= 10 {
		same(c, "digest", "date", c.d.Date, now[:10])
	}
	same(c, "digest", "question understood", c.d.Understanding.Question, c.run.Request.Question)
	for _, host := range c.d.Outbox {
		same(c, "outbox "+host.Host, "requests of kind "+host.Kind, host.Requests, c.left[[2]string{host.Host, host.Kind}])
	}
	same(c, "outbox", "number of hosts and kinds", len(c.d.Outbox), len(c.left))
	for _, by := range keysOf(c.d.Model.Answered) {
		same(c, "model", "calls answered by "+by, c.d.Model.Answered[by], c.answered[by])
	}
	same(c, "model", "number of channels that answered", len(c.d.Model.Answered), len(c.answered))
}

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
	"assay/engine/research"
)

const (
	// beat is how often a quiet stream gets a comment, so that a proxy keeps it and a program that is gone is noticed.
	beat = 15 * time.Second
	// streamTime is how long a program may take to take one write of a stream.
	streamTime = 30 * time.Second
	// maxStreams is how many streams one token, and maxAllStreams how many all, may have at once.
	maxStreams    = 16
	maxAllStreams = 128
)

// Names of the events of a stream.
const (
	streamSnapshot = "snapshot" // data: a desk.Snapshot; first, unless the stream goes on from a number
	streamEvent    = "event"    // data: a research.Event; its number is the id, ticks have none
	streamEnd      = "end"      // data: a RunState; nothing follows until the run is resumed
	streamClosing  = "closing"  // the server ends: come back and go on from the last id
)

// followers counts streams.
type followers struct {
	mu  sync.Mutex
	of  map[string]int
	all int
}

func (f *followers) enter(name string) (leave func(), ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string]int{}
	}
	if f.of[name] >= maxStreams || f.all >= maxAllStreams {
		return nil, false
	}
	f.of[name]++
	f.all++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.of[name]--; f.of[name] == 0 {
			delete(f.of, name)
		}
		f.all--
	}, true
}

// eventsInput names a run and where in its events to begin.
type eventsInput struct {
	RunPath
	After string `query:"after" pattern:"^[0-9]{1,18}$" doc:"Begin after this number, without a snapshot."`
	Last  string `header:"Last-Event-ID" doc:"The same, as a client of such streams sends it by itself when it comes back; it goes before after."`
}

func (s *Server) eventOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "followRun", Method: http.MethodGet, Path: "/runs/{id}/events",
		Summary: "Follow a run: a snapshot, then each event as it comes (server-sent events)",
		Description: "Sends " + streamSnapshot + " (the run so far, with the number of its last event), then one " + streamEvent + " for each that follows, " + streamEnd +
			" when the run has ended, and " + streamClosing + " when the server ends. The id of an event is its number: send it as Last-Event-ID to go on after it.",
		Responses: rawAnswer("text/event-stream", "The stream", anyText)}, s.followRun)
}

func (s *Server) followRun(_ context.Context, c desk.Caller, in *eventsInput) (*huma.StreamResponse, error) {
	id, err := s.find(in.RunPath)
	if err != nil {
		return nil, err
	}
	from := int64(-1)
	if in.After != "" {
		if from, err = strconv.ParseInt(in.After, 10, 64); err != nil {
			return nil, &desk.UsageError{Err: errors.New("after is no number: use that of an event")}
		}
	}
	// A number that cannot be meant begins anew, as the rules of such streams have it.
	if n, err := strconv.ParseInt(in.Last, 10, 64); err == nil && n >= 0 {
		from = n
	}
	var first *desk.Snapshot
	if from < 0 {
		snap, err := s.desk.Snapshot(id)
		if err != nil {
			return nil, err
		}
		first, from = &snap, snap.Seq
	}
	leave, ok := s.follow.enter(c.Name)
	if !ok {
		return nil, &desk.QuotaError{Text: "too many streams are open: close one, then ask again", After: beat}
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer leave()
		ctx.SetHeader("Content-Type", "text/event-stream")
		ctx.SetHeader("X-Accel-Buffering", "no") // a proxy of nginx passes each event on
		st := &stream{ctx: ctx.Context(), to: ctx.BodyWriter()}
		if w, ok := ctx.BodyWriter().(http.ResponseWriter); ok {
			st.control = http.NewResponseController(w)
		}
		ctx.SetStatus(http.StatusOK)
		s.tell(st, id, from, first)
	}}, nil
}

// tell writes the stream until the run or the server ends or nobody listens.
func (s *Server) tell(st *stream, id string, from int64, first *desk.Snapshot) {
	if first != nil && st.send(streamSnapshot, strconv.FormatInt(first.Seq, 10), first) != nil {
		return
	}
	if err := st.flush(); err != nil {
		return
	}
	ctx, cancel := context.WithCancel(st.ctx)
	defer cancel()
	news := make(chan []research.Event)
	ended := make(chan error, 1)
	go func() { ended <- s.events(ctx, id, from, news) }()
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for {
		var err error
		select {
		case list := <-news:
			for _, ev := range list {
				err = errors.Join(err, st.event(ev))
			}
		case <-beats.C:
			err = st.write(": \n\n")
		case <-s.closing:
			_ = st.send(streamClosing, "", struct{}{}) // who listens may be gone
			_ = st.flush()
			cancel()
			<-ended
			return
		case err := <-ended:
			if err == nil {
				if now, err := s.state(id); err == nil {
					_ = st.send(streamEnd, "", now) // who listens may be gone
				}
			}
			_ = st.flush()
			return
		}
		if err = errors.Join(err, st.flush()); err != nil {
			cancel()
			<-ended
			return
		}
	}
}

// events sends the events of a run after a number, until it has ended; of one that no longer runs, or runs elsewhere, those there are.
func (s *Server) events(ctx context.Context, id string, from int64, news chan<- []research.Event) error {
	pass := func(list []research.Event) error {
		select {
		case news <- list:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if j := s.desk.Job(id); j != nil {
		return j.Follow(ctx, from, pass)
	}
	list, err := s.desk.Events(id, from, 0)
	if err != nil || len(list) == 0 {
		return err
	}
	return pass(list)
}

// stream writes server-sent events.
type stream struct {
	ctx     context.Context
	to      io.Writer
	control *http.ResponseController
}

func (st *stream) event(ev research.Event) error {
	id := ""
	if ev.Seq > 0 {
		id = strconv.FormatInt(ev.Seq, 10)
	}
	return st.send(streamEvent, id, desk.Light(ev))
}

// send writes one event. JSON has no line ends of its own, so that the data is one line.
func (st *stream) send(name, id string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return st.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, b))
}

func (st *stream) write(text string) error {
	if st.control != nil {
		_ = st.control.SetWriteDeadline(time.Now().Add(streamTime)) // not every writer has one
	}
	_, err := io.WriteString(st.to, text)
	return err
}

func (st *stream) flush() error {
	if st.control == nil {
		return nil
	}
	return st.control.Flush()
}

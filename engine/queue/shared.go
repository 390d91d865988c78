package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names on the server. A run waits as a message of the stream of runs, which is delivered to one worker and again to another
// when that one does not say in time that it goes on. Its record travels in the stream of records, one subject a run, where
// each message is accepted only after the one its writer saw last: a worker that was thought gone and comes back can write
// nothing more. Texts, long payloads and finished reports are objects.
const (
	runStream    = "ASSAY_RUNS"
	recordStream = "ASSAY_RECORDS"
	itemBucket   = "ASSAY_ITEMS"
	beatBucket   = "ASSAY_WORKERS"
	objectBucket = "ASSAY_OBJECTS"
	runSubject   = "assay.run."
	recordPrefix = "assay.record."
)

// Times of the protocol.
const (
	// DefaultLease is how long a worker may be silent before its runs are given to another.
	DefaultLease = 30 * time.Second
	// answerTime bounds one exchange with the server.
	answerTime = 5 * time.Second
	// again is the pause between two tries while the server cannot be reached.
	again = 500 * time.Millisecond
	// rememberFor is how long the server knows a message again that is sent twice because its answer was lost.
	rememberFor = 10 * time.Minute
)

// ErrLost says that another worker has taken the run, because this one was silent for too long. What this one did since is void.
var ErrLost = errors.New("another worker has taken the run")

// ErrUnknown is matched when no run of the queue has an id.
var ErrUnknown = errors.New("no such run in the queue")

// Options say how a queue on a server is reached.
type Options struct {
	// Dialer connects; it is made by the package that alone may dial.
	Dialer nats.CustomDialer
	// Worker is the name of this machine or program in the queue, such as "box-4711".
	Worker string
	// Code is the version of the program: a run is resumed by the one that began it only.
	Code string
	// Lease: see [DefaultLease]. If zero, that.
	Lease time.Duration
	// Token and User with Password say who this is, when the server asks. They are never shown.
	Token, User, Password string
	// Tell, when set, is called when the server is lost or back, with one sentence.
	Tell func(string)
}

// Shared is a queue that several machines work on, kept by a NATS server with JetStream. It is safe for concurrent use.
type Shared struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	runs    jetstream.Stream
	records jetstream.Stream
	items   jetstream.KeyValue
	beats   jetstream.KeyValue
	objects jetstream.ObjectStore
	worker  string
	code    string
	lease   time.Duration

	telling sync.Mutex   // held while somebody is told, and guards said
	said    func(string) // nil when nobody is told any more

	mu        sync.Mutex
	consumers map[string]jetstream.Consumer // by subject
	takes     map[string]*Take              // that this worker has, by run
}

// Connect reaches a server at url, such as nats://127.0.0.1:4222, and makes there what is missing. A server that is lost later is
// looked for without end.
func Connect(ctx context.Context, url string, o Options) (*Shared, error) {
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	s := &Shared{worker: o.Worker, code: o.Code, lease: o.Lease, consumers: map[string]jetstream.Consumer{}, takes: map[string]*Take{}, said: o.Tell}
	opts := []nats.Option{
		nats.Name("assay " + o.Worker), nats.MaxReconnects(-1), nats.ReconnectWait(again), nats.Timeout(answerTime),
		nats.PingInterval(o.Lease / 6), nats.MaxPingsOutstanding(2), nats.IgnoreDiscoveredServers(),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { s.tell("The queue's server cannot be reached; it is looked for.") }),
		nats.ReconnectHandler(func(*nats.Conn) { s.tell("The queue's server is reached again.") }),
	}
	if o.Dialer != nil {
		opts = append(opts, nats.SetCustomDialer(o.Dialer))
	}
	if o.Token != "" {
		opts = append(opts, nats.Token(o.Token))
	}
	if o.User != "" {
		opts = append(opts, nats.UserInfo(o.User, o.Password))
	}
	nc, err := nats.Connect(url, opts...)
	if err != nil {
		return nil, fmt.Errorf("the queue's server at %s cannot be reached (%s): start it, or correct the address", bare(url), plain(err))
	}
	s.nc = nc
	if err := s.setup(ctx); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the server at %s keeps no queue (%s): start it with JetStream (nats-server -js)", bare(url), plain(err))
	}
	return s, nil
}

// tell says that the server is lost or back, until the queue is closed.
func (s *Shared) tell(text string) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.said != nil {
		s.said(text)
	}
}

// setup makes the streams and stores, or finds them.
func (s *Shared) setup(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 4*answerTime)
	defer cancel()
	if s.js, err = jetstream.New(s.nc); err != nil {
		return err
	}
	s.runs, err = s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: runStream, Subjects: []string{runSubject + "*.*"}, Retention: jetstream.WorkQueuePolicy, Duplicates: rememberFor,
	})
	if err != nil {
		return err
	}
	s.records, err = s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: recordStream, Subjects: []string{recordPrefix + "*"}, Duplicates: rememberFor,
	})
	if err != nil {
		return err
	}
	if s.items, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: itemBucket}); err != nil {
		return err
	}
	if s.beats, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: beatBucket, TTL: 2 * s.lease}); err != nil {
		return err
	}
	s.objects, err = s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket})
	return err
}

// Close lets the server go. Runs that this worker still has are given to others when their lease is over.
func (s *Shared) Close() {
	s.mu.Lock()
	takes := make([]*Take, 0, len(s.takes))
	for _, t := range s.takes {
		takes = append(takes, t)
	}
	s.mu.Unlock()
	for _, t := range takes {
		t.end()
	}
	s.telling.Lock()
	s.said = nil
	s.telling.Unlock()
	s.nc.Close()
}

// bare is an address without what proves who one is.
func bare(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "nats", url
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

// plain is what is wrong, without the library's name before it.
func plain(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "nats: "), "jetstream: ")
}

// class is the part of a subject that says what a run needs.
func class(it Item) string {
	if NeedsModel(it.Request) {
		return "model"
	}
	return "library"
}

// subject is where a run waits: by what it needs and by its priority, the highest first in the order of the alphabet.
func subject(class string, priority int) string {
	return fmt.Sprintf("%s%s.p%02d", runSubject, class, HighestPriority-priority)
}

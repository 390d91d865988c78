package gpu

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Sample is what one look at the machine found.
type Sample struct {
	AtMs    int64    `json:"at_ms"` // since 1970
	Status  Status   `json:"status"`
	Models  []Loaded `json:"models"`  // loaded by the server; never nil
	Server  string   `json:"server"`  // why the models are not known; "" when they are
	Holders []Holder `json:"holders"` // never nil
	Alarms  []Alarm  `json:"alarms"`  // never nil
}

// Sampler looks at the machine again and again, keeps the last half hour, and tells who listens. Its interval follows what
// goes on: quick during a run, slow when nothing happens, slower for a card that may be switched off, which each question
// would keep on.
//
// Set its fields, start [Sampler.Run] in a goroutine, and use the other methods from anywhere. A Sampler is run once.
type Sampler struct {
	// Status reads the machine. If nil, the zero [Monitor].
	Status func(context.Context) Status
	// Models asks the server for the loaded models. If nil, none are known.
	Models func(context.Context) ([]Loaded, error)
	// Now and After are the clock. If nil, the real one.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Points is how many points the half hour is kept in. If 0, 180.
	Points int

	mu       sync.Mutex
	past     history
	latest   *Sample
	plan     Plan
	running  int
	quiet    int // samples in a row in which nothing happened
	waiting  *release
	names    map[string]GPU // the last figures of a card by its address, for when it sleeps
	ears     []chan Sample
	wake     chan struct{}
	sampling sync.Mutex
}

// release is memory that an unloaded model gives back.
type release struct {
	atMs   int64
	before int64 // the free memory then
	others int64 // what the models that stayed held
	bytes  int64
	name   string
}

// Intervals. A card is not asked more often than every 5 s, but for the seconds after an unload: a question takes 20 ms, and
// wakes a sleeping card.
// A card that rests is switched off after 6 to 10 s without a question, where the system may; so the interval grows well
// beyond that.
const (
	intervalUnload = time.Second
	intervalRun    = 5 * time.Second
	intervalQuiet  = 15 * time.Second
	intervalIdle   = 30 * time.Second
	intervalSleepy = 2 * time.Minute  // a card at rest that may be switched off
	intervalAsleep = 30 * time.Second // it is not asked: the kernel's own record of it is read
	historySpan    = 30 * time.Minute
	defaultPoints  = 180
	quietSamples   = 4 // looks without a change before the interval grows
)

// now and after are the clock.
func (s *Sampler) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s *Sampler) after(d time.Duration) (<-chan time.Time, func()) {
	if s.After != nil {
		return s.After(d), func() {}
	}
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// waker is the channel by which a sleeping Run is woken.
func (s *Sampler) waker() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake == nil {
		s.wake = make(chan struct{}, 1)
	}
	return s.wake
}

// Run samples until ctx ends and returns its error. Those who listen see their channels closed then.
func (s *Sampler) Run(ctx context.Context) error {
	wake := s.waker()
	defer s.closeEars()
	for {
		s.Sample(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		timer, stop := s.after(s.Interval())
		select {
		case <-ctx.Done():
			stop()
			return ctx.Err()
		case <-timer:
		case <-wake:
			stop()
		}
	}
}

// Sample looks now, keeps what it found and tells it. It is also what Run does each time. When ctx has ended, what was found
// is not kept.
func (s *Sampler) Sample(ctx context.Context) Sample {
	s.sampling.Lock() // one look at a time
	defer s.sampling.Unlock()
	read := s.Status
	if read == nil {
		read = Monitor{}.Status
	}
	out := Sample{Status: read(ctx), Models: []Loaded{}, Holders: []Holder{}, Alarms: []Alarm{}}
	out.AtMs = s.now().UnixMilli()
	if s.Models != nil {
		models, err := s.Models(ctx)
		if err != nil {
			out.Server = err.Error()
		} else if models != nil {
			out.Models = models
		}
	}
	if ctx.Err() != nil {
		return out
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remember(&out)
	if h := Holders(out.Status, out.Models); h != nil {
		out.Holders = h
	}
	out.Alarms = alarmsOf(out, s.latest, s.plan)
	out.Alarms = append(out.Alarms, s.releases(out)...)
	s.quiet = nextQuiet(s.quiet, out, s.latest)
	s.latest = &out
	if s.past.most == 0 {
		s.past = history{span: historySpan, most: defaultPoints}
		if s.Points > 0 {
			s.past.most = s.Points
		}
	}
	s.past.add(pointOf(out))
	for _, ear := range s.ears {
		tell(ear, out)
	}
	return out
}

// tell gives an ear the newest sample; one that it has not taken yet is dropped, so that nobody is waited for.
func tell(ear chan Sample, sample Sample) {
	select {
	case ear <- sample:
		return
	default:
	}
	select {
	case <-ear:
	default:
	}
	select {
	case ear <- sample:
	default:
	}
}

// remember keeps the figures of a card and gives a sleeping one its name and total, which do not change.
func (s *Sampler) remember(out *Sample) {
	if s.names == nil {
		s.names = map[string]GPU{}
	}
	out.Status.GPUs = slices.Clone(out.Status.GPUs)
	for i := range out.Status.GPUs {
		g := &out.Status.GPUs[i]
		if g.Bus == "" {
			continue
		}
		if last, ok := s.names[g.Bus]; ok && g.Asleep {
			g.Name, g.UUID, g.Index, g.MemoryTotal = last.Name, last.UUID, last.Index, last.MemoryTotal
		} else if !g.Asleep && len(s.names) < maxCards {
			s.names[g.Bus] = *g
		}
	}
}

// releases watches the memory of a model that was unloaded come back.
func (s *Sampler) releases(now Sample) []Alarm {
	free, _ := now.Status.Usable()
	if s.latest != nil && now.Server == "" && s.latest.Server == "" && free != nil {
		if before, _ := s.latest.Status.Usable(); before != nil {
			for _, m := range s.latest.Models {
				if m.VRAM > 0 && StateOf(m.Name, now.Models) == NotLoaded {
					s.waiting = &release{now.AtMs, *before, onCards(s.latest.Models) - m.VRAM, m.VRAM, m.Name}
				}
			}
		}
	}
	w := s.waiting
	if w == nil || free == nil {
		return nil
	}
	// Another model that was loaded meanwhile takes what came back.
	if released(w.before, *free+onCards(now.Models)-w.others, w.bytes) {
		s.waiting = nil
		return nil
	}
	if now.AtMs-w.atMs < ReleaseWait.Milliseconds() {
		return []Alarm{{AlarmStale, "the free memory does not show yet that " + w.name + " was unloaded",
			"Wait up to 5 seconds before a model is loaded or the plan is changed.", size(w.bytes)}}
	}
	if now.AtMs-w.atMs > 60_000 {
		s.waiting = nil // it is told for a minute
	}
	return []Alarm{{AlarmNotReleased, w.name + " was unloaded and its " + gib(w.bytes) + " did not come back",
		"Look for a runner of the server that did not end, and restart the server.", size(w.bytes)}}
}

// onCards is what models hold on the cards together, in bytes.
func onCards(models []Loaded) (sum int64) {
	for _, m := range models {
		sum += m.VRAM
	}
	return sum
}

// nextQuiet counts looks in a row without a change: nothing loaded, nothing busy, the used memory the same within 64 MiB.
func nextQuiet(quiet int, now Sample, before *Sample) int {
	if before == nil || len(now.Models) > 0 || len(now.Alarms) > 0 {
		return 0
	}
	for _, g := range now.Status.GPUs {
		if g.Busy != nil && *g.Busy > 10 && !sleepy(g.State) {
			return 0
		}
	}
	a, _ := sums(now.Status.GPUs)
	b, _ := sums(before.Status.GPUs)
	if (a == nil) != (b == nil) || a != nil && (*a-*b > 64<<20 || *b-*a > 64<<20) {
		return 0
	}
	return quiet + 1
}

// Interval is how long Run waits after the last sample.
func (s *Sampler) Interval() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.latest == nil || s.waiting != nil && s.latest.AtMs-s.waiting.atMs < ReleaseWait.Milliseconds():
		return intervalUnload
	case s.running > 0:
		return intervalRun
	}
	awake, sleepers := 0, false
	for _, g := range s.latest.Status.GPUs {
		if !g.Asleep {
			awake++
			sleepers = sleepers || g.MaySleep && (sleepy(g.State) || g.State == "" && g.Busy != nil && *g.Busy == 0)
		}
	}
	switch {
	case awake == 0 && len(s.latest.Status.GPUs) > 0:
		return intervalAsleep
	case s.quiet >= quietSamples && sleepers:
		return intervalSleepy
	case s.quiet >= quietSamples:
		return intervalIdle
	}
	return intervalQuiet
}

// Running says that a run with this plan begins; the function that is returned says that it ended. Meanwhile samples are
// quicker, and the room that the plan needs is watched.
func (s *Sampler) Running(plan Plan) (ended func()) {
	s.mu.Lock()
	s.running++
	s.plan = plan
	s.mu.Unlock()
	s.Poke()
	var once sync.Once
	return func() {
		once.Do(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.running--; s.running == 0 {
				s.plan = Plan{}
			}
		})
	}
}

// Poke has Run look now, as after a load or an unload.
func (s *Sampler) Poke() {
	select {
	case s.waker() <- struct{}{}:
	default:
	}
}

// ErrNoSample is returned before the first look has ended.
var ErrNoSample = errors.New("the machine was not looked at yet")

// Latest returns the newest sample, or [ErrNoSample].
func (s *Sampler) Latest() (Sample, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest == nil {
		return Sample{}, ErrNoSample
	}
	return *s.latest, nil
}

// History returns the last half hour, the oldest first. It is never nil.
func (s *Sampler) History() []Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Point{}, s.past.points...)
}

// Subscribe returns a channel with the newest sample each time, and a function that ends it. Who is slow misses samples. The
// channel is closed by that function or when Run ends.
func (s *Sampler) Subscribe() (samples <-chan Sample, end func()) {
	ear := make(chan Sample, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ears = append(s.ears, ear)
	return ear, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if i := slices.Index(s.ears, ear); i >= 0 {
			s.ears = slices.Delete(s.ears, i, i+1)
			close(ear)
		}
	}
}

func (s *Sampler) closeEars() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ear := range s.ears {
		close(ear)
	}
	s.ears = nil
}

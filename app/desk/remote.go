package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/store"
)

// maxRemoteRuns is how many runs go on at once in this program before a caller's next one is refused; more of them on one machine
// take each other's memory.
const maxRemoteRuns = 4

// remoteRetry is when a caller that was refused for that may ask again.
const remoteRetry = 30 * time.Second

// StartFor starts a run for another program, within what its role allows: [Desk.Start] with its quota counted. It reads no file that
// the settings do not name, unless the caller is an admin.
func (d *Desk) StartFor(ctx context.Context, c Caller, req research.Request, opt StartOptions) (j *Job, err error) {
	if req, err = d.allowed(c, req); err != nil {
		return nil, err
	}
	opt.Out = ""
	err = d.counted(c, req, d.tooMany, func() (err error) {
		j, err = d.Start(ctx, req, opt)
		return err
	})
	return j, err
}

// EnqueueFor puts a run of another program into the queue, within what its role allows and counted as [Desk.StartFor] counts. How
// many runs go on does not matter here: it waits.
func (d *Desk) EnqueueFor(c Caller, req research.Request, priority int) (id string, err error) {
	if req, err = d.allowed(c, req); err != nil {
		return "", err
	}
	err = d.counted(c, req, func() error { return checkPriority(priority) }, func() (err error) {
		id, err = d.Enqueue(req, QueueOptions{Priority: priority})
		return err
	})
	return id, err
}

// counted begins a run of another program that may begin, one at a time, and counts it. What cannot work is not counted.
func (d *Desk) counted(c Caller, req research.Request, may, begin func() error) error {
	d.remote.Lock()
	defer d.remote.Unlock()
	if err := may(); err != nil {
		return err
	}
	if _, err := d.complete(req); err != nil {
		return err
	}
	if err := d.spendRun(c); err != nil {
		return err
	}
	if err := begin(); err != nil {
		return errors.Join(err, d.giveBackRun(c))
	}
	return nil
}

// ResumeFor goes on with a run for another program, whose role must allow a run as deep and as far as that.
func (d *Desk) ResumeFor(ctx context.Context, c Caller, id string, opt StartOptions) (*Job, error) {
	if !c.Role.May(Researcher) {
		return nil, forbidden("the role %s may not go on with a run: a researcher may", c.Role)
	}
	req, err := d.askedOf(id)
	if err != nil {
		return nil, err
	}
	if err := d.within(c, req); err != nil {
		return nil, err
	}
	d.remote.Lock()
	defer d.remote.Unlock()
	if err := d.tooMany(); err != nil {
		return nil, err
	}
	opt.Out = ""
	return d.Resume(ctx, id, opt)
}

// askedOf returns what a run was asked: its first event.
func (d *Desk) askedOf(id string) (req research.Request, err error) {
	events, err := d.Events(id, 0, 1)
	if err != nil {
		return req, err
	}
	if len(events) == 0 || events[0].Kind != research.EventRequest || json.Unmarshal(events[0].Payload, &req) != nil {
		return req, usage("run %s: its record does not begin with what was asked: it cannot go on", id)
	}
	return req, nil
}

// VerifyFor holds a claim against documents for another program and counts it.
func (d *Desk) VerifyFor(ctx context.Context, c Caller, in VerifyRequest) (Verified, error) {
	req, err := d.files(c, research.Request{Libraries: in.Libraries, Attach: in.Attach})
	if err != nil {
		return Verified{}, err
	}
	in.Libraries, in.Attach, in.Draft, in.Egress = req.Libraries, req.Attach, "", research.Closed
	if in.Claim == "" {
		return Verified{}, usage("the claim is empty: write the sentence to verify")
	}
	if err := d.SpendLookup(c); err != nil {
		return Verified{}, err
	}
	return d.Verify(ctx, in)
}

// tooMany refuses a run while too many go on. d.remote is held.
func (d *Desk) tooMany() error {
	d.mu.Lock()
	n := len(d.jobs)
	d.mu.Unlock()
	if n >= maxRemoteRuns {
		return &QuotaError{fmt.Sprintf("%d runs go on already, as many as may at once: wait until one ends, or cancel one", n), remoteRetry}
	}
	return nil
}

// allowed returns the request as the caller may make it, or says why it may not.
func (d *Desk) allowed(c Caller, req research.Request) (research.Request, error) {
	if !c.Role.May(Researcher) {
		return req, forbidden("the role %s may not start a run: a researcher may", c.Role)
	}
	if req.Depth == "" { // what nobody asked for is not refused
		set := or(d.Settings().Depth, research.Standard)
		req.Depth = depths[min(slices.Index(depths, set), slices.Index(depths, d.Allowance(c.Role).Depth))]
	}
	req.Egress = or(req.Egress, research.Closed)
	if err := d.within(c, req); err != nil {
		return req, err
	}
	if strings.HasPrefix(req.Model, "recorded:") && !c.Role.May(Admin) {
		return req, forbidden("the model %s is a file of this machine, which an admin may name: use auto, extractive, ollama:NAME or openai:NAME", short(req.Model))
	}
	return d.files(c, req)
}

// within holds depth and reach of a request against the role's.
func (d *Desk) within(c Caller, req research.Request) error {
	a := d.Allowance(c.Role)
	if slices.Index(depths, req.Depth) > slices.Index(depths, a.Depth) {
		return forbidden("the depth %s is more than the role %s may, which is %s: ask for less", req.Depth, c.Role, a.Depth)
	}
	if slices.Index(reaches, req.Egress) > slices.Index(reaches, a.Reach) {
		return forbidden("the reach %s is more than the role %s may, which is %s: ask for less", req.Egress, c.Role, a.Reach)
	}
	return nil
}

// files holds the folders and files of a request against what the caller may have read: those of the settings, or any for an admin.
// The sentence is the same whether there is such a file or not.
func (d *Desk) files(c Caller, req research.Request) (research.Request, error) {
	if c.Role.May(Admin) {
		return req, nil
	}
	known := d.Settings().Libraries
	for _, folder := range req.Libraries {
		if !slices.Contains(known, folder) {
			return req, forbidden("the folder %s is not in the library of this home: use one that the list of libraries names, or none for all of them", short(folder))
		}
	}
	if len(req.Attach) > 0 {
		return req, forbidden("the role %s may not name files of this machine: have their folder added to the library", c.Role)
	}
	return req, nil
}

// Fault is the kind of an error, for programs that answer others.
type Fault string

// The kinds of faults.
const (
	FaultUsage       Fault = "usage"       // asked for what cannot be
	FaultMissing     Fault = "missing"     // there is no such run, or it has no report yet
	FaultConflict    Fault = "conflict"    // not in the state the run is in, or held by another program
	FaultForbidden   Fault = "forbidden"   // the role does not allow it
	FaultQuota       Fault = "quota"       // later
	FaultUnavailable Fault = "unavailable" // a model or its server
	FaultOther       Fault = ""            // a disk, or a fault of the program
)

// KindOf returns what kind of fault err is.
func KindOf(err error) Fault {
	var (
		use     *UsageError
		quota   *QuotaError
		deny    *ForbiddenError
		locked  *store.LockedError
		damaged *store.DamagedError
		version *store.VersionError
	)
	switch {
	case errors.As(err, &quota):
		return FaultQuota
	case errors.As(err, &deny):
		return FaultForbidden
	case errors.Is(err, store.ErrNotFound), errors.Is(err, errNoReport):
		return FaultMissing
	case errors.As(err, &locked), errors.As(err, &damaged), errors.As(err, &version):
		return FaultConflict
	case errors.As(err, &use):
		return FaultUsage
	case errors.Is(err, research.ErrUnavailable), errors.Is(err, research.ErrMissing), errors.Is(err, research.ErrForbidden),
		errors.Is(err, research.ErrHung), errors.Is(err, research.ErrBusy), errors.Is(err, research.ErrServer):
		return FaultUnavailable
	}
	return FaultOther
}

// Secrets returns the keys that this home holds, so that none of them is in an answer. It may take as long as the keyring does.
func (d *Desk) Secrets() []string {
	var out []string
	for _, name := range KeyNames {
		if k := d.key(name); len(k) >= minSecret {
			out = append(out, k)
		}
	}
	for _, v := range d.Settings().Deliver {
		if k := d.key(v.keyName()); v.secret() != "" && len(k) >= minSecret {
			out = append(out, k)
		}
	}
	for _, name := range []string{"ASSAY_OPENAI_KEY", "OLLAMA_API_KEY"} {
		if k := strings.TrimSpace(d.getenv(name)); len(k) >= minSecret {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// minSecret is the shortest text that is taken for a key: shorter ones are words of every page.
const minSecret = 8

var (
	// signIn is what stands before the host of an address, and keyed a parameter of one that is a key by its name.
	signIn = regexp.MustCompile(`://[^/\s@"'<>]+@`)
	keyed  = regexp.MustCompile(`(?i)([?&;](?:[a-z_-]*(?:key|token|secret|password|passwd|signature))=)[^&;\s"'<>]+`)
)

// Masked takes the sign-ins and keys of addresses out of a text.
func Masked(text string) string {
	return keyed.ReplaceAllString(signIn.ReplaceAllString(text, "://[masked]@"), "${1}[masked]")
}

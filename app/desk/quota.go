package desk

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"assay/engine/research"
)

// Unlimited is a quota without a bound.
const Unlimited = -1

// RoleLimits change what a role may in a day; what is left out stays as it is by default.
type RoleLimits struct {
	// Runs is how many runs a token may start in a day of UTC; -1: as many as it likes.
	Runs *int `json:"runs,omitempty"`
	// Lookups is how many claims, questions, searches and audits a token may have worked out in a day; -1: as many as it likes.
	Lookups *int `json:"lookups,omitempty"`
	// Depth is the deepest run it may start.
	Depth research.Depth `json:"depth,omitempty"`
	// Reach is the widest reach of a run it may start: closed, own or web.
	Reach research.Egress `json:"reach,omitempty"`
}

// Allowance is what a token may in a day.
type Allowance struct {
	Runs    int             `json:"runs"` // -1: no bound
	Lookups int             `json:"lookups"`
	Depth   research.Depth  `json:"depth"`
	Reach   research.Egress `json:"reach"`
}

// allowances are the defaults. InfoMiner (HDRI 5.6) names three tiers with daily quotas and depth limits and no figures; these are
// ours: a reader starts nothing, a researcher 20 runs up to standard depth, an admin is not counted.
var allowances = map[Role]Allowance{
	Reader:     {Runs: 0, Lookups: 200, Depth: research.Quick, Reach: research.Closed},
	Researcher: {Runs: 20, Lookups: 2000, Depth: research.Standard, Reach: research.Web},
	Admin:      {Runs: Unlimited, Lookups: Unlimited, Depth: research.Deep, Reach: research.Web},
}

var (
	depths  = []research.Depth{research.Quick, research.Standard, research.Deep}
	reaches = []research.Egress{research.Closed, research.Own, research.Web}
)

// Allowance returns what a token of this role may in a day, by the settings.
func (d *Desk) Allowance(role Role) Allowance {
	a := allowances[role]
	set := d.Settings().Access[role]
	if set.Runs != nil {
		a.Runs = *set.Runs
	}
	if set.Lookups != nil {
		a.Lookups = *set.Lookups
	}
	a.Depth, a.Reach = or(set.Depth, a.Depth), or(set.Reach, a.Reach)
	return a
}

// checkAccess says in one sentence what is wrong with the limits of roles.
func checkAccess(access map[Role]RoleLimits) error {
	for role, l := range access {
		if !slices.Contains(Roles, role) {
			return fmt.Errorf("access: there is no role %q: use reader, researcher or admin", role)
		}
		for _, n := range []*int{l.Runs, l.Lookups} {
			if n != nil && (*n < Unlimited || *n > 1e6) {
				return fmt.Errorf("access of %s: %d is no quota: use a number up to 1000000, or -1 for no bound", role, *n)
			}
		}
		if err := checkDepth(l.Depth); err != nil {
			return fmt.Errorf("access of %s: %w", role, err)
		}
		if l.Reach != "" {
			if err := checkEgress(l.Reach); err != nil {
				return fmt.Errorf("access of %s: %w", role, err)
			}
		}
	}
	return nil
}

// Spent is what a token used of its day.
type Spent struct {
	Runs    int `json:"runs"`
	Lookups int `json:"lookups"`
}

// usageDay is what all tokens used in one day of UTC.
type usageDay struct {
	Day   string           `json:"day"` // 2006-01-02
	Spent map[string]Spent `json:"spent"`
}

func (d *Desk) usageFile() string { return filepath.Join(d.dirs.Data, accessFolder, "usage.json") }

// day reads what was used today; what was used on another day counts no more.
func (d *Desk) day() (usageDay, error) {
	var u usageDay
	if err := readSmall(d.usageFile(), &u); err != nil {
		return u, fmt.Errorf("quotas: %w: correct the file or remove it, which counts from nothing", err)
	}
	if today := d.now().UTC().Format(time.DateOnly); u.Day != today || u.Spent == nil {
		u = usageDay{Day: today, Spent: map[string]Spent{}}
	}
	return u, nil
}

// Spent returns what a caller used today.
func (d *Desk) Spent(c Caller) (Spent, error) {
	u, err := d.day()
	return u.Spent[c.Name], err
}

// QuotaError says that a caller's day is used up, or that too much goes on at once.
type QuotaError struct {
	Text  string
	After time.Duration // then it may be asked again
}

func (e *QuotaError) Error() string { return e.Text }

// ForbiddenError says that a caller's role does not allow what it asks.
type ForbiddenError struct{ Text string }

func (e *ForbiddenError) Error() string { return e.Text }

func forbidden(format string, args ...any) error {
	return &ForbiddenError{fmt.Sprintf(format, args...)}
}

// SpendLookup counts one claim, question, search or audit against a caller's day. The error is a [*QuotaError] when it is used up.
func (d *Desk) SpendLookup(c Caller) error {
	return d.spend(c, "lookups", d.Allowance(c.Role).Lookups, func(s *Spent) *int { return &s.Lookups })
}

// spendRun counts one run.
func (d *Desk) spendRun(c Caller) error {
	return d.spend(c, "runs", d.Allowance(c.Role).Runs, func(s *Spent) *int { return &s.Runs })
}

// spend counts one of a kind, on disk before it is used, so that a program that is killed gives nothing away.
func (d *Desk) spend(c Caller, what string, most int, of func(*Spent) *int) error {
	return d.guarded(func() error {
		u, err := d.day()
		if err != nil {
			return err
		}
		s := u.Spent[c.Name]
		n := of(&s)
		if most != Unlimited && *n >= most {
			now := d.now().UTC()
			next := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
			return &QuotaError{
				Text:  fmt.Sprintf("the token %s has used its %d %s of %s: go on after midnight UTC, or have \"access\" in settings.json changed", c.Name, most, what, u.Day),
				After: next.Sub(now),
			}
		}
		*n++
		u.Spent[c.Name] = s
		return writeSmall(d.usageFile(), u)
	})
}

// giveBackRun takes back one run that was counted and refused.
func (d *Desk) giveBackRun(c Caller) error {
	return d.guarded(func() error {
		u, err := d.day()
		if err != nil {
			return err
		}
		if s := u.Spent[c.Name]; s.Runs > 0 {
			s.Runs--
			u.Spent[c.Name] = s
		}
		return writeSmall(d.usageFile(), u)
	})
}

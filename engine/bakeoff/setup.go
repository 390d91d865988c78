package bakeoff

import (
	"fmt"
	"strconv"
	"strings"

	"assay/engine/research"
)

// Difference is one variable in which two setups differ.
type Difference struct {
	Name      string `json:"name"`
	Reference string `json:"reference"`
	Candidate string `json:"candidate"`
}

// String is the difference as a part of a sentence.
func (d Difference) String() string {
	return fmt.Sprintf("%s (%s against %s)", d.Name, orUnknown(d.Reference), orUnknown(d.Candidate))
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

// Diff names every variable in which the setup of a candidate's trial differs from that of the reference, but for the seats
// under test, in a fixed order. What belongs to being served at all (backend, version, window, KV type, thinking, format) is
// compared only when both are served: a baseline without a server has none of it. A value known on one side only is a
// difference.
func Diff(reference, candidate Setup) []Difference {
	var out []Difference
	add := func(name, a, b string) {
		if a != b {
			out = append(out, Difference{name, a, b})
		}
	}
	for _, role := range Roles {
		if candidate.Role == "" || candidate.Role == role {
			continue
		}
		add("who answers as "+string(role), reference.seat(role), candidate.seat(role))
	}
	add("role under test", string(reference.Role), string(candidate.Role))
	if reference.Backend != "" && candidate.Backend != "" {
		add("backend", reference.Backend, candidate.Backend)
		add("backend version", reference.Version, candidate.Version)
		add("num_ctx", tokens(reference.NumCtx), tokens(candidate.NumCtx))
		add("KV type", reference.KVType, candidate.KVType)
		add("thinking", reference.Thinking, candidate.Thinking)
		add("tool format", reference.ToolFormat, candidate.ToolFormat)
	}
	add("depth", string(reference.Depth), string(candidate.Depth))
	add("questions", brief(reference.Questions), brief(candidate.Questions))
	add("library", brief(reference.Library), brief(candidate.Library))
	add("clock", reference.Clock, candidate.Clock)
	add("seed", strconv.FormatInt(reference.Seed, 10), strconv.FormatInt(candidate.Seed, 10))
	add("program", reference.Program, candidate.Program)
	add("machine", reference.Machine, candidate.Machine)
	return out
}

// same reports whether two trials of one candidate differ in nothing, so that one may corroborate the other.
func (s Setup) same(other Setup) bool {
	if len(Diff(s, other)) > 0 || s.Backend != other.Backend || len(s.Swaps) != len(other.Swaps) {
		return false
	}
	for _, role := range Roles {
		if s.seat(role) != other.seat(role) {
			return false
		}
	}
	for i := range s.Swaps {
		if s.Swaps[i] != other.Swaps[i] {
			return false
		}
	}
	return true
}

// seat names who sits on a role, with the beginning of the digest; "" when that is not known.
func (s Setup) seat(role research.Role) string {
	for _, x := range s.Seats {
		if x.Role == role {
			return strings.TrimSpace(x.Model + " " + brief(x.Digest))
		}
	}
	return ""
}

func brief(hash string) string { return hash[:min(12, len(hash))] }

func tokens(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// nativeCeiling reports whether a trial asked for less than the reference only because the model was made for no more.
func nativeCeiling(c Candidate, s Setup) bool {
	return c.ContextLength != nil && s.NumCtx != nil && *s.NumCtx == *c.ContextLength
}

// others is Diff without the window of a model that is tried at its own ceiling: rule 6 asks for that.
func others(reference Setup, t Trial) []Difference {
	var out []Difference
	for _, d := range Diff(reference, t.Setup) {
		if d.Name == "num_ctx" && nativeCeiling(t.Candidate, t.Setup) && reference.NumCtx != nil && *t.Setup.NumCtx < *reference.NumCtx {
			continue
		}
		out = append(out, d)
	}
	return out
}

// Missing says, a sentence each, what keeps a proof from showing that the model ran as the setup says; none when it holds.
func (p *Proof) Missing(s Setup) []string {
	if p == nil {
		return []string{"no raw call was made before the benchmark"}
	}
	if p.Fault != "" {
		return []string{"the raw call was not answered: " + p.Fault}
	}
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.NumCtx == nil || p.AskedContext != *s.NumCtx {
		bad("the raw call asked for %d tokens and the trial for %s", p.AskedContext, orUnknown(tokens(s.NumCtx)))
	}
	switch {
	case p.HeldContext == nil:
		bad("the server did not say which window the model was loaded with")
	case *p.HeldContext != p.AskedContext:
		bad("the model was loaded with a window of %d tokens where %d were asked for", *p.HeldContext, p.AskedContext)
	}
	switch {
	case p.Thinking == nil:
		bad("it was not seen whether the model reasons")
	case p.AskedThinking == "off" && (*p.Thinking || p.ThinkingInText != nil && *p.ThinkingInText):
		bad("reasoning was turned off and the model reasoned all the same")
	case p.AskedThinking == "none" && *p.Thinking:
		bad("the model is said to have no reasoning and it reasoned")
	case p.AskedThinking != "off" && p.AskedThinking != "none" && !*p.Thinking:
		bad("reasoning %q was asked for and none came", p.AskedThinking)
	}
	switch {
	case p.SchemaKept == nil:
		bad("it was not seen whether answers keep a schema")
	case !*p.SchemaKept:
		bad("the answer did not keep the schema that was asked for")
	}
	if p.PromptTokens == nil || *p.PromptTokens <= 0 {
		bad("the server did not count the prompt, so it is not known whether it was read")
	}
	return out
}

// squeezed reports whether a proof shows that this hardware cannot hold the window that research needs: the server refused
// for want of memory, or gave less than it was asked for. A smaller window that is the model's own is no squeeze.
func (p *Proof) squeezed(c Candidate) bool {
	switch {
	case p == nil:
		return false
	case p.Memory:
		return true
	case p.HeldContext == nil || *p.HeldContext >= min(p.AskedContext, MinContext):
		return false
	}
	return c.ContextLength != nil && *p.HeldContext < *c.ContextLength
}

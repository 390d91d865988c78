package desk

import (
	"context"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assay/engine/research"
)

// Kinds of deliveries.
const (
	DeliverFolder  = "folder"
	DeliverWebhook = "webhook"
	DeliverCommand = "command"
	DeliverMail    = "mail"
)

// Delivery is a place that results are handed to.
type Delivery struct {
	Name string `json:"name"` // as of a watch
	Kind string `json:"kind"` // folder, webhook, command, mail
	// All has it get the result of every research that ends with a report; otherwise it gets those that name it.
	All bool `json:"all,omitempty"`

	Dir string `json:"dir,omitempty"` // folder: each run gets a folder of its name in it

	URL string `json:"url,omitempty"` // webhook: https, or http on this machine

	// Argv is the program and its arguments; no shell reads them. Seconds is how long it may take; if zero, 60.
	Argv    []string `json:"argv,omitempty"`
	Seconds int      `json:"seconds,omitempty"`

	Server string   `json:"server,omitempty"` // mail: host:port; on port 465 TLS is spoken from the start
	User   string   `json:"user,omitempty"`   // if empty, the server is not told who asks
	From   string   `json:"from,omitempty"`
	To     []string `json:"to,omitempty"`
}

// Bounds of deliveries.
const (
	maxDeliveries  = 50
	maxArgv        = 64
	maxRecipients  = 50
	maxSeconds     = 3600
	defaultSeconds = 60
)

// Where says in a few words where a delivery goes, without a secret.
func (v Delivery) Where() string {
	switch v.Kind {
	case DeliverFolder:
		return v.Dir
	case DeliverWebhook:
		u, err := url.Parse(v.URL)
		if err != nil {
			return "webhook"
		}
		return u.Scheme + "://" + u.Host
	case DeliverCommand:
		return strings.Join(v.Argv[:min(1, len(v.Argv))], "")
	}
	return strings.Join(v.To, ", ") + " by " + v.Server
}

// secret says what a delivery's key is, in words; "" when it needs none.
func (v Delivery) secret() string {
	switch {
	case v.Kind == DeliverWebhook:
		return "the secret that signs it"
	case v.Kind == DeliverMail && v.User != "":
		return "the password of " + v.User
	}
	return ""
}

// keyOf is the name under which a delivery's secret is kept.
func (v Delivery) keyName() string { return "deliver-" + v.Name }

// check says in one sentence what is wrong with a delivery, or returns nil.
func (v Delivery) check() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("delivery %s: "+format, append([]any{short(v.Name)}, args...)...)
	}
	if !watchName.MatchString(v.Name) {
		return fmt.Errorf("delivery %q: a name has lower-case letters, digits and hyphens, at most 40 of them", short(v.Name))
	}
	switch v.Kind {
	case DeliverFolder:
		if !filepath.IsAbs(v.Dir) {
			return wrong("%q is no folder: name it with its whole path", short(v.Dir))
		}
	case DeliverWebhook:
		u, err := url.Parse(v.URL)
		if err != nil || u.Hostname() == "" || u.User != nil || len(v.URL) > 2048 || u.Scheme != "https" && u.Scheme != "http" {
			return wrong("%q is not an address such as https://hooks.example.org/assay, without a name or key before the host", short(v.URL))
		}
		if u.Scheme != "https" && !research.Loopback(u.Host) {
			return wrong("%s is on another machine, so it has to begin with https://", u.Host)
		}
	case DeliverCommand:
		if len(v.Argv) == 0 || v.Argv[0] == "" || len(v.Argv) > maxArgv || strings.ContainsRune(strings.Join(v.Argv, ""), 0) {
			return wrong("name a program and at most %d arguments", maxArgv-1)
		}
		if v.Seconds < 0 || v.Seconds > maxSeconds {
			return wrong("a command may take 1 to %d seconds", maxSeconds)
		}
	case DeliverMail:
		return v.checkMail(wrong)
	default:
		return wrong("kind %q: use folder, webhook, command or mail", short(v.Kind))
	}
	return nil
}

func (v Delivery) checkMail(wrong func(string, ...any) error) error {
	if host, port, err := net.SplitHostPort(v.Server); err != nil || host == "" || port == "" || strings.ContainsAny(v.Server, " /@\r\n") {
		return wrong("%q is no server such as mail.example.org:587", short(v.Server))
	}
	if len(v.To) == 0 || len(v.To) > maxRecipients {
		return wrong("name 1 to %d recipients", maxRecipients)
	}
	for _, a := range append([]string{v.From}, v.To...) {
		if p, err := mail.ParseAddress(a); err != nil || p.Address != a {
			return wrong("%q is no mail address such as name@example.org", short(a))
		}
	}
	if len(v.User) > 200 || strings.ContainsAny(v.User, "\r\n\x00") {
		return wrong("the user is not one short line")
	}
	return nil
}

func checkDeliveries(all []Delivery) error {
	if len(all) > maxDeliveries {
		return fmt.Errorf("deliveries: there are %d where %d are allowed", len(all), maxDeliveries)
	}
	seen := map[string]bool{}
	for _, v := range all {
		if err := v.check(); err != nil {
			return err
		}
		if seen[v.Name] {
			return fmt.Errorf("delivery %s: there are two of this name", v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

// checkDeliver refuses names of deliveries that there are not.
func (d *Desk) checkDeliver(names []string) error {
	for _, n := range names {
		if _, ok := d.delivery(n); !ok {
			return usage("delivery %q: there is none of this name: add it with assay deliver add, or list them with assay deliver list", short(n))
		}
	}
	return nil
}

func (d *Desk) delivery(name string) (Delivery, bool) {
	all := d.Settings().Deliver
	i := slices.IndexFunc(all, func(v Delivery) bool { return v.Name == name })
	if i < 0 {
		return Delivery{}, false
	}
	return all[i], true
}

// AddDelivery checks and keeps a delivery. A program is looked for now, and kept with its whole path.
func (d *Desk) AddDelivery(v Delivery) (Delivery, error) {
	if v.Kind == DeliverCommand && len(v.Argv) > 0 && v.Argv[0] != "" {
		path, err := exec.LookPath(v.Argv[0])
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return v, usage("delivery %s: the program %s is not found: name it with its whole path", short(v.Name), short(v.Argv[0]))
		}
		v.Argv = append([]string{path}, v.Argv[1:]...)
	}
	if v.Kind == DeliverFolder && v.Dir != "" {
		abs, err := filepath.Abs(v.Dir)
		if err != nil {
			return v, &UsageError{Err: err}
		}
		v.Dir = abs
	}
	if err := v.check(); err != nil {
		return v, &UsageError{Err: err}
	}
	if _, have := d.delivery(v.Name); have {
		return v, usage("delivery %s: there is one of this name: remove it first with assay deliver remove %s", v.Name, v.Name)
	}
	s := d.Settings()
	s.Deliver = append(slices.Clone(s.Deliver), v)
	if err := s.check(); err != nil {
		return v, &UsageError{Err: err}
	}
	return v, d.SetSettings(s)
}

// RemoveDelivery takes a delivery out, with its secret and what waits for it.
func (d *Desk) RemoveDelivery(name string) error {
	v, ok := d.delivery(name)
	if !ok {
		return d.checkDeliver([]string{name})
	}
	s := d.Settings()
	s.Deliver = slices.DeleteFunc(slices.Clone(s.Deliver), func(v Delivery) bool { return v.Name == name })
	if err := d.SetSettings(s); err != nil {
		return err
	}
	if v.secret() != "" && d.wire.keyring != nil {
		_ = d.wire.keyring.set(v.keyName(), "") // a keyring that does not answer keeps a key that nothing asks for
	}
	return d.dropPosts(name)
}

// SetDeliveryKey keeps the secret of a webhook, or the password of a mail server, in the keyring of the system; an empty one takes it out.
func (d *Desk) SetDeliveryKey(name, key string) error {
	v, ok := d.delivery(name)
	if !ok {
		return d.checkDeliver([]string{name})
	}
	if v.secret() == "" {
		return usage("delivery %s: it needs no key", name)
	}
	key = strings.TrimSpace(key)
	least := 1
	if v.Kind == DeliverWebhook {
		least = 16
	}
	if key != "" && (len(key) < least || len(key) > 512 || strings.ContainsAny(key, "\r\n\x00")) {
		return usage("delivery %s: %s has %d to 512 characters on one line", name, v.secret(), least)
	}
	return d.keepKey(v.keyName(), key)
}

// DeliveryLine is a line of the list of deliveries.
type DeliveryLine struct {
	Delivery
	Where   string `json:"where"`
	Fault   string `json:"fault,omitempty"` // what is missing
	Waiting int    `json:"waiting"`         // results that are still to be handed over
	Failed  int    `json:"failed"`          // results that were given up
	// Last is what the log says last of it; nil when it says nothing.
	Last *DeliveryEntry `json:"last,omitempty"`
}

// Deliveries lists the deliveries in the order in which they were added.
func (d *Desk) Deliveries() ([]DeliveryLine, error) {
	waiting, err := d.posts(pendingDir)
	if err != nil {
		return nil, err
	}
	failed, err := d.posts(failedDir)
	if err != nil {
		return nil, err
	}
	log := d.DeliveryLog(0)
	out := []DeliveryLine{}
	for _, v := range d.Settings().Deliver {
		l := DeliveryLine{Delivery: v, Where: v.Where()}
		if what := v.secret(); what != "" && d.key(v.keyName()) == "" {
			l.Fault = what + " is missing: keep it with assay deliver key " + v.Name
		}
		for _, p := range waiting {
			if p.Delivery == v.Name {
				l.Waiting++
			}
		}
		for _, p := range failed {
			if p.Delivery == v.Name {
				l.Failed++
			}
		}
		if i := slices.IndexFunc(log, func(e DeliveryEntry) bool { return e.Delivery == v.Name }); i >= 0 {
			l.Last = &log[i]
		}
		out = append(out, l)
	}
	return out, nil
}

// checkDelivering is what the doctor says of deliveries: what is missing, and what could not be handed over.
func (d *Desk) checkDelivering() []Symptom {
	all, err := d.Deliveries()
	if err != nil {
		return []Symptom{{Name: "deliveries", Level: LevelWrong, Text: err.Error(), Cure: "Make the folder " + filepath.Join(d.dirs.Data, deliveriesDir) + " readable."}}
	}
	var out []Symptom
	for _, l := range all {
		s := Symptom{Name: "delivery " + l.Name, Level: LevelOK, Text: l.Where}
		switch {
		case l.Fault != "":
			s.Level, s.Text = LevelWrong, l.Fault
			s.Cure = "Until then it gets nothing."
		case l.Failed > 0:
			s.Level, s.Text = LevelWrong, fmt.Sprintf("%s could not be delivered", howMany(l.Failed, "result"))
			if l.Last != nil && l.Last.Fault != "" {
				s.Text += ": " + l.Last.Fault
			}
			s.Cure = "Mend that, try it with assay deliver test " + l.Name + ", then hand over what waits with assay deliver retry."
		case l.Waiting > 0:
			s.Level, s.Text = LevelNote, fmt.Sprintf("%s to be delivered still", howMany(l.Waiting, "result"))
			if l.Last != nil && l.Last.Fault != "" {
				s.Text += ": " + l.Last.Fault
			}
			s.Cure = "It is tried again by the window, by assay watch daemon and by assay deliver retry."
		}
		out = append(out, s)
	}
	return out
}

// TestDelivery hands over a made result now and returns how that ended. With the offline switch on nothing leaves the machine.
func (d *Desk) TestDelivery(ctx context.Context, name string) error {
	v, ok := d.delivery(name)
	if !ok {
		return d.checkDeliver([]string{name})
	}
	p := parcel{
		ID: research.ID("d", "test", name, fmt.Sprint(d.wire.now().UnixNano())), Kind: "test", Question: "Does this delivery work?", Title: "A test of the delivery " + name,
		Date: d.wire.now().UTC().Format("2006-01-02"), Lang: "en", Line: "This is a test; no research was done.", text: []byte("# A test of Assay's delivery\n\nThis is a test; no research was done.\n"),
	}
	egress := research.Own
	if d.Settings().Offline {
		egress = research.Closed
	}
	var out []research.Outbound
	err := d.send(ctx, v, p, egress, func(o research.Outbound) { out = append(out, o) })
	d.logDelivery(DeliveryEntry{AtMs: d.wire.now().UnixMilli(), Delivery: name, Kind: v.Kind, Test: true, Fault: faultText(err), Outbox: out})
	return err
}

func faultText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

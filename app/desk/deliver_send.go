package desk

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"assay/engine/fetch"
	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/store"
)

// parcel is what is handed over. As JSON it is the body of a webhook.
type parcel struct {
	Schema   int             `json:"schema"` // 1
	ID       string          `json:"id"`     // the same in every try, so that a receiver can tell a repetition
	Kind     string          `json:"kind"`   // run, watch or test
	Run      string          `json:"run,omitempty"`
	Watch    string          `json:"watch,omitempty"`
	Question string          `json:"question"`
	Title    string          `json:"title"`
	Date     string          `json:"date"`
	Lang     string          `json:"lang"`
	Line     string          `json:"line"` // the result in one sentence
	Findings []parcelFinding `json:"findings,omitempty"`
	// Difference of a watch; nil elsewhere.
	Difference *research.Difference `json:"difference,omitempty"`
	Report     string               `json:"report_markdown,omitempty"`
	// LeftOut says that the report was too long for the message.
	LeftOut bool `json:"report_left_out,omitempty"`

	text  []byte   // the report as Markdown, and before it what changed
	page  []byte   // the report as HTML
	dir   string   // the run's folder
	files []string // names in dir
}

// parcelFinding is a finding as a webhook tells it.
type parcelFinding struct {
	Text       string              `json:"text"`
	Confidence research.Ratio      `json:"confidence"`
	Band       research.Band       `json:"band"`
	Sources    []research.CitedRef `json:"sources"`
}

// maxBody bounds the body of a webhook, in bytes.
const maxBody = 1 << 20

// pack makes what is handed over of a run, and says how far it may go.
func (d *Desk) pack(p post) (parcel, research.Egress, error) {
	out := parcel{Schema: 1, ID: p.ID, Kind: "run", Run: p.Run, Watch: p.Watch, Line: p.Line}
	if p.Watch != "" {
		out.Kind = "watch"
	}
	digest, err := d.Digest(p.Run)
	if err != nil {
		return out, "", permanent{fmt.Errorf("the report of run %s is not here any more", p.Run)}
	}
	var req research.Request
	events, err := d.store.Events(p.Run, 0, 1)
	if err == nil && len(events) > 0 {
		err = json.Unmarshal(events[0].Payload, &req)
	}
	if err != nil || len(events) == 0 {
		return out, "", permanent{fmt.Errorf("run %s does not say how far it may reach", p.Run)}
	}
	egress := req.Egress
	if d.Settings().Offline {
		egress = research.Closed
	}
	out.Question, out.Title, out.Date, out.Lang = digest.Topic, digest.Title, digest.Date, digest.Lang
	if out.Line == "" {
		out.Line = digest.Subtitle
	}
	for _, s := range digest.Sections {
		for _, f := range s.Findings {
			x := parcelFinding{Text: f.Text, Confidence: f.Confidence, Band: f.Band, Sources: []research.CitedRef{}}
			for _, r := range f.Refs {
				if r >= 0 && r < len(digest.Sources) {
					x.Sources = append(x.Sources, research.CitedRef{Key: r + 1, Title: digest.Sources[r].Title, Location: digest.Sources[r].URL})
				}
			}
			out.Findings = append(out.Findings, x)
		}
	}
	if out.page, err = render.HTML(digest); err == nil {
		out.text, err = render.Markdown(digest)
	}
	if err != nil {
		return out, egress, permanent{err}
	}
	out.dir, out.files = d.store.Dir(p.Run), []string{FileHTML, FileMarkdown, FileDigest, FileRun}
	var diff research.Difference
	if readJSON(filepath.Join(out.dir, FileDifference), &diff) == nil {
		out.Difference = &diff
		out.files = append(out.files, FileDifference, FileDifferenceHTML, FileDifferenceMarkdown)
		if _, text, err := render.Difference(diff); err == nil {
			out.text = append(append(text, '\n'), out.text...)
		}
	}
	out.Report = string(out.text)
	return out, egress, nil
}

// send hands a parcel over, once. What goes to another machine goes through engine/fetch only, and stands in outbox, also when the
// reach of the run refuses it.
func (d *Desk) send(ctx context.Context, v Delivery, p parcel, egress research.Egress, outbox func(research.Outbound)) error {
	switch v.Kind {
	case DeliverFolder:
		return sendFolder(v, p)
	case DeliverWebhook:
		return d.sendWebhook(ctx, v, p, egress, outbox)
	case DeliverCommand:
		return d.sendCommand(ctx, v, p)
	case DeliverMail:
		return d.sendMail(ctx, v, p, egress, outbox)
	}
	return permanent{fmt.Errorf("kind %q is not known", v.Kind)}
}

// sendFolder copies the files of a run into a folder of its name.
func sendFolder(v Delivery, p parcel) error {
	dir := filepath.Join(v.Dir, or(p.Run, "test"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return store.OutFault("deliver to "+v.Name, dir, err)
	}
	if p.Run == "" {
		return store.WriteOut(filepath.Join(dir, FileMarkdown), p.text)
	}
	for _, name := range p.files {
		f, err := os.Open(filepath.Join(p.dir, name))
		if err != nil {
			return fmt.Errorf("deliver to %s: %w", v.Name, err)
		}
		err = stream(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.Copy(w, f)
			return err
		})
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Headers of a webhook. The signature is "v1=" and the hexadecimal HMAC-SHA256, keyed with the secret, of the timestamp, a dot and the
// body; a receiver computes the same and refuses timestamps that are more than five minutes old.
const (
	HeaderTimestamp = "X-Assay-Timestamp" // Unix seconds
	HeaderSignature = "X-Assay-Signature"
	HeaderDelivery  = "X-Assay-Delivery" // the parcel's id
)

// Sign returns the signature of a webhook's body.
func Sign(secret string, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(strconv.FormatInt(timestamp, 10) + ".")) // a hash takes everything
	_, _ = mac.Write(body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

// sendWebhook posts a parcel as JSON with its signature.
func (d *Desk) sendWebhook(ctx context.Context, v Delivery, p parcel, egress research.Egress, outbox func(research.Outbound)) error {
	secret := d.key(v.keyName())
	if secret == "" {
		return permanent{fmt.Errorf("%s is missing: keep it with assay deliver key %s", v.secret(), v.Name)}
	}
	body, err := p.body()
	if err != nil {
		return permanent{err}
	}
	u, err := url.Parse(v.URL)
	if err != nil {
		return permanent{fmt.Errorf("its address is none")}
	}
	policy := fetch.Policy{Egress: egress, Outbox: outbox, Dialed: d.wire.dialed}
	if egress != research.Closed || research.Loopback(u.Host) { // otherwise the client refuses it, and the outbox says so
		policy.Services = []fetch.Service{{Base: u.Scheme + "://" + u.Host, For: []fetch.Kind{fetch.Deliver}}}
	}
	client, err := fetch.New(policy)
	if err != nil {
		return permanent{err}
	}
	defer client.Close()
	req, err := http.NewRequestWithContext(fetch.Because(ctx, "delivery "+v.Name), http.MethodPost, v.URL, bytes.NewReader(body))
	if err != nil {
		return permanent{fetch.Redacted(err)}
	}
	now := d.wire.now().Unix()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(HeaderTimestamp, strconv.FormatInt(now, 10))
	req.Header.Set(HeaderSignature, Sign(secret, now, body))
	req.Header.Set(HeaderDelivery, p.ID)
	resp, err := client.HTTP(fetch.Deliver).Do(req)
	if err != nil {
		err = fetch.Redacted(err)
		if errors.Is(err, fetch.ErrClosed) || errors.Is(err, fetch.ErrAddress) {
			return permanent{err}
		}
		return err
	}
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection ends well; what it says is not read
	_ = resp.Body.Close()
	if resp.StatusCode/100 == 2 {
		return nil
	}
	err = fmt.Errorf("%s answered with status %d (%s)", u.Host, resp.StatusCode, http.StatusText(resp.StatusCode))
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusConflict, http.StatusTooEarly:
		return err
	}
	if resp.StatusCode/100 == 4 {
		return permanent{err}
	}
	return err
}

// body is the parcel as JSON, without its report when it is too long with it.
func (p parcel) body() ([]byte, error) {
	p.Schema = 1
	b, err := json.Marshal(p)
	if err == nil && len(b) > maxBody {
		p.Report, p.LeftOut = "", true
		b, err = json.Marshal(p)
	}
	if err == nil && len(b) > maxBody {
		p.Findings, p.Difference = nil, nil
		b, err = json.Marshal(p)
	}
	return b, err
}

// maxSaid is how much of what a command prints is kept for the log, in bytes.
const maxSaid = 4 << 10

// passedOn are the variables of the environment that a command gets. What may hold a key is not among them.
var passedOn = []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY"}

// sendCommand runs a program with the report on its standard input. No shell is between; its time and what it prints are bounded.
func (d *Desk) sendCommand(ctx context.Context, v Delivery, p parcel) error {
	seconds := or(v.Seconds, defaultSeconds)
	limit, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(limit, v.Argv[0], v.Argv[1:]...)
	apart(cmd)
	cmd.WaitDelay = time.Second // a child of it may hold the pipes
	cmd.Stdin = bytes.NewReader(p.text)
	said := &tail{max: maxSaid}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Dir = or(p.dir, d.dirs.Data)
	cmd.Env = []string{"ASSAY_RUN=" + p.Run, "ASSAY_RUN_DIR=" + p.dir, "ASSAY_WATCH=" + p.Watch, "ASSAY_LINE=" + oneLine(p.Line), "ASSAY_DELIVERY=" + p.ID}
	for _, name := range passedOn {
		if value := d.getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case limit.Err() != nil && ctx.Err() == nil:
		return fmt.Errorf("%s took longer than %d seconds and was ended", v.Argv[0], seconds)
	case errors.As(err, &exit):
		return fmt.Errorf("%s ended with %s%s", v.Argv[0], exit.ProcessState, said.words())
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return permanent{fmt.Errorf("%s cannot be run: %w", v.Argv[0], err)}
	}
	return fmt.Errorf("%s: %w", v.Argv[0], err)
}

// tail keeps the end of what is written to it.
type tail struct {
	max int
	b   []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > t.max {
		t.b = append([]byte(nil), t.b[len(t.b)-t.max:]...)
	}
	return len(p), nil
}

// words is the last line of what was written, for a message.
func (t *tail) words() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.b), "")), "\n")
	if last := short(oneLine(lines[len(lines)-1])); last != "" {
		return ": " + last
	}
	return ""
}

// oneLine is a text without what ends a line or a string.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
}

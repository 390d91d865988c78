package desk

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"assay/engine/fetch"
	"assay/engine/research"
)

// mailTime is how long the talk with a mail server may take.
const mailTime = 90 * time.Second

// maxMail bounds what is attached to a mail, in bytes; more is left out and said.
const maxMail = 8 << 20

// implicitTLS is the port on which TLS is spoken from the start (RFC 8314).
const implicitTLS = "465"

// sendMail sends a parcel by mail through the server that the person named. Off this machine it goes by TLS or not at all.
func (d *Desk) sendMail(ctx context.Context, v Delivery, p parcel, egress research.Egress, outbox func(research.Outbound)) error {
	password := ""
	if v.User != "" {
		if password = d.key(v.keyName()); password == "" {
			return permanent{fmt.Errorf("%s is missing: keep it with assay deliver key %s", v.secret(), v.Name)}
		}
	}
	message, err := d.message(v, p)
	if err != nil {
		return permanent{err}
	}
	client, err := fetch.New(fetch.Policy{Egress: egress, Hosts: []string{v.Server}, Outbox: outbox, Dialed: d.wire.dialed})
	if err != nil {
		return permanent{err}
	}
	defer client.Close()
	conn, err := client.Connect(fetch.Because(ctx, "delivery "+v.Name), fetch.Deliver, v.Server)
	if err != nil {
		if errors.Is(err, fetch.ErrClosed) || errors.Is(err, fetch.ErrAddress) {
			return permanent{err}
		}
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(mailTime)) // the real clock is what ends a connection
	host, port, err := net.SplitHostPort(v.Server)
	if err != nil {
		return permanent{err}
	}
	t := talk{host: host, loopback: research.Loopback(host), user: v.User, password: password, config: &tls.Config{ServerName: host, RootCAs: d.wire.roots, MinVersion: tls.VersionTLS12}}
	if port == implicitTLS {
		conn, t.secure = tls.Client(conn, t.config), true
	}
	defer func() { _ = conn.Close() }()
	err = t.send(conn, v.From, v.To, message)
	var said *textproto.Error
	if errors.As(err, &said) && said.Code >= 500 {
		return permanent{fmt.Errorf("%s: %w", v.Server, err)}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.Server, err)
	}
	return nil
}

// talk is what a mail server is told besides the message.
type talk struct {
	host           string
	loopback       bool
	secure         bool // TLS is spoken already
	user, password string
	config         *tls.Config
}

// errPlain: the server cannot be talked to in secret.
var errPlain = permanent{errors.New("the server offers no TLS, without which nothing is sent to another machine")}

// send speaks SMTP over a connection.
func (t talk) send(conn net.Conn, from string, to []string, message []byte) error {
	c, err := smtp.NewClient(conn, t.host)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if err := c.Hello("localhost"); err != nil { // servers are not told the name of this machine
		return err
	}
	if offered, _ := c.Extension("STARTTLS"); offered && !t.secure {
		if err := c.StartTLS(t.config); err != nil {
			return fmt.Errorf("start TLS: %w", err)
		}
		t.secure = true
	}
	if !t.secure && !t.loopback {
		return errPlain
	}
	if t.user != "" {
		if offered, _ := c.Extension("AUTH"); !offered {
			return permanent{errors.New("the server takes no user and password")}
		}
		if err := c.Auth(smtp.PlainAuth("", t.user, t.password, t.host)); err != nil {
			return fmt.Errorf("log in: %w", err)
		}
	}
	if err := c.Mail(from); err != nil {
		return err
	}
	for _, a := range to {
		if err := c.Rcpt(a); err != nil {
			return fmt.Errorf("recipient %s: %w", a, err)
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(message); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = c.Quit() // the server has taken it
	return nil
}

// message is a mail: the report as text, and the page attached.
func (d *Desk) message(v Delivery, p parcel) ([]byte, error) {
	var b bytes.Buffer
	parts := multipart.NewWriter(&b)
	// The boundary is made of the parcel, so that a mail that is sent again is the same.
	if err := parts.SetBoundary("assay-" + research.SHA256(p.ID + string(p.text))[:32]); err != nil {
		return nil, err
	}
	subject := p.Title
	if p.Watch != "" {
		subject = p.Watch + ": " + p.Line
	}
	_, domain, _ := strings.Cut(v.From, "@")
	for _, h := range [][2]string{
		{"From", v.From}, {"To", strings.Join(v.To, ", ")}, {"Subject", mime.QEncoding.Encode("utf-8", clipWords("Assay: "+oneLine(subject), 150))},
		{"Date", d.wire.now().Format(time.RFC1123Z)}, {"Message-ID", "<" + p.ID + "@" + domain + ">"}, {"MIME-Version", "1.0"},
		{"Auto-Submitted", "auto-generated"}, {"Content-Type", "multipart/mixed; boundary=" + parts.Boundary()},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("\r\n")
	text := p.text
	if len(text) > maxMail {
		text = append(append([]byte(nil), text[:maxMail]...), "\n\nThe rest is left out: the report is too long for a mail.\n"...)
	}
	w, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {"text/plain; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"}})
	if err != nil {
		return nil, err
	}
	q := quotedprintable.NewWriter(w)
	if _, err = io.WriteString(q, p.Line+"\n\n"); err == nil {
		_, err = q.Write([]byte(strings.ToValidUTF8(string(text), "\uFFFD")))
	}
	if err = errors.Join(err, q.Close()); err != nil {
		return nil, err
	}
	if len(p.page) > 0 && len(p.page) <= maxMail {
		if err := attachPage(parts, p.page); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), parts.Close()
}

// attachPage attaches the report as a page, in lines of 76 characters as RFC 2045 asks.
func attachPage(parts *multipart.Writer, page []byte) error {
	w, err := parts.CreatePart(textproto.MIMEHeader{
		"Content-Type": {"text/html; charset=utf-8"}, "Content-Transfer-Encoding": {"base64"}, "Content-Disposition": {`attachment; filename="` + FileHTML + `"`},
	})
	if err != nil {
		return err
	}
	in := base64.StdEncoding.EncodeToString(page)
	for len(in) > 0 {
		n := min(76, len(in))
		if _, err := io.WriteString(w, in[:n]+"\r\n"); err != nil {
			return err
		}
		in = in[n:]
	}
	return nil
}

// clipWords cuts a text to n characters.
func clipWords(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

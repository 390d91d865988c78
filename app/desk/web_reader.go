package desk

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"assay/engine/document"
	"assay/engine/fetch"
	"assay/engine/research"
)

// webReader opens pages of the web and of the person's own servers.
type webReader struct {
	client *fetch.Client
	opt    document.Options
	own    map[string]bool                                // host:port of the person's own servers whose pages may be read
	copies func(ctx context.Context, doi string) []string // where open copies of a paper are; nil: nobody is asked
	// papers returns the text of a paper that is given away by its identifier, and where it stands; nil: nobody is asked.
	papers func(ctx context.Context, id string) (jats []byte, at string)
	keep   func(fetch.Page)
	kept   map[string]keptAt // pages of earlier runs that may be taken, by address
}

// Own reports whether an address is of a server the person named.
func (w *webReader) Own(location string) bool { return w.own[hostKey(location)] }

// Read fetches a page and reads its main text. A page that cannot be had is a document with a Fault and the verdict that says why.
//
// Of a paper the whole is read where an open copy is known; its abstract alone is never taken for it.
func (w *webReader) Read(ctx context.Context, location string) (research.Document, error) {
	d, err := w.page(ctx, location)
	if err != nil {
		return d, err
	}
	return w.whole(ctx, d)
}

// page reads one page.
func (w *webReader) page(ctx context.Context, location string) (research.Document, error) {
	if d, ok, err := w.fromKept(ctx, location); ok || err != nil {
		return d, err
	}
	page, err := w.client.Page(fetch.Because(ctx, location), location)
	if ctx.Err() != nil {
		return research.Document{}, ctx.Err()
	}
	if err != nil {
		verdict, why := faultOf(err)
		return research.Document{Location: location, Verdict: verdict, Fault: why, Own: w.Own(location)}, nil
	}
	if w.keep != nil {
		w.keep(page)
	}
	return w.parse(ctx, location, page)
}

// parse reads the main text of a page.
func (w *webReader) parse(ctx context.Context, location string, page fetch.Page) (research.Document, error) {
	opt := w.opt
	opt.Web, opt.URL, opt.MaxBytes = true, page.URL, maxWebPage
	d, err := document.FromBytes(ctx, location, page.Type, page.Body, opt)
	if err != nil {
		return d, err
	}
	d.Own = w.Own(location)
	if (d.Canonical == "" || d.Paper) && page.URL != location {
		d.Canonical = page.URL
	}
	return d, nil
}

// maxWebPage is the most bytes of a page that are read; package fetch has the same bound.
const maxWebPage = 10 << 20

// faultOf says why a page could not be had, in words for the report.
func faultOf(err error) (research.Verdict, string) {
	var status *fetch.StatusError
	switch {
	case errors.Is(err, fetch.ErrRobots):
		return research.Blocked, "its site asks programs to leave it alone (robots.txt)"
	case errors.Is(err, fetch.ErrAddress):
		return research.Blocked, "it is not fetched: " + err.Error()
	case errors.Is(err, fetch.ErrClosed):
		return research.Blocked, "it was not fetched: " + err.Error()
	case errors.Is(err, fetch.ErrTooLarge):
		return research.Unread, fmt.Sprintf("it is larger than the %d MiB that are read of a page", maxWebPage>>20)
	case errors.Is(err, fetch.ErrType):
		return research.Unread, "it is of a kind that is not read: " + err.Error()
	case errors.As(err, &status):
		what := fmt.Sprintf("its server answered with status %d (%s)", status.Status, http.StatusText(status.Status))
		switch status.Status {
		case http.StatusUnauthorized, http.StatusPaymentRequired:
			return research.Paywalled, what
		case http.StatusForbidden, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons, http.StatusServiceUnavailable, http.StatusNotAcceptable, 999:
			return research.Blocked, what
		}
		return research.RejectDead, what
	}
	return research.RejectDead, "it could not be reached: " + unreachable(err)
}

// unreachable says why nothing came, in words where the kind of fault is known.
func unreachable(err error) string {
	var name *net.DNSError
	var cert *tls.CertificateVerificationError
	var wait net.Error
	switch {
	case errors.Is(err, fetch.ErrRedirects):
		return "one address leads to the next, " + fetch.ErrRedirects.Error()
	case errors.As(err, &name) && name.IsNotFound:
		return "no host has its name"
	case errors.As(err, &wait) && wait.Timeout():
		return "its server took too long"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing answers at its address"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return "its server ended the connection before the page was whole"
	case errors.As(err, &cert):
		return "its certificate does not prove who it is: " + cert.Err.Error()
	}
	return err.Error()
}

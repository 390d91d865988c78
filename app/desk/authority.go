package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/store"
)

// AuthorityFile is the name of the person's own table of who stands behind a host, in the folder of the settings.
const AuthorityFile = "authority.tsv"

// maxAuthority bounds that file in bytes, maxAuthorityRows its rows: they are kept with each run.
const (
	maxAuthority     = 256 << 10
	maxAuthorityRows = 1000
)

// AuthorityPath is where the person's own table lies, or would.
func (d *Desk) AuthorityPath() string { return filepath.Join(d.dirs.Config, AuthorityFile) }

// Authority returns the rows of the person's own table; none when there is no such file. What is wrong with it is a [UsageError].
func (d *Desk) Authority() ([]research.HostRow, error) {
	at := d.AuthorityPath()
	info, err := os.Stat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Fault("read the table of hosts", at, err)
	}
	if info.Size() > maxAuthority {
		return nil, usage("%s has %d bytes, and tables of up to %d are read: keep the rows you need", at, info.Size(), maxAuthority)
	}
	b, err := os.ReadFile(at)
	if err != nil {
		return nil, store.Fault("read the table of hosts", at, err)
	}
	rows, err := provenance.ReadHosts(at, strings.TrimPrefix(string(b), "\ufeff"))
	if err != nil {
		return nil, &UsageError{Err: fmt.Errorf("%w: each row is host, origin, tier, field, country and why, with tabs between", err)}
	}
	if len(rows) > maxAuthorityRows {
		return nil, usage("%s has %d rows, and %d are read: keep those you need", at, len(rows), maxAuthorityRows)
	}
	return rows, nil
}

// AuthorityOf says who stands behind a host, by whose table, and why.
func (d *Desk) AuthorityOf(host string) (string, error) {
	rows, err := d.Authority()
	if err != nil {
		return "", err
	}
	if _, after, ok := strings.Cut(host, "://"); ok {
		host = after
	}
	location := "https://" + host
	if u, err := url.Parse(location); err != nil || u.Hostname() == "" || strings.ContainsFunc(host, unicode.IsSpace) {
		return "", &UsageError{Err: fmt.Errorf("host %q: it is not the name of a host, such as who.int", host)}
	}
	if r := provenance.RowOf(rows, location); r != nil {
		return fmt.Sprintf("%s: %s, tier %d, by %s (%s): %s", host, r.Origin, r.Tier, d.AuthorityPath(), r.Name, r.Why), nil
	}
	if h, ok := provenance.LookUp(provenance.HostOf(location)); ok {
		return fmt.Sprintf("%s: %s, tier %d, by the program's table (%s): %s", host, h.Origin, h.Tier, h.Name, h.Why), nil
	}
	origin, tier := provenance.OriginOf(research.Document{Location: location})
	return fmt.Sprintf("%s: in no table, so %s, tier %d", host, origin, tier), nil
}

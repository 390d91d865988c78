//go:build unix && !darwin

package desk

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// certified makes a certificate for a host, which is its own authority, and writes it to a file.
func certified(t *testing.T, host string) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// serveWikidata answers as Wikidata does about one entity, and notes which words it was asked.
func (w *web) serveWikidata(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	rw.Header().Set("Content-Type", "application/json")
	switch q.Get("action") {
	case "wbsearchentities":
		w.note(r, "wikidata: "+q.Get("search"))
		_, _ = io.WriteString(rw, `{"search":[{"id":"Q7","label":"Marrow kiln","description":"kiln in the valley"}],"success":1}`)
	case "wbgetentities":
		for name := range q { // the second request holds numbers and nothing of the question
			if strings.Contains(strings.ToLower(q.Get(name)), "marrow") {
				w.note(r, "wikidata: "+name+"="+q.Get(name))
			}
		}
		_, _ = io.WriteString(rw, `{"entities":{"Q7":{"id":"Q7","labels":{"en":{"value":"Marrow kiln"}},"aliases":{"en":[{"value":"Old Marrow Kiln"}]},"descriptions":{"en":{"value":"kiln in the valley"}}}},"success":1}`)
	default:
		w.note(r, "wikidata: "+r.URL.RawQuery)
		http.NotFound(rw, r)
	}
}

// TestWikidataCaptured asks of Wikidata too that what was shown before, what the outbox says after and what a listener behind the TLS of
// its name takes down are the same. It runs as a program of its own, because the authorities a program trusts are read once.
func TestWikidataCaptured(t *testing.T) {
	const trusted = "ASSAY_TEST_WIKIDATA"
	if os.Getenv(trusted) == "" {
		certificate, file := certified(t, "www.wikidata.org")
		key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		keyFile := filepath.Join(t.TempDir(), "key.pem")
		if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWikidataCaptured$", "-test.v")
		cmd.Env = append(os.Environ(), trusted+"="+keyFile, "SSL_CERT_FILE="+file, "SSL_CERT_DIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestWikidataCaptured") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	certificate, err := tls.LoadX509KeyPair(os.Getenv("SSL_CERT_FILE"), os.Getenv(trusted))
	if err != nil {
		t.Fatal(err)
	}
	w := newWeb(t, made())
	data := httptest.NewUnstartedServer(http.HandlerFunc(w.serveWikidata))
	data.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	data.StartTLS()
	defer data.Close()
	w.secure = data.Listener.Addr().String()
	d := w.joined(t, "wikidata")
	j := start(t, d, webRequest(kilnQuestion), StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	run := exported(t, j)
	w.equalsOutbox(t, run)
	asked, said := 0, research.NameLookup{}
	for _, q := range w.queries {
		if q == "wikidata: Marrow" {
			asked++
		} else if strings.HasPrefix(q, "wikidata: ") {
			t.Errorf("it was asked %q", q)
		}
	}
	for _, ev := range run.Events {
		if ev.Kind == research.EventNames {
			if err := json.Unmarshal(ev.Payload, &said); err != nil {
				t.Fatal(err)
			}
		}
	}
	if asked != 1 || said.Fault != "" || len(said.Entries) != 1 {
		t.Errorf("it was asked %d times and said %+v", asked, said)
	}
}

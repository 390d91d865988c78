package search

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// peersEnv runs the tests against a MediaWiki and a searx of this machine, which `make release-check` installs.
const peersEnv = "ASSAY_TEST_PEERS"

// freePort is a port of this machine that nobody uses now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serving starts a program and waits until an address of it answers.
func serving(t *testing.T, at string, cmd *exec.Cmd) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	for range 1200 {
		if resp, err := http.Get(at); err == nil {
			resp.Body.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", cmd.Path, err, said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer\n%s", cmd.Path, said.String())
}

// startMediaWiki installs the wiki of the Debian package into a folder of its own, writes pages into it and serves it.
func startMediaWiki(t *testing.T, pages map[string]string) (base string) {
	t.Helper()
	const installed = "/var/lib/mediawiki"
	if _, err := os.Stat(installed + "/index.php"); err != nil {
		t.Skip("needs the package mediawiki: make release-check installs it")
	}
	dir := t.TempDir()
	wiki := filepath.Join(dir, "wiki")
	run := func(in string, name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Stdin = strings.NewReader(in)
		if name != "sh" {
			cmd.Dir = wiki
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	// Its settings are a link to a file that is not there yet, of which cp complains.
	run("", "sh", "-c", `cp -rL "$1" "$2" 2>/dev/null; test -e "$2/maintenance/install.php"`, "copy", installed, wiki)
	if err := os.Symlink(".", filepath.Join(wiki, "w")); err != nil { // where searx looks for a wiki's interface
		t.Fatal(err)
	}
	port := freePort(t)
	base = fmt.Sprintf("http://127.0.0.1:%d", port)
	run("", "php", "maintenance/install.php", "--dbtype", "sqlite", "--dbpath", filepath.Join(dir, "data"), "--dbname", "wiki", "--server", base, "--scriptpath", "", "--pass", "a-long-Passw0rd-for-tests", "TestWiki", "Admin")
	for title, body := range pages {
		run(body, "php", "maintenance/edit.php", "-u", "Admin", title)
	}
	run("", "php", "maintenance/rebuildtextindex.php")
	cmd := exec.CommandContext(context.Background(), "php", "-S", strings.TrimPrefix(base, "http://"))
	cmd.Dir = wiki
	serving(t, base+"/api.php", cmd)
	return base
}

// TestPeersReal asks a real MediaWiki through our provider, and a real searx that asks that wiki and an engine that is down.
func TestPeersReal(t *testing.T) {
	if os.Getenv(peersEnv) == "" {
		t.Skipf("needs a MediaWiki and a searx: set %s, or make release-check", peersEnv)
	}
	base := startMediaWiki(t, map[string]string{
		"Marrow kiln": "The '''Marrow kiln''' is fired to 1,240 degrees by its potters.", "Skerry lighthouse": "The lighthouse was built in 1874.", "Kiln": "A kiln is an oven for clay.",
	})
	wiki, err := NewMediaWiki(Config{Client: http.DefaultClient, Base: base + "/api.php"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := wiki.Ask(t.Context(), research.Query{Text: "marrow kiln", Lang: "en", Limit: 5})
	if err != nil || len(got.Hits) == 0 || got.Hits[0].Title != "Marrow kiln" || !strings.HasPrefix(got.Hits[0].Location, base+"/index.php") {
		t.Fatalf("MediaWiki: %+v, %v", got, err)
	}
	if resp, err := http.Get(got.Hits[0].Location); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("its page: %v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
	if none, err := wiki.Ask(t.Context(), research.Query{Text: "zzyzx", Lang: "en", Limit: 5}); err != nil || len(none.Hits) != 0 {
		t.Errorf("a word that no page has: %+v, %v", none, err)
	}
	t.Run("searx", func(t *testing.T) {
		program, err := exec.LookPath("searx-run")
		if err != nil {
			t.Skip("needs the package searx: make release-check installs it")
		}
		at := startSearx(t, program, base)
		p, err := NewSearXNG(Config{Client: http.DefaultClient, Base: at})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Ask(t.Context(), research.Query{Text: "marrow kiln", Lang: "en", Limit: 5})
		if err != nil || len(got.Hits) == 0 || got.Hits[0].Title != "Marrow kiln" || !strings.Contains(strings.Join(got.Notes, " "), "deadengine") {
			t.Errorf("searx: %+v, %v", got, err)
		}
	})
}

// startSearx serves searx with two engines: the wiki, and one that nobody answers for.
func startSearx(t *testing.T, program, wiki string) (base string) {
	t.Helper()
	port := freePort(t)
	settings := filepath.Join(t.TempDir(), "settings.yml")
	write(t, settings, []byte(fmt.Sprintf(`use_default_settings: False
general: {debug: False, instance_name: "test"}
brand: {git_url: x, git_branch: x, issue_url: x, docs_url: x, public_instances: x, wiki_url: x, twitter_url: x}
search: {safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 5, max_ban_time_on_fail: 120, prefer_configured_language: False}
server: {port: %d, bind_address: "127.0.0.1", secret_key: "a-key-for-the-test-01", base_url: False, image_proxy: False, http_protocol_version: "1.1", method: "GET", default_http_headers: {}}
ui: {static_path: "/usr/share/python3-searx/static", templates_path: "/usr/share/python3-searx/templates", default_theme: simple, default_locale: "", theme_args: {oscar_style: logicodev}}
outgoing: {request_timeout: 5.0, useragent_suffix: "", pool_connections: 10, pool_maxsize: 10}
engines:
  - {name: localwiki, engine: mediawiki, shortcut: lw, base_url: "%s/", number_of_results: 5, search_type: text, categories: general, enable_http: True}
  - {name: deadengine, engine: mediawiki, shortcut: de, base_url: "http://127.0.0.1:%d/", number_of_results: 5, search_type: text, categories: general, enable_http: True}
locales: {en: English}
doi_resolvers: {oadoi.org: "https://oadoi.org/"}
default_doi_resolver: oadoi.org
`, port, wiki, freePort(t))))
	cmd := exec.CommandContext(context.Background(), program)
	cmd.Env = append(os.Environ(), "SEARX_SETTINGS_PATH="+settings)
	base = fmt.Sprintf("http://127.0.0.1:%d", port)
	serving(t, base+"/", cmd)
	return base
}

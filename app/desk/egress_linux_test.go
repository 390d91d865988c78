package desk

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"assay/engine/ollama"
	"assay/engine/research"
)

// insideEnv says that the test runs where the only way out is an interface that counts.
const insideEnv = "ASSAY_TEST_NETNS"

// TestNoEgress runs [closedHome] in a network of its own, in which every packet that leaves the machine is counted.
func TestNoEgress(t *testing.T) {
	if os.Getenv(insideEnv) != "" {
		closedHome(t)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("a network of its own is made for this; run as root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("the program ip is not installed; apt-get install iproute2 installs it")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoEgress$", "-test.v")
	cmd.Env = append(os.Environ(), insideEnv+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "--- SKIP") {
		t.Skipf("%s", out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestNoEgress") {
		t.Errorf("%v\n%s", err, out)
	}
}

// outside counts the packets that left this machine.
func outside(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/sys/class/net/out/statistics/tx_packets")
	if err != nil {
		// The folder shows the network of whoever mounted it.
		var all []byte
		if all, err = os.ReadFile("/proc/self/net/dev"); err == nil {
			_, line, found := strings.Cut(string(all), "out:")
			if fields := strings.Fields(line); found && len(fields) > 9 {
				b = []byte(fields[9])
			} else {
				err = errors.New("there is no interface of that name")
			}
		}
	}
	n, err2 := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || err2 != nil {
		t.Fatalf("count packets: %v, %v", err, err2)
	}
	return n
}

// closedHome is a home with the offline switch on: a server of our own, models that others would answer, a server elsewhere, a pull. Nothing
// leaves, and everything that was refused is named. With the switch off the same pull does send, so the count can fail.
func closedHome(t *testing.T) {
	t.Helper()
	for _, line := range []string{
		"link set lo up", "link add out type veth peer name in", "addr add 192.0.2.2/24 dev out", "link set in up", "link set out up",
		"neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev out", "route add default via 192.0.2.1",
	} {
		if strings.HasPrefix(line, "link set in") { // the kernel's own greetings in IPv6 are not ours
			for _, name := range []string{"in", "out"} {
				_ = os.WriteFile("/proc/sys/net/ipv6/conf/"+name+"/disable_ipv6", []byte("1"), 0o644)
			}
		}
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", line, err, out)
		}
	}
	before := outside(t)
	m := newPlace(t)
	d := m.open(t, "terminal")
	managedOn(t, d)
	set := d.Settings()
	set.Offline = true
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	makeTiny(t, d)
	if _, err := d.LoadModel(t.Context(), "tiny", LoadOptions{NumCtx: 2048}); err != nil {
		t.Error(err)
	}
	if ch, err := d.Channel(t.Context()); err != nil || ch.Name != "ollama:tiny:latest" {
		t.Errorf("Channel = %+v, %v", ch, err)
	}
	_ = d.Doctor(t.Context())
	req := request(folder(t))
	req.Egress = research.Closed
	if res := wait(t, start(t, d, req, StartOptions{})); res.Err != nil {
		t.Errorf("a closed research ended with %v", res.Err)
	}
	closedDeliveries(t, d)
	for _, name := range []string{"llama3.1:8b", "192.0.2.9/library/x", "hf.co/user/x"} {
		n, err := ollama.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = d.PullModel(t.Context(), name, n.Host)
		if !errors.Is(err, research.ErrForbidden) || !strings.Contains(err.Error(), n.Short()) || !strings.Contains(err.Error(), n.Host) {
			t.Errorf("PullModel(%s) = %v, want it refused and named", name, err)
		}
	}
	elsewhere := newPlace(t)
	elsewhere.host = "192.0.2.7:11434"
	far := elsewhere.open(t, "window")
	if err := far.SetSettings(Settings{Offline: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := far.Models(t.Context()); !errors.Is(err, research.ErrForbidden) || !strings.Contains(err.Error(), "192.0.2.7") {
		t.Errorf("Models of a server elsewhere = %v, want it refused and named", err)
	}
	if ch, err := far.Channel(t.Context()); err != nil || ch.Name != "extractive" || !strings.Contains(ch.Why, "192.0.2.7") {
		t.Errorf("Channel = %+v, %v", ch, err)
	}
	// The library's vectors come from a server of this machine or from none; engines elsewhere are not asked, and kept pages not asked for again.
	if err := far.SetSettings(Settings{Offline: true, Web: WebSettings{SearXNG: "http://192.0.2.8:8888", Kiwix: "http://192.0.2.8:8080", Feeds: []string{"http://192.0.2.8/feed"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := far.AddLibrary(t.Context(), folder(t), nil); err != nil {
		t.Fatal(err)
	}
	if _, words, err := far.EmbedLibrary(t.Context(), nil); err != nil || !strings.Contains(words, "192.0.2.7") {
		t.Errorf("EmbedLibrary = %q, %v, want the server elsewhere refused and named", words, err)
	}
	asks := request(folder(t))
	asks.Egress, asks.LookUp = research.Web, true
	if asks, err := far.complete(asks); err != nil || asks.LookUp || asks.Egress != research.Closed {
		t.Errorf("offline a research keeps the reach %q and looks works up: %v, %v", asks.Egress, asks.LookUp, err)
	}
	look, err := far.lookOutside(research.Request{Egress: research.Closed, Servers: true, LookUp: true}, func(o research.Outbound) {
		if o.Fault == "" {
			t.Errorf("asked: %+v", o)
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(look.refused, " "); len(look.providers) != 0 || !strings.Contains(said, "192.0.2.8:8888") || !strings.Contains(said, "192.0.2.8:8080") || look.works != nil || look.reader.copies != nil || look.reader.papers != nil {
		t.Errorf("a closed research looks works up or asks %d providers and refused %q", len(look.providers), said)
	}
	if got, err := look.reader.Read(t.Context(), "http://192.0.2.8/page"); err != nil || got.Verdict != research.Blocked {
		t.Errorf("a page elsewhere: %+v, %v", got, err)
	}
	look.client.Close()
	if n := outside(t) - before; n != 0 {
		t.Errorf("%d packets left a closed home", n)
	}
	openRun(t, before)

	set = d.Settings()
	set.Offline = false
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	openDelivery(t, d, outside(t))
	before = outside(t)
	p, _, err := d.PullModel(t.Context(), "192.0.2.9/library/x", "192.0.2.9")
	if err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return outside(t) > before })
	p.Cancel()
	<-p.Done()
}

// closedDeliveries hands the result of a closed research and of a closed watch to a webhook and a mail server elsewhere: both are refused
// and named in the record, and a watch that asks for the web stays closed while the switch is on.
func closedDeliveries(t *testing.T, d *Desk) {
	t.Helper()
	d.wire.keyring = &drawer{}
	for _, v := range []Delivery{
		{Name: "hook", Kind: DeliverWebhook, URL: "https://192.0.2.1/in", All: true},
		{Name: "named", Kind: DeliverWebhook, URL: "https://hooks.example.org/in", All: true},
		{Name: "mail", Kind: DeliverMail, Server: "192.0.2.1:587", From: "a@example.org", To: []string{"b@example.org"}, All: true},
	} {
		if _, err := d.AddDelivery(v); err != nil {
			t.Fatal(err)
		}
		if v.secret() != "" {
			if err := d.SetDeliveryKey(v.Name, hookSecret); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.TestDelivery(t.Context(), v.Name); err == nil {
			t.Errorf("a test of the delivery %s left an offline home", v.Name)
		}
	}
	w := Watch{Name: "closed", Schedule: "* * * * *", Request: request(folder(t))}
	w.Request.Now, w.Request.Egress = "", research.Web
	if _, err := d.AddWatch(w); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is held against the first
		res, err := d.RunWatch(t.Context(), "closed")
		if err != nil || res.State == WatchFailed {
			t.Fatalf("RunWatch = %+v, %v", res, err)
		}
		var events string
		until(t, func() bool {
			all, err := d.store.Events(res.Run, 0, 0)
			if err != nil {
				return false // the record is being written to
			}
			events = toJSON(t, all)
			return strings.Count(events, `"kind":"deliver"`) == 3
		})
		for _, host := range []string{"192.0.2.1:443", "hooks.example.org:443", "192.0.2.1:587"} {
			if !strings.Contains(events, `"host":"`+host+`","kind":"deliver"`) || !strings.Contains(events, "and the run is closed") {
				t.Errorf("the outbox of run %s does not name %s as refused", res.Run, host)
			}
		}
	}
}

// openDelivery hands a result to a webhook elsewhere with the switch off: packets do leave, so the count can fail.
func openDelivery(t *testing.T, d *Desk, before int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = d.TestDelivery(ctx, "hook") // nobody is there
	}()
	until(t, func() bool { return outside(t) > before })
	cancel()
	<-done
}

// openRun is a run of the web in the same network, where everything goes through a proxy on this machine: nothing leaves beside it, and
// what it and the servers of one's own were asked is what the preview and the outbox say. Public providers are on, so that the names of
// their hosts are captured too. Without the proxy packets do leave, so the count can fail.
func openRun(t *testing.T, before int) {
	t.Helper()
	w := newWeb(t, made())
	d := w.joined(t, "wikipedia-en", "crossref", "arxiv")
	j := start(t, d, webRequest(kilnQuestion), StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Errorf("a research of the web ended with %v", res.Err)
	}
	if n := outside(t) - before; n != 0 {
		t.Errorf("%d packets left beside the proxy", n)
	}
	w.equalsOutbox(t, exported(t, j))
	connects := 0
	for _, s := range w.seen {
		if strings.HasPrefix(s, "CONNECT ") {
			connects++
		}
	}
	if connects < 3 {
		t.Errorf("%d providers were asked through the proxy: %q", connects, w.seen)
	}
	offline := webRequest(kilnQuestion)
	offline.Egress, offline.Servers = research.Closed, true
	asked := len(w.queries)
	j = start(t, d, offline, StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Errorf("a closed research of one's own servers ended with %v", res.Err)
	}
	for _, q := range w.queries[asked:] {
		if strings.HasPrefix(q, "searxng") {
			t.Errorf("a closed research had SearXNG ask others: %q", q)
		}
	}
	if len(w.queries) == asked {
		t.Error("a closed research did not ask the wiki of this machine")
	}
	if n := outside(t) - before; n != 0 {
		t.Errorf("%d packets left a closed research of one's own servers", n)
	}
	s := d.Settings()
	s.Web.Proxy = ""
	if err := d.SetSettings(s); err != nil {
		t.Fatal(err)
	}
	at := outside(t)
	if _, err := d.Discover(t.Context(), webRequest("What is at http://192.0.2.9/ about the Marrow kiln?"), DiscoverOptions{}); err != nil {
		t.Errorf("Discover: %v", err)
	}
	until(t, func() bool { return outside(t) > at })
}

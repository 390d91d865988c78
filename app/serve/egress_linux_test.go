package serve_test

import (
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"assay/app/desk"
)

// insideEnv says that the test runs where the only way out is an interface that counts.
const insideEnv = "ASSAY_TEST_NETNS"

// TestNoEgress serves a home in a network of its own, in which every packet that leaves the machine is counted: a whole run over REST,
// claims, audits and the doctor let none out. What does leave is seen to be counted at the end.
func TestNoEgress(t *testing.T) {
	if os.Getenv(insideEnv) != "" {
		servedHome(t)
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
	all, err := os.ReadFile("/proc/self/net/dev")
	if err != nil {
		t.Fatal(err)
	}
	_, line, found := strings.Cut(string(all), "out:")
	fields := strings.Fields(line)
	if !found || len(fields) < 10 {
		t.Fatalf("count packets: %s", all)
	}
	n, err := strconv.Atoi(fields[9])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func servedHome(t *testing.T) {
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
	p := newPlace(t, plenty)
	id := p.run()
	for _, tc := range [][3]string{
		{"GET", "/v1/models"}, {"GET", "/v1/doctor"}, {"GET", "/v1/settings"}, {"GET", "/v1/library/search?q=gold"}, {"GET", "/v1/runs/" + id + "/report.html"},
		{"POST", "/v1/verify", `{"claim":"Gold melts at 1064 degrees Celsius."}`}, {"POST", "/v1/runs/" + id + "/audit?deep=true"}, {"POST", "/v1/runs/" + id + "/check"},
	} {
		p.want(http.StatusOK, "", desk.Admin, tc[0], tc[1], tc[2])
	}
	// What a caller names is not asked for either.
	p.want(http.StatusUnprocessableEntity, "", desk.Admin, "POST", "/v1/library", `{"folder":"http://192.0.2.9/x"}`)
	if n := outside(t) - before; n != 0 {
		t.Errorf("%d packets left a home that is served", n)
	}
	conn, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(conn) }()
	if err := syscall.Sendto(conn, []byte("x"), 0, &syscall.SockaddrInet4{Port: 9, Addr: [4]byte{192, 0, 2, 9}}); err != nil {
		t.Fatal(err)
	}
	if outside(t) == before {
		t.Error("a packet that left was not counted")
	}
}

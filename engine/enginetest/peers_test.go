package enginetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

// peersEnv names the file into which TestPeers writes where its servers are.
const peersEnv = "ASSAY_PEERS"

// TestPeers is no test of its own: it keeps a real Ollama server with three small models, and Debian's registry with one of
// them, for tests that are written in another language. They build this package's tests as a program, run it with
// -test.run=TestPeers and [peersEnv], and end it by closing its standard input. Meanwhile it takes commands there, one a line:
//
//	slow N         the registry sends N bytes a second, 0 as fast as it goes
//	delete NAME    the server forgets a model
func TestPeers(t *testing.T) {
	file := os.Getenv(peersEnv)
	if file == "" {
		t.Skip(peersEnv + " is not set: nobody needs the servers")
	}
	server := StartOllama(t)
	// Another seed is other weights: a registry keeps the bytes of each once, and the server would not fetch them again.
	server.Create("tiny2", Tiny{Seed: 2})
	server.Create("pulled", Tiny{Seed: 3, Layers: 8, Embedding: 192, Forward: 512}) // 14 MB, so that a pull takes a while
	where := map[string]string{"ollama": server.URL, "models": server.models}
	var registry *Registry
	if _, err := registryBinary(); err != nil {
		where["why"] = err.Error()
	} else {
		registry = StartRegistry(t)
		registry.Push(server, "pulled")
		where["registry"], where["name"] = registry.Addr, registry.Name("pulled")
	}
	forget(t, server, "pulled")
	b, err := json.Marshal(where)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".part", b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".part", file); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "slow":
			n, err := strconv.ParseInt(rest, 10, 64)
			if err != nil || registry == nil {
				t.Errorf("slow %s: %v", rest, err)
				continue
			}
			registry.Slow(n)
		case "delete":
			forget(t, server, rest)
		default:
			t.Errorf("unknown command %q", word)
		}
		fmt.Println("done", lines.Text())
	}
}

// forget has a server delete a model.
func forget(t *testing.T, o *Ollama, name string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"model": name})
	if err != nil {
		t.Fatal(err)
	}
	if answer, code, err := o.call(http.MethodDelete, "/api/delete", body); err != nil || code >= 300 {
		t.Errorf("delete %s: status %d, %v: %s", name, code, err, answer)
	}
}

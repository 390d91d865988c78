package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestServeTokens(t *testing.T) {
	x := newTerminal(t)
	x.want(0, "There is no token", "serve", "token", "list")
	out := x.want(0, "assay_", "serve", "token", "add", "notes", "--role", "researcher")
	token := strings.TrimSpace(out)
	if list := x.want(0, "researcher", "serve", "token", "list"); strings.Contains(list, token) || !strings.Contains(list, "notes") {
		t.Errorf("the list is %q", list)
	}
	x.want(0, `"role":"researcher"`, "serve", "token", "list", "--json")
	x.want(2, "there is one of this name", "serve", "token", "add", "notes")
	x.want(2, "use reader, researcher or admin", "serve", "token", "add", "b", "--role", "king")
	x.want(2, "a name has", "serve", "token", "add", "../x")
	x.want(2, "takes one argument", "serve", "token", "add")
	x.want(0, "Revoked", "serve", "token", "remove", "notes")
	x.want(2, "there is none of this name", "serve", "token", "remove", "notes")
	x.want(2, "there is no token: make one first", "serve", "--listen", "0.0.0.0:0")
	var doc struct{ OpenAPI string }
	if err := json.Unmarshal([]byte(x.want(0, "", "serve", "openapi")), &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Errorf("openapi %q, %v", doc.OpenAPI, err)
	}
}

// Standard output of assay mcp holds the protocol and nothing else, whatever goes wrong.
func TestMCPSpeaksCleanly(t *testing.T) {
	x := newTerminal(t)
	x.want(2, "use reader, researcher or admin", "mcp", "--role", "king")
	x.typed = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"report","arguments":{"id":"none"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_library","arguments":{"query":"gold"}}}
`
	out, errOut, code := x.run("mcp")
	if code != 0 {
		t.Fatalf("code %d: %s", code, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		var msg struct{ JSONRPC string }
		if err := json.Unmarshal([]byte(line), &msg); err != nil || msg.JSONRPC != "2.0" {
			t.Errorf("standard output holds %q", line)
		}
	}
	if len(lines) == 0 || !strings.Contains(lines[0], `"serverInfo"`) {
		t.Errorf("the first line is %q", lines[0])
	}
	if len(lines) != 3 {
		t.Errorf("%d answers to three calls of a client that then closed its side", len(lines))
	}
}

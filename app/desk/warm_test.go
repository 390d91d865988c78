package desk

import (
	"fmt"
	"testing"

	"assay/engine/enginetest"
)

// A server that fails once, at whichever of its first calls, does not end the run that has not begun; one that fails always does, with
// a sentence.
func TestWarm(t *testing.T) {
	for n := range 4 {
		t.Run(fmt.Sprintf("call %d fails", n), func(t *testing.T) {
			s := enginetest.NewServer(t)
			s.Fault = func(k int, _ enginetest.ChatRequest) enginetest.Fault {
				if k == n {
					return enginetest.Status500
				}
				return enginetest.Good
			}
			d := openWith(t, map[string]string{"OLLAMA_HOST": s.URL})
			req := request(folder(t))
			req.Model = "ollama:tiny"
			if res := wait(t, start(t, d, req, StartOptions{})); res.Digest == nil || res.Exit != ExitDone {
				t.Errorf("the run ended with %+v", res)
			}
		})
	}
	s := enginetest.NewServer(t)
	s.Fault = func(int, enginetest.ChatRequest) enginetest.Fault { return enginetest.Status500 }
	d := openWith(t, map[string]string{"OLLAMA_HOST": s.URL})
	req := request(folder(t))
	req.Model = "ollama:tiny"
	if res := wait(t, start(t, d, req, StartOptions{})); res.Exit != ExitModel || res.Err == nil {
		t.Errorf("a server that always fails: %+v", res)
	}
}

package cli

import (
	"errors"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestSayIsPlain(t *testing.T) {
	var b strings.Builder
	say(&b, "%s|%v|%s|%d\n", "a\x1b[2J\x07\x7f\u009b\u202eb", errors.New("x\ny"), research.Verdict("v\r"), 3)
	if want := "a\ufffd[2J\ufffd\ufffd\ufffd\ufffdb|x y|v |3\n"; b.String() != want {
		t.Errorf("say printed %q, want %q", b.String(), want)
	}
}

func TestCount(t *testing.T) {
	if got := count(1, "finding") + ", " + count(0, "source"); got != "1 finding, 0 sources" {
		t.Errorf("count = %q", got)
	}
}

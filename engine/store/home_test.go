package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"assay/engine/research"
)

func TestListRenameDelete(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	if infos, err := h.List(); err != nil || len(infos) != 0 {
		t.Fatalf("List of a new home = %v, %v", infos, err)
	}
	r := create(t, h)
	if err := r.AddOut("/out/a"); err != nil {
		t.Fatal(err)
	}
	if info, err := h.Show(r.ID()); err != nil || info.State != "running" || !strings.Contains(info.Holder, "terminal") {
		t.Errorf("Show of an open run = %+v, %v", info, err)
	}
	if _, err := h.Delete(r.ID()); err == nil {
		t.Error("a running run was deleted")
	}
	if _, err := r.Append(research.Event{Kind: research.EventState, Payload: json.RawMessage(`{"state":"done","detail":"d"}`)}); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Rename(r.ID(), "  New\n title "); err != nil {
		t.Fatal(err)
	}
	if err := h.SetProject(r.ID(), "Metals"); err != nil {
		t.Fatal(err)
	}
	if err := h.Rename(r.ID(), " "); err == nil {
		t.Error("an empty title was taken")
	}
	if err := os.Remove(filepath.Join(h.Dir(r.ID()), "info.json")); err != nil {
		t.Fatal(err)
	}
	infos, err := h.List() // from the record, since the copy is gone
	if err != nil || len(infos) != 1 {
		t.Fatalf("List = %v, %v", infos, err)
	}
	got := infos[0]
	if got.Title != "New title" || got.Project != "Metals" || got.State != "done" || got.Holder != "" || got.Question != request().Question {
		t.Errorf("List = %+v", got)
	}
	if id, err := h.Find(r.ID()[:12]); err != nil || id != r.ID() {
		t.Errorf("Find = %s, %v", id, err)
	}
	remain, err := h.Delete(r.ID())
	if err != nil || len(remain) != 0 { // the header copy that named them is gone
		t.Errorf("Delete = %v, %v", remain, err)
	}
	for _, id := range []string{r.ID(), "../../etc", ""} {
		if _, err := h.Show(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("Show(%q) = %v, want ErrNotFound", id, err)
		}
		if _, err := h.Find(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("Find(%q) = %v, want ErrNotFound", id, err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "runs")); err != nil || len(left) != 0 {
		t.Errorf("the delete left %v, %v", left, err)
	}
}

func TestDeleteSaysWhatRemains(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	if err := errors.Join(r.AddOut("/out/a"), r.AddOut("/out/a"), r.Close()); err != nil {
		t.Fatal(err)
	}
	remain, err := h.Delete(r.ID())
	if err != nil || len(remain) != 2 || !strings.Contains(remain[0], "/out/a") || !strings.Contains(remain[1], "library") {
		t.Errorf("Delete = %q, %v", remain, err)
	}
}

func TestOtherVersionOpensButIsNotResumed(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var ve *VersionError
	if _, err := h.Resume(r.ID(), "2.0"); !errors.As(err, &ve) || !strings.Contains(err.Error(), "1.0") {
		t.Errorf("Resume under other code = %v, want a VersionError", err)
	}
	back, err := h.Resume(r.ID(), "1.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := back.setHeader(func(hd *header) { hd.Schema = 99 }); err != nil {
		t.Fatal(err)
	}
	if err := back.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Resume(r.ID(), "1.0"); !errors.As(err, &ve) {
		t.Errorf("Resume of another schema = %v, want a VersionError", err)
	}
	if _, err := h.Events(r.ID(), 0, 0); err != nil {
		t.Errorf("a record of another version does not open: %v", err)
	}
}

// TestFullDisk makes the database refuse to grow, which is what a full disk does to it.
func TestFullDisk(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	appendKeyed(t, r, "model/1", `{}`)
	r.db.MaxSize = 64 << 10
	sha, err := r.PutBlob(strings.Repeat("y", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(research.Event{Kind: "model", Key: "model/2"}); err == nil {
		t.Fatal("the append that did not fit succeeded")
	}
	if _, ok := r.Get("model/1"); !ok {
		t.Error("an earlier event is lost")
	}
	if _, ok := r.Get("model/2"); ok {
		t.Error("the event that failed is held")
	}
	r.db.MaxSize = 0 // space again
	appendKeyed(t, r, "model/2", `{}`)
	if _, err := r.Blob(sha); err != nil {
		t.Errorf("the text of the failed write is lost: %v", err)
	}
}

func TestReadOnlyHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, "terminal"); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("Open of a file = %v", err)
	}
	if os.Geteuid() == 0 {
		t.Log("root writes everywhere: permissions are not tried, only the sentence")
		err := Fault("start a run", "/home/x", fmt.Errorf("mkdir: %w", os.ErrPermission))
		if err := OutFault("out", "/o", os.ErrPermission); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "--out") {
			t.Errorf("OutFault = %v, want --out named", err)
		}
		if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "ASSAY_HOME") {
			t.Errorf("fault = %v", err)
		}
		return
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Create(request(), "1.0"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Create = %v, want ErrReadOnly", err)
	}
}

// child is the second process of TestTwoProcesses: it makes a run, appends two events, says so and waits to be killed.
func child(dir string) int {
	h, err := Open(dir, "window")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	r, err := h.Create(request(), "1.0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := r.Append(research.Event{Kind: "model", Key: "model/1", Payload: json.RawMessage(`{}`)}); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(r.ID())
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent kills it or goes
	return 0
}

func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_CHILD="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(line)

	h := open(t, dir)
	info, err := h.Show(id)
	if err != nil || info.State != "running" || !strings.Contains(info.Holder, fmt.Sprint(cmd.Process.Pid)) {
		t.Fatalf("Show of a run of another process = %+v, %v", info, err)
	}
	for name, fn := range map[string]func() error{
		"resume": func() error { _, err := h.Resume(id, "1.0"); return err },
		"export": func() error { _, err := h.Events(id, 0, 0); return err },
		"delete": func() error { _, err := h.Delete(id); return err },
	} {
		var le *LockedError
		if err := fn(); !errors.As(err, &le) || le.Holder.PID != cmd.Process.Pid || !strings.Contains(err.Error(), "window") {
			t.Errorf("%s of a run of another process = %v, want a LockedError that names it", name, err)
		}
	}
	mine := create(t, h) // a second run beside it
	appendKeyed(t, mine, "model/1", `{}`)

	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if info, err := h.Show(id); err != nil || info.State != "interrupted" || info.Holder != "" {
		t.Errorf("Show after the kill = %+v, %v, want interrupted", info, err)
	}
	r, err := h.Resume(id, "1.0")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Get("model/1"); !ok {
		t.Error("the event of the killed process is lost")
	}
}

func TestDamagedRecordIsListed(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(h.db(r.ID()), []byte(strings.Repeat("no database ", 2000)), 0o644),
		os.WriteFile(filepath.Join(h.Dir(r.ID()), "info.json"), []byte("{"), 0o644)); err != nil {
		t.Fatal(err)
	}
	infos, err := h.List()
	if err != nil || len(infos) != 1 || infos[0].State != "failed" || !strings.Contains(infos[0].Detail, "damaged") {
		t.Errorf("List = %+v, %v", infos, err)
	}
	var de *DamagedError
	if _, err := h.Resume(r.ID(), "1.0"); !errors.As(err, &de) {
		t.Errorf("Resume = %v, want a DamagedError", err)
	}
}

func TestMissingBucketIsDamage(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(h.db(r.ID()), 0o644, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error { return tx.DeleteBucket(bucketKeys) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	var de *DamagedError
	if _, err := h.Resume(r.ID(), "1.0"); !errors.As(err, &de) {
		t.Errorf("Resume = %v, want a DamagedError", err)
	}
}

// TestDamagedPageIsDamage empties each page of a record in turn: whatever reads it says so, and nothing ends the program.
func TestDamagedPageIsDamage(t *testing.T) {
	h := open(t, t.TempDir())
	r := create(t, h)
	for i := range 60 {
		if _, err := r.Append(research.Event{Kind: research.EventNote, Payload: json.RawMessage(strconv.Quote(strings.Repeat(strconv.Itoa(i), 500)))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(h.db(r.ID()))
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for at := 0; at+4096 <= len(whole); at += 4096 {
		b := bytes.Clone(whole)
		clear(b[at : at+4096])
		if err := os.WriteFile(h.db(r.ID()), b, 0o644); err != nil {
			t.Fatal(err)
		}
		var de *DamagedError
		if err := h.Export(r.ID(), io.Discard); errors.As(err, &de) {
			told++
		}
	}
	if told == 0 {
		t.Errorf("no damage was told in %d pages", len(whole)/4096)
	}
}

func TestShorten(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		n        int
		want     string
	}{
		{"short", "abc", 5, "abc"},
		{"at a word", "what is the oldest", 12, "what is…"},
		{"one word", "abcdefghij", 5, "abcd…"},
		{"characters", "漢字漢字漢字", 4, "漢字漢…"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shorten(tc.in, tc.n); got != tc.want {
				t.Errorf("shorten(%q, %d) = %q, want %q", tc.in, tc.n, got, tc.want)
			}
		})
	}
}

package tiny

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// TestGGUF holds that the files of all architectures have the right frame: what the head promises is there, in its place. That
// a server loads them is tested with the real one.
func TestGGUF(t *testing.T) {
	for _, arch := range Architectures() {
		t.Run(arch, func(t *testing.T) {
			m := Model{Arch: arch}
			file := m.GGUF()
			if !bytes.Equal(file, m.GGUF()) {
				t.Error("two files of one shape differ")
			}
			r := reader{t, file, 4}
			if version := r.u32(); string(file[:4]) != "GGUF" || version != 3 {
				t.Fatalf("version %d", version)
			}
			tensors, keys := r.u64(), r.u64()
			architecture := ""
			for range keys {
				key := r.text()
				if v := r.value(); key == "general.architecture" {
					architecture = v
				} else if !strings.HasPrefix(key, "general.") && !strings.HasPrefix(key, "tokenizer.") && !strings.HasPrefix(key, arch+".") {
					t.Errorf("key %q", key)
				}
			}
			if architecture != arch {
				t.Errorf("general.architecture is %q", architecture)
			}
			end := uint64(0)
			names := map[string]bool{}
			for range tensors {
				name, size := r.text(), uint64(4)
				for range r.u32() {
					size *= r.u64()
				}
				if kind, offset := r.u32(), r.u64(); kind != 0 || offset != (end+31)/32*32 || names[name] {
					t.Errorf("tensor %s: kind %d at %d, want one after %d", name, kind, offset, end)
				} else {
					end = offset + size
				}
				names[name] = true
			}
			if data := (r.at + 31) / 32 * 32; uint64(len(file)-data) != (end+31)/32*32 {
				t.Errorf("%d bytes of weights, want %d", len(file)-data, end)
			}
			if !names["token_embd.weight"] || !names["blk.1.attn_norm.weight"] || names["blk.2.attn_norm.weight"] {
				t.Errorf("tensors %v", names)
			}
		})
	}
	if len(Architectures()) < 6 {
		t.Errorf("architectures %v, want six at least", Architectures())
	}
}

// reader reads the parts of the format back.
type reader struct {
	t    *testing.T
	file []byte
	at   int
}

func (r *reader) take(n int) []byte {
	if n < 0 || r.at+n > len(r.file) {
		r.t.Fatalf("the file ends at %d", r.at)
	}
	r.at += n
	return r.file[r.at-n : r.at]
}

func (r *reader) u32() uint32  { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64  { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) text() string { return string(r.take(int(r.u64()))) }

// value skips a value; a text is returned.
func (r *reader) value() string {
	switch kind := r.u32(); kind {
	case 4, 5, 6:
		r.take(4)
	case 8:
		return r.text()
	case 9:
		of, n := r.u32(), r.u64()
		for range n {
			if of == 8 {
				r.text()
			} else {
				r.take(4)
			}
		}
	default:
		r.t.Fatalf("a value of type %d", kind)
	}
	return ""
}

package ollama

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"
)

// errShort: a GGUF file ends before what its own header announces.
var errShort = errors.New("it is cut off")

// errNoModel: a header that no server makes a model of; it is wrapped in what is wrong with it.
var errNoModel = errors.New("no model")

// errOdd: a header that this reader does not understand, which the server may.
var errOdd = errors.New("not understood")

// ggufTypes are bytes for so many elements of each number format, by ggml's own numbers. Source: ggml.h and ggml-common.h of
// llama.cpp; 4 is what Ollama called MXFP4 before llama.cpp had it.
var ggufTypes = map[uint32][2]uint64{
	0: {1, 4}, 1: {1, 2}, 2: {32, 18}, 3: {32, 20}, 4: {32, 17}, 6: {32, 22}, 7: {32, 24}, 8: {32, 34}, 9: {32, 36}, 10: {256, 84}, 11: {256, 110},
	12: {256, 144}, 13: {256, 176}, 14: {256, 210}, 15: {256, 292}, 16: {256, 66}, 17: {256, 74}, 18: {256, 98}, 19: {256, 50}, 20: {32, 18},
	21: {256, 110}, 22: {256, 82}, 23: {256, 136}, 24: {1, 1}, 25: {1, 2}, 26: {1, 4}, 27: {1, 8}, 28: {1, 8}, 29: {256, 56}, 30: {1, 2},
	34: {256, 54}, 35: {256, 66}, 39: {32, 17},
}

// ggufValues are the sizes of the values of a key, by their type; texts (8) and lists (9) have none of their own.
var ggufValues = map[uint32]uint64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// ggufSize is how many bytes a GGUF file of this header has to have. The error wraps [errShort] when the header itself is not
// whole, [errNoModel] when no server makes a model of it, and [errOdd] when only the server can judge; size bounds all that is read.
func ggufSize(r io.Reader, size uint64) (uint64, error) {
	g := ggufReader{r: bufio.NewReaderSize(r, 1<<16), size: size, align: 32}
	need := g.header()
	if errors.Is(g.err, io.EOF) || errors.Is(g.err, io.ErrUnexpectedEOF) {
		return 0, errShort
	}
	return need, g.err
}

// ggufReader reads a header from its start. After the first fault it reads nothing.
type ggufReader struct {
	r     *bufio.Reader
	at    uint64 // bytes read
	size  uint64
	align uint64
	named bool // its architecture
	err   error
}

// ggufVersion judges the version of the format. Versions 2 and 3 are read; llama.cpp refuses the first, which nothing has written
// since 2023. A header of the other byte order, as big-endian machines write it, has its version in the upper half: Ollama 0.17.4
// takes the counts that follow for huge ones, asks for that much memory and dies of it.
func ggufVersion(version uint32) error {
	switch {
	case version == 2 || version == 3:
		return nil
	case version != 0 && version&0xffff == 0:
		return fmt.Errorf("it is written for machines of the other byte order (big-endian); get the little-endian file: %w", errNoModel)
	}
	return fmt.Errorf("it is of version %d of the format and servers run 2 and 3; get one of those: %w", version, errNoModel)
}

func (g *ggufReader) header() uint64 {
	g.skip(4) // the magic
	if version := g.u32(); g.err == nil {
		g.err = ggufVersion(version)
	}
	tensors, keys := g.u64(), g.u64()
	if g.err == nil && tensors == 0 {
		g.err = fmt.Errorf("it has no tensors, which are a model's weights; get one that has: %w", errNoModel)
	}
	for i := uint64(0); i < keys && g.err == nil; i++ {
		g.key()
	}
	var need uint64
	for i := uint64(0); i < tensors && g.err == nil; i++ {
		need = max(need, g.tensor())
	}
	if g.err == nil && !g.named {
		g.err = fmt.Errorf("it does not name its architecture, so no server knows how to run it; get one that does: %w", errNoModel)
	}
	if g.err != nil {
		return g.at
	}
	start := (g.at + g.align - 1) / g.align * g.align
	if need > 1<<62 {
		g.err = errOdd
	}
	return start + need
}

// key reads a key and its value; the only one that matters is the alignment.
func (g *ggufReader) key() {
	n := g.u64()
	name := ""
	if n <= 256 {
		b := make([]byte, n)
		g.read(b)
		name = string(b)
	} else {
		g.skip(n)
	}
	kind := g.u32()
	if name == "general.alignment" && kind == 4 {
		if a := uint64(g.u32()); a > 0 && a <= 1<<20 {
			g.align = a
		}
		return
	}
	g.named = g.named || name == "general.architecture" && kind == 8
	g.value(kind, 0)
}

func (g *ggufReader) value(kind uint32, depth int) {
	size, fixed := ggufValues[kind]
	switch {
	case g.err != nil:
	case fixed:
		g.skip(size)
	case kind == 8:
		g.skip(g.u64())
	case kind == 9 && depth < 4:
		of, n := g.u32(), g.u64()
		if size, fixed := ggufValues[of]; fixed {
			hi, lo := bits.Mul64(size, n)
			if hi != 0 {
				lo = g.size + 1
			}
			g.skip(lo)
			return
		}
		for i := uint64(0); i < n && g.err == nil; i++ {
			g.value(of, depth+1)
		}
	default:
		g.err = errOdd
	}
}

// tensor reads what is said of a tensor and returns where its data ends, counted from the start of all data. Of a format that is
// not known the data's start is returned.
func (g *ggufReader) tensor() uint64 {
	g.skip(g.u64())
	dims := g.u32()
	if g.err == nil && dims > 8 { // the server makes room for as many as are said
		g.err = fmt.Errorf("a tensor of it is said to have %d dimensions, and four are the most there are; get the file again: %w", dims, errNoModel)
	}
	elements := uint64(1)
	for i := uint32(0); i < dims && g.err == nil; i++ {
		hi, lo := bits.Mul64(elements, g.u64())
		if elements = lo; g.err == nil && (hi != 0 || lo > 1<<52) {
			g.err = fmt.Errorf("a tensor of it is said to have more elements than any disk holds; get the file again: %w", errNoModel)
		}
	}
	b, known := ggufTypes[g.u32()]
	offset := g.u64()
	if g.err != nil || !known {
		return offset
	}
	if offset > 1<<60 {
		return offset
	}
	return offset + elements/b[0]*b[1]
}

// skip passes over n bytes.
func (g *ggufReader) skip(n uint64) {
	if g.err != nil {
		return
	}
	if n > g.size-min(g.at, g.size) {
		g.err = io.ErrUnexpectedEOF
		return
	}
	g.at += n
	for n > 0 && g.err == nil {
		step := int(min(n, 1<<30))
		_, g.err = g.r.Discard(step)
		n -= uint64(step)
	}
}

func (g *ggufReader) read(b []byte) {
	if g.err != nil {
		return
	}
	_, g.err = io.ReadFull(g.r, b)
	g.at += uint64(len(b))
}

func (g *ggufReader) u32() uint32 {
	var b [4]byte
	g.read(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (g *ggufReader) u64() uint64 {
	var b [8]byte
	g.read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// wholeModel says in a sentence that a GGUF file is cut off; nil when it is whole, or of a form that only the server can judge.
func wholeModel(file string, r io.Reader, size int64) error {
	need, err := ggufSize(r, uint64(size))
	switch {
	case errors.Is(err, errShort):
		return saying(ErrFile, "%s is cut off: it ends within its own header; get the file again", file)
	case errors.Is(err, errNoModel):
		return saying(ErrFile, "%s is not a model: %s", file, strings.TrimSuffix(err.Error(), ": "+errNoModel.Error()))
	case errors.Is(err, errOdd):
		return nil
	case err != nil:
		return fmt.Errorf("read %s: %w", file, err)
	case need > uint64(size):
		return saying(ErrFile, "%s is cut off: it has %s and its header announces %s; get the file again", file, BytesText(size), BytesText(int64(min(need, 1<<62))))
	}
	return nil
}

package library

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"assay/engine/research"
)

// Vectors lie in one file a model, "vectors/HASH.vec" beside the index, which only grows: a header with the model's name, then
// blocks. A block of kind blockVectors has the vectors of some passages of a text, by the text's hash, so that a file that is
// moved or copied costs nothing; one of kind blockPlace says which text a location has now, or that it has none. Every block
// carries its checksum: what a kill left half written, and all behind a damaged block, is cut off and made again. Vectors are
// of unit length, in bytes from -127 to 127 with a scale each.

const (
	vectorsMagic = "assay vectors 1\n"
	blockVectors = 1
	blockPlace   = 2
	blockHead    = 9 // kind, length of the rest, its checksum
	// maxBlock bounds a block, in bytes; partVectors passages of the longest vectors are a fraction of it.
	maxBlock = 64 << 20
	// maxDim bounds the length of a vector; the longest of known embedding models is 8192.
	maxDim = 16384
	// maxModelName bounds a model's name, in bytes.
	maxModelName = 1024
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// textHash is the SHA-256 of a clean text.
type textHash [32]byte

func hashOf(sha string) (h textHash, ok bool) {
	n, err := hex.Decode(h[:], []byte(sha))
	return h, err == nil && n == len(h)
}

// vector is one vector of unit length.
type vector struct {
	span  research.Span
	scale float32
	at    []byte // each an int8
}

// quantise makes unit length and bytes of a vector; one without length gets scale 0.
func quantise(v []float32) (scale float32, at []byte) {
	norm, most := 0.0, 0.0
	for _, f := range v {
		norm += float64(f) * float64(f)
		most = max(most, math.Abs(float64(f)))
	}
	at = make([]byte, len(v))
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return 0, at
	}
	for i, f := range v {
		at[i] = byte(int8(math.Round(float64(f) / most * 127)))
	}
	return float32(most / math.Sqrt(norm) / 127), at
}

// dot is the product of two vectors of one length.
func dot(a, b []byte) int32 {
	var s0, s1, s2, s3 int32
	n := len(a) &^ 3
	b = b[:len(a)]
	for i := 0; i < n; i += 4 {
		s0 += int32(int8(a[i])) * int32(int8(b[i]))
		s1 += int32(int8(a[i+1])) * int32(int8(b[i+1]))
		s2 += int32(int8(a[i+2])) * int32(int8(b[i+2]))
		s3 += int32(int8(a[i+3])) * int32(int8(b[i+3]))
	}
	for i := n; i < len(a); i++ {
		s0 += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return s0 + s1 + s2 + s3
}

// shelved is what a file of vectors holds, without the vectors themselves.
type shelved struct {
	model string
	dim   int                   // 0 while there are none
	parts map[textHash][]part   // of each text, in the order of its passages
	place map[string]textHash   // locations and the text that each has
	good  int64                 // bytes up to the last whole block
	all   int                   // passages with a vector, of texts that no location has too
	count map[textHash]int      // passages of each text that have one
	where map[textHash][]string // locations of each text, made by locate
}

// part is a block of vectors in the file.
type part struct {
	offset int64 // of its payload
	length int
	n      int
}

func (l *Library) vectorsDir() string { return filepath.Join(l.dir, "vectors") }

// vectorsFile is the file of a model's vectors.
func (l *Library) vectorsFile(model string) string {
	return filepath.Join(l.vectorsDir(), research.SHA256(model)[:24]+".vec")
}

// vectorsHead is the beginning of a file.
func vectorsHead(model string) []byte {
	b := append([]byte(vectorsMagic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(b[len(vectorsMagic):], uint32(len(model)))
	return append(b, model...)
}

// readShelved reads a file's blocks and hands each to take, when it is not nil. A file that is not there, or not of this model, is
// an empty one with good 0. What follows a damaged block is not read.
func readShelved(r io.Reader, model string, take func(kind byte, offset int64, payload []byte)) (*shelved, error) {
	s := &shelved{model: model, parts: map[textHash][]part{}, place: map[string]textHash{}, count: map[textHash]int{}}
	in := bufio.NewReaderSize(r, 1<<20)
	head := make([]byte, len(vectorsHead(model)))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != string(vectorsHead(model)) {
		return s, endOf(err)
	}
	s.good = int64(len(head))
	var payload []byte
	for {
		var h [blockHead]byte
		if _, err := io.ReadFull(in, h[:]); err != nil {
			return s, endOf(err)
		}
		n := binary.LittleEndian.Uint32(h[1:])
		if n > maxBlock {
			return s, nil
		}
		if cap(payload) < int(n) {
			// Not all at once: a damaged length does not take memory that the file has no bytes for.
			var b strings.Builder
			if m, err := io.CopyN(&b, in, int64(n)); err != nil || m != int64(n) {
				return s, endOf(err)
			}
			payload = []byte(b.String())
		} else {
			payload = payload[:n]
			if _, err := io.ReadFull(in, payload); err != nil {
				return s, endOf(err)
			}
		}
		if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(h[5:]) || !s.take(h[0], s.good+blockHead, payload) {
			return s, nil
		}
		if take != nil {
			take(h[0], s.good+blockHead, payload)
		}
		s.good += blockHead + int64(n)
	}
}

// endOf is nil for the end of a file, wherever it comes.
func endOf(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// take notes a block; false when it is none.
func (s *shelved) take(kind byte, offset int64, payload []byte) bool {
	switch kind {
	case blockVectors:
		sha, dim, n, ok := vectorsShape(payload)
		if !ok || s.dim != 0 && s.dim != dim {
			return false
		}
		s.dim = dim
		s.parts[sha] = append(s.parts[sha], part{offset, len(payload), n})
		s.count[sha] += n
		s.all += n
	case blockPlace:
		var sha textHash
		if len(payload) < len(sha) {
			return false
		}
		copy(sha[:], payload)
		if location := string(payload[len(sha):]); sha == (textHash{}) {
			delete(s.place, location)
		} else {
			s.place[location] = sha
		}
	default:
		return false
	}
	return true
}

const (
	shapeBytes = 40 // hash, dimensions, passages
	spanBytes  = 12 // start, end, scale
)

// vectorsShape reads the head of a payload of vectors.
func vectorsShape(b []byte) (sha textHash, dim, n int, ok bool) {
	if len(b) < shapeBytes {
		return sha, 0, 0, false
	}
	copy(sha[:], b)
	d, c := binary.LittleEndian.Uint32(b[32:]), binary.LittleEndian.Uint32(b[36:])
	if d == 0 || d > maxDim || c > maxBlock || int64(len(b)) != shapeBytes+int64(c)*(spanBytes+int64(d)) {
		return sha, 0, 0, false
	}
	return sha, int(d), int(c), true
}

// eachVector calls fn with the vectors of a payload, whose bytes it may not keep.
func eachVector(b []byte, fn func(vector)) bool {
	_, dim, n, ok := vectorsShape(b)
	if !ok {
		return false
	}
	spans, data := b[shapeBytes:shapeBytes+n*spanBytes], b[shapeBytes+n*spanBytes:]
	for i := range n {
		s := spans[i*spanBytes:]
		fn(vector{research.Span{Start: int(binary.LittleEndian.Uint32(s)), End: int(binary.LittleEndian.Uint32(s[4:]))},
			math.Float32frombits(binary.LittleEndian.Uint32(s[8:])), data[i*dim : (i+1)*dim]})
	}
	return true
}

// vectorsBlock is the block of some vectors of a text.
func vectorsBlock(sha textHash, dim int, list []vector) []byte {
	b := make([]byte, 0, shapeBytes+len(list)*(spanBytes+dim))
	b = append(b, sha[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(dim))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(v.span.Start))
		b = binary.LittleEndian.AppendUint32(b, uint32(v.span.End))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v.scale))
	}
	for _, v := range list {
		b = append(b, v.at...)
	}
	return asBlock(blockVectors, b)
}

// placeBlock is the block that says which text a location has; the zero hash: none.
func placeBlock(location string, sha textHash) []byte {
	return asBlock(blockPlace, append(sha[:], location...))
}

func asBlock(kind byte, payload []byte) []byte {
	b := make([]byte, blockHead, blockHead+len(payload))
	b[0] = kind
	binary.LittleEndian.PutUint32(b[1:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(b[5:], crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// locate lists the locations of each text and returns how many passages with a vector some location has.
func (s *shelved) locate() (live int) {
	s.where = map[textHash][]string{}
	for location, sha := range s.place {
		if s.count[sha] > 0 {
			s.where[sha] = append(s.where[sha], location)
		}
	}
	for sha := range s.where {
		live += s.count[sha]
	}
	return live
}

// openVectors reads what is kept of a model. f is nil when there is nothing.
func (l *Library) openVectors(model string, take func(kind byte, offset int64, payload []byte)) (s *shelved, f *os.File, err error) {
	f, err = os.Open(l.vectorsFile(model))
	if errors.Is(err, fs.ErrNotExist) {
		s, _ = readShelved(strings.NewReader(""), model, nil)
		return s, nil, nil
	}
	if err != nil {
		return nil, nil, diskFault("read the vectors", err)
	}
	if s, err = readShelved(f, model, take); err != nil {
		_ = f.Close() // read only
		return nil, nil, diskFault("read the vectors", err)
	}
	return s, f, nil
}

// Meant is how far the vectors of a model go.
type Meant struct {
	Model    string `json:"model"`
	Passages int    `json:"passages"` // of the library, copies among formats included
	Have     int    `json:"have"`     // of them with a vector
	Bytes    int64  `json:"bytes"`    // of the file
}

func (m Meant) String() string {
	return fmt.Sprintf("%d of %d passages have vectors of %s", m.Have, m.Passages, m.Model)
}

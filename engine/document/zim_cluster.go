package document

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"
)

// zimClusters reads the clusters of an archive: each holds several contents, most are packed.
type zimClusters struct {
	z      *ZIM
	count  uint32
	places uint64
	end    uint64 // of the last cluster

	mu   sync.Mutex
	held []*zimCluster // unpacked, the one used last at the end
}

// zimCluster is an unpacked cluster, or the part of it that the bound allows.
type zimCluster struct {
	number uint32
	data   []byte
	wide   bool // its offsets have eight bytes
	short  bool // it goes on behind data
}

// How the contents of a cluster are packed, and the sign that its offsets have eight bytes.
const (
	zimPlain0 = 0
	zimPlain1 = 1
	zimXZ     = 4
	zimZstd   = 5
	zimPacks  = 0x0f
	zimWide   = 0x10
)

// mostUnpacked bounds what one cluster unpacks to, whatever the caller allows: two of them are held.
const mostUnpacked = MaxBytes

// errPacking says that a cluster cannot be unpacked.
var errPacking = errors.New("is damaged: its part of the archive cannot be unpacked; download the archive again")

func errUnpacks(limit int64) error {
	return fmt.Errorf("lies in a part of the archive that unpacks to more than %d MiB, which is not read", limit>>20)
}

// blob returns a content of at most limit bytes.
func (c *zimClusters) blob(ctx context.Context, e zimEntry, limit int64) ([]byte, error) {
	if e.cluster >= c.count {
		return nil, errZIM
	}
	start, end, err := c.place(e.cluster)
	if err != nil {
		return nil, err
	}
	kind, err := c.z.bytes(start, 1)
	if err != nil {
		return nil, err
	}
	wide := kind[0]&zimWide != 0
	if pack := kind[0] & zimPacks; pack == zimPlain0 || pack == zimPlain1 {
		return c.plain(e, start+1, end, wide, limit)
	}
	cl, err := c.unpack(ctx, e.cluster, kind[0], start+1, end)
	if err != nil {
		return nil, err
	}
	return cl.blob(e.blob, limit)
}

// place is where a cluster lies. It ends where the next one in the file begins, which is taken to be the next by number; the last one
// ends with the contents.
func (c *zimClusters) place(n uint32) (start, end uint64, err error) {
	size := 16
	if n == c.count-1 {
		size = 8
	}
	b, err := c.z.bytes(c.places+8*uint64(n), size)
	if err != nil {
		return 0, 0, err
	}
	start, end = binary.LittleEndian.Uint64(b), c.end
	if size == 16 {
		end = binary.LittleEndian.Uint64(b[8:])
	}
	if end <= start || end > c.z.size { // clusters may lie in another order than that of their numbers
		end = c.end
	}
	if end <= start || end > c.z.size {
		return 0, 0, errZIM
	}
	return start, end, nil
}

// plain reads a content of a cluster that is not packed, without reading the rest of it.
func (c *zimClusters) plain(e zimEntry, start, end uint64, wide bool, limit int64) ([]byte, error) {
	width := uint64(4)
	if wide {
		width = 8
	}
	if at := width * uint64(e.blob); at > end-start || 2*width > end-start-at {
		return nil, errZIM
	}
	b, err := c.z.bytes(start+width*uint64(e.blob), int(2*width))
	if err != nil {
		return nil, err
	}
	from, to := offset(b, wide), offset(b[width:], wide)
	if from > to || to > end-start {
		return nil, errZIM
	}
	if to-from > uint64(limit) {
		return nil, errors.New(tooLarge(int64(min(to-from, 1<<62)), limit))
	}
	return c.z.bytes(start+from, int(to-from))
}

func offset(b []byte, wide bool) uint64 {
	if wide {
		return binary.LittleEndian.Uint64(b)
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

// unpack returns a cluster, unpacked once while it is among the last that were asked for.
func (c *zimClusters) unpack(ctx context.Context, n uint32, kind byte, start, end uint64) (*zimCluster, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, cl := range c.held {
		if cl.number == n {
			c.held = append(append(c.held[:i:i], c.held[i+1:]...), cl)
			return cl, nil
		}
	}
	packed := io.NewSectionReader(c.z.r, int64(start), int64(end-start))
	var r io.Reader
	switch kind & zimPacks {
	case zimZstd:
		d, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderMaxWindow(mostUnpacked))
		if err != nil {
			return nil, errPacking
		}
		defer d.Close()
		r = d
	case zimXZ:
		var err error
		if r, err = newXZ(packed); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("is packed in a way that is not read (%d); download a newer archive", kind&zimPacks)
	}
	data, err := io.ReadAll(io.LimitReader(checked{ctx, r}, mostUnpacked+1))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	cl := &zimCluster{number: n, data: data, wide: kind&zimWide != 0}
	switch {
	case len(data) > mostUnpacked:
		cl.data, cl.short = data[:mostUnpacked], true
	case err != nil && !cl.whole(): // behind the last content may lie anything
		return nil, errPacking
	}
	if len(c.held) >= zimHeld {
		c.held = c.held[1:]
	}
	c.held = append(c.held, cl)
	return cl, nil
}

// whole reports whether all contents that the cluster lists lie in its data.
func (c *zimCluster) whole() bool {
	width := 4
	if c.wide {
		width = 8
	}
	if len(c.data) < width {
		return false
	}
	first := offset(c.data, c.wide) // the list ends where the first content begins
	if first < uint64(width) || first > uint64(len(c.data)) || first%uint64(width) != 0 {
		return false
	}
	return offset(c.data[first-uint64(width):], c.wide) <= uint64(len(c.data))
}

// blob cuts a content out of an unpacked cluster.
func (c *zimCluster) blob(n uint32, limit int64) ([]byte, error) {
	width := uint64(4)
	if c.wide {
		width = 8
	}
	at := width * uint64(n)
	if at > uint64(len(c.data)) || 2*width > uint64(len(c.data))-at {
		return nil, errZIM
	}
	from, to := offset(c.data[at:], c.wide), offset(c.data[at+width:], c.wide)
	switch {
	case from > to:
		return nil, errZIM
	case to > uint64(len(c.data)) && c.short:
		return nil, errUnpacks(mostUnpacked)
	case to > uint64(len(c.data)):
		return nil, errZIM
	case to-from > uint64(limit):
		return nil, errors.New(tooLarge(int64(to-from), limit))
	}
	return append([]byte(nil), c.data[from:to]...), nil
}

// Parts of an xz stream (xz file format 1.2.1, section 3).
const (
	xzMagic   = "\xfd7zXZ\x00"
	xzStream  = 12   // bytes of the head of a stream
	xzLZMA2   = 0x21 // the only filter that archives use
	xzFilters = 0x03
)

// newXZ unpacks the first block of an xz stream, which is all that archives have. The dictionary that a block asks for is held against
// the bound before it is reserved, which the reader of a whole stream would not do.
func newXZ(in io.Reader) (io.Reader, error) {
	r := bufio.NewReader(in)
	head := make([]byte, xzStream)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:6]) != xzMagic {
		return nil, errPacking
	}
	first, err := r.ReadByte()
	if err != nil || first == 0 {
		return nil, errPacking
	}
	block := make([]byte, 4*(int(first)+1)-1)
	if _, err := io.ReadFull(r, block); err != nil {
		return nil, errPacking
	}
	flags, rest := block[0], block[1:len(block)-4] // the last four are a check sum
	if flags&xzFilters != 0 {
		return nil, errPacking
	}
	for _, has := range []byte{flags & 0x40, flags & 0x80} {
		if has == 0 {
			continue
		}
		_, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, errPacking
		}
		rest = rest[n:]
	}
	if len(rest) < 3 || rest[0] != xzLZMA2 || rest[1] != 1 {
		return nil, errPacking
	}
	size, err := lzma.DecodeDictCap(rest[2])
	if err != nil {
		return nil, errPacking
	}
	if size > mostUnpacked {
		return nil, errUnpacks(mostUnpacked)
	}
	out, err := lzma.Reader2Config{DictCap: int(max(size, lzma.MinDictCap))}.NewReader2(r)
	if err != nil {
		return nil, errPacking
	}
	return out, nil
}

package cluster

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"

	"trefoil/internal/intact"
)

// A saved table is a header, the table in blocks of 4 MiB, and a checksum for each. All
// numbers are little-endian, all checksums CRC-32C.
//
//	offset  bytes
//	0       8      "TREFHASH"
//	8       4      version of this format
//	12      4      layout of a cluster: 1 is that of the package comment
//	16      8      clusters
//	24      8      MiB that were asked for
//	32      4      index: 1 mul32, 2 mul64, 3 pow2
//	36      4      key bits that were compared
//	40      8      generation
//	48      8      entries
//	56      4      checksum of all checksums of blocks
//	60      4      zeros
//	64      64     game, filled up with zeros
//	128     64     seed of the key words, likewise
//	192     3900   zeros
//	4092    4      checksum of the 4092 bytes before it
//	4096    n×32   the clusters, four words each
//	        m×4    the checksums of the blocks
const (
	FileVersion = 1
	BlockBytes  = 4 << 20

	fileMagic   = "TREFHASH"
	fileLayout  = 1
	headerBytes = 4096
	headerSum   = headerBytes - 4
	sumBytes    = 4
	labelBytes  = 64
)

// A Label says what the keys of a saved table mean. Each text has at most 64 bytes and
// no zeros in it.
type Label struct {
	Game string // whose positions
	Seed string // of the key words
}

// A Header is what a saved table says of itself.
type Header struct {
	Label
	MiB        uint64 // asked for
	Clusters   uint64
	Index      Index
	KeyBits    int
	Generation int
	Entries    uint64
	sums       uint32 // checksum of the checksums
}

// Blocks is how many blocks the table of a file has; the last one may be short.
func (h Header) Blocks() uint64 { return (h.bytes() + BlockBytes - 1) / BlockBytes }

// FileBytes is how long the file is.
func (h Header) FileBytes() uint64 { return headerBytes + h.bytes() + h.Blocks()*sumBytes }

// bytes is how long the table in it is.
func (h Header) bytes() uint64 { return h.Clusters * BytesPerCluster }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// encode returns the bytes of a header.
func (h Header) encode() ([]byte, error) {
	b := make([]byte, headerBytes)
	copy(b, fileMagic)
	le := binary.LittleEndian
	le.PutUint32(b[8:], FileVersion)
	le.PutUint32(b[12:], fileLayout)
	le.PutUint64(b[16:], h.Clusters)
	le.PutUint64(b[24:], h.MiB)
	le.PutUint32(b[32:], uint32(h.Index))
	le.PutUint32(b[36:], uint32(h.KeyBits))
	le.PutUint64(b[40:], uint64(h.Generation))
	le.PutUint64(b[48:], h.Entries)
	le.PutUint32(b[56:], h.sums)
	if err := intact.PutText(b[64:64+labelBytes], "game", h.Game); err != nil {
		return nil, err
	}
	if err := intact.PutText(b[128:128+labelBytes], "seed", h.Seed); err != nil {
		return nil, err
	}
	le.PutUint32(b[headerSum:], checksum(b[:headerSum]))
	return b, nil
}

// readHeader reads the header of a file of so many bytes and checks it.
func readHeader(f *os.File, path string, size int64) (Header, error) {
	wrong := func(what string, got, want any) (Header, error) {
		return Header{}, &intact.Error{Path: path, What: what, Got: fmt.Sprint(got), Want: fmt.Sprint(want)}
	}
	b := make([]byte, headerBytes)
	n, err := f.ReadAt(b, 0)
	le := binary.LittleEndian
	switch {
	case n >= len(fileMagic) && string(b[:len(fileMagic)]) != fileMagic:
		return wrong("magic", fmt.Sprintf("%q", b[:len(fileMagic)]), fmt.Sprintf("%q: it is no saved hash", fileMagic))
	case size < headerBytes:
		return wrong("length", size, fmt.Sprintf("at least %d: it is cut short", headerBytes))
	case err != nil:
		return Header{}, err
	case le.Uint32(b[8:]) != FileVersion:
		return wrong("version of the format", le.Uint32(b[8:]), FileVersion)
	case le.Uint32(b[headerSum:]) != checksum(b[:headerSum]):
		return wrong("checksum of the header", hex(le.Uint32(b[headerSum:])), hex(checksum(b[:headerSum])))
	case le.Uint32(b[12:]) != fileLayout:
		return wrong("layout of the clusters", le.Uint32(b[12:]), fileLayout)
	}
	h := Header{
		Label:      Label{Game: intact.Text(b[64 : 64+labelBytes]), Seed: intact.Text(b[128 : 128+labelBytes])},
		Clusters:   le.Uint64(b[16:]),
		MiB:        le.Uint64(b[24:]),
		Index:      Index(le.Uint32(b[32:])),
		KeyBits:    int(le.Uint32(b[36:])),
		Generation: int(le.Uint64(b[40:])),
		Entries:    le.Uint64(b[48:]),
		sums:       le.Uint32(b[56:]),
	}
	const generations = generationMask >> generationShift
	switch {
	case h.Clusters == 0 || h.Clusters%ClustersPerMiB != 0 || h.Clusters > MaxMiB*ClustersPerMiB:
		return wrong("count of clusters", h.Clusters, fmt.Sprintf("a multiple of %d", ClustersPerMiB))
	case uint64(size) != h.FileBytes():
		return wrong("length", size, fmt.Sprintf("%d: it is cut short or damaged", h.FileBytes()))
	case h.Index == Auto || int(h.Index) >= len(indexNames):
		return wrong("index", uint8(h.Index), "1 to 3")
	case h.KeyBits < MinKeyBits || h.KeyBits > MaxKeyBits:
		return wrong("count of key bits", h.KeyBits, fmt.Sprintf("%d to %d", MinKeyBits, MaxKeyBits))
	case h.Generation < 1 || h.Generation > generations:
		return wrong("generation", h.Generation, fmt.Sprintf("1 to %d", generations))
	}
	return h, nil
}

func hex(sum uint32) string { return fmt.Sprintf("%#08x", sum) }

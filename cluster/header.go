package cluster

import (
	"fmt"

	"trefoil/internal/container"
	"trefoil/internal/mem"
)

// BlockBytes is the length of a block of a saved table; the last one may be shorter.
const BlockBytes = container.MaxBlock

// layout is the version of the bit layout of entries in saved and shared tables. Files from before
// version 2 have none in their header; depth had 8 bits then, and the generation 5.
const layout = 2

// A Label says what keys and values of a saved or shared table mean.
type Label struct {
	Game       string `json:"game"`       // whose positions
	Seed       string `json:"seed"`       // of the key words
	Evaluation string `json:"evaluation"` // that the values and evals are from
}

// A Header describes a saved table. Its first fields are the header of the container, whose blocks
// are the table, word by word.
type Header struct {
	Label
	MiB        uint64 `json:"mib"` // as requested
	Clusters   uint64 `json:"clusters"`
	Index      Index  `json:"index"`
	KeyBits    int    `json:"key_bits"`
	Generation int    `json:"generation"`
	Layout     int    `json:"layout"`
	Copies     int    `json:"copies,omitempty"` // age of the copies that a rehash has left, 0: there are none

	Entries   uint64 `json:"-"` // without copies
	Blocks    uint64 `json:"-"` // only of a file that was read
	FileBytes uint64 `json:"-"` // likewise
}

// summary is written at the end of the container.
type summary struct {
	Entries uint64 `json:"entries"`
}

// bytes is the length of the table.
func (h Header) bytes() uint64 { return h.Clusters * BytesPerCluster }

// copies is the generation of the copies.
func (h Header) copies() copies { return copiesOf(uint64(h.Generation)<<generationShift, h.Copies) }

// Size is the size of the table as text: in MiB, or in KiB if it is not a whole number of MiB.
func (h Header) Size() string {
	if h.Clusters%ClustersPerMiB != 0 {
		return fmt.Sprintf("%d KiB", h.Clusters/clustersPerKiB)
	}
	return fmt.Sprintf("%d MiB", h.Clusters/ClustersPerMiB)
}

// MarshalText returns the name of the index, for the header of a file.
func (i Index) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads a name that MarshalText has returned.
func (i *Index) UnmarshalText(name []byte) (err error) {
	*i, err = ParseIndex(string(name))
	return err
}

// A file is a saved table that is being read.
type file struct {
	*container.Reader
	header  Header // its last fields are set by complete
	summary summary
}

// openFile opens a file and checks its header.
func openFile(in container.Input) (*file, error) {
	f := new(file)
	r, err := container.Open(in, container.Hash, &f.header, &f.summary)
	if err != nil {
		return nil, err
	}
	f.Reader = r
	if err := f.header.check(r); err != nil {
		_ = r.Close()
		return nil, err
	}
	f.complete()
	return f, nil
}

// complete sets the fields of the header that only the end of the file tells.
func (f *file) complete() {
	f.header.Entries, f.header.Blocks, f.header.FileBytes = f.summary.Entries, f.Blocks(), f.Size()
}

// check returns an error if a field is out of range, or if the blocks have not the length of the table.
func (h Header) check(r *container.Reader) error {
	switch {
	case h.Layout != layout:
		return r.Errorf("layout of an entry is %d, expected %d", h.Layout, layout)
	case h.Clusters < mem.Least/BytesPerCluster || h.Clusters%clustersPerKiB != 0 || h.Clusters > MaxMiB*ClustersPerMiB:
		return r.Errorf("count of clusters is %d, expected a multiple of %d from %d to %d",
			h.Clusters, clustersPerKiB, mem.Least/BytesPerCluster, uint64(MaxMiB*ClustersPerMiB))
	case h.Index == Auto:
		return r.Errorf("index is %s, expected %s, %s or %s", h.Index, Mul32, Mul64, Pow2)
	case h.KeyBits < MinKeyBits || h.KeyBits > MaxKeyBits:
		return r.Errorf("count of key bits is %d, expected %d to %d", h.KeyBits, MinKeyBits, MaxKeyBits)
	case h.Generation < 0 || h.Generation >= generations:
		return r.Errorf("generation is %d, expected 0 to %d", h.Generation, generations-1)
	case h.Copies != 0 && (h.Copies < youngestCopy || h.Copies > oldestCopy):
		return r.Errorf("age of copies is %d, expected 0 or %d to %d", h.Copies, youngestCopy, oldestCopy)
	}
	return r.Expect(h.bytes())
}

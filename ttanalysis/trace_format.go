package ttanalysis

import (
	"trefoil/cluster"
	"trefoil/internal/container"
)

// A trace is a container of the kind trace. Its header is a TraceHeader; its blocks are records, key
// and word of each little-endian.
const (
	recordBytes = 16
	perBlock    = 4096 // records in a block of a TraceWriter; only the last one has fewer
)

// A TraceHeader says what a trace was recorded from. The table was empty and in its first
// generation when it began.
type TraceHeader struct {
	Game    string        `json:"game"`
	MiB     uint64        `json:"mib"`
	Index   cluster.Index `json:"index"`
	KeyBits int           `json:"key_bits"`
	Seed    string        `json:"seed"` // of the key words
	Note    string        `json:"note"` // what was searched
	Records uint64        `json:"-"`    // the TraceWriter counts them
}

// traceSummary is the summary of the container.
type traceSummary struct {
	Records uint64 `json:"records"`
}

// check returns an error if no trace is as the header says.
func (h TraceHeader) check(r *container.Reader) error {
	switch {
	case r.Bytes()%recordBytes != 0 || r.Bytes()/recordBytes != h.Records:
		return r.Errorf("length of all blocks is %d, want %d for each of %d records", r.Bytes(), recordBytes, h.Records)
	case h.MiB < 1 || h.MiB > cluster.MaxMiB:
		return r.Errorf("size of the table is %d MiB, want 1 to %d", h.MiB, cluster.MaxMiB)
	case h.Index == cluster.Auto:
		return r.Errorf("index is %s, want %s, %s or %s", h.Index, cluster.Mul32, cluster.Mul64, cluster.Pow2)
	case h.KeyBits < cluster.MinKeyBits || h.KeyBits > cluster.MaxKeyBits:
		return r.Errorf("count of key bits is %d, want %d to %d", h.KeyBits, cluster.MinKeyBits, cluster.MaxKeyBits)
	}
	return nil
}

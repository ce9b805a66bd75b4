package ttanalysis

import (
	"fmt"
	"strings"
	"unicode"

	"trefoil/cluster"
)

// A trace is a container of the kind trace. Its header is a TraceHeader; its blocks are records, key
// and word of each little-endian.
const (
	recordBytes = 16
	perBlock    = 4096 // records in a block of a TraceWriter; only the last one has fewer
)

// A TraceHeader says what a trace was recorded from. The table was empty and in its first generation when
// it began. Index and KeyBits describe a cluster.Table; they are Auto and 0 in a trace of another program.
type TraceHeader struct {
	Game    string        `json:"game"`
	MiB     uint64        `json:"mib"`
	Index   cluster.Index `json:"index,omitzero"`
	KeyBits int           `json:"key_bits,omitzero"`
	Seed    string        `json:"seed,omitzero"` // of the key words
	Note    string        `json:"note"`          // what was searched
	Records uint64        `json:"-"`             // the TraceWriter counts them
}

// otherTable reports whether the recorded table was not a cluster.Table.
func (h TraceHeader) otherTable() bool { return h.Index == cluster.Auto && h.KeyBits == 0 }

// Table describes the recorded table: "16 MiB, index mul32, 21 key bits".
func (h TraceHeader) Table() string {
	if h.otherTable() {
		return fmt.Sprintf("%d MiB of another program", h.MiB)
	}
	return fmt.Sprintf("%d MiB, index %s, %d key bits", h.MiB, h.Index, h.KeyBits)
}

// traceSummary is the summary of the container.
type traceSummary struct {
	Records uint64 `json:"records"`
}

// check returns what is wrong with the header.
func (h TraceHeader) check() error {
	switch {
	case h.MiB < 1 || h.MiB > cluster.MaxMiB:
		return fmt.Errorf("size of the table is %d MiB, expected 1 to %d", h.MiB, cluster.MaxMiB)
	case strings.ContainsFunc(h.Game+h.Note, unicode.IsControl):
		return fmt.Errorf("game %q or note %q has a control character", h.Game, h.Note)
	case h.otherTable():
		return nil
	case h.Index == cluster.Auto:
		return fmt.Errorf("index is %s, expected %s, %s or %s", h.Index, cluster.Mul32, cluster.Mul64, cluster.Pow2)
	case h.KeyBits < cluster.MinKeyBits || h.KeyBits > cluster.MaxKeyBits:
		return fmt.Errorf("count of key bits is %d, expected %d to %d", h.KeyBits, cluster.MinKeyBits, cluster.MaxKeyBits)
	}
	return nil
}

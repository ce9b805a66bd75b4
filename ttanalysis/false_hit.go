package ttanalysis

import (
	"fmt"

	"trefoil/cluster"
)

// A FalseHit is a hit on an entry of another position: both positions have the same
// cluster and the same check bits.
type FalseHit struct {
	Number         uint64   // from 1, since the audit began or was reset
	Probed, Stored Identity // the position searched, and the one that the entry was stored for
	Entry          cluster.Entry
	Use            FalseHitUse
	Illegal        bool // the move of the entry is illegal in the probed position
	Refused        bool // the search got a miss instead; see observe.Audit
}

// Identity identifies a position.
type Identity struct {
	Key, Second uint64 // the second key is independent of the first
	Text        string // FEN or SFEN; only in mode observe.AuditPairs
}

// FalseHitUse is what a search used a false hit for; the first that applies counts.
type FalseHitUse uint8

// The uses of a false hit.
const (
	ForCutoff  FalseHitUse = iota // its value ended the node
	ForMove                       // its move, legal by chance, was tried first
	ForEval                       // its static evaluation was taken
	ForNothing                    // it was not used, or refused
)

// String returns a word for the use.
func (u FalseHitUse) String() string {
	return [...]string{"cutoff", "move", "eval", "nothing"}[u]
}

// String describes the false hit on one line.
func (h *FalseHit) String() string {
	return fmt.Sprintf("false hit %d, used for %s: probed %s (key %016x, second %016x), stored %s (key %016x, "+
		"second %016x)",
		h.Number, h.Use, h.Probed.Text, h.Probed.Key, h.Probed.Second, h.Stored.Text, h.Stored.Key, h.Stored.Second)
}

package exact

import (
	"math/bits"

	"trefoil/game/connect4"
	"trefoil/remainder"
)

// What differs between the search on boards of up to 64 cells, where a set is a word, and on larger ones. The latter is
// generated from the former, see tools/sets128: what has the suffix 128 takes the place of what has none.
const (
	lastBit      = 63 // of a set
	boundBits    = 6  // of each bound in an entry
	entryBits    = 64 // for the key and the value
	leastKeyBits = 40 // leaves room for all of the value
	// growingKeyBits are the key bits up to which a table has some in order to grow.
	growingKeyBits   = 48
	entriesPerBucket = 4
	bucketBytes      = 32

	lastBit128          = 127
	boundBits128        = 7
	entryBits128        = 128
	leastKeyBits128     = 102
	growingKeyBits128   = 112
	entriesPerBucket128 = 3
	bucketBytes128      = 64
)

// setsOf returns the sets of a board.
func setsOf(b *connect4.Board) *connect4.Sets       { return b.Small }
func setsOf128(b *connect4.Board) *connect4.Sets128 { return &b.Sets128 }

// set returns a set of a position as the search has it.
func set(s connect4.Set128) connect4.Set       { return s.Low }
func set128(s connect4.Set128) connect4.Set128 { return s }

// count returns the number of cells.
func count(s connect4.Set) int32       { return int32(bits.OnesCount64(s)) }
func count128(s connect4.Set128) int32 { return int32(s.Count()) }

// first returns the number of the first cell. The mask drops bounds checks.
func first(s connect4.Set) int       { return bits.TrailingZeros64(s) & lastBit }
func first128(s connect4.Set128) int { return s.TrailingZeros() & lastBit128 }

// last returns the number of the last cell. The mask drops the check for an oversized shift.
func last(s connect4.Set) int       { return (bits.Len64(s) - 1) & lastBit }
func last128(s connect4.Set128) int { return (s.Len() - 1) & lastBit128 }

// newTable returns a table for the keys of a board.
func newTable(shape remainder.Shape, b *connect4.Board, options ...remainder.Option) (*remainder.Table, error) {
	return remainder.New(shape, b.MaxKey, append(options, remainder.Wide(b.MaxHigh))...)
}

func newTable128(shape remainder.Shape, b *connect4.Board, options ...remainder.Option) (*remainder.Table128, error) {
	return remainder.New128(shape, remainder.Key{High: b.MaxHigh, Low: b.MaxKey}, options...)
}

// whole returns the table as all tables are.
func (b *best) whole() *remainder.Table    { return b.table }
func (b *best128) whole() *remainder.Table { return b.table.Table }

package exact

import (
	"fmt"

	"trefoil/game/connect4"
	"trefoil/internal/mem"
	"trefoil/remainder"
)

// shape is Shape.
func shape(b *connect4.Board, hash int) (remainder.Shape, error) {
	if hash < 1 || int64(hash) > maxHash {
		return remainder.Shape{}, fmt.Errorf("a table of %d MiB: expected 1 to %d", hash, int64(maxHash))
	}
	s, err := shapeOf(b, uint64(hash)<<20)
	if err != nil {
		err = fmt.Errorf("board %v, table of %d MiB: %w", b, hash, err)
	}
	return s, err
}

// shapeOf is Shape for a number of bytes.
func shapeOf(b *connect4.Board, bytes uint64) (remainder.Shape, error) {
	if least := leastBytes(b); bytes < least {
		return remainder.Shape{}, fmt.Errorf("its keys have %d bits, which takes at least %d MiB", keyBitsOf(b),
			(least+1<<20-1)>>20)
	}
	shape, err := remainder.Plan(bytes, entriesPerBucket, b.MaxKey, remainder.Wide(b.MaxHigh))
	shape.KeyBits = max(leastKeyBits, shape.KeyBits, min(shape.KeyBits+3, growingKeyBits)) // the others hold the value
	return shape, err
}

// keyBitsOf returns how many bits the keys of a board have.
func keyBitsOf(b *connect4.Board) int { return b.Cells + b.Width }

// leastBytes returns the fewest bytes for which there is a shape for the board: for twice the buckets that the key
// bits take for which an entry has no room.
func leastBytes(b *connect4.Board) uint64 {
	return max(mem.Least, uint64(2*bucketBytes)<<max(keyBitsOf(b)-mostKeyBits, 0))
}

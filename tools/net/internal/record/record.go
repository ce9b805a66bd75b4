// Package record is the format of positions for training a net, and of the files that hold them.
//
// A record is a position with its score, its result and the number of its game. Its length depends
// on the game. It begins with the position (for chess see PutChess); the last six bytes are the same
// in all games, little-endian:
//
//	2   score in centipawns for the side to move, int16
//	1   half points of the side to move: 0, 1 or 2
//	1   plies since the last irreversible move, at most 255: part of the position
//	2   number of the game modulo 65536
//
// A file begins with a header; then each game has a block, also if no position of it was kept:
//
//	8   "TREFOIL" and a line feed
//	8   kind: "data", then zeros
//	4   version of the format: 1
//	4   h, the length of the header, at most MaxHeader
//	h   header: a JSON object (Header)
//	4   checksum of all bytes before it
//
//	4   number of the game
//	4   n, the number of its records, at most MaxRecords
//	4   checksum of the two numbers and the records
//	n × records
//
// Numbers are little-endian, checksums CRC-32C. A game that is cut off at the end of a file, by the
// end of the process that wrote it, does not count; anything else that does not fit is an error.
package record

import (
	"encoding/binary"
	"fmt"
)

// Tail is what every record ends with.
type Tail struct {
	Score  int16  // centipawns, for the side to move
	Half   uint8  // half points of the side to move
	Clock  uint8  // plies since the last irreversible move
	Number uint16 // of the game, modulo 65536
}

// tailBytes is the length of a Tail.
const tailBytes = 6

// TailOf reads the tail of a record.
func TailOf(rec []byte) Tail {
	t := rec[len(rec)-tailBytes:]
	return Tail{
		int16(binary.LittleEndian.Uint16(t)), t[2], t[3], binary.LittleEndian.Uint16(t[4:]),
	}
}

// Put writes the tail of a record.
func (t Tail) Put(rec []byte) {
	b := rec[len(rec)-tailBytes:]
	binary.LittleEndian.PutUint16(b, uint16(t.Score))
	b[2], b[3] = t.Half, t.Clock
	binary.LittleEndian.PutUint16(b[4:], t.Number)
}

// check reports what is impossible in a tail.
func (t Tail) check() error {
	if t.Half > 2 {
		return fmt.Errorf("%d half points", t.Half)
	}
	return nil
}

// Place is the part of a record that says which position it is, without clock, score, result and game.
func Place(rec []byte) []byte { return rec[:len(rec)-tailBytes] }

// Package record is the format of the games that nets are trained on, and of their positions.
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
// A game is the record of its first position, whose score is 0, and for each ply:
//
//	1…2   number of the legal moves whose Move16 is less than the Move16 of the move played, a varint
//	1…3   score for the side to move, plus the score of the ply before, a zigzag varint
//
// That is 2.2 bytes a ply at 300 nodes. A reader replays the games, by the rules, into records.
//
// A file begins with a header; then each game has a block:
//
//	8   "TREFOIL" and a line feed
//	8   kind: "data", then zeros
//	4   version of the format: 2
//	4   h, the length of the header, at most MaxHeader
//	h   header: a JSON object (Header)
//	4   checksum of all bytes before it
//
//	4   number of the game
//	4   n, the length of the game, at most MaxGame
//	4   checksum of the two numbers and the game
//	n   game
//
// Numbers are little-endian, checksums CRC-32C. A game that is cut off at the end of a file, by the
// end of the process that wrote it, does not count; anything else that does not fit is an error.
package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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

// A Ply is a move of a game.
type Ply struct {
	Rank  int // number of legal moves with a lower Move16
	Score int // centipawns for the side to move
}

// AppendPly appends a ply to a game; before is the score of the ply before, 0 for the first.
func AppendPly(game []byte, p Ply, before int) []byte {
	game = binary.AppendUvarint(game, uint64(p.Rank))
	return binary.AppendVarint(game, int64(p.Score+before))
}

// errPly is returned for plies that AppendPly has not written.
var errPly = errors.New("no move with a score")

// TakePly reads a ply and returns the rest of the game.
func TakePly(game []byte, before int) (p Ply, rest []byte, err error) {
	rank, n := binary.Uvarint(game)
	if n <= 0 || rank > math.MaxUint16 {
		return p, nil, errPly
	}
	sum, m := binary.Varint(game[n:])
	score := sum - int64(before)
	if m <= 0 || score != int64(int16(score)) {
		return p, nil, errPly
	}
	return Ply{int(rank), int(score)}, game[n+m:], nil
}

// Package nnue evaluates positions of chess by a neural network of the top-level package nnue.
//
// The features "chess 768 mirrored" are the pieces on the board, from the perspective of a side. Its
// own first rank is rank 1: for Black the board is flipped. If its king then stands on the files e to
// h, the board is mirrored, so that the king always stands on a to d. A position and its mirror image
// therefore have the same features, and so have a side and the other side of the position with
// colours exchanged. The number of a feature is
//
//	384·(0 own piece, 1 opponent's) + 64·(0 pawn … 5 king) + square
package nnue

import "trefoil/game/chess"

// The shape of a net; see Shape of the top-level package nnue.
const (
	Features = "chess 768 mirrored"
	Inputs   = 2 * 6 * 64
	Active   = chess.MaxPieces
	Buckets  = 8
)

// Mirrored reports, as 0 or 1, whether a side whose king stands on a square sees the board mirrored.
func Mirrored(king chess.Square) int { return int(king.File()) >> 2 }

// Orientation returns how a side sees the board when its king stands on a square: it sees a piece on s
// at s ^ Orientation.
func Orientation(side chess.Colour, king chess.Square) chess.Square {
	return seen(side, Mirrored(king))
}

func seen(side chess.Colour, mirrored int) chess.Square {
	return chess.Square(side)*56 ^ chess.Square(mirrored)*7 // the ranks and the files
}

// Feature returns the feature of a piece of colour c and kind k on s, for a side with an orientation.
func Feature(side chess.Colour, orientation chess.Square, c chess.Colour, k chess.Kind, s chess.Square) uint16 {
	return uint16(384*chess.Square(c^side) + 64*chess.Square(k) + (s ^ orientation))
}

// Bucket returns the output bucket of a position by its number of pieces, 2 to 32.
func Bucket(pieces int) int { return (pieces - 2) / 4 }

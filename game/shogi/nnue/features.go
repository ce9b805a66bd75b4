// Package nnue evaluates positions of shogi by a neural network of the top-level package nnue.
//
// The features "shogi 2344 mirrored" are the pieces on the board and in both hands, from the perspective of
// a side. It sees the board from its own seat: rank 0 is its own first rank and file 0 the file at its
// right, so White sees the board turned by 180°. If its king then stands on files 5 to 8, at its left, the
// board is mirrored, so that the king always stands on the files 0 to 4. A king on the middle file, or
// none, leaves the board as it is. So a side and the other side of the position with colours exchanged have
// the same features; a position and its mirror image have the same features for each side whose king stands
// beside the middle file. The number of a feature is
//
//	1134·(0 own piece, 1 opponent's) + 81·kind + 9·file + rank
//
// on the board, with the kinds in the order of package shogi, 0 pawn … 7 king, 8 promoted pawn … 11
// promoted silver, 12 horse, 13 dragon. In hand, the n-th piece of a kind has a feature of its own:
//
//	2268 + 38·(0 own hand, 1 opponent's) + first + n - 1
//
// where first is 0 for pawns (n up to 18), 18 lances, 22 knights, 26 silvers, 30 golds (n up to 4), 34
// bishops, 36 rooks (n up to 2). More of a kind than a set has, which only a position that is set up can
// have in hand, have no features.
package nnue

import (
	"trefoil/game/shogi"
	"trefoil/nnue"
)

// The shape of a net; see Shape of the top-level package nnue. Active is the number of pieces that a
// position may have that is set up (shogi.ParseCrowded); in a game there are 40.
const (
	Features = "shogi 2344 mirrored"
	Inputs   = 2*kinds*81 + 2*inHand
	Active   = 54
	Buckets  = 1

	kinds  = 14
	inHand = 38
)

// Shape returns the shape of a net of shogi with the given number of hidden neurons.
func Shape(hidden int) nnue.Shape {
	return nnue.Shape{Features: Features, Inputs: Inputs, Active: Active, Hidden: hidden, Buckets: Buckets}
}

// Read makes a net of a file. The error says what is wrong with it, or that it is no net of shogi.
func Read(data []byte) (*nnue.Net, error) { return nnue.ReadShaped(data, Shape) }

// Mirrored reports, as 0 or 1, whether a side whose king stands on a square sees the board mirrored.
func Mirrored(side shogi.Colour, king shogi.Square) int {
	file := king.File()
	if side == shogi.White {
		file = 8 - file
	}
	if king != shogi.Nowhere && file > 4 {
		return 1
	}
	return 0
}

// Feature returns the feature of a piece by its code on s, for a side that sees the board mirrored or not.
func Feature(side shogi.Colour, mirrored, code int, s shogi.Square) uint16 {
	return pieces[side&1][code&31] + squares[side&1][mirrored&1][s&127]
}

// AppendHeld appends the features of the pieces of a kind in the hand of c, for a side: of those beyond the
// first few, up to most.
func AppendHeld(list []uint16, side, c shogi.Colour, k shogi.Kind, few, most int) []uint16 {
	h := &held[k&7]
	first := 2*kinds*81 + inHand*uint16(c^side) + h.first
	for n := few; n < min(most, h.most); n++ {
		list = append(list, first+uint16(n))
	}
	return list
}

// held are the first feature of a kind in a hand, and how many it has.
var held = [8]struct {
	first uint16
	most  int
}{
	shogi.Pawn: {0, 18}, shogi.Lance: {18, 4}, shogi.Knight: {22, 4}, shogi.Silver: {26, 4}, shogi.Gold: {30, 4},
	shogi.Bishop: {34, 2}, shogi.Rook: {36, 2},
}

// pieces are the parts of features that depend on the piece, by side and piece code; squares are the parts
// that depend on the square, by side, mirrored and square.
var pieces, squares = func() (pieces [2][32]uint16, squares [2][2][128]uint16) {
	for side := shogi.Black; side <= shogi.White; side++ {
		for c := shogi.Black; c <= shogi.White; c++ {
			for kind, k := range onBoard {
				pieces[side][shogi.Code(c, k)] = uint16(81 * (kinds*int(c^side) + kind))
			}
		}
		for s := range shogi.Nowhere {
			file, rank := s.File(), 8-s.Rank()
			if side == shogi.White {
				file, rank = 8-file, 8-rank
			}
			squares[side][0][s], squares[side][1][s] = uint16(9*file+rank), uint16(9*(8-file)+rank)
		}
	}
	return pieces, squares
}()

// onBoard are the kinds in the order of their features.
var onBoard = [kinds]shogi.Kind{
	shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook, shogi.King,
	shogi.ProPawn, shogi.ProLance, shogi.ProKnight, shogi.ProSilver, shogi.Horse, shogi.Dragon,
}

// views say what a side sees, mirrored or not, instead of each feature that Black sees on the board as it is.
var views = func() (views [2][2][Inputs]uint16) {
	for side := shogi.Black; side <= shogi.White; side++ {
		for mirrored := range 2 {
			view := &views[side][mirrored]
			for c := shogi.Black; c <= shogi.White; c++ {
				for _, k := range onBoard {
					for s := range shogi.Nowhere {
						view[Feature(shogi.Black, 0, shogi.Code(c, k), s)] = Feature(side, mirrored, shogi.Code(c, k), s)
					}
				}
				for k := shogi.Pawn; k < shogi.King; k++ {
					held := AppendHeld(nil, side, c, k, 0, inHand)
					for i, f := range AppendHeld(nil, shogi.Black, c, k, 0, inHand) {
						view[f] = held[i]
					}
				}
			}
		}
	}
	return views
}()

package nnue

import (
	"slices"
	"strings"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// features lists the features of a side, ascending.
func features(p *chess.Position, side chess.Colour) (list []uint16) {
	orientation := Orientation(side, p.King(side))
	for c := chess.White; c <= chess.Black; c++ {
		for k := chess.Pawn; k <= chess.King; k++ {
			for squares := p.Pieces(c, k); squares != 0; {
				list = append(list, Feature(side, orientation, c, k, squares.Pop()))
			}
		}
	}
	slices.Sort(list)
	return list
}

// exchanged is the board of a FEN with ranks in reverse order and colours exchanged.
func exchanged(board string) string {
	ranks := strings.Split(board, "/")
	slices.Reverse(ranks)
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, strings.Join(ranks, "/"))
}

// mirrored is the board of a FEN with files in reverse order.
func mirrored(board string) string {
	ranks := strings.Split(board, "/")
	for i, rank := range ranks {
		letters := []byte(rank)
		slices.Reverse(letters)
		ranks[i] = string(letters)
	}
	return strings.Join(ranks, "/")
}

func position(t *testing.T, board, side string) *chess.Position {
	t.Helper()
	return gametest.Chess(t, board+" "+side+" - - 0 1")
}

func TestSymmetry(t *testing.T) {
	for _, board := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8",
		"2kr3r/pp1q1ppp/2n1bn2/3p4/3P4/2N1BN2/PP1Q1PPP/R4RK1",
		"4k3/8/8/8/8/8/8/3K4",
	} {
		p := position(t, board, "w")
		exchange, mirror := position(t, exchanged(board), "b"), position(t, mirrored(board), "w")
		for side := chess.White; side <= chess.Black; side++ {
			want := features(p, side)
			if n := p.Occupied().Count(); len(slices.Compact(slices.Clone(want))) != n || want[n-1] >= Inputs {
				t.Errorf("%s: features %v of %d pieces", board, want, n)
			}
			if got := features(exchange, side.Other()); !slices.Equal(got, want) {
				t.Errorf("%s: with colours exchanged %v, want %v", board, got, want)
			}
			if got := features(mirror, side); !slices.Equal(got, want) {
				t.Errorf("%s: mirrored %v, want %v", board, got, want)
			}
		}
	}
}

// TestNumbers checks some features by hand: nets in files depend on them.
func TestNumbers(t *testing.T) {
	p := position(t, "4k3/8/8/7p/8/8/P7/3K4", "w")
	// White's king stands on d1: squares as they are. Black's stands on e8: flipped e1, mirrored d1.
	white := []uint16{8, 320 + 3, 384 + 39, 384 + 320 + 60}
	black := []uint16{24, 320 + 3, 384 + 55, 384 + 320 + 60}
	if got := features(p, chess.White); !slices.Equal(got, white) {
		t.Errorf("White: %v, want %v", got, white)
	}
	if got := features(p, chess.Black); !slices.Equal(got, black) {
		t.Errorf("Black: %v, want %v", got, black)
	}
}

func TestBucket(t *testing.T) {
	for pieces, want := range map[int]int{2: 0, 5: 0, 6: 1, 29: 6, 30: 7, 32: 7} {
		if got := Bucket(pieces); got != want {
			t.Errorf("%d pieces: bucket %d, want %d", pieces, got, want)
		}
	}
}

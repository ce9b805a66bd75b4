package nnue

import (
	"slices"
	"strings"
	"testing"

	"trefoil/game/shogi"
)

// features lists the features of a side, ascending.
func features(p *shogi.Position, side shogi.Colour) (list []uint16) {
	mirrored := Mirrored(side, p.King(side))
	for b := p.Occupied(); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		list = append(list, Feature(side, mirrored, p.At(s), s))
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		for k := shogi.Pawn; k < shogi.King; k++ {
			list = AppendHeld(list, side, c, k, 0, p.Hand(c).Count(k))
		}
	}
	slices.Sort(list)
	return list
}

// A view is a position in which files are exchanged, or the board is turned with colours exchanged.
type view struct{ mirrored, exchanged bool }

// of returns the view of p.
func (v view) of(t testing.TB, p *shogi.Position) *shogi.Position {
	t.Helper()
	fields := strings.Fields(p.SFEN())
	var board strings.Builder
	for rank := range 9 {
		for file := 8; file >= 0; file-- {
			f, r := file, rank
			if v.exchanged {
				f, r = 8-f, 8-r
			}
			if v.mirrored {
				f = 8 - f
			}
			board.WriteString(v.letter(p.At(shogi.SquareAt(f, r))))
		}
		board.WriteByte('/')
	}
	side, hands := fields[1], fields[2]
	if v.exchanged {
		side = map[string]string{"b": "w", "w": "b"}[side]
		hands = strings.Map(func(r rune) rune {
			if r >= 'A' {
				r ^= 32 // the case
			}
			return r
		}, hands)
	}
	q, err := shogi.ParseCrowded(strings.TrimSuffix(board.String(), "/") + " " + side + " " + hands + " 1")
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// letter is a square in an sfen.
func (v view) letter(code int) string {
	switch {
	case code == 0:
		return "1"
	case v.exchanged:
		code = shogi.Code(shogi.ColourOf(code).Other(), shogi.KindOf(code))
	}
	return shogi.Letter(code)
}

func position(t testing.TB, sfen string) *shogi.Position {
	t.Helper()
	p, err := shogi.ParseCrowded(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// onMiddle reports whether a king of p stands on the middle file or not on the board.
func onMiddle(p *shogi.Position) bool {
	for c := shogi.Black; c <= shogi.White; c++ {
		if k := p.King(c); k == shogi.Nowhere || k.File() == 4 {
			return true
		}
	}
	return false
}

func TestSymmetry(t *testing.T) {
	beside := 0
	for _, sfen := range starts {
		p := position(t, sfen)
		exchanged, mirrored := view{exchanged: true}.of(t, p), view{mirrored: true}.of(t, p)
		for side := shogi.Black; side <= shogi.White; side++ {
			want := features(p, side)
			if len(slices.Compact(slices.Clone(want))) != len(want) || want[len(want)-1] >= Inputs {
				t.Errorf("%s: features %v", sfen, want)
			}
			if got := features(exchanged, side.Other()); !slices.Equal(got, want) {
				t.Errorf("%s: with colours exchanged %v, want %v", sfen, got, want)
			}
			if king := p.King(side); king == shogi.Nowhere || king.File() == 4 {
				continue
			}
			beside++
			if got := features(mirrored, side); !slices.Equal(got, want) {
				t.Errorf("%s: mirrored %v, want %v", sfen, got, want)
			}
		}
	}
	if beside < 5 {
		t.Errorf("only %d kings beside the middle file", beside)
	}
}

// TestNumbers checks some features by hand: nets in files depend on them.
func TestNumbers(t *testing.T) {
	// Black's king stands on 2h, file 1 and rank 1 from its seat. White's stands on 4a, from its seat on
	// file 5 and rank 0, so White sees the board mirrored.
	p := position(t, "5k3/9/9/9/9/9/7P1/7K1/+r8 b 2Pb 1")
	const hand, own, other = 2268, 0, 1134
	black := []uint16{
		own + 9 + 2, own + 81*7 + 9 + 1, // pawn on 2g, king
		other + 81*7 + 9*3 + 8, other + 81*13 + 9*8, // king on 4a, dragon on 9i
		hand, hand + 1, hand + 38 + 34, // two pawns; a bishop
	}
	white := []uint16{
		own + 81*7 + 9*3, own + 81*13 + 9*8 + 8, // king, dragon
		other + 9 + 6, other + 81*7 + 9 + 7, // pawn, king
		hand + 34, hand + 38, hand + 38 + 1,
	}
	for side, want := range [2][]uint16{black, white} {
		if got := features(p, shogi.Colour(side)); !slices.Equal(got, want) {
			t.Errorf("side %d: %v, want %v", side, got, want)
		}
	}
}

// TestMiddle checks that a king on the middle file leaves the board as it is.
func TestMiddle(t *testing.T) {
	for file := range 9 {
		for side, left := range [2]bool{file > 4, file < 4} {
			want := 0
			if left {
				want = 1
			}
			if got := Mirrored(shogi.Colour(side), shogi.SquareAt(file, 4)); got != want {
				t.Errorf("side %d, king on file %d: mirrored %d, want %d", side, file+1, got, want)
			}
		}
	}
}

// TestHands checks that every number of pieces of a set has a feature of its own, and more have none.
func TestHands(t *testing.T) {
	seen := map[uint16]bool{}
	for c := shogi.Black; c <= shogi.White; c++ {
		for k := shogi.Pawn; k < shogi.King; k++ {
			for _, f := range AppendHeld(nil, shogi.Black, c, k, 0, 18) {
				if seen[f] = true; f < 2268 || f >= Inputs {
					t.Errorf("kind %d: feature %d", k, f)
				}
			}
		}
	}
	if len(seen) != 2*inHand {
		t.Errorf("%d features", len(seen))
	}
}

package halfkp

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"trefoil/game/shogi"
)

// TestNumbers checks some features by hand.
func TestNumbers(t *testing.T) {
	p := position(t, "8k/9/9/9/4+p4/9/9/7B1/K8 b 2PGr 1")
	zeros := slices.Repeat([]uint16{0}, pieces-6)
	// Black sees the promoted pawn on 5e, square 40, and its bishop on 2h, square 16; in the hands two
	// pawns and a gold of its own and a rook of White's.
	black := append(slices.Clone(zeros), 1, 2, 69, 88, 738+81+40, 900+16)
	// White sees the squares from the other end.
	white := append(slices.Clone(zeros), 20, 21, 74, 85, 738+40, 900+81+64)
	for side, want := range [2][]uint16{black, white} {
		slices.Sort(want)
		if got := active(usual().features, p, shogi.Colour(side)); !slices.Equal(got, want) {
			t.Errorf("side %d: %v, want %v", side, got, want)
		}
		if got := kingSquare(p, shogi.Colour(side)); got != 80 {
			t.Errorf("side %d: king on %d, want 80", side, got)
		}
		// Each side sees its own king on 9i and the other on 1a.
		want = append(want, 1548+80, 1548+81)
		if got := active(kp().features, p, shogi.Colour(side)); !slices.Equal(got, want) {
			t.Errorf("K-P, side %d: %v, want %v", side, got, want)
		}
	}
}

// TestMissingKing: a king that is missing counts as standing where it stands in the start position.
func TestMissingKing(t *testing.T) {
	start, missing := position(t, shogi.StartSFEN), position(t, "9/9/4k4/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1")
	home := kingSquare(start, shogi.Black)
	if white := kingSquare(start, shogi.White); white != home {
		t.Errorf("the kings of the start position on %d and %d", home, white)
	}
	if got := kingSquare(missing, shogi.Black); got != home {
		t.Errorf("a missing king on %d, want %d", got, home)
	}
}

// turned is a position turned by 180 degrees, with colours exchanged.
func turned(sfen string) string {
	swap := func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}
	fields := strings.Fields(sfen)
	var board []string
	for i := 0; i < len(fields[0]); i++ {
		n := 1
		if fields[0][i] == '+' {
			n = 2
		}
		board = append(board, strings.Map(swap, fields[0][i:i+n]))
		i += n - 1
	}
	slices.Reverse(board)
	fields[0] = strings.Join(board, "")
	fields[1] = map[string]string{"b": "w", "w": "b"}[fields[1]]
	fields[2] = strings.Map(swap, fields[2])
	return strings.Join(fields, " ")
}

// TestSymmetry turns positions: each side has the features and the square of the king of the other, and the
// value is the same. No feature is out of bounds.
func TestSymmetry(t *testing.T) {
	for _, n := range testNets {
		e, set := NewEvaluator(n.net(), DefaultScale), n.net().features
		walks.Walk(t, 1000, func(p *shogi.Position) {
			q := position(t, turned(p.SFEN()))
			for side := range shogi.Colour(2) {
				got, want := active(set, q, side.Other()), active(set, p, side)
				if !slices.Equal(got, want) || set.orientation(q, side.Other()) != set.orientation(p, side) {
					t.Fatalf("%s: %s: features %v, turned %v", n.name, p.SFEN(), want, got)
				}
				if last := got[len(got)-1]; len(got) < pieces || len(got) > pieces+2 || int(last) >= set.rows {
					t.Fatalf("%s: %s: %d features %v", n.name, p.SFEN(), len(got), got)
				}
			}
			if got, want := e.Evaluate(q), e.Evaluate(p); got != want {
				t.Fatalf("%s: %s: %d, turned %d", n.name, p.SFEN(), want, got)
			}
		})
	}
}

package chess

import (
	"math/rand/v2"
	"testing"
)

// TestSliders compares the slider attacks with walking along the rays.
func TestSliders(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		occ := Bitboard(rnd.Uint64() & rnd.Uint64())
		for s := Square(0); s < 64; s++ {
			bishop := slide(s, 1, 1, occ) | slide(s, 1, -1, occ)
			rook := slide(s, 1, 0, occ) | slide(s, 0, 1, occ)
			if BishopAttacks(s, occ) != bishop || RookAttacks(s, occ) != rook || QueenAttacks(s, occ) != bishop|rook {
				t.Fatalf("attacks from %v on %x", s, uint64(occ))
			}
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		between, line Bitboard
	}{
		{"a1", "d4", 1<<9 | 1<<18, 0x8040201008040201},
		{"e8", "e6", 1 << 52, FileA << 4},
		{"h1", "g1", 0, Rank1},
		{"a1", "b3", 0, 0},
		{"c5", "c5", 0, 0},
	} {
		a, _ := parseSquare(c.a)
		b, _ := parseSquare(c.b)
		if Between(a, b) != c.between || Between(b, a) != c.between || Line(a, b) != c.line || Line(b, a) != c.line {
			t.Errorf("%s, %s: between %x, line %x", c.a, c.b, uint64(Between(a, b)), uint64(Line(a, b)))
		}
	}
}

func TestLeapers(t *testing.T) {
	e4, _ := parseSquare("e4")
	a1, h8 := Square(0), Square(63)
	for i, c := range []struct {
		got  Bitboard
		want int
	}{
		{KnightAttacks(e4), 8}, {KnightAttacks(a1), 2}, {KingAttacks(e4), 8}, {KingAttacks(h8), 3},
		{PawnAttacks(White, e4), 2}, {PawnAttacks(Black, e4), 2}, {PawnAttacks(White, a1), 1}, {PawnAttacks(White, h8), 0},
	} {
		if c.got.Count() != c.want {
			t.Errorf("case %d: %x", i, uint64(c.got))
		}
	}
	if PawnAttacks(White, e4) != 1<<35|1<<37 || PawnAttacks(Black, e4) != 1<<19|1<<21 {
		t.Error("pawns attack the wrong way")
	}
}

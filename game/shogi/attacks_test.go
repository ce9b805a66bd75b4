package shogi

import (
	"math/rand/v2"
	"testing"
)

// TestSliders compares the attacks of sliders with a walk over the board.
func TestSliders(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		occ := Bitboard{rnd.Uint64() & rnd.Uint64(), rnd.Uint64() & rnd.Uint64()}.And(whole)
		for s := Square(0); s < Nowhere; s++ {
			file := slide(s, 0, 1, occ)
			rook := file.Or(slide(s, 1, 0, occ))
			bishop := slide(s, 1, 1, occ).Or(slide(s, 1, -1, occ))
			if got := RookAttacks(s, occ); got != rook {
				t.Fatalf("a rook on %v of %x attacks %x, want %x", s, occ, got, rook)
			}
			if got := BishopAttacks(s, occ); got != bishop {
				t.Fatalf("a bishop on %v of %x attacks %x, want %x", s, occ, got, bishop)
			}
			above := Bitboard{s.Bit().lo - 1, 0}
			if s >= 63 {
				above = Bitboard{whole.lo, s.Bit().hi - 1}
			}
			if got, want := LanceAttacks(Black, s, occ), file.And(above); got != want {
				t.Fatalf("Black's lance on %v of %x attacks %x, want %x", s, occ, got, want)
			}
			if got, want := LanceAttacks(White, s, occ), file.Without(above); got != want {
				t.Fatalf("White's lance on %v of %x attacks %x, want %x", s, occ, got, want)
			}
		}
	}
}

// TestKingAttacks: a king attacks the squares beside it.
func TestKingAttacks(t *testing.T) {
	for s := range Nowhere {
		for to := range Nowhere {
			file, rank := s.File()-to.File(), s.Rank()-to.Rank()
			if beside := s != to && file*file <= 1 && rank*rank <= 1; KingAttacks(s).Has(to) != beside {
				t.Errorf("a king on %v attacks %v: %v", s, to, !beside)
			}
		}
	}
}

// TestBitboard: counting, walking and whole files agree.
func TestBitboard(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		b := Bitboard{rnd.Uint64() & rnd.Uint64() & rnd.Uint64(), rnd.Uint64() & rnd.Uint64()}.And(whole)
		var walked, files Bitboard
		n := 0
		for rest := b; rest.Any(); n++ {
			first := rest.First()
			var s Square
			if s, rest = rest.Next(); s != first {
				t.Fatalf("%x: first %v, next %v", b, first, s)
			}
			walked = walked.Or(s.Bit())
			files = files.Or(slide(s, 0, 1, Bitboard{})).Or(s.Bit())
		}
		if walked != b || n != b.Count() || (n > 1) != b.Many() || (n > 0) != b.Any() {
			t.Fatalf("%x: walked %x, %d squares, count %d", b, walked, n, b.Count())
		}
		if got := b.files(); got != files {
			t.Fatalf("%x: files %x, want %x", b, got, files)
		}
	}
	if (Bitboard{}).First() != Nowhere || Nowhere.Bit().Any() {
		t.Error("an empty board has a square")
	}
}

// TestHands compares hands with counts.
func TestHands(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	deal := func() (h Hand, counts [7]int) {
		for k := range counts {
			counts[k] = rnd.IntN(limits[k] + 1)
			for range counts[k] {
				h += One(Kind(k))
			}
		}
		return h, counts
	}
	for range 100000 {
		a, as := deal()
		b, bs := deal()
		if rnd.IntN(2) == 0 {
			b, bs = a, as
			if k := Kind(rnd.IntN(7)); bs[k] > 0 {
				b -= One(k)
				bs[k]--
			}
		}
		covers := true
		for k := range as {
			covers = covers && as[k] >= bs[k]
			if a.Count(Kind(k)) != as[k] || a.Has(Kind(k)) != (as[k] > 0) {
				t.Fatalf("hand %x: %d of kind %d, want %d", a, a.Count(Kind(k)), k, as[k])
			}
		}
		if a.Dominates(b) != covers {
			t.Fatalf("%v covers %v: %v", as, bs, !covers)
		}
	}
}

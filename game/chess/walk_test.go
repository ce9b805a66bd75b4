package chess

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"testing"

	"trefoil/game"
	"trefoil/zobrist"
)

var plies = flag.Int("plies", 20000, "random plies that the walking tests play")

// starts are positions that random games begin in: crowded boards, castling of
// both kinds, promotions, pins, en passant.
func starts() (fens []string) {
	for _, c := range append(standard, fischer...) {
		fens = append(fens, c.fen)
	}
	return append(fens,
		"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
		"4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2",
		"8/P6P/8/k7/8/K7/p6p/8 w - - 0 1",
		"qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
		"1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
		"rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1",
	)
}

// walk plays random games of at most 120 plies, n plies in all, and calls visit
// in every position. It takes every game back in the end.
func walk(tb testing.TB, n int, visit func(p *Position, l *game.List, rnd *rand.Rand)) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var l game.List
	for fens := starts(); n > 0; {
		p := parse(tb, fens[rnd.IntN(len(fens))])
		before := *p.Copy()
		depth := 0
		for ; depth < 120 && n > 0; n-- {
			l.Reset()
			p.Moves(game.All, &l)
			visit(p, &l, rnd)
			if l.Len() == 0 {
				n--
				break
			}
			p.Make(l.At(rnd.IntN(l.Len())))
			depth++
		}
		for ; depth > 0; depth-- {
			p.Undo()
		}
		p.history = before.history
		if !reflect.DeepEqual(*p, before) {
			tb.Fatalf("taking back all moves does not lead back to\n%v", &before)
		}
	}
}

// scratch computes the keys of p from nothing but what stands where.
func scratch(p *Position) (key uint64, parts [5]uint64) {
	for s := Square(0); s < 64; s++ {
		if code := p.At(s); code != 0 {
			key ^= words.pieces[code][s]
			parts[classes[code]] ^= words.pieces[code][s]
		}
	}
	for b := p.castle; b != 0; {
		key ^= words.castle[b.Pop()]
	}
	if p.ep != 0 {
		key ^= words.ep[Square(p.ep).File()]
	}
	if p.side == Black {
		key ^= zobrist.Side
	}
	return key, parts
}

// sound compares what Make and Undo carry along with what stands on the board.
func sound(tb testing.TB, p *Position) {
	tb.Helper()
	if key, parts := scratch(p); key != p.key || parts != p.parts {
		tb.Fatalf("keys %x %x, from scratch %x %x, in\n%v", p.key, p.parts, key, parts, p)
	}
	if p.keyOf(&words) != p.key {
		tb.Fatalf("key %x, by keyOf %x, in\n%v", p.key, p.keyOf(&words), p)
	}
	var kinds [8]Bitboard
	var colours [2]Bitboard
	for s := Square(0); s < 64; s++ {
		if code := p.At(s); code != 0 {
			kinds[KindOf(code)] |= s.Bit()
			colours[ColourOf(code)] |= s.Bit()
		}
	}
	if kinds != p.kinds || colours != p.colours {
		tb.Fatalf("bitboards and squares differ in\n%v", p)
	}
	if want := p.attackers(p.King(p.side), p.Occupied()) & p.colours[p.side^1]; p.checkers != want {
		tb.Fatalf("checkers %x, want %x, in\n%v", p.checkers, want, p)
	}
}

// TestKeys: after every move made and taken back, the keys are those from scratch.
func TestKeys(t *testing.T) {
	walk(t, *plies, func(p *Position, l *game.List, rnd *rand.Rand) {
		sound(t, p)
		if l.Len() > 0 {
			p.Make(l.At(rnd.IntN(l.Len())))
			sound(t, p)
			p.Undo()
			sound(t, p)
		}
		if p.NullMoveSound() {
			p.MakeNull()
			sound(t, p)
			p.UndoNull()
			sound(t, p)
		}
		if q := parse(t, p.FEN()); q.key != p.key || q.FEN() != p.FEN() {
			t.Fatalf("%s came back as %s", p.FEN(), q.FEN())
		}
	})
}

// TestFlipped: a flipped position has as many moves, and flipped again it is the one of before.
func TestFlipped(t *testing.T) {
	var moves game.List
	walk(t, *plies/10, func(p *Position, l *game.List, _ *rand.Rand) {
		f := p.Flipped()
		sound(t, f)
		moves.Reset()
		if f.Moves(game.All, &moves); moves.Len() != l.Len() || f.side == p.side {
			t.Fatalf("%d moves, %d when flipped, in\n%v%v", l.Len(), moves.Len(), p, f)
		}
		if back := f.Flipped(); back.key != p.key || back.FEN() != p.FEN() {
			t.Fatalf("%s came back as %s", p.FEN(), back.FEN())
		}
	})
}

// TestKinds: noisy and quiet moves are all moves, and checks are the quiet ones
// that give check.
func TestKinds(t *testing.T) {
	var part game.List
	walk(t, *plies, func(p *Position, l *game.List, _ *rand.Rand) {
		kinds := map[game.Move]game.Kind{}
		for _, m := range l.All() {
			kinds[m] = game.Quiet
			if m.Victim() != 0 || m.Promotes() && promoted(m) == Queen {
				kinds[m] = game.Noisy
			}
		}
		if len(kinds) != l.Len() {
			t.Fatalf("a move stands twice in the list of\n%v", p)
		}
		for _, kind := range []game.Kind{game.Noisy, game.Quiet, game.Checks} {
			part.Reset()
			p.Moves(kind, &part)
			want := 0
			for m, k := range kinds {
				if k == kind || kind == game.Checks && k == game.Quiet && p.GivesCheck(m) {
					want++
				}
			}
			for _, m := range part.All() {
				k, ok := kinds[m]
				if !ok || kind != game.Checks && k != kind ||
					kind == game.Checks && (k != game.Quiet || !p.GivesCheck(m)) {
					t.Fatalf("%s is no move of kind %d in\n%v", p.Text(m), kind, p)
				}
			}
			if part.Len() != want {
				t.Fatalf("%d moves of kind %d, want %d, in\n%v", part.Len(), kind, want, p)
			}
		}
	})
}

// TestMoves looks at every legal move: GivesCheck, KeyAfter, Text and ParseMove
// agree with the board, and what a move carries stands there.
func TestMoves(t *testing.T) {
	walk(t, *plies/10, func(p *Position, l *game.List, _ *rand.Rand) {
		for _, m := range l.All() {
			if p.At(origin(m)) != m.Piece() || m.Promotes() != (m&forms >= promotion) {
				t.Fatalf("%s carries the wrong piece in\n%v", p.Text(m), p)
			}
			for _, chess960 := range []bool{false, true} {
				was := p.chess960
				p.SetChess960(chess960)
				if got, err := p.ParseMove(p.Text(m)); got != m {
					t.Fatalf("%s was read as %s, %v, in\n%v", p.Text(m), p.Text(got), err, p)
				}
				p.SetChess960(was)
			}
			check, key := p.GivesCheck(m), p.KeyAfter(m)
			p.Make(m)
			if check != p.InCheck() {
				t.Fatalf("%s: GivesCheck %v, not so in\n%v", p.Text(m), check, p)
			}
			if p.ep != 0 {
				key ^= words.ep[p.ep&7]
			}
			if key != p.key {
				t.Fatalf("%s: KeyAfter is wrong in\n%v", p.Text(m), p)
			}
			p.Undo()
		}
	})
}

// A capture en passant gives check on a line that the captured pawn, or both pawns, blocked.
func TestEnPassantChecks(t *testing.T) {
	for fen, want := range map[string]bool{
		"6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1":   true,
		"8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1":    true,
		"8/8/8/R2pP1nk/8/8/8/4K3 w - d6 0 1":   false,
		"6k1/5p2/8/3pP3/8/8/B7/4K3 w - d6 0 1": false,
	} {
		p := parse(t, fen)
		if m, err := p.ParseMove("e5d6"); err != nil || p.GivesCheck(m) != want {
			t.Errorf("%s: %v, want %v", fen, err, want)
		}
	}
}

// TestFromMove16: of all 65536 values, exactly the values of legal moves give a move.
func TestFromMove16(t *testing.T) {
	walk(t, *plies/50, func(p *Position, l *game.List, _ *rand.Rand) {
		legal := map[uint16]game.Move{}
		for _, m := range l.All() {
			legal[m.Move16()] = m
		}
		for s := range 1 << 16 {
			m, ok := p.FromMove16(uint16(s))
			want, legal := legal[uint16(s)]
			if ok != legal || ok && m != want {
				t.Fatalf("FromMove16(%#x) = %#x, %v, want %#x, %v, in\n%v", s, m, ok, want, legal, p)
			}
		}
	})
}

// TestAllocations: listing, making and taking back moves costs no allocation.
func TestAllocations(t *testing.T) {
	p := parse(t, standard[1].fen)
	frames := make([]game.List, 3)
	if n := testing.AllocsPerRun(10, func() { perft(p, frames) }); n != 0 {
		t.Errorf("%v allocations in Moves, Make and Undo", n)
	}
	var m game.Move
	n := testing.AllocsPerRun(10, func() {
		for s := range 1 << 16 {
			if move, ok := p.FromMove16(uint16(s)); ok {
				m = move
				p.GivesCheck(m)
				p.KeyAfter(m)
				p.SEE(m, 0)
			}
		}
		p.MakeNull()
		p.Adjudicate(3)
		p.UndoNull()
	})
	if n != 0 {
		t.Errorf("%v allocations in FromMove16, GivesCheck, KeyAfter, SEE, MakeNull and Adjudicate", n)
	}
}

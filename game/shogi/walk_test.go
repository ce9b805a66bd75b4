package shogi

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/zobrist"
)

var plies = flag.Int("plies", 4000, "random plies that the walking tests play; with -long 1000000")

// starts are positions that random games begin in: full hands, kings that have
// entered, one king, pins, drops that mate.
func starts() (sfens []string) {
	for _, c := range pinned {
		sfens = append(sfens, c.sfen)
	}
	return append(sfens,
		StartSFEN, StartSFEN, StartSFEN, StartSFEN,
		"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
		"6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
		"8k/9/9/9/9/9/9/9/K8 w 2R2B4G4S4N4L18P 1",
		"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1",
		"1+R1K1+P1+P1/3G1G1S1/2SN5/9/9/9/9/2k6/9 b RB2N2L14Pbgs 1",
		"k8/1P1P1P1P1/9/2r3b2/9/2R3B2/9/1p1p1p1p1/K8 b 2G2S2N2L2g2s2n2l 1",
	)
}

// steps returns how many plies a test plays that wants a part of them all.
func steps(part int) int {
	if *long {
		return max(1000000, *plies) / part
	}
	return *plies / part
}

// walk plays random games of at most 200 plies, n plies in all, and calls visit
// in every position. It takes every game back in the end.
func walk(tb testing.TB, n int, visit func(p *Position, l *game.List, rnd *rand.Rand)) {
	tb.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	var l game.List
	for sfens := starts(); n > 0; {
		p := parse(tb, sfens[rnd.IntN(len(sfens))])
		before := *p.Copy()
		depth := 0
		for ; depth < 200 && n > 0; n-- {
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
func scratch(p *Position) (key, stand uint64, parts [5]uint64) {
	stand = words.game
	for s := Square(0); s < Nowhere; s++ {
		if code := p.At(s); code != 0 {
			stand ^= words.pieces[code][s]
			parts[classes[ColourOf(code)][KindOf(code)]] ^= words.pieces[code][s]
		}
	}
	if p.side == White {
		stand ^= zobrist.Side
	}
	key = stand
	for c := range p.hands {
		for k := Pawn; k < King; k++ {
			key ^= words.hand[c][k][p.hands[c].Count(k)]
		}
	}
	return key, stand, parts
}

// sound compares what Make and Undo carry along with what stands on the board.
func sound(tb testing.TB, p *Position) {
	tb.Helper()
	if key, stand, parts := scratch(p); key != p.key || stand != p.boardKey || parts != p.parts {
		tb.Fatalf("keys %x %x %x, from scratch %x %x %x, in\n%v", p.key, p.boardKey, p.parts, key, stand, parts, p)
	}
	if p.keyOf(&words) != p.key {
		tb.Fatalf("key %x, by keyOf %x, in\n%v", p.key, p.keyOf(&words), p)
	}
	kinds, colours, kings := [16]Bitboard{}, [2]Bitboard{}, [2]Square{Nowhere, Nowhere}
	for s := Square(0); s < Nowhere; s++ {
		code := p.At(s)
		if code == 0 {
			continue
		}
		k, c := KindOf(code), ColourOf(code)
		kinds[k] = kinds[k].Or(s.Bit())
		kinds[sets[k]] = kinds[sets[k]].Or(s.Bit())
		colours[c] = colours[c].Or(s.Bit())
		if k == King {
			kings[c] = s
		}
	}
	if kinds != p.kinds || colours != p.colours || kings != p.kings {
		tb.Fatalf("sets and squares differ in\n%v", p)
	}
	if want := p.AttackersOf(p.kings[p.side], p.Occupied(), p.side^1); p.checkers != want {
		tb.Fatalf("checkers %x, want %x, in\n%v", p.checkers, want, p)
	}
}

// TestKeys: after every move made and taken back, the keys are those from scratch,
// and an sfen brings the position back.
func TestKeys(t *testing.T) {
	walk(t, steps(1), func(p *Position, l *game.List, rnd *rand.Rand) {
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
		if q := parse(t, p.SFEN()); q.key != p.key || q.SFEN() != p.SFEN() {
			t.Fatalf("%s came back as %s", p.SFEN(), q.SFEN())
		}
	})
}

// TestRules: the plain rules have the same legal moves, and the same number of them.
func TestRules(t *testing.T) {
	walk(t, steps(1), func(p *Position, l *game.List, _ *rand.Rand) {
		var got []string
		for _, m := range l.All() {
			got = append(got, p.Text(m))
		}
		want := plainOf(p).moves(false)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("moves\n%v, want\n%v, in\n%v", got, want, p)
		}
		if n := p.MoveCount(); n != len(want) {
			t.Fatalf("%d moves counted, want %d, in\n%v", n, len(want), p)
		}
		if q := plainOf(p); p.InCheck() != q.exposed(q.side) || p.Mated() != (p.InCheck() && l.Len() == 0) {
			t.Fatalf("check %v, mate %v, in\n%v", p.InCheck(), p.Mated(), p)
		}
	})
}

// TestTrying: a move that is tried changes the board as one that is played does, and the keys not;
// taken back it has changed nothing. What is guarded beside a king is what is attacked there.
func TestTrying(t *testing.T) {
	type board struct {
		kinds    [16]Bitboard
		colours  [2]Bitboard
		kings    [2]Square
		board    [128]uint8
		side     Colour
		hands    [2]Hand
		checkers Bitboard
	}
	of := func(p *Position) board {
		return board{p.kinds, p.colours, p.kings, p.board, p.side, p.hands, p.checkers}
	}
	walk(t, steps(20), func(p *Position, l *game.List, _ *rand.Rand) {
		before, keys := of(p), p.state
		for _, m := range l.All() {
			p.Make(m)
			want := of(p)
			p.Undo()
			tried := p.MakeBoard(m)
			if of(p) != want || p.key != keys.key {
				t.Fatalf("%s tried is not %s played, in\n%v", p.Text(m), p.Text(m), p)
			}
			p.UndoBoard(tried)
			if of(p) != before || p.state != keys {
				t.Fatalf("%s does not come back, in\n%v", p.Text(m), p)
			}
		}
		for c := Black; c <= White; c++ {
			s := p.King(c)
			guarded, occ := p.guarded(s, c^1), p.Occupied().Without(s.Bit())
			for b := around[0][s&127].king; b.Any(); {
				var to Square
				if to, b = b.Next(); guarded.Has(to) != p.Attacked(to, occ, c^1) {
					t.Fatalf("%v beside the king of %v: guarded %v, in\n%v", to, c, guarded.Has(to), p)
				}
			}
		}
	})
}

// kindOf returns what kind of moves m is listed among but All, and whether it is
// listed there at all.
func kindOf(p *Position, m game.Move) (kind game.Kind, listed bool) {
	k, us := KindOf(m.Piece()), p.side
	kind, listed = game.Quiet, true
	eager := k == Pawn || k == Bishop || k == Rook
	if m.Victim() != 0 || m.Promotes() && eager {
		kind = game.Noisy
	}
	if m&drop != 0 || m.Promotes() {
		return kind, true
	}
	may := zone(us).Has(origin(m)) || zone(us).Has(target(m))
	return kind, !(may && eager) && !(k == Lance && dead(us, Knight).Has(target(m)))
}

// TestKeyValues: keys are the same on every machine and in every version, as files
// may hold them.
func TestKeyValues(t *testing.T) {
	p := parse(t, StartSFEN)
	if got := p.Key(); got != 0xbc2042cd604ba17c {
		t.Errorf("start: %#x", got)
	}
	play(t, p, "7g7f 3c3d 8h2b+ 3a2b B*5e")
	if got := p.Key(); got != 0xffba853e1a2cd14d {
		t.Errorf("after five plies: %#x", got)
	}
}

// TestKinds: every kind of moves lists what it should, and nothing twice.
func TestKinds(t *testing.T) {
	var part game.List
	walk(t, steps(1), func(p *Position, l *game.List, _ *rand.Rand) {
		want := map[game.Kind][]game.Move{}
		var checks []game.Move
		for _, m := range l.All() {
			kind, listed := kindOf(p, m)
			check := p.GivesCheck(m)
			if check {
				checks = append(checks, m)
			}
			if listed {
				want[kind] = append(want[kind], m)
			}
			if listed && check && kind == game.Quiet {
				want[game.Checks] = append(want[game.Checks], m)
			}
		}
		same := func(name string, want []game.Move) {
			slices.Sort(want)
			slices.Sort(part.All())
			if !slices.Equal(part.All(), want) {
				t.Fatalf("%s: %s, want %s, in\n%v", name, texts(p, part.All()), texts(p, want), p)
			}
		}
		for kind, name := range map[game.Kind]string{game.Noisy: "noisy", game.Quiet: "quiet",
			game.Checks: "quiet checks"} {
			part.Reset()
			p.Moves(kind, &part)
			same(name, want[kind])
		}
		part.Reset()
		p.Checks(&part)
		same("checks", checks)
		if kinds := len(slices.Compact(slices.Sorted(slices.Values(l.All())))); kinds != l.Len() {
			t.Fatalf("a move stands twice in the list of\n%v", p)
		}
	})
}

func texts(p *Position, moves []game.Move) (list []string) {
	for _, m := range moves {
		list = append(list, p.Text(m))
	}
	return list
}

// TestMoves looks at every legal move: GivesCheck, KeyAfter, Text and ParseMove
// agree with the board, and what a move carries stands there.
func TestMoves(t *testing.T) {
	walk(t, steps(10), func(p *Position, l *game.List, _ *rand.Rand) {
		for _, m := range l.All() {
			if m&drop == 0 && p.At(origin(m)) != m.Piece() || p.At(target(m)) != m.Victim() ||
				m.Promotes() != (m&promotion != 0) {
				t.Fatalf("%s carries the wrong piece in\n%v", p.Text(m), p)
			}
			if got, err := p.ParseMove(p.Text(m)); got != m {
				t.Fatalf("%s was read as %s, %v, in\n%v", p.Text(m), p.Text(got), err, p)
			}
			check, key := p.GivesCheck(m), p.KeyAfter(m)
			p.Make(m)
			if check != p.InCheck() || key != p.key {
				t.Fatalf("%s: GivesCheck %v or KeyAfter %x is wrong, now\n%v", p.Text(m), check, key, p)
			}
			p.Undo()
		}
	})
}

// TestFromMove16: of all 65536 values, exactly the values of legal moves give a move. Text16 writes these as Text does.
func TestFromMove16(t *testing.T) {
	walk(t, steps(100), func(p *Position, l *game.List, _ *rand.Rand) {
		legal := map[uint16]game.Move{}
		for _, m := range l.All() {
			legal[m.Move16()] = m
			if got, want := Text16(m.Move16()), p.Text(m); got != want {
				t.Fatalf("Text16(%#x) is %s, want %s", m.Move16(), got, want)
			}
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
	p := parse(t, pinned[1].sfen)
	frames := make([]game.List, 1)
	if n := testing.AllocsPerRun(10, func() { perft(p, frames) }); n != 0 {
		t.Errorf("%v allocations in Moves, Make and Undo", n)
	}
	l := &frames[0]
	n := testing.AllocsPerRun(10, func() {
		l.Reset()
		p.Checks(l)
		for s := range 1 << 16 {
			if m, ok := p.FromMove16(uint16(s)); ok {
				p.GivesCheck(m)
				p.KeyAfter(m)
				p.SEE(m, 0)
				p.Make(m)
				p.Adjudicate(3)
				p.Undo()
			}
		}
	})
	if n != 0 {
		t.Errorf("%v allocations in FromMove16, GivesCheck, KeyAfter, SEE, Make and Adjudicate", n)
	}
}

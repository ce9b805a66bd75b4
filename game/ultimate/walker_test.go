package ultimate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"trefoil/game"
)

// texts are the moves of a kind, in order.
func texts(w *Walker, kind game.Kind) (moves []string) {
	var l game.List
	w.Moves(kind, &l)
	for _, m := range l.All() {
		moves = append(moves, w.Text(m))
	}
	slices.Sort(moves)
	return moves
}

// A Walker agrees with Position in every position of random games, and Undo leads back to each.
func TestWalkerAgainstPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, want := NewWalker(Start()), []Position{Start()}
		for over := false; !over; {
			p := want[len(want)-1]
			if w.Position != p || w.Key() != NewWalker(p).Key() || w.Key()&1 != uint64(p.Side()) {
				t.Fatalf("%s, key %x: want %s, key %x", w.Position, w.Key(), p, NewWalker(p).Key())
			}
			legal := p.Moves(nil)
			all := texts(w, game.All)
			both := append(texts(w, game.Noisy), texts(w, game.Quiet)...)
			if slices.Sort(both); len(all) != len(legal) || !slices.Equal(all, both) {
				t.Fatalf("%s: moves %v, of both kinds %v, want %v", p, all, both, legal)
			}
			for m16 := range uint16(90) {
				m, ok := w.FromMove16(m16)
				if ok != (m16 > 0 && p.Check(Move(m16-1)) == nil) ||
					ok && (m.Move16() != m16 || Unpack(m) != Move(m16-1)) {
					t.Fatalf("%s: move %d is %x, %v", p, m16, m, ok)
				}
			}
			winning := map[Move]bool{}
			for _, m := range legal {
				if winner, won, _ := p.play(m).Over(); won && winner == p.Side() {
					winning[m] = true
				}
			}
			if m := w.MateInOne(); (m != game.None) != (len(winning) > 0) || m != game.None && !winning[Unpack(m)] {
				t.Fatalf("%s: %v wins, MateInOne %v", p, winning, m)
			}
			if len(legal) == 0 {
				break
			}
			next := rapid.SampledFrom(legal).Draw(t, "move")
			m, err := w.ParseMove(next.String())
			if err != nil {
				t.Fatal(err)
			}
			if decides := p.Open() != p.play(next).Open(); !decides && w.KeyAfter(m) != NewWalker(p.Play(next)).Key() {
				t.Fatalf("%s: key after %s", p, next)
			} else if w.InCheck() || w.GivesCheck(m) {
				t.Fatalf("%s: check", p)
			} else if won := p.Won(p.Side()) != p.play(next).Won(p.Side()); won == m.Quiet() {
				t.Fatalf("%s: %s is quiet %v", p, next, m.Quiet())
			}
			copied := w.Copy()
			w.Make(m)
			if copied.Position != p {
				t.Fatalf("%s: the copy became %s", p, copied.Position)
			}
			want = append(want, p.Play(next))
		}
		for i := len(want) - 2; i >= 0; i-- {
			if w.Undo(); w.Position != want[i] || w.Key() != NewWalker(want[i]).Key() {
				t.Fatalf("undone to %s, want %s", w.Position, want[i])
			}
		}
	})
}

func (p Position) play(m Move) *Position {
	next := p.Play(m)
	return &next
}

func TestWalkerAdjudicates(t *testing.T) {
	for text, want := range map[string]struct {
		outcome game.Outcome
		over    bool
	}{
		"X;.........;........./........./........./........./........./........./........./........./.........": {game.Draw, false},
		// Only X, or only O, can complete a line.
		"X;XX.OO##O#;XXX....../XXX....../........./OOO....../OOO....../XOXXOOOXX/XOXXOOOXX/OOO....../XOXXOOOXX": {game.Draw, false},
		"X;OO.XX##X#;OOO....../OOO....../........./XXX....../XXX....../XOXXOOOXX/XOXXOOOXX/XXX....../XOXXOOOXX": {game.Draw, false},
		"O;XXX......;XXX....../XXX....../XXX....../........./........./........./........./........./.........": {game.Loss, true},
		"X;XXX......;XXX....../XXX....../XXX....../........./........./........./........./........./.........": {game.Win, true},
		// Neither side can complete a line any more.
		"X;XOXXOOOX.;XXX....../OOO....../XXX....../XXX....../OOO....../OOO....../OOO....../XXX....../.........": {game.Draw, true},
	} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWalker(p)
		if outcome, over := w.Adjudicate(0); over != want.over || over && outcome != want.outcome {
			t.Errorf("%s: %v, %v", text, outcome, over)
		}
		if got := w.NoMoves(); want.over && got != want.outcome {
			t.Errorf("%s: %v without a move", text, got)
		}
	}
}

// A key tells the results of every board apart, and does not depend on the stones of decided boards.
func TestKeysOfDecidedBoards(t *testing.T) {
	stones := func(board int, rows string) Position {
		text := strings.Repeat("........./", board) + rows + "/" + strings.Repeat("........./", boards-1-board)
		mark := map[string]string{"XXX......": "X", "...XXX...": "X", "OOO......": "O", "XOXXOOOXX": "#"}[rows]
		p, err := Parse("X;" + strings.Repeat(".", board) + mark + strings.Repeat(".", boards-1-board) + ";" +
			text[:len(text)-1])
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	names := map[uint64]string{}
	for board := range boards {
		for _, rows := range []string{"XXX......", "OOO......", "XOXXOOOXX"} {
			p := stones(board, rows)
			if other, ok := names[p.key()]; ok {
				t.Errorf("%s has the key of %s", p, other)
			}
			names[p.key()] = p.String()
		}
		if p, q := stones(board, "XXX......"), stones(board, "...XXX..."); p.key() != q.key() {
			t.Errorf("%s and %s have different keys", p, q)
		}
	}
}

// The first correction key tells decided boards apart, the second the board to play on and its stones; they
// depend on nothing else.
func TestCorrectionKeys(t *testing.T) {
	type local struct {
		target uint8
		stones [2]uint16
	}
	var keyOf [2]map[any]uint64
	var ofKey [2]map[uint64]any
	for i := range keyOf {
		keyOf[i], ofKey[i] = map[any]uint64{}, map[uint64]any{}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		w := NewWalker(Start())
		for moves := w.Position.Moves(nil); len(moves) > 0; moves = w.Position.Moves(nil) {
			w.Position = w.Play(moves[rng.IntN(len(moves))])
			l := local{target: w.target}
			if w.target != free {
				l.stones = [2]uint16{w.stones[X][w.target], w.stones[O][w.target]}
			}
			var keys [4]uint64
			if n := w.CorrectionKeys(&keys); n != 2 {
				t.Fatal(n)
			}
			for i, feature := range []any{[3]uint16{w.won[X], w.won[O], w.Open()}, l} {
				if k, ok := keyOf[i][feature]; ok && k != keys[i] {
					t.Errorf("%+v has the keys %x and %x", feature, k, keys[i])
				}
				if f, ok := ofKey[i][keys[i]]; ok && f != feature {
					t.Errorf("%+v and %+v have the same key", f, feature)
				}
				keyOf[i][feature], ofKey[i][keys[i]] = keys[i], feature
			}
		}
	}
}

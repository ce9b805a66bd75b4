package certificate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/game/ultimate"
)

const twoRooks = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1" // mate in 2

// rooksMate is a proof of a mate that says of each move that the mate comes in the last of the moves left.
func rooksMate(moves int) Proof {
	s := &plain[*chess.Position]{chessMates(), map[string]bool{}}
	return mateProof(s.mates, twoRooks, moves, func(_ context.Context, p *chess.Position,
		left int) (game.Move, int, error) {
		m, _ := s.mate(p, left)
		return m, left, nil
	})
}

// withoutMoves is a proof of a mate that has no moves of its own.
func withoutMoves(moves int) Proof {
	return mateProof(chessMates(), twoRooks, moves, func(context.Context, *chess.Position, int) (game.Move, int, error) {
		return game.None, 0, errors.New("no move is known")
	})
}

func entriesOf(t *testing.T, p Proof) []byte {
	t.Helper()
	entries, err := p.Entries(t.Context(), math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// Moves of proofs prove their claims, of all lengths that they are enough for, in whatever order they were added.
func TestMoves(t *testing.T) {
	two, three := entriesOf(t, rooksMate(2)), entriesOf(t, rooksMate(3))
	for _, order := range [][]int{{2}, {2, 3}, {3, 2}} {
		m := NewMoves()
		for _, moves := range order {
			if err := m.Add(t.Context(), rooksMate(moves), map[int][]byte{2: two, 3: three}[moves]); err != nil {
				t.Fatal(err)
			}
		}
		for _, moves := range []int{2, 3} {
			if _, err := withoutMoves(moves).From(m).Entries(t.Context(), math.MaxInt); err != nil {
				t.Errorf("moves of %v: mate %d: %v", order, moves, err)
			}
		}
	}
	m := NewMoves()
	if err := m.Add(t.Context(), rooksMate(3), three); err != nil {
		t.Fatal(err)
	}
	if _, err := withoutMoves(2).From(m).Entries(t.Context(), math.MaxInt); err == nil {
		t.Error("moves of a mate in 3 prove a mate in 2")
	}
	if _, err := withoutMoves(2).From(NewMoves()).Entries(t.Context(), math.MaxInt); err == nil ||
		!strings.Contains(err.Error(), "no move is known") {
		t.Error(err)
	}
}

// Of entries that are no proof none is added.
func TestWrongEntries(t *testing.T) {
	entries := entriesOf(t, rooksMate(2))
	for says, wrong := range map[string][]byte{
		"there is no move for it": entries[:len(entries)-4],
		"no move for it":          entries[:len(entries)-1],
		"4 bytes are left":        append(entries[:len(entries):len(entries)], 1, 2, 3, 4),
		"is not a move":           make([]byte, len(entries)),
	} {
		m := NewMoves()
		if err := m.Add(t.Context(), rooksMate(2), wrong); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
		if len(m.entries) > 0 {
			t.Errorf("%q: %d moves are added", says, len(m.entries))
		}
	}
	if _, err := rooksMate(2).Entries(t.Context(), len(entries)-1); !errors.Is(err, ErrTooLong) {
		t.Errorf("a byte too long: %v", err)
	}
	if _, err := rooksMate(2).Entries(t.Context(), len(entries)); err != nil {
		t.Error(err)
	}
}

// A move that is put is played in the position of the claim.
func TestPut(t *testing.T) {
	m := NewMoves()
	if err := m.Put(rooksMate(2), "a2b2"); err != nil {
		t.Fatal(err)
	}
	if _, err := rooksMate(2).From(m).Entries(t.Context(), math.MaxInt); err == nil {
		t.Error("a move that does not mate")
	}
	if err := m.Put(rooksMate(2), "a2h3"); err == nil {
		t.Error("an illegal move")
	}
	p := ultimate.Start()
	if err := m.Put(Ultimate(p, "tie", nil), "aa"); err == nil || !strings.Contains(err.Error(), `"tie"`) {
		t.Error(err)
	}
}

// Mate is the number of moves of a claim, of either side.
func TestMate(t *testing.T) {
	for moves, want := range map[int]int{3: 3, -3: 3, 0: 0} {
		if got := withoutMoves(moves).Mate(); got != want {
			t.Errorf("mate %d: %d, want %d", moves, got, want)
		}
	}
	if got := Ultimate(ultimate.Start(), Draw, nil).Mate(); got != 0 {
		t.Errorf("Ultimate Tic-Tac-Toe: %d", got)
	}
}

// The longest mates that can be claimed.
func TestMostMoves(t *testing.T) {
	for value, right := range map[string]bool{
		"mate 65535": true, "mate -65535": true, "mate 65536": false, "mate -65536": false, "mate -0": false,
	} {
		if _, err := chessMates().rules().strategies(twoRooks, value); (err == nil) != right {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// The plies since the last capture or pawn move are part of a position only where the rule of fifty moves matters.
func TestChessCode(t *testing.T) {
	const board = "7k/8/8/8/8/8/R7/1R4K1 w - - "
	for _, c := range []struct {
		plies string
		left  int
		want  string
	}{{"0", 2, "0"}, {"97", 2, "0"}, {"98", 2, "98"}, {"99", 1, "0"}, {"100", 1, "100"}} {
		p := gametest.Chess(t, board+c.plies+" 90")
		if got := chessMates().code(p, c.left); got != board+c.want {
			t.Errorf("%s plies, %d moves left: %s", c.plies, c.left, got)
		}
	}
}

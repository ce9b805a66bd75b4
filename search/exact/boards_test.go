package exact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game/connect4"
)

// mustBoard returns the board of a size.
func mustBoard(t testing.TB, width, height, connect int) *connect4.Board {
	t.Helper()
	b, err := connect4.NewBoard(width, height, connect)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBoards: on boards of all sizes, 3 to 5 in line, positions near the end have the scores of minimax
// and of its best column, also in the table that earlier positions have filled.
func TestBoards(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	perBoard := 10
	if *long {
		perBoard = 24
	}
	for n, size := range connect4.Sizes() {
		for connect := connect4.MinConnect; connect <= connect4.MaxConnect; connect++ {
			b := mustBoard(t, size[0], size[1], connect)
			hash, positions := max(1, int(leastOf(b)>>20)), perBoard
			if hash > 64 {
				continue
			}
			if b.Small == nil {
				if connect != connect4.MinConnect+n%3 && !*long {
					continue
				}
				positions = 4
			}
			s := newSolver(t, Options{Hash: hash, Board: b})
			for i := range positions {
				empty := 2 + i%8
				p, ok := randomOn(r, b, b.Cells-min(empty, b.Cells))
				if !ok {
					continue // three in line are hard to avoid
				}
				want := minimax(p, map[[2]connect4.Set128]int{})
				got := s.Solve(t.Context(), p, Limits{}, nil)
				if got.Score != want || !got.Exact {
					t.Fatalf("%v\n%s\n%+v, want %d", b, p, got, want)
				}
				best := -64
				for _, c := range s.Analyze(t.Context(), p, Limits{}, nil) {
					if !c.Full {
						best = max(best, c.Score)
					}
				}
				if best != want {
					t.Fatalf("%v\n%s\nbest column %d, want %d", b, p, best, want)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// leastOf returns the fewest bytes of a table for a board.
func leastOf(b *connect4.Board) uint64 {
	if b.Small == nil {
		return leastBytes128(b)
	}
	return leastBytes(b)
}

// randomOn returns a position of a random game of that many plies, unless all attempts end before.
func randomOn(r *rand.Rand, b *connect4.Board, plies int) (p connect4.Position, ok bool) {
	for range 200 {
		p, ok = b.Start(), true
		for ok && p.Ply() < plies {
			p, ok = drop(r, p)
		}
		if ok {
			return p, true
		}
	}
	return p, false
}

// drop puts a stone into a random column or, if that would end the game, into the next one where it would not.
func drop(r *rand.Rand, p connect4.Position) (connect4.Position, bool) {
	b := p.Board()
	first := r.IntN(b.Width)
	for i := range b.Width {
		col := (first + i) % b.Width
		if !p.CanPlay(col) {
			continue
		}
		next := p.Play(col)
		if _, over := next.Over(); !over {
			return next, true
		}
	}
	return p, false
}

// TestBoardBounds: the score is within the static bounds of a position, on boards of even and odd
// height and width.
func TestBoardBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for _, size := range [][3]int{{5, 4, 4}, {4, 5, 4}, {5, 5, 4}, {6, 5, 4}, {5, 6, 4}, {5, 7, 4}, {7, 5, 4},
		{4, 6, 3}, {4, 7, 3}, {5, 5, 3}, {8, 5, 5}, {6, 7, 5}, {8, 7, 4}, {9, 6, 4}, {11, 5, 4}, {9, 7, 4}, {13, 4, 4}} {
		on := mustBoard(t, size[0], size[1], size[2])
		s := newSolver(t, Options{Board: on, Hash: max(8, int(leastBytes(on)>>20))})
		b := newBoard(on, leastKeyBits)
		tight, positions := 0, 200
		if *long {
			positions = 2000
		}
		for i := range positions {
			p, ok := randomOn(r, on, on.Cells-3-i%10)
			if !ok || !p.Wins().IsZero() {
				continue
			}
			want := minimax(p, map[[2]connect4.Set128]int{})
			n := newNode(p)
			if !n.resolve(b) {
				n.bound(b, int32(i%8)-4)
				n.bound(b, 1)
			}
			lower, upper := n.bounds()
			if lower == upper || upper <= 0 || lower >= 0 {
				tight++
			}
			if want < int(lower) || want > int(upper) {
				t.Fatalf("%v\n%s\nscore %d, bounds %d to %d", on, p, want, lower, upper)
			}
			if got := s.Solve(t.Context(), p, Limits{}, nil).Score; got != want {
				t.Fatalf("%v\n%s\nscore %d, want %d", on, p, got, want)
			}
		}
		t.Logf("%v: %d decided, or not to be won by one side", on, tight)
	}
}

// TestEmptyBoards: the empty boards have the values that John Tromp has published for four in line
// (https://tromp.github.io/c4/c4.html), and the wins last as long as Christophe Steininger's table says
// (https://github.com/ChristopheSteininger/c4).
func TestEmptyBoards(t *testing.T) {
	for _, c := range []struct {
		width, height int
		last          int // stones on the board when the game ends
		value         int // 1: the first side wins
		long          bool
	}{
		{4, 4, 16, 0, false}, {5, 4, 20, 0, false}, {6, 4, 24, -1, false}, {7, 4, 28, 0, false}, {8, 4, 32, -1, true}, {9, 4, 36, -1, true},
		{4, 5, 20, 0, false}, {5, 5, 25, 0, false}, {6, 5, 30, 0, false}, {7, 5, 35, 0, true}, {8, 5, 39, 1, true},
		{4, 6, 24, 0, false}, {5, 6, 30, 0, false}, {6, 6, 36, -1, true}, {7, 6, 41, 1, true},
		{4, 7, 28, 0, false}, {5, 7, 35, 0, true}, {6, 7, 41, 1, true},
		{4, 8, 32, 0, false}, {5, 8, 40, 0, true}, {4, 9, 36, 0, true}, {4, 10, 40, 0, true}, {4, 11, 44, 0, true},
		{4, 12, 48, 0, true}, {4, 13, 52, 0, true}, // not in his table
	} {
		if c.long && !*long {
			continue
		}
		b := mustBoard(t, c.width, c.height, 4)
		score := c.value * ((b.Cells-c.last)/2 + 1)
		r := newSolver(t, Options{Board: b, Threads: 2}).Solve(t.Context(), b.Start(), Limits{}, nil)
		t.Logf("%v: %+v", b, r)
		if r.Score != score || !r.Exact {
			t.Errorf("%v: %+v, want %d", b, r, score)
		}
	}
}

// TestShapes: on every board the key bits and every level of the table are exact, and the value has room
// for both bounds.
func TestShapes(t *testing.T) {
	for _, size := range connect4.Sizes() {
		b := mustBoard(t, size[0], size[1], 4)
		shapeOf, valueMask := shapeOf, uint64(boundsMask)
		if b.Small == nil {
			shapeOf, valueMask = shapeOf128, boundsMask128
		}
		if shape, err := shapeOf(b, leastOf(b)); err != nil || shape.MaxValue() < valueMask {
			t.Errorf("%v: %+v, %v", b, shape, err)
		}
		for _, hash := range []int{1, 2, 3, 64, 1000, 1 << 18, 1 << 20} {
			shape, err := Shape(b, hash)
			if hash == 1<<20 && b.Small == nil {
				if err == nil || !strings.Contains(err.Error(), "1048576 MiB: remainder: 17162689267 buckets") {
					t.Errorf("%v, %d MiB: %v", b, hash, err)
				}
				continue
			}
			if small := uint64(hash)<<20 < leastOf(b); small && (err == nil ||
				!strings.Contains(err.Error(), fmt.Sprintf("keys have %d bits", b.Cells+b.Width))) || !small && err != nil {
				t.Errorf("%v, %d MiB: %v", b, hash, err)
			}
			if err != nil {
				continue
			}
			most := connect4.Set128{High: b.MaxHigh, Low: b.MaxKey}.Shr(shape.KeyBits)
			if most.High != 0 || most.Low >= shape.Buckets || shape.MaxValue() < valueMask {
				t.Errorf("%v, %d MiB: %+v", b, hash, shape)
			}
		}
	}
	if shape, err := Shape(connect4.Standard, 64); err != nil || shape.KeyBits != 40 {
		t.Errorf("%+v, %v", shape, err)
	}
}

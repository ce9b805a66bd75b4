package connect4

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// grid is the game as the rules are stated: stones fall into columns, a line
// wins. 0 is empty, 1 the side that began, 2 the other.
type grid struct {
	*Board
	cells [32][32]int
	tops  [32]int
	ply   int
}

// boards of all strides, odd and even, and of all lengths of a line.
func testBoards(t testing.TB) (all []*Board) {
	for i, s := range Sizes() {
		b, err := NewBoard(s[0], s[1], 3+i%3)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return append(all, Standard)
}

func (g *grid) play(col int) {
	g.cells[col][g.tops[col]] = 1 + g.ply&1
	g.tops[col]++
	g.ply++
}

// line looks along every line.
func (g *grid) line(side int) bool {
	for col := range g.Width {
		for row := range g.Height {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				n := 0
				for i := range g.Connect {
					c, r := col+i*d[0], row+i*d[1]
					if c < g.Width && r >= 0 && r < g.Height && g.cells[c][r] == side {
						n++
					}
				}
				if n == g.Connect {
					return true
				}
			}
		}
	}
	return false
}

func (g *grid) over() (won, over bool) {
	won = g.line(2 - g.ply&1)
	return won, won || g.ply == g.Board.Cells
}

func (g *grid) cellAt(col, row int) Set128 { return Set128{Low: 1}.Shl(g.Stride*uint(col) + uint(row)) }

// compare checks a position against the grid.
func compare(t testing.TB, p Position, g *grid) {
	t.Helper()
	var mover, all, moves Set128
	for col := range g.Width {
		for row := range g.Height {
			if g.cells[col][row] != 0 {
				all = all.Or(g.cellAt(col, row))
			}
			if g.cells[col][row] == 1+g.ply&1 {
				mover = mover.Or(g.cellAt(col, row))
			}
		}
		if g.tops[col] < g.Height {
			moves = moves.Or(g.cellAt(col, g.tops[col]))
		}
		if p.CanPlay(col) != (g.tops[col] < g.Height) {
			t.Fatalf("CanPlay(%d) is %v in\n%v", col, p.CanPlay(col), p)
		}
	}
	if p.Mover != mover || p.All != all || p.Moves() != moves || p.Ply() != g.ply {
		t.Fatalf("mover %#x, all %#x, moves %#x, ply %d; want %#x, %#x, %#x, %d",
			p.Mover, p.All, p.Moves(), p.Ply(), mover, all, moves, g.ply)
	}
	won, over := p.Over()
	if w, o := g.over(); won != w || over != o {
		t.Fatalf("won %v, over %v; want %v, %v in\n%v", won, over, w, o, p)
	}
	for side, stones := range map[int]Set128{1 + g.ply&1: mover, 2 - g.ply&1: mover.Xor(all)} {
		if g.line(side) {
			continue // every cell would do
		}
		want := Set128{}
		for col := range g.Width {
			for row := range g.Height {
				if g.cells[col][row] == 0 {
					g.cells[col][row] = side
					if g.line(side) {
						want = want.Or(g.cellAt(col, row))
					}
					g.cells[col][row] = 0
				}
			}
		}
		if got := g.Wins(stones, all); got != want {
			t.Fatalf("wins of side %d are %#x, want %#x in\n%v", side, got, want, p)
		}
		if g.Small == nil {
			continue
		}
		small := [4]Set128{{Low: g.Small.Wins(stones.Low, all.Low)}, {Low: g.Small.Moves(all.Low)},
			{Low: g.Small.Mirror(stones.Low)}, {Low: g.Small.All}}
		two := [4]Set128{g.Sets128.Wins(stones, all), g.Sets128.Moves(all), g.Sets128.Mirror(stones), g.All}
		if small != two || g.Small.Line(stones.Low) != g.Sets128.Line(stones) {
			t.Fatalf("wins, moves, mirror image, all: %#x in one word, %#x in two", small, two)
		}
	}
}

// TestAgainstGrid plays random games to their end, and every second one beyond a
// four up to the full board, which no line may run around.
func TestAgainstGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	draws := 0
	boards := testBoards(t)
	for n := range 600 {
		b := boards[n%len(boards)]
		p, g := b.Start(), grid{Board: b}
		for {
			won, over := p.Over()
			if b.Small != nil || over || g.ply%16 == n%16 { // on a large board it takes long
				compare(t, p, &g)
			}
			if over && (n%2 == 0 || p.All == b.All) {
				if !won {
					draws++
				}
				break
			}
			col := rnd.IntN(b.Width)
			for g.tops[col] == b.Height {
				col = rnd.IntN(b.Width)
			}
			next := p.Play(col)
			if by := p.Drop(p.Moves().And(b.Column(col))); by != next {
				t.Fatalf("Drop: %v, Play: %v", by, next)
			}
			p = next
			g.play(col)
		}
	}
	if draws == 0 {
		t.Error("no game was drawn")
	}
}

// TestKeys: the first plies of the game have as many keys as they have positions,
// no key is too large, and Mirror does to keys what it does to positions.
func TestKeys(t *testing.T) {
	seen := map[uint64]Position{}
	level := map[Position]bool{{}: true}
	// Positions after n plies: sequence A212693 of the OEIS.
	for ply, want := range []int{1, 7, 49, 238, 1120, 4263, 16422, 54859} {
		if len(level) != want {
			t.Errorf("%d positions after %d plies, want %d", len(level), ply, want)
		}
		next := map[Position]bool{}
		for p := range level {
			if q, twice := seen[p.Key()]; twice {
				t.Fatalf("key %#x belongs to %v and %v", p.Key(), p, q)
			}
			seen[p.Key()] = p
			m := p.Mirror()
			if p.Key() > Standard.MaxKey || m.Key() != Standard.Small.Mirror(p.Key()) || m.Mirror() != p || m.Ply() != ply {
				t.Fatalf("key %#x, mirrored %#x: %#x\n%v\n%v", p.Key(), Standard.Small.Mirror(p.Key()), m.Key(), p, m)
			}
			if _, over := p.Over(); over {
				continue
			}
			for col := range Standard.Width {
				if p.CanPlay(col) {
					next[p.Play(col)] = true
					if a, b := p.Play(col).Mirror(), m.Play(Standard.Width-1-col); a != b {
						t.Fatalf("column %d, then mirrored:\n%v\nmirrored before:\n%v", col, a, b)
					}
				}
			}
		}
		level = next
	}
	if Standard.MaxKey>>48 != 1 {
		t.Errorf("the largest key is %#x", Standard.MaxKey)
	}
}

// TestKeysOfBoards: the same for random positions of all boards.
func TestKeysOfBoards(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for _, b := range testBoards(t) {
		seen := map[[2]uint64]Position{}
		for range 100 {
			for p, over := b.Start(), false; !over; _, over = p.Over() {
				high, low := p.WideKey()
				if q, twice := seen[[2]uint64{high, low}]; twice && q != p {
					t.Fatalf("key %#x, %#x belongs to %v and %v", high, low, p, q)
				}
				seen[[2]uint64{high, low}] = p
				m := p.Mirror()
				if high > b.MaxHigh || high == b.MaxHigh && low > b.MaxKey || m.Mirror() != p || m.Board() != b {
					t.Fatalf("%v: key %#x, %#x, mirrored\n%v\n%v", b, high, low, p, m)
				}
				mh, ml := m.WideKey()
				if !b.Wide && b.Mirror(Set128{high, low}) != (Set128{mh, ml}) || b.MaxHigh == 0 && p.Key() != low {
					t.Fatalf("%v: key %#x, %#x, mirrored %#x, %#x\n%v\n%v", b, high, low, mh, ml, p, m)
				}
				col := rnd.IntN(b.Width)
				for !p.CanPlay(col) {
					col = rnd.IntN(b.Width)
				}
				if m.Play(b.Width-1-col) != p.Play(col).Mirror() {
					t.Fatalf("%v: column %d, mirrored before and after it", p, col)
				}
				p = p.Play(col)
			}
		}
	}
}

// TestBoards: sizes that do not fit are refused with their numbers, and equal boards are the same.
func TestBoards(t *testing.T) {
	for _, c := range []struct {
		size    string
		connect int
		want    string // a part of the error, or String of the board
	}{
		{"7x6", 4, "7x6"}, {"6x5", 3, "6x5 connect 3"}, {"9x6", 5, "9x6 connect 5"}, {"8x7", 4, "8x7"}, {"12x4", 4, "12x4"}, {"4x15", 4, "4x15"},
		{"13x4", 4, "13x4"}, {"8x8", 5, "8x8 connect 5"}, {"4x16", 3, "4x16 connect 3"},
		{"9x8", 4, "9x8"}, {"25x4", 3, "25x4 connect 3"}, {"4x31", 5, "4x31 connect 5"}, {"8x15", 4, "8x15"},
		{"9x14", 4, "9×14: expected a width × (height + 1) of at most 128"}, {"26x4", 4, "at most 128"}, {"3x6", 4, "at least 4×4"}, {"4x-6", 4, "at least 4×4"},
		{"99999999999999999999x1", 4, "not a width"}, {"4611686018427387904x4", 4, "at most 128"}, {"2305843009213693952x7", 4, "at most 128"}, {"8x2305843009213693951", 4, "at most 128"},
		{"7", 4, "not a width"}, {"7x6x4", 4, "not a width"}, {"", 4, "not a width"},
		{"7x6", 2, "2 in line: expected 3 to 5"}, {"7x6", 6, "6 in line"},
	} {
		b, err := ParseBoard(c.size, c.connect)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.size, err, c.want)
			}
			continue
		}
		if again, _ := ParseBoard(c.size, c.connect); b.String() != c.want || again != b || b.Start().Board() != b {
			t.Errorf("%s: %v, want %s", c.size, b, c.want)
		}
	}
	if b, _ := ParseBoard("7x6", 4); b != Standard || b.Start() != (Position{}) {
		t.Error("7x6 is not the standard board")
	}
	if got := Standard.MiddleFirst; !slices.Equal(got, []int{3, 2, 4, 1, 5, 0, 6}) {
		t.Errorf("columns %v", got)
	}
	bottom := Standard.Small.Bottom
	for n, want := range map[int]uint64{0: 0, 1: bottom, 2: bottom * 3, 6: Standard.Small.All} {
		if got := Standard.Small.Rows(n); got != want {
			t.Errorf("%d rows: %#x, want %#x", n, got, want)
		}
	}
	if n := len(Sizes()); n != 157 {
		t.Errorf("%d sizes", n)
	}
}

// TestFinalScore: a win is worth 1 and the stones that the winner has left; a draw is worth 0.
func TestFinalScore(t *testing.T) {
	for digits, want := range map[string]int{"1212121": -18, "31212121": -18, full: 0} {
		p, err := Parse(digits)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.FinalScore(); got != want {
			t.Errorf("%s: %d, want %d", digits, got, want)
		}
	}
	before, _ := Parse("121213")
	if got := before.WinScore(); got != 18 {
		t.Errorf("a win next: %d", got)
	}
}

func TestString(t *testing.T) {
	p, err := Parse("4453")
	if err != nil {
		t.Fatal(err)
	}
	const want = `. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . o . . .
. . o x x . .
1 2 3 4 5 6 7`
	if p.String() != want {
		t.Errorf("got\n%v\nwant\n%s", p, want)
	}
	if p = p.Play(2); p.String()[4*14+4] != 'x' {
		t.Errorf("x has played 3:\n%v", p)
	}
}

func TestNoAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		p, err := Parse("444444333333")
		if err != nil {
			t.Error(err)
		}
		for moves := p.Moves(); !moves.IsZero(); moves = moves.And(moves.Sub(Set128{Low: 1})) {
			q := p.Drop(moves.And(moves.Neg())).Mirror()
			if _, over := q.Over(); over || !Standard.Wins(q.Mover, q.All).And(q.All).IsZero() || q.Key() == 0 {
				t.Error("over already")
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkWins(b *testing.B) {
	p, _ := Parse("44444326215")
	n := 0
	for b.Loop() {
		n += bits.OnesCount64(Standard.Small.Wins(p.Mover.Low, p.All.Low))
	}
	_ = n
}

// TestPositionOf: PositionOf is the inverse of Key, on all boards.
func TestPositionOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range Sizes() {
		b, err := NewBoard(size[0], size[1], 4)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			for p := b.Start(); ; {
				if got := b.PositionOf(p.WideKey()); got.Mover != p.Mover || got.All != p.All || got.Board() != b {
					t.Fatalf("%v: %v, want %v", b, got, p)
				}
				if p.Moves().IsZero() {
					break
				}
				if col := random.IntN(b.Width); p.CanPlay(col) {
					p = p.Play(col)
				}
			}
		}
	}
}

package connect4

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// grid is the game as the rules are stated: stones fall into columns, four in a line
// win. 0 is empty, 1 the side that began, 2 the other.
type grid struct {
	cells [Width][Height]int
	tops  [Width]int
	ply   int
}

func (g *grid) play(col int) {
	g.cells[col][g.tops[col]] = 1 + g.ply&1
	g.tops[col]++
	g.ply++
}

// four looks along every line of four cells.
func (g *grid) four(side int) bool {
	for col := range Width {
		for row := range Height {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				n := 0
				for i := range 4 {
					c, r := col+i*d[0], row+i*d[1]
					if c < Width && r >= 0 && r < Height && g.cells[c][r] == side {
						n++
					}
				}
				if n == 4 {
					return true
				}
			}
		}
	}
	return false
}

func (g *grid) over() (won, over bool) {
	won = g.four(2 - g.ply&1)
	return won, won || g.ply == Cells
}

func cellAt(col, row int) uint64 { return 1 << (7*col + row) }

// compare checks a position against the grid.
func compare(t testing.TB, p Position, g *grid) {
	t.Helper()
	var mover, all, moves uint64
	for col := range Width {
		for row := range Height {
			if g.cells[col][row] != 0 {
				all |= cellAt(col, row)
			}
			if g.cells[col][row] == 1+g.ply&1 {
				mover |= cellAt(col, row)
			}
		}
		if g.tops[col] < Height {
			moves |= cellAt(col, g.tops[col])
		}
		if p.CanPlay(col) != (g.tops[col] < Height) {
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
	for side, stones := range map[int]uint64{1 + g.ply&1: mover, 2 - g.ply&1: mover ^ all} {
		if g.four(side) {
			continue // every cell would do
		}
		want := uint64(0)
		for col := range Width {
			for row := range Height {
				if g.cells[col][row] == 0 {
					g.cells[col][row] = side
					if g.four(side) {
						want |= cellAt(col, row)
					}
					g.cells[col][row] = 0
				}
			}
		}
		if got := Wins(stones, all); got != want {
			t.Fatalf("wins of side %d are %#x, want %#x in\n%v", side, got, want, p)
		}
	}
}

// TestAgainstGrid plays random games to their end, and every second one beyond a
// four up to the full board, which no line may run around.
func TestAgainstGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	draws := 0
	for n := range 600 {
		p, g := Position{}, grid{}
		for {
			compare(t, p, &g)
			if won, over := p.Over(); over && (n%2 == 0 || p.All == Board) {
				if !won {
					draws++
				}
				break
			}
			col := rnd.IntN(Width)
			for g.tops[col] == Height {
				col = rnd.IntN(Width)
			}
			next := p.Play(col)
			if by := p.Drop(p.Moves() & Column(col)); by != next {
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
			if p.Key() > MaxKey || m.Key() != Mirror(p.Key()) || m.Mirror() != p || m.Ply() != ply {
				t.Fatalf("key %#x, mirrored %#x: %#x\n%v\n%v", p.Key(), Mirror(p.Key()), m.Key(), p, m)
			}
			if _, over := p.Over(); over {
				continue
			}
			for col := range Width {
				if p.CanPlay(col) {
					next[p.Play(col)] = true
					if a, b := p.Play(col).Mirror(), m.Play(Width-1-col); a != b {
						t.Fatalf("column %d, then mirrored:\n%v\nmirrored before:\n%v", col, a, b)
					}
				}
			}
		}
		level = next
	}
	if MaxKey>>48 != 1 {
		t.Errorf("the largest key is %#x", MaxKey)
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
		for moves := p.Moves(); moves != 0; moves &= moves - 1 {
			q := p.Drop(moves & -moves).Mirror()
			if _, over := q.Over(); over || Wins(q.Mover, q.All)&q.All != 0 || q.Key() == 0 {
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
		n += bits.OnesCount64(Wins(p.Mover, p.All))
	}
	_ = n
}

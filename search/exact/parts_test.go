package exact

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/mem"
)

// TestShapeRefuses: a size whose bytes would overflow is an error.
func TestShapeRefuses(t *testing.T) {
	for _, hash := range []int{-1, 0, 1 << 43, 1<<44 + 1, math.MaxInt} {
		if shape, err := Shape(connect4.Standard, hash); err == nil || !strings.Contains(err.Error(), "MiB") {
			t.Errorf("%d MiB: %+v, %v", hash, shape, err)
		}
	}
}

func TestEntry(t *testing.T) {
	last := uint64(0)
	for nodes := uint64(1); nodes < 1<<40; nodes += 1 + nodes/50 {
		if w := workOf(nodes); w < last || w >= 1<<(64-leastKeyBits-workShift) {
			t.Fatalf("%d nodes: work %d after %d", nodes, w, last)
		} else {
			last = w
		}
	}
	for lower := int32(-30); lower <= 30; lower++ {
		for upper := lower; upper <= 30; upper++ {
			v := pack(lower, upper, 12345, 0)
			if l, u := unpack(v); v == 0 || l != lower || u != upper {
				t.Fatalf("%d to %d came back as %d to %d", lower, upper, l, u)
			}
		}
	}
}

// TestKeys: a position and its mirror image have the same key, other positions have others, and no
// symmetric position follows a root for which canMirror is false.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	seen := map[uint64]connect4.Position{}
	for i := range 20_000 {
		p := random(r, i%30)
		n, m := newNode(p), newNode(p.Mirror())
		n.setKey(standard, true)
		m.setKey(standard, true)
		key := n.key
		if key != m.key || key > connect4.Standard.MaxKey {
			t.Fatalf("%s\nkeys %d and %d", p, key, m.key)
		}
		if q, ok := seen[key]; ok && q != p && q != p.Mirror() {
			t.Fatalf("%s\nand\n%s\nhave one key", p, q)
		}
		seen[key] = p
		for q := p; !n.canMirror(standard) && q.Ply() < p.Ply()+4; {
			moves := q.Moves()
			if moves.IsZero() {
				break
			}
			if q = q.Drop(moves.And(moves.Neg())); newNode(q).symmetric() {
				t.Fatalf("%s\nbecame symmetric:\n%s", p, q)
			}
		}
	}
}

func (n node) symmetric() bool {
	return standard.Mirror(n.mover) == n.mover && standard.Mirror(n.other) == n.other
}

// TestHistory: history values stay within their limits.
func TestHistory(t *testing.T) {
	prior := prior(connect4.Standard)
	h := prior
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 1_000_000 {
		cell := uint64(1) << r.IntN(14)
		h.add(&prior, int32(i&1), cell, int32(r.IntN(9))-1)
	}
	for side := range h {
		for cell, v := range h[side] {
			if away := v - prior[side][cell]; away > historyLimit*historyStep || away < -historyLimit*historyStep ||
				v >= winWeight/2 {
				t.Errorf("cell %d: %d away", cell, away)
			}
		}
	}
}

func TestUpwards(t *testing.T) {
	for col := range standard.Width {
		for cells := range uint64(1) << standard.Height {
			want := uint64(0)
			for low := cells & -cells; low != 0 && low < 1<<standard.Height; low <<= 1 {
				want |= low
			}
			if got := standard.upwards(cells << (7 * col)); got != want<<(7*col) {
				t.Fatalf("column %d, cells %b: %b, want %b", col, cells, got>>(7*col), want)
			}
		}
	}
}

// TestUpwardsWide: on wide boards too, if no cell is a lowest one, whatever the other columns have.
func TestUpwardsWide(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, size := range [][2]int{{8, 8}, {9, 7}, {13, 4}, {4, 16}, {16, 4}} {
		b := newBoard(mustBoard(t, size[0], size[1], 4), leastKeyBits)
		for range 10_000 {
			cells := r.Uint64() & r.Uint64() & b.All &^ b.Bottom
			if r.IntN(2) == 0 {
				x, y := r.IntN(b.Width), r.IntN(b.Width)
				cells &= b.Column(x) | b.Column(y)
			}
			want := uint64(0)
			for cell := range 64 {
				if below := b.Column(cell/b.Height%b.Width) & (2<<cell - 1); cells&below != 0 {
					want |= 1 << cell & b.All
				}
			}
			if got := b.upwards(cells); got != want {
				t.Fatalf("%v, cells %x: %x, want %x", b, cells, got, want)
			}
		}
	}
}

// TestWideKeys: on wide boards a position and its mirror image have the same key, and no other position has it.
func TestWideKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 5))
	for _, size := range [][2]int{{8, 8}, {9, 7}, {13, 4}, {4, 16}, {16, 4}} {
		b := mustBoard(t, size[0], size[1], 5)
		e := newBoard(b, leastKeyBits)
		for i := range 500 {
			p, ok := randomOn(r, b, i%(b.Cells-2))
			if !ok {
				continue
			}
			n, m := newNode(p), newNode(p.Mirror())
			n.setKey(e, n.canMirror(e))
			m.setKey(e, m.canMirror(e))
			key := n.tableKey()
			if q := b.PositionOf(key.High, key.Low); key != m.tableKey() || q != p && q != p.Mirror() {
				t.Fatalf("%v\n%s\nkeys %v and %v, the key of\n%s", b, p, key, m.tableKey(), q)
			}
		}
	}
}

// TestReleasing: the memory of the old table counts as available; if New fails the old one stays.
func TestReleasing(t *testing.T) {
	old := newSolver(t, Options{Hash: 2})
	p := random(rand.New(rand.NewPCG(7, 7)), 16)
	want := old.Solve(t.Context(), p, Limits{}, nil)
	if _, err := New(Options{Hash: 1 << 24, Memory: mem.Options{Releasing: old}}); err == nil ||
		!strings.Contains(err.Error(), "of the old table") {
		t.Errorf("error %v does not name the memory of the old table", err)
	}
	if again := old.Solve(t.Context(), p, Limits{}, nil); again.Score != want.Score || again.Nodes > want.Nodes {
		t.Errorf("%+v, before %+v", again, want)
	}
	next := newSolver(t, Options{Hash: 3, Memory: mem.Options{Releasing: old}})
	if got := next.Solve(t.Context(), p, Limits{}, nil); got.Score != want.Score {
		t.Errorf("%+v, old table %+v", got, want)
	}
}

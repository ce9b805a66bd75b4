package shogigoal

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/search/proof"
)

// walk plays n plies of random games and calls visit in every position.
func walk(t testing.TB, n int, visit func(p *shogi.Position, rnd *rand.Rand)) {
	starts := []string{
		shogi.StartSFEN,
		"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
		"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
		"6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
		"8k/9/9/9/9/9/9/9/K8 w 2R2B4G4S4N4L18P 1",
		"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1",
		"1+R1K1+P1+P1/3G1G1S1/2SN5/9/9/9/9/2k6/9 b RB2N2L14Pbgs 1",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for l := new(game.List); n > 0; {
		p := gametest.Shogi(t, starts[rnd.IntN(len(starts))])
		for ply := 0; ply < 200 && n > 0; ply++ {
			l.Reset()
			p.Moves(game.All, l)
			visit(p, rnd)
			n--
			if l.Len() == 0 {
				break
			}
			p.Make(l.At(rnd.IntN(l.Len())))
		}
	}
}

type noTable struct{}

func (noTable) Prefetch(uint64) {}

// A position has the same key only with the same attacker, moves left and, where they
// matter, earlier occurrences; Make and Undo lead where Expand says and back.
func TestKey(t *testing.T) {
	const sfen = "7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1"
	const endless = MaxMoves + 1
	key := func(attacker shogi.Colour, moves int) uint64 {
		return New(gametest.Shogi(t, sfen), attacker, moves).Key()
	}
	base := key(shogi.Black, 5)
	for name, other := range map[string]uint64{
		"attacker": key(shogi.White, 5), "number of moves": key(shogi.Black, 6), "number, which is no limit,": key(shogi.Black, endless),
	} {
		if other == base {
			t.Errorf("another %s, the same key", name)
		}
	}
	for _, left := range []int{5, endless} {
		c := New(gametest.Shogi(t, sfen), shogi.Black, left)
		for _, s := range c.Expand(nil, noTable{}) {
			c.Make(s.Move)
			if c.Key() != s.Key && s.Key != 0 {
				t.Errorf("%v: the key after it is not that of Expand", s.Move)
			}
			if c.Attacking() || (c.Left() != left) != (left == 5) {
				t.Errorf("%d moves left of %d", c.Left(), left)
			}
			c.Undo()
		}
		if c.Key() != key(shogi.Black, left) || c.Left() != left {
			t.Error("Undo does not lead back")
		}
	}
	p := gametest.Shogi(t, "8k/9/9/9/9/9/9/9/K6R1 b - 1")
	before := New(p, shogi.Black, 5).Key()
	for range 2 {
		if New(p, shogi.Black, 5).Key() != before {
			t.Error("a position that has not occurred three times has another key")
		}
		gametest.Play(t, p, "2i1i 1a2a 1i2i 2a1a")
	}
	c := New(p, shogi.Black, 5)
	if c.Key() == before {
		t.Error("a position that has occurred three times has the same key")
	}
	gametest.Play(t, p, "2i1i 1a2a 1i2i 2a1a")
	if !New(p, shogi.Black, 5).Drawn() || c.Drawn() {
		t.Error("the fourth occurrence ends the game, the third does not")
	}
}

// A check that brings a position about for the fourth time is no mate, whatever the moves left.
func TestFourthTime(t *testing.T) {
	p := gametest.Shogi(t, "8k/9/9/9/9/9/9/9/K6R1 b - 1")
	for range 3 {
		gametest.Play(t, p, "2i1i 1a2a 1i2i 2a1a")
	}
	check := gametest.Move(t, p, "2i1i")
	for _, left := range []int{2, MaxMoves, MaxMoves + 1, math.MaxInt32} {
		for _, s := range New(p, shogi.Black, left).Expand(nil, noTable{}) {
			if drawn := s.Phi == 0; drawn != (s.Move == check) {
				t.Errorf("%s with %d moves left: the defender is saved: %v", p.Text(s.Move), left, drawn)
			}
		}
	}
}

// TestEvaluate: what is known of a position without a search.
func TestEvaluate(t *testing.T) {
	const (
		check     = "7Rk/9/9/9/9/9/9/9/9 w - 1"
		mated     = "8k/8G/8P/9/9/9/9/9/9 w - 1"
		stalemate = "8k/9/6NG1/9/9/9/9/9/9 w - 1"
	)
	for _, c := range []struct {
		sfen       string
		left       int
		phi, delta uint32
	}{
		{check, 1, 1, 1}, {check, MaxMoves + 1, 1, 1}, {check, 0, 0, proof.Infinity},
		{mated, 0, proof.Infinity, 0}, {mated, 5, proof.Infinity, 0},
		{stalemate, 5, 0, proof.Infinity}, {stalemate, 0, 0, proof.Infinity},
	} {
		var s proof.Child
		if New(gametest.Shogi(t, c.sfen), shogi.Black, c.left).Evaluate(&s); s.Phi != c.phi || s.Delta != c.delta {
			t.Errorf("%s, %d moves left: φ %d, δ %d, want %d, %d", c.sfen, c.left, s.Phi, s.Delta, c.phi, c.delta)
		}
	}
}

// TestPath: only without a limit on the moves is a check that repeats a board found, and told by the position that it
// repeats; then the key of a path depends on the path.
func TestPath(t *testing.T) {
	p := gametest.Shogi(t, "8k/9/9/9/9/9/9/9/K6R1 b - 1")
	moves := func(text string) []game.Move { return gametest.Play(t, p.Copy(), text) }
	for _, left := range []int{MaxMoves, MaxMoves + 1} {
		g := New(p, shogi.Black, left)
		for _, m := range moves("2i1i 1a2a 1i2i 2a1a") {
			g.Make(m)
		}
		path := g.PathKey()
		loop := func() (loop uint16) {
			for _, s := range g.Expand(nil, noTable{}) {
				if g.Text(s.Move) == "2i1i" {
					loop = s.Loop
				}
			}
			return loop
		}
		fromStart := loop()
		g.SetRoot()
		fromHere := loop()
		if limited := left <= MaxMoves; limited && (fromStart != 0 || fromHere != 0 || path != 0) ||
			!limited && (fromStart != 3 || fromHere != 1 || path == 0) {
			t.Errorf("%d moves: loops %d and %d, key of the path %#x", left, fromStart, fromHere, path)
		}
		for range 4 {
			g.Undo()
		}
		for _, m := range moves("2i3i 1a1b 3i2i 1b1a") {
			g.Make(m)
		}
		if left > MaxMoves && g.PathKey() == path {
			t.Error("another path has the same key")
		}
	}
}

// TestMateOnly: of the checks one that mates is enough, with the pieces that it needs; and 16 bits that are no legal
// move are none.
func TestMateOnly(t *testing.T) {
	g := New(gametest.Shogi(t, "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"), shogi.Black, 1)
	children := g.Expand(nil, noTable{})
	if len(children) != 1 || children[0].Delta != 0 && children[0].Phi != 0 || children[0].Hand != 0 {
		t.Fatalf("%+v", children)
	}
	if m := g.FromMove16(g.Move16(children[0].Move)); m != children[0].Move {
		t.Errorf("%v, want %v", m, children[0].Move)
	}
	if m := g.FromMove16(0x7fff); m != game.None {
		t.Errorf("no move is %v", m)
	}
	if g.Make(children[0].Move); !g.Mated() {
		t.Errorf("%v does not mate", children[0].Move)
	}
}

// The leaf cache changes nothing that Expand returns.
func TestCache(t *testing.T) {
	for _, sfen := range []string{
		"7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1",
		"6ppk/6+B2/9/9/9/9/9/9/4K4 b RGNL3P 1",
	} {
		c := New(gametest.Shogi(t, sfen), shogi.Black, 0)
		rnd := rand.New(rand.NewPCG(1, 2))
		met := 0
		for range 300 {
			c.SetLeft([]int{1, 2, 3, math.MaxInt32}[rnd.IntN(4)])
			depth := 0
			for ; c.left > 0 && depth < 6; depth++ {
				again := c.Expand(nil, noTable{})
				kept := c.leaves
				c.leaves = nil
				evaluated := c.Expand(nil, noTable{})
				c.leaves = kept
				if !slices.Equal(again, evaluated) {
					t.Fatalf("%d moves left, evaluated %+v, cached %+v, in\n%v", c.left, evaluated, again, c.p)
				}
				if len(evaluated) == 0 {
					break
				}
				met++
				c.Make(evaluated[rnd.IntN(len(evaluated))].Move)
			}
			for range depth {
				c.Undo()
			}
		}
		if met < 300 {
			t.Errorf("%d positions met", met)
		}
	}
}

// Proof and disproof pieces follow from the moves.
func TestHands(t *testing.T) {
	h := func(p *shogi.Position) shogi.Hand { return p.Hand(shogi.Black) }
	small, big := gametest.Shogi(t, "4k4/9/9/9/9/9/9/9/4K4 b GP 1"), gametest.Shogi(t, "4k4/9/9/9/9/9/9/9/4K4 b RG2P 1")
	if !h(big).Dominates(h(small)) || h(small).Dominates(h(big)) {
		t.Error("a gold and a pawn are dominated by a rook, a gold and two pawns, not the reverse")
	}
	if least(h(big), h(small)) != h(small) || most(h(big), h(small)) != h(big) {
		t.Error("least, most")
	}
	// Without a mate Black may have more of the kinds that it has, which allows no other drops.
	if g := New(gametest.Shogi(t, "4k4/9/9/9/9/9/9/9/4K4 b RPg2p 1"), shogi.Black, 1); g.noNewDrops() !=
		shogi.One(shogi.Rook)+3*shogi.One(shogi.Pawn) {
		t.Errorf("no new drops with %b", g.noNewDrops())
	}
	// The rook mates from afar only as long as White has nothing to put between.
	p := gametest.Shogi(t, "6ppk/6+B2/9/9/9/9/9/9/4K4 b RG 1", "R*1e")
	if c := New(p, shogi.Black, 1); c.withhold(0) != shogi.One(shogi.Gold) {
		t.Errorf("Black must keep %b, not one gold", c.withhold(0))
	}
}

// TestDelays: a rook, bishop or pawn stays unpromoted only after some work on the promotion, and of the drops on one
// square each waits for the one before it.
func TestDelays(t *testing.T) {
	for _, c := range []struct {
		sfen string
		want map[string]uint16
	}{
		{"4k4/9/4P4/9/9/9/9/9/4K4 b - 1", map[string]uint16{"5c5b+": 0, "5c5b": promotionWork}},
		{"4k4/9/4S4/9/9/9/9/9/4K4 b - 1", map[string]uint16{"5c5b+": 0, "5c5b": 0, "5c4b+": 0, "5c4b": 0, "5c6b+": 0, "5c6b": 0}},
		{"k8/9/9/1R7/9/9/9/9/8K b - 1", map[string]uint16{"8d8a+": 0, "8d8a": promotionWork, "8d8b+": 0, "8d9d": 0}},
		{"k8/1P7/9/R8/9/9/9/9/8K w gs 1", map[string]uint16{
			"9a8b": 0, "S*9b": 0, "G*9b": proof.UntilSolved, "S*9c": 0, "G*9c": proof.UntilSolved,
		}},
	} {
		g := New(gametest.Shogi(t, c.sfen), shogi.Black, MaxMoves+1)
		list := g.listAttacks
		if !g.Attacking() {
			list = g.listDefences
		}
		got := map[string]uint16{}
		for _, child := range list(nil) {
			got[g.Text(child.Move)] = child.Delay
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.sfen, got, c.want)
		}
	}
}

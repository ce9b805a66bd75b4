package alphabeta

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/search"
	"trefoil/search/clock"
)

// claims is a Prover that claims mates: lines of moves by the key of the position.
type claims struct {
	lines map[uint64][]game.Move
	tries map[uint64]int
	most  uint64 // nodes allowed
	after uint64 // no line is found with fewer nodes
}

func (c *claims) Prove(_ context.Context, pos Position, nodes uint64) Proof {
	c.tries[pos.Key()]++
	c.most = max(c.most, nodes)
	line := c.lines[pos.Key()]
	if nodes < c.after && line != nil {
		return Proof{Nodes: nodes}
	}
	return Proof{Line: line, None: line == nil, Nodes: nodes}
}

// claim returns a Prover that claims a mate by some moves after others from the start position.
func claim(t *testing.T, before, moves string) *claims {
	t.Helper()
	pos := parse(t, chess.StartFEN, strings.Fields(before)...)
	key := pos.Key()
	line := gametest.Play(t, pos, moves)
	return &claims{lines: map[uint64][]game.Move{key: line}, tries: map[uint64]int{}}
}

const claimed = "h2h4 a7a5 g2g4 b7b5 h4h5 c7c5 g4g5 d7d5 h5h6"

func TestMateAtRoot(t *testing.T) {
	c := claim(t, "", claimed)
	s := newSearcher(t, 1)
	start := parse(t, chess.StartFEN)
	limits := search.Limits{Depth: 10}
	r, infos := run(t, s, start, limits, Settings{Prover: c})
	last := infos[len(infos)-1]
	if r.Best != "h2h4" || last.Score != (search.Score{Mate: true, Plies: 9}) || strings.Join(last.PV, " ") != claimed {
		t.Errorf("best move %s, last report %+v", r.Best, last)
	}
	if last.Depth != 10 {
		t.Errorf("ended at depth %d", last.Depth)
	}
	if e, hit := s.table.Peek(start.Key()); hit && e.Depth == proofDepth {
		t.Error("the entry of the root tells no iteration")
	}
	none := &claims{tries: map[uint64]int{}}
	if r, infos = run(t, s, start, limits, Settings{Prover: none, Resume: true}); r.Best != "h2h4" {
		t.Errorf("the table has forgotten the mate: %s, %+v", r.Best, infos[len(infos)-1])
	}
	_, infos = run(t, s, start, search.Limits{Depth: 4}, Settings{Prover: none})
	if last := infos[len(infos)-1]; strings.Join(last.PV, " ") != claimed {
		t.Errorf("a search of 4 plies does not end with the whole mate of the table: %+v", last)
	}
	for seed := range uint64(5) { // a weakened search plays it, whatever the noise is
		set := Settings{Prover: c, Skill: &Skill{Moves: 4, Noise: 1e6, Seed: seed}}
		if r, _ := run(t, newSearcher(t, 1), start, search.Limits{Depth: 8}, set); r.Best != "h2h4" {
			t.Errorf("weakened, seed %d: %s", seed, r.Best)
		}
	}

	limits = search.Limits{Start: time.Now(), MoveTime: time.Hour}
	if r, _ := run(t, newSearcher(t, 2), start, limits, Settings{Prover: c}); r.Best != "h2h4" {
		t.Errorf("with an hour for the move: %s", r.Best)
	}
	limits = search.Limits{Depth: 6, SearchMoves: []string{"e2e4", "d2d4"}}
	if r, _ := run(t, newSearcher(t, 1), start, limits, Settings{Prover: c}); r.Best == "h2h4" {
		t.Error("a move that was not to be searched")
	}
}

// proved is an Observer that notes the positions of proved mates.
type proved struct {
	stored
	keys *[]uint64
}

func (p proved) Store(t *cluster.Table, pos Position, e cluster.Entry) {
	if e.Depth == proofDepth {
		*p.keys = append(*p.keys, pos.Key())
	}
	t.Store(pos.Key(), e)
}

// An observer sees the positions of a mate stored: all but the root.
func TestMateIsObserved(t *testing.T) {
	pos, moves := parse(t, chess.StartFEN), strings.Fields(claimed)
	var keys, want []uint64
	for i := 1; i < len(moves); i++ {
		want = append(want, parse(t, chess.StartFEN, moves[:i]...).Key())
	}
	run(t, newSearcher(t, 1), pos, search.Limits{Depth: 10},
		Settings{Prover: claim(t, "", claimed), Observer: func(int) Observer { return proved{keys: &keys} }})
	if !slices.Equal(keys, want) {
		t.Errorf("observed %x, want %x", keys, want)
	}
}

// A mate that is proved during an iteration is reported at once, and ends a search by the clock.
func TestMateAtOnce(t *testing.T) {
	c, pos := claim(t, "", claimed), parse(t, chess.StartFEN)
	c.after = 2000
	set := Settings{Prover: c, PVInterval: time.Hour}
	_, infos := run(t, newSearcher(t, 1), pos, search.Limits{Depth: 12}, set)
	first := slices.IndexFunc(infos, func(i search.Info) bool { return i.Score.Mate })
	if first < 0 || strings.Join(infos[first].PV, " ") != claimed || infos[first].Depth == 12 ||
		infos[len(infos)-1].Depth != 12 {
		t.Fatalf("the mate is not reported at once: %+v", infos)
	}
	r, timed := run(t, newSearcher(t, 1), pos, search.Limits{Start: time.Now(), MoveTime: time.Hour}, set)
	if r.Best != "h2h4" || r.Nodes != infos[first].Nodes {
		t.Errorf("with an hour for the move: %s, %+v", r.Best, timed)
	}
	limits := search.Limits{Depth: 12, SearchMoves: []string{"e2e4", "d2d4"}}
	_, infos = run(t, newSearcher(t, 1), pos, limits, Settings{Prover: c})
	for i := 1; i < len(infos); i++ {
		if infos[i].Depth == infos[i-1].Depth {
			t.Errorf("an iteration is repeated for a mate that is not to be played: %+v", infos[i-1:i+1])
		}
	}
}

// A shorter mate that alpha-beta has found stays the best line, also if a proved one begins with the same move.
func TestShorterMate(t *testing.T) {
	const fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
	pos, s := parse(t, fen), newSearcher(t, 1)
	run(t, s, pos, search.Limits{Depth: 6}, Settings{})
	w := s.workers[0]
	for _, text := range []string{"h5e5", "h5f7"} {
		m := gametest.Move(t, pos, text)
		best := &w.root[0]
		if !w.mateAtRoot([]game.Move{m, m, m}) || pos.Text(best.move) != "h5f7" || best.score != mateValue(1) {
			t.Errorf("%s: %+v", text, best)
		}
	}
}

// A mate after the best move makes another move the best.
func TestMateByReply(t *testing.T) {
	start := parse(t, chess.StartFEN)
	limits := search.Limits{Depth: 10}
	r, _ := run(t, newSearcher(t, 1), start, limits, Settings{})
	reply := claim(t, r.Best, map[bool]string{true: "h7h5 a2a4 h5h4", false: "a7a5 h2h4 a5a4"}[r.Best[0] == 'a'])
	limits.Depth++ // the next iteration has the mate
	got, infos := run(t, newSearcher(t, 1), start, limits, Settings{Prover: reply})
	if got.Best == r.Best || infos[len(infos)-1].Score.Mate {
		t.Errorf("there is a mate after %s: %s, %+v", r.Best, got.Best, infos[len(infos)-1])
	}
	if !slices.ContainsFunc(infos, func(i search.Info) bool { return i.PV != nil && i.PV[0] == r.Best }) {
		t.Errorf("%s was never best", r.Best)
	}
}

// Positions without a mate are tried once; proofs take few of the nodes of a short search, and respect the limit.
func TestProofNodes(t *testing.T) {
	c := &claims{tries: map[uint64]int{}}
	r, _ := run(t, newSearcher(t, 1), parse(t, chess.StartFEN), search.Limits{Nodes: 20_000}, Settings{Prover: c})
	if r.Nodes > 20_000 || c.most == 0 || c.most > 10_000 {
		t.Errorf("%d nodes, up to %d for a proof", r.Nodes, c.most)
	}
	for key, n := range c.tries {
		if n > 1 {
			t.Errorf("position %x without a mate was tried %d times", key, n)
		}
	}
	c = &claims{tries: map[uint64]int{}}
	run(t, newSearcher(t, 1), parse(t, chess.StartFEN), search.Limits{Mate: 3, Depth: 5}, Settings{Prover: c})
	if len(c.tries) > 0 {
		t.Error("a search for a mate in some moves has no use for other mates")
	}
}

// blocking is a Prover whose first proof ends only with its context; the later ones are claims.
type blocking struct {
	*claims
	first func() // called by the first proof; then nil
}

func (b *blocking) Prove(ctx context.Context, pos Position, nodes uint64) Proof {
	if b.first != nil {
		b.first()
		b.first = nil
		<-ctx.Done()
	}
	if ctx.Err() != nil {
		return Proof{}
	}
	return b.claims.Prove(ctx, pos, nodes)
}

// result returns the result of a search, which must end.
func result(t *testing.T, s *Searcher, pos Position, lim search.Limits, set Settings) (r search.Result) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		r = s.Search(context.Background(), pos, lim, set, nil)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the search does not end")
	}
	return r
}

// A ponderhit ends the proof under way, and no later one. A search whose proofs have ended gets it too.
func TestPonderHitInProof(t *testing.T) {
	hits, pos, s := make(chan search.Clock, 1), parse(t, chess.StartFEN), newSearcher(t, 1)
	limits := search.Limits{Start: time.Now(), MoveTime: time.Hour, Ponder: true, PonderHit: hits}
	set := Settings{Prover: &blocking{claim(t, "", claimed), func() { hits <- search.Clock{} }}}
	if r := result(t, s, pos, limits, set); r.Best != "h2h4" {
		t.Errorf("the mate was not proved after the ponderhit: %+v", r)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	m := newManager(ctx, s, pos, limits, set, nil)
	defer m.disarm()
	m.proofs.end()
	hits <- search.Clock{}
	if m.wait(ctx); m.pondering {
		t.Error("the ponderhit is lost")
	}
}

// A limit of nodes that another thread reaches ends the proof under way, and a proof leaves the other threads their
// parts of the nodes.
func TestProofBesideThreads(t *testing.T) {
	const limit = 30_000
	none, pos, s := &claims{tries: map[uint64]int{}}, parse(t, chess.StartFEN), newSearcher(t, 2)
	r := result(t, s, pos, search.Limits{Nodes: limit}, Settings{Prover: &blocking{none, func() {}}})
	if r.Nodes < limit || r.Nodes > limit+2*(pollEvery+1) {
		t.Errorf("limit %d: %d nodes", limit, r.Nodes)
	}

	const left = 1800
	m := newManager(context.Background(), s, pos, search.Limits{Nodes: proofHalf + left}, Settings{Prover: none}, nil)
	defer m.proofs.end()
	w := s.workers[0]
	w.prepare(pos.Clone(), s.rootMoves(pos, nil), 1)
	w.control, w.nodes, w.root[0].score = &m.control, proofHalf, 20
	if m.prove(w); none.most == 0 || none.most > left/2 {
		t.Errorf("a proof with %d of %d nodes", none.most, left)
	}
}

// A proof takes no more than half the nodes of alpha-beta at proofHalf, and a mate by the reply to the best move
// gives the search more time.
func TestTimeAfterReply(t *testing.T) {
	c, pos, s := claim(t, "e2e4", "a7a5 h2h4 a5a4"), parse(t, chess.StartFEN), newSearcher(t, 1)
	s.MakeWorkers(pos.HistoryDimensions())
	lim := search.Limits{Clock: search.Clock{Given: true, Time: [2]time.Duration{time.Hour, time.Hour}}}
	m := newManager(context.Background(), s, pos, lim, Settings{Prover: c}, nil)
	defer func() { m.disarm(); m.proofs.end() }()
	w := s.workers[0]
	w.prepare(pos.Clone(), s.rootMoves(pos, []string{"e2e4"}), 1)
	w.table, w.control, w.mateSearch, w.rootDepth, w.nodes = s.table, &m.control, false, 10, proofHalf
	w.root[0].score = 20
	m.timer.Update(clock.Iteration{Depth: 10, Best: 1, Value: 20})
	before := m.deadline
	if m.prove(w) || len(c.tries) != 2 || c.most > proofHalf/2 {
		t.Errorf("%d positions tried, with up to %d nodes", len(c.tries), c.most)
	}
	if m.deadline <= before {
		t.Errorf("the deadline was %v, and is %v", before, m.deadline)
	}
}

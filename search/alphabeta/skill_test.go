package alphabeta

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"trefoil/search"
	"trefoil/search/clock"
)

// weakNodes is the soft limit of a weakened search in these tests, weak its setting.
const weakNodes = 300

func weak(seed uint64) Settings { return Settings{Skill: &Skill{Moves: 4, Noise: 150, Seed: seed}} }

// A weakened search plays a legal move, which its last report shows, and the same one whenever it has the
// same seed.
func TestSkill(t *testing.T) {
	varied := 0
	for _, fen := range fens {
		played := map[string]bool{}
		for seed := range uint64(4) {
			res, infos := run(t, newSearcher(t, 1), parse(t, fen), search.Limits{Depth: 30, SoftNodes: weakNodes},
				weak(seed))
			parse(t, fen, res.Best)
			if last := infos[len(infos)-1]; last.PV[0] != res.Best || last.MultiPV != 1 {
				t.Errorf("%s: plays %s after %+v", fen, res.Best, last)
			}
			if again, _ := run(t, newSearcher(t, 1), parse(t, fen), search.Limits{Depth: 30, SoftNodes: weakNodes},
				weak(seed)); again.Best != res.Best || again.Nodes != res.Nodes {
				t.Errorf("%s, seed %d: %+v, then %+v", fen, seed, res, again)
			}
			played[res.Best] = true
		}
		if len(played) > 1 {
			varied++
		}
	}
	if varied < len(fens)/2 {
		t.Errorf("only in %d of %d positions another seed plays another move", varied, len(fens))
	}
}

// Without noise the best move is played, whatever the seed is.
func TestSkillWithoutNoise(t *testing.T) {
	for _, fen := range fens {
		set := weak(1)
		set.MultiPV, set.Skill.Noise = set.Skill.Moves, 0
		got, _ := run(t, newSearcher(t, 1), parse(t, fen), search.Limits{Depth: 5}, set)
		want, _ := run(t, newSearcher(t, 1), parse(t, fen), search.Limits{Depth: 5}, Settings{MultiPV: set.MultiPV})
		if got.Best != want.Best || got.Nodes != want.Nodes {
			t.Errorf("%s: %+v, want %+v", fen, got, want)
		}
	}
}

// Only the moves of searchmoves are played, and MultiPV is how many lines are reported.
func TestSkillOfSomeMoves(t *testing.T) {
	allowed := []string{"a2a3", "h2h4", "b1a3"}
	pos := parse(t, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	for seed := range uint64(5) {
		set := weak(seed)
		set.MultiPV = 2
		res, infos := run(t, newSearcher(t, 1), pos, search.Limits{SearchMoves: allowed, SoftNodes: weakNodes}, set)
		if !slices.Contains(allowed, res.Best) {
			t.Errorf("seed %d: %s", seed, res.Best)
		}
		for _, i := range infos {
			if i.MultiPV > 2 {
				t.Errorf("line %d is reported", i.MultiPV)
			}
		}
		if before := infos[len(infos)-2]; before.MultiPV != 1 || before.PV[0] != res.Best {
			t.Errorf("seed %d: plays %s, the first line is %+v", seed, res.Best, before)
		}
	}
}

// TestSoftmax: a move that loses as much as the noise is e times less probable.
func TestSoftmax(t *testing.T) {
	const seeds = 20000
	w := newSearcher(t, 1)
	w.MakeWorkers(parse(t, fens[1]).HistoryDimensions())
	first := 0
	for seed := range uint64(seeds) {
		pos := parse(t, fens[1])
		w.moves.Reset()
		moves := w.rootMoves(pos, nil)[:2]
		worker := w.workers[0]
		worker.prepare(pos, moves, 2)
		worker.root[0].score, worker.root[1].score = 130, 30
		if s := (Skill{Moves: 2, Noise: 100, Seed: seed}); !s.moveForward(worker) {
			first++
		}
	}
	want := 1 / (1 + math.Exp(-1))
	if got := float64(first) / seeds; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/seeds) {
		t.Errorf("the better of two moves is played with probability %.3f, want %.3f", got, want)
	}
}

// A move that loses more than MaxLoss is never played, whatever the noise is; all others are.
func TestMaxLoss(t *testing.T) {
	w := newSearcher(t, 1)
	w.MakeWorkers(parse(t, fens[1]).HistoryDimensions())
	played := map[int]int{}
	for seed := range uint64(200) {
		pos := parse(t, fens[1])
		w.moves.Reset()
		worker := w.workers[0]
		worker.prepare(pos, w.rootMoves(pos, nil)[:4], 4)
		for i, score := range []int{50, -350, -351, -900} {
			worker.root[i].score = score
		}
		(&Skill{Moves: 4, Noise: 1e4, MaxLoss: 400, Seed: seed}).moveForward(worker)
		played[worker.root[0].score]++
	}
	if len(played) != 2 || played[50] == 0 || played[-350] == 0 {
		t.Errorf("values of the moves played: %v, want 50 and -350", played)
	}
}

// A weakened search that is stopped before its first value plays a move all the same.
func TestSkillStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pos := parse(t, fens[1])
	parse(t, fens[1], newSearcher(t, 1).Search(ctx, pos, search.Limits{SoftNodes: weakNodes}, weak(1), nil).Best)
}

// A weakened search that ponders is answered after the ponderhit only.
func TestSkillPonders(t *testing.T) {
	hits := make(chan search.Clock)
	done := make(chan search.Result)
	s := newSearcher(t, 1)
	go func() {
		set := weak(1)
		set.Clock = clock.Settings{MinimumThinking: time.Millisecond}
		lim := search.Limits{SoftNodes: weakNodes, Start: time.Now(), Ponder: true, PonderHit: hits,
			Clock: search.Clock{Given: true, Time: [2]time.Duration{time.Hour, time.Hour}}}
		done <- s.Search(context.Background(), parse(t, fens[1]), lim, set, nil)
	}()
	select {
	case <-done:
		t.Fatal("answered before the ponderhit")
	case hits <- search.Clock{}:
	}
	if res := <-done; res.Best == "" {
		t.Error("no move")
	}
}

package ultimate

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	rules "trefoil/game/ultimate"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// newTestPlayer returns a player with a small table at a position.
func newTestPlayer(t *testing.T, setup string, moves ...string) *player {
	t.Helper()
	p := newPlayer(registry.Env{Options: config.New(config.Uses{}), Notices: new(table.Notices),
		Memory: new(memory.Budget)}).(*player)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	p.set(t, "Hash", "1")
	if err := p.SetPosition(setup, moves); err != nil {
		t.Fatal(err)
	}
	return p
}

// set sets an option.
func (p *player) set(t *testing.T, name, value string) {
	t.Helper()
	if err := p.options.Set.Set(context.Background(), options.UCI, name, value); err != nil {
		t.Fatal(err)
	}
}

// run searches and returns the answer with the reports that have a score.
func run(ctx context.Context, p *player, limits search.Limits) (search.Result, []search.Info) {
	var infos []search.Info
	limits.Start = time.Now()
	r := p.Search(ctx, limits, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" {
			infos = append(infos, i)
		}
	})
	return r, infos
}

// drawn is a drawn position, in which one move draws and the others lose.
const drawn = "O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X"

// A search that is limited by nodes keeps the limit, gives the same answer each time, and its scores
// are centipawns as long as nothing is proved.
func TestNodes(t *testing.T) {
	for _, nodes := range []uint64{1, 20, 3000, 30000} {
		var first search.Result
		for round := range 2 {
			p := newTestPlayer(t, "startpos", "ee", "ea", "ai", "if")
			r, infos := run(context.Background(), p, search.Limits{Nodes: nodes})
			r.Time = 0
			if round == 0 {
				first = r
			}
			last := infos[len(infos)-1]
			if least := nodes / 50; infos[0].Nodes < least { // proof search, which has its turn first, counts
				t.Errorf("nodes %d: %d in the first report", nodes, infos[0].Nodes)
			}
			if r != first || r.Nodes > nodes+2*256 || // proof search counts its nodes by 256
				last.Nodes != r.Nodes || last.Score.Mate || last.PV[0] != r.Best {
				t.Errorf("nodes %d: %+v, first %+v, last report %+v", nodes, r, first, last)
			}
		}
	}
}

// Without limits a search goes on until the position is decided.
func TestDecides(t *testing.T) {
	r, infos := run(context.Background(), newTestPlayer(t, drawn), search.Limits{})
	if last := infos[len(infos)-1]; r.Best != "cg" || last.Score != (search.Score{}) || last.Bound != search.Exact ||
		last.Nodes != r.Nodes {
		t.Errorf("%+v, %+v", r, last)
	}
}

// While only one of the proofs has ended, no score of alpha-beta is beyond what it has proved.
func TestHalfDecided(t *testing.T) {
	_, infos := run(context.Background(), newTestPlayer(t, drawn), search.Limits{Nodes: 100})
	for _, i := range infos {
		if i.Score.Centipawns < 0 || i.Bound != search.Lower { // X does not win
			t.Errorf("%+v", i)
		}
	}
}

// A position that proof search decides in its first turn is not searched by alpha-beta: with an hour, however
// many nodes that takes, and without limits. Single moves are searched until they are decided, too.
func TestTurns(t *testing.T) {
	const hard, easy = 8, 1 // 29,000 and 2,700 nodes; a turn without limits has 16,384
	for setup, limits := range map[int]search.Limits{hard: {MoveTime: time.Hour}, easy: {Infinite: true}} {
		if _, infos := run(t.Context(), newTestPlayer(t, benchSetups[setup]), limits); len(infos) != 1 {
			t.Errorf("%+v: %+v", limits, infos)
		}
	}
	p := newTestPlayer(t, benchSetups[hard])
	p.set(t, "MultiPV", "2")
	if r, infos := run(t.Context(), p, search.Limits{MoveTime: time.Hour}); r.Nodes < 1<<14 || len(infos) != 2 {
		t.Errorf("%+v, %+v", r, infos)
	}
}

// TestLongerTurn: if the decision is near, proof search has more of the nodes than its share, which is half here.
func TestLongerTurn(t *testing.T) {
	const nodes = 2655 // of the proof
	p := newTestPlayer(t, benchSetups[1])
	if _, infos := run(t.Context(), p, search.Limits{Nodes: nodes * 5 / 4}); len(infos) != 1 {
		t.Errorf("%+v", infos)
	}
}

// Alpha-beta estimates as many moves as there are best lines, and forgets its estimates of before.
func TestEstimates(t *testing.T) {
	p := newTestPlayer(t, "startpos")
	run(t.Context(), p, search.Limits{Nodes: 1}) // makes the table
	s := newSolverSearch(p, search.Limits{Nodes: 3000, Start: time.Now()}, clock.Params{}, func(search.Info) {})
	all := newRootMoves(p.pos, p.pos.Moves(nil))
	for i := range all {
		all[i].estimated = new(search.Info)
	}
	s.estimateMoves(t.Context(), all, 2)
	estimated := 0
	for i := range all {
		if e := all[i].estimated; e != nil {
			if estimated++; len(e.PV) == 0 || e.PV[0] != ultimategoal.Text(all[i].line[:1]) || all[i].class() != 2 {
				t.Errorf("move %d: %+v", i, e)
			}
		}
	}
	if estimated != 2 {
		t.Errorf("%d moves are estimated", estimated)
	}
}

// A search that is stopped at once has a move of alpha-beta, and a proof any move; both report it.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, limits := range []search.Limits{{Infinite: true}, {MoveTime: time.Hour}, {Ponder: true},
		{SearchMoves: []string{"fa", "fb"}, Infinite: true}, {Mate: 1}} {
		p := newTestPlayer(t, "startpos", "ee", "ea", "ai", "if")
		r, infos := run(ctx, p, limits)
		last := infos[len(infos)-1]
		if p.pos.Check(mustParse(t, p, r.Best)) != nil || len(last.PV) == 0 || last.PV[0] != r.Best ||
			last.Nodes == 0 && limits.Mate == 0 {
			t.Errorf("%+v: %+v, %+v", limits, r, last)
		}
	}
}

// The best lines come in order, proved ones among them, and each move once.
func TestLines(t *testing.T) {
	p := newTestPlayer(t, drawn)
	p.set(t, "MultiPV", "20")
	p.set(t, "Threads", "2")
	_, infos := run(context.Background(), p, search.Limits{Nodes: 40})
	last := infos[len(infos)-20:]
	seen := map[string]bool{}
	for i, info := range last {
		if info.MultiPV != i+1 || seen[info.PV[0]] {
			t.Errorf("line %d: %+v", i+1, info)
		}
		seen[info.PV[0]] = true
		if i > 0 && !last[i-1].Score.Mate && info.Score.Mate && info.Score.Plies > 0 {
			t.Errorf("a proved win is line %d", i+1)
		}
	}
	p.set(t, "MultiPV", "1")
	if r, _ := run(context.Background(), p, search.Limits{SearchMoves: []string{"dh", "cg"}}); r.Best != "cg" {
		t.Errorf("best of two: %+v", r)
	}
}

// TestOver: a game that is over has no move; the score says who has won, also where no game leads to the
// position.
func TestOver(t *testing.T) {
	const won = ";XXX......;XXX....../XXX....../XXX....../........./........./........./........./........./........."
	const full = "X;#########;XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/XOXXOOOXX"
	for setup, want := range map[string]search.Score{
		"O" + won: {Mate: true}, "X" + won: {Mate: true, Plies: 1}, full: {},
	} {
		r, infos := run(t.Context(), newTestPlayer(t, setup), search.Limits{})
		if r.Best != "" || len(infos) != 1 || infos[0].Score != want {
			t.Errorf("%s: %+v, %+v", setup, r, infos)
		}
	}
}

// TestReports: moves that are not legal are named. The proofs of single moves are not reported. The state of
// the proof of the position is reported at the end of the search, if not before.
func TestReports(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, c := range []struct {
		setup  string
		limits search.Limits
		want   string // how the first text of a report begins
	}{
		{drawn, search.Limits{Nodes: 5000, SearchMoves: []string{"zz", "dh", "cg"}}, `searchmoves: move "zz": `},
		{"startpos", search.Limits{Infinite: true}, "X wins: proof number "},
	} {
		p := newTestPlayer(t, c.setup)
		var said []string
		p.Search(ctx, c.limits, func(i search.Info) {
			switch {
			case strings.HasPrefix(i.Text, "hash "): // a notice
			case i.Text != "":
				said = append(said, i.Text)
			case c.limits.Infinite && i.CurrMove == "":
				stop()
			}
		})
		if len(said) == 0 || c.limits.Nodes > 0 && len(said) > 1 || !strings.HasPrefix(said[0], c.want) {
			t.Errorf("%+v: %q, want %q", c.limits, said, c.want)
		}
	}
}

// TestBounded: a score is never beyond what is proved.
func TestBounded(t *testing.T) {
	disproved := proof.Answer{Result: proof.Disproved}
	for _, c := range []struct {
		d                proof.Decision
		centipawns, want int
		bound            search.Bound
	}{
		{proof.Decision{}, 50, 50, search.Exact}, {proof.Decision{Wins: disproved}, 50, 0, search.Upper},
		{proof.Decision{Wins: disproved}, -50, -50, search.Upper},
		{proof.Decision{Loses: disproved}, -50, 0, search.Lower},
		{proof.Decision{Loses: disproved}, 50, 50, search.Lower},
	} {
		if got, bound := bounded(c.centipawns, search.Exact, c.d); got != c.want || bound != c.bound {
			t.Errorf("%+v, %d: %d, bound %v", c.d, c.centipawns, got, bound)
		}
	}
}

// TestPerft counts the tree from the start.
func TestPerft(t *testing.T) {
	for depth, want := range []uint64{1: 81, 2: 720, 3: 6336, 4: 55080} {
		if depth > 0 {
			if n, err := perft(rules.Start(), depth).Total(t.Context()); n != want || err != nil {
				t.Errorf("depth %d: %d leaves, want %d, %v", depth, n, want, err)
			}
		}
	}
}

func mustParse(t *testing.T, p *player, text string) (m rules.Move) {
	t.Helper()
	m, err := p.pos.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The share of proof search grows as the game goes on.
func TestShare(t *testing.T) {
	p := newTestPlayer(t, "startpos")
	shares := []int{share(&p.pos)}
	for _, move := range strings.Fields("gi if fh hh hd dc cf ff fb bb bd df fe ee ec cb bg gd di ic cd dh hg gg ga ac ca ab ba aa ei ig gh hc cg gc ef ge ha") {
		p.pos = p.pos.Play(mustParse(t, p, move))
		shares = append(shares, share(&p.pos))
	}
	if !slices.IsSorted(shares) || shares[0] < 1 || shares[len(shares)-1] > 50 || shares[0] == shares[len(shares)-1] {
		t.Errorf("%v", shares)
	}
}

// A decision is near if one of the proofs has ended, or if one number of the first is small for its nodes.
func TestNear(t *testing.T) {
	running := func(phi, delta uint32) proof.Answer { return proof.Answer{Phi: phi, Delta: delta} }
	disproved := proof.Answer{Result: proof.Disproved, Phi: proof.Infinity}
	for _, c := range []struct {
		d    proof.Decision
		want bool // after 10000 nodes
	}{
		{proof.Decision{Wins: running(2000, 31000)}, false},
		{proof.Decision{Loses: running(31000, 2000)}, false},
		{proof.Decision{Wins: running(1999, 3000)}, true},
		{proof.Decision{Loses: running(3000, 1999)}, true},
		{proof.Decision{Wins: disproved}, true},
		{proof.Decision{Wins: disproved, Loses: running(3000, 31000)}, true},
		{proof.Decision{Wins: running(3000, 31000), Loses: disproved}, true},
	} {
		if near(c.d, 10000) != c.want {
			t.Errorf("%+v: want %v", c.d, c.want)
		}
	}
}

// A search for a win considers only the moves that it is told.
func TestWinBy(t *testing.T) {
	const won = "X;O.X...O.@;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO...OXOO" // after ie
	for _, c := range []struct {
		after   string
		limits  search.Limits
		best    string
		won     bool
		message string
	}{
		{"ie", search.Limits{}, "ee", true, ""},
		{"ie", search.Limits{SearchMoves: []string{"ed", "ef"}}, "ed", true, ""},
		{"ie", search.Limits{SearchMoves: []string{"ef"}}, "ef", true, ""},
		{"ie ee ef fb bb", search.Limits{SearchMoves: []string{"db"}}, "db", true, ""}, // the game ends
		{"", search.Limits{SearchMoves: []string{"ie"}}, "ie", false, "no win"},
		{"ie", search.Limits{SearchMoves: []string{"ia"}}, "ee", true, registry.NoneLegal}, // all moves
	} {
		p := newTestPlayer(t, won, strings.Fields(c.after)...)
		c.limits.Mate, c.limits.Start = search.AnyMate, time.Now()
		var message string
		var last search.Info
		r := p.Search(context.Background(), c.limits, func(i search.Info) {
			switch {
			case i.Text == "no win" || i.Text == "unknown" || i.Text == registry.NoneLegal:
				message = i.Text
			case i.Text == "":
				last = i
			}
		})
		if r.Best != c.best || last.PV[0] != r.Best || last.Score.Mate != c.won || message != c.message {
			t.Errorf("%+v: %+v, %q, %+v", c, r, message, last)
		}
		if c.won && last.Score.Plies != len(last.PV) {
			t.Errorf("%+v: mate in %d plies: %q", c, last.Score.Plies, last.PV)
		}
	}
	p, ctx := newTestPlayer(t, drawn), t.Context()
	p.set(t, "Threads", "2")
	limits := search.Limits{Mate: search.AnyMate, SearchMoves: []string{"dh", "cg", "ab"}}
	if r, infos := run(ctx, p, limits); !slices.Contains(limits.SearchMoves, r.Best) || infos[0].Bound != search.Upper {
		t.Errorf("%+v, %+v", r, infos)
	}
	limits.SearchMoves, limits.Nodes = []string{"aa", "ab"}, 20000
	if r, infos := run(ctx, newTestPlayer(t, "startpos"), limits); !slices.Contains(limits.SearchMoves, r.Best) ||
		infos[0].Score.Mate || r.Nodes < 20000 || r.Nodes > 21000 {
		t.Errorf("unknown: %+v, %+v", r, infos)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	limits.Nodes = 0
	if r, _ := run(ctx, newTestPlayer(t, "startpos"), limits); !slices.Contains(limits.SearchMoves, r.Best) {
		t.Errorf("stopped: %+v", r)
	}
}

// The likelier of the two proofs comes first, so that a loss is decided by one proof.
func TestLoss(t *testing.T) {
	p := newTestPlayer(t, "X;O.X...O.@;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO...OXOO")
	var states []string
	r := p.Search(context.Background(), search.Limits{Start: time.Now(), Nodes: 100000}, func(i search.Info) {
		if strings.Contains(i.Text, "wins") {
			states = append(states, i.Text)
		}
	})
	if r.Best != "ie" || !slices.Equal(states, []string{"O wins: proved"}) {
		t.Errorf("%+v, %q", r, states)
	}
}

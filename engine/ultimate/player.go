package ultimate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	rules "trefoil/game/ultimate"
	"trefoil/game/ultimate/eval"
	"trefoil/internal/mem"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/proof/ultimategoal"
)

// player plays Ultimate Tic-Tac-Toe by proof search, and by alpha-beta until that has decided the position. Both
// tables together have the size of Hash.
type player struct {
	options   *config.Options
	env       registry.Env
	table     *table.PairOwner
	estimator *estimator
	pos       rules.Position
	searched  rules.Position // the root of the last search
}

var _ interface {
	registry.Hasher
	registry.Evaluator
} = (*player)(nil)

// newPlayer returns a player at the start position.
func newPlayer(env registry.Env) registry.Player {
	p := &player{options: env.Options, env: env, table: table.NewPairOwner(env.Notices), estimator: newEstimator(),
		pos: rules.Start()}
	evalFile.Declare(env.Options.Set, func(by evaluation) error {
		if p.estimator.evaluate(by) {
			p.table.ClearMoves()
			p.table.CompleteClear()
		}
		env.Notices.Add("evaluation: " + by.Name)
		return nil
	})
	return p
}

// Resize, Repage, Clear, NewGame, Close, TableLine and Plan are methods of registry.Hasher.
func (p *player) Resize(_ context.Context, bytes uint64) error {
	if err := p.env.Fit(p, memory.Hash, bytes); err != nil {
		return err
	}
	return p.resize(memory.Whole(bytes))
}

// resize makes both tables of that size, unless they are there.
func (p *player) resize(size memory.Size) error { return p.remake(size, p.options.HashPages.Value()) }

// Use is registry.Hasher.Use.
func (p *player) Use() memory.Use {
	u := memory.Use{Worker: p.estimator.workerBytes(), Workers: uint64(p.estimator.searcher.Workers()),
		Ordinary: p.table.Ordinary()}
	if !p.table.Empty() {
		u.Table = p.table.Table().Size().Bytes
	}
	return u
}

// SetThreads is registry.Hasher.SetThreads.
func (p *player) SetThreads(n int) { p.estimator.setThreads(n) }

func (p *player) Repage(pages mem.Pages) error {
	if p.table.Empty() {
		return nil
	}
	return p.remake(p.table.Table().Size(), pages)
}

// remake makes or replaces both tables.
func (p *player) remake(size memory.Size, pages mem.Pages) error {
	return p.table.Resize(size, pages, p.estimator.searcher.SetTable)
}

func (p *player) Clear() { p.table.Clear() }

// Settle is registry.Hasher.Settle. If the tables cannot be made, the first search says why.
func (p *player) Settle(ctx context.Context) {
	p.estimator.searcher.MakeWorkers(new(rules.Walker).HistoryDimensions())
	_ = p.ensure()
	p.table.AwaitTouched(ctx)
}

// ensure makes both tables unless they are there.
func (p *player) ensure() error {
	if !p.table.Empty() {
		return nil
	}
	size, why := p.env.FirstSize(p)
	return p.table.First(size, why, p.resize)
}

func (p *player) NewGame(keep bool) {
	p.estimator.searcher.NewGame()
	if !keep {
		p.Clear()
	}
}

func (p *player) Close() error {
	p.estimator.free()
	return p.table.Close()
}

func (p *player) TableLine() string { return p.table.Line((*table.Pair).Full) }

// Look is registry.Viewer.Look.
func (p *player) Look(f func(registry.Tables)) {
	if !p.table.Look(func(t *table.Pair) { f(registry.Tables{Cluster: t.Moves, Window: t.Proofs}) }) {
		f(registry.Tables{})
	}
}

func (p *player) Plan(mib uint64, print func(string)) error {
	table.PlanPair(mib, p.options.HashPages.Value(), print)
	return nil
}

// SetPosition sets up the start ("startpos") or a position, and plays the moves.
func (p *player) SetPosition(setup string, moves []string) error {
	pos, err := parseSetup(setup)
	if err != nil {
		return err
	}
	err = registry.PlayMoves(moves, func(text string) error {
		m, err := pos.ParseMove(text)
		if err == nil {
			pos = pos.Play(m)
		}
		return err
	})
	if err == nil {
		p.pos = pos
	}
	return err
}

func (p *player) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if winner, won, over := p.pos.Over(); over {
		score := search.Score{Mate: won}
		if won && winner == p.pos.Side() {
			score.Plies = 1 // a position that no game leads to
		}
		report(search.Info{MultiPV: 1, Score: score, HashFull: -1})
		return search.Result{}
	}
	moves := p.searchMoves(limits.SearchMoves, report)
	if err := p.ensure(); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: moves[0].String()}
	}
	for _, line := range p.table.Notices().Take() {
		report(search.Info{Text: line})
	}
	side := int(p.pos.Side())
	p.table.AwaitReady(ctx, clock.ClearTimeout(&limits, side))
	p.estimator.setThreads(p.options.Threads.Value())
	timing := clock.Solver(side, (p.pos.Left()+1)/2, p.options.Clock())
	ctx, cancel := timing.Context(ctx, limits)
	defer cancel()
	half, stop := timing.HalfContext(ctx, limits)
	p.table.AwaitTouched(half)
	stop()
	if p.pos != p.searched { // the entries of the same position keep their generation
		p.table.Table().Proofs.NewSearch()
		p.searched = p.pos
	}
	s := newSolverSearch(p, limits, timing, report)
	switch {
	case limits.Mate > 0 && len(moves) == len(p.pos.Moves(nil)):
		return s.win(ctx)
	case limits.Mate > 0:
		return s.winBy(ctx, moves)
	case len(limits.SearchMoves) == 0 && p.options.MultiPV.Value() == 1:
		s.lossFirst = root(p.pos, p.estimator.evaluators).Eval() < 0 // one proof suffices for the likelier outcome
		return s.position(ctx)
	}
	return s.moves(ctx, moves)
}

// searchMoves are the moves that may be searched.
func (p *player) searchMoves(wanted []string, report func(search.Info)) (moves []rules.Move) {
	for _, text := range wanted {
		m, err := p.pos.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		if !slices.Contains(moves, m) {
			moves = append(moves, m)
		}
	}
	if len(moves) > 0 {
		return moves
	}
	if len(wanted) > 0 {
		report(search.Info{Text: registry.NoneLegal})
	}
	return p.pos.Moves(nil)
}

func (p *player) Draw(print func(string)) {
	registry.PrintLines(p.pos.Diagram(), print)
	print("Position: " + p.pos.String())
	if winner, won, over := p.pos.Over(); won {
		print("Over: " + winner.String() + " has won")
	} else if over {
		print("Over: a draw")
	}
	print(fmt.Sprintf("Key: %016x", ultimategoal.New(p.pos, p.pos.Side()).Key()))
}

// Explain is registry.Evaluator.Explain.
func (p *player) Explain(print func(string)) error {
	if _, _, over := p.pos.Over(); over {
		return errors.New("the game is over: there is no static evaluation")
	}
	v, side := eval.Evaluate(&p.pos), int(p.pos.Side())
	print(fmt.Sprintf("value %+.2f for X", float64(v*(1-2*side))/100))
	if e := p.estimator.evaluators; e.Name != handWritten.Name {
		alphabetagame.PrintValue(e.Name, root(p.pos, e).Eval(), side, "X", print)
	}
	return nil
}

func (p *player) Perft(depth int) *registry.Perft { return perft(p.pos, depth) }

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"trefoil/engine/config"
	"trefoil/engine/table"
	ultimategame "trefoil/engine/ultimate"
	"trefoil/game/ultimate"
	"trefoil/search"
	"trefoil/search/clock"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// ultimateVariant is Ultimate Tic-Tac-Toe: proof search on a window table.
type ultimateVariant struct {
	opts   *config.Options
	proofs *table.Window
	pos    ultimate.Position
	last   ultimate.Position // that was searched
}

// newUltimate returns Ultimate Tic-Tac-Toe at its start position.
func newUltimate(opts *config.Options, told *table.Notices) *ultimateVariant {
	return &ultimateVariant{opts: opts, proofs: table.NewWindow(told), pos: ultimate.Start()}
}

func (u *ultimateVariant) clear()                  { u.proofs.Clear() }
func (u *ultimateVariant) resize(mib uint64) error { return u.proofs.Resize(mib) }
func (u *ultimateVariant) leave() error            { return u.proofs.Close() }
func (u *ultimateVariant) setThreads(int)          {} // every search asks the option

func (u *ultimateVariant) newGame(keep bool) {
	if !keep {
		u.clear()
	}
}

// setPosition sets up the start ("startpos") or a position in the notation of package
// ultimate, and plays the moves.
func (u *ultimateVariant) setPosition(setup string, moves []string) error {
	p := ultimate.Start()
	if setup != "startpos" {
		var err error
		if p, err = ultimate.Parse(setup); err != nil {
			return err
		}
	}
	for i, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d of %d: %w", i+1, len(moves), err)
		}
		p = p.Play(m)
	}
	u.pos = p
	return nil
}

func (u *ultimateVariant) search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if winner, won, over := u.pos.Over(); over {
		score := search.Score{Mate: won}
		if won && winner == u.pos.Side() {
			score.Plies = 1 // a position that no game leads to
		}
		report(search.Info{MultiPV: 1, Score: score, HashFull: -1})
		return search.Result{}
	}
	moves := u.moves(limits.SearchMoves, report)
	if err := u.proofs.Ensure(uint64(u.opts.Hash.Value()), u.resize); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: moves[0].String()}
	}
	for _, line := range u.proofs.Notices().Take() {
		report(search.Info{Text: line})
	}
	u.proofs.AwaitCleared(ctx, clock.ClearTimeout(&limits, int(u.pos.Side())))
	timing := u.timing()
	ctx, cancel := timing.Context(ctx, limits)
	defer cancel()
	awaitTouched(ctx, timing, &limits, u.proofs.AwaitTouched)
	if u.pos != u.last { // what is known of the same position stays worth keeping
		u.proofs.Table().NewSearch()
		u.last = u.pos
	}
	s := newProving(u, limits, report)
	switch {
	case limits.Mate > 0:
		return s.win(ctx)
	case len(limits.SearchMoves) == 0 && u.opts.MultiPV.Value() == 1:
		return s.position(ctx)
	}
	return s.moves(ctx, moves)
}

// moves are those that may be searched.
func (u *ultimateVariant) moves(wanted []string, report func(search.Info)) (moves []ultimate.Move) {
	for _, text := range wanted {
		m, err := u.pos.ParseMove(text)
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
		report(search.Info{Text: noneLegal})
	}
	return u.pos.Moves(nil)
}

// timing is that of a game that ends when no move is left.
func (u *ultimateVariant) timing() clock.Params {
	return clock.Solver(int(u.pos.Side()), (u.pos.Left()+1)/2, moveOverhead(u.opts))
}

func (u *ultimateVariant) draw(print func(string)) {
	lines(u.pos.Diagram(), print)
	print("Position: " + u.pos.String())
	if winner, won, over := u.pos.Over(); won {
		print("Over: " + winner.String() + " has won")
	} else if over {
		print("Over: a draw")
	}
	print(fmt.Sprintf("Key: %016x", ultimategoal.New(u.pos, u.pos.Side()).Key()))
}

func (u *ultimateVariant) explain(func(string)) error {
	return errors.New("eval: Ultimate Tic-Tac-Toe is proved, there is no static evaluation")
}

func (u *ultimateVariant) perft(ctx context.Context, depth int, print func(string)) error {
	return ultimategame.Perft(ctx, u.pos, depth, print)
}

func (u *ultimateVariant) tableLine() string { return u.proofs.Line((*window.Table).Full) }

func (u *ultimateVariant) plan(mib uint64, print func(string)) error {
	table.PlanWindow(mib, print)
	return nil
}

package engine

import (
	"context"
	"fmt"

	"trefoil/cluster"
	chessgame "trefoil/engine/chess"
	"trefoil/engine/config"
	"trefoil/engine/table"
	"trefoil/game/chess"
	"trefoil/options"
	"trefoil/search"
)

// chessVariant is chess: alpha-beta with a hand-written evaluation over a
// cluster.Table.
type chessVariant struct {
	matesearching
	pos      *chess.Position
	evals    chessgame.EvaluatorPool
	chess960 *options.Check
}

// newChess returns chess at its start position.
func newChess(opts *config.Options, told *table.Notices) *chessVariant {
	c := &chessVariant{matesearching: newMatesearching(opts, told, cluster.Label{Game: "chess", Seed: chess.Seed})}
	c.chess960 = options.NewCheck(opts.Set, options.Decl{UCI: "UCI_Chess960", Games: []string{"chess"},
		Help: "moves are written in Chess960 notation: castling as king takes rook"}, false)
	c.chess960.OnChange(func(on bool) error { c.pos.SetChess960(on); return nil })
	if err := c.setPosition("startpos", nil); err != nil {
		panic(err) // a start position that the rules refuse
	}
	return c
}

func (c *chessVariant) setThreads(n int) {
	c.searching.setThreads(n)
	c.evals = chessgame.EvaluatorPool{} // those of fewer workers are made again, those of more not kept
}

// setPosition sets up "startpos" or a FEN and plays the moves.
func (c *chessVariant) setPosition(setup string, moves []string) error {
	if setup == "startpos" {
		setup = chess.StartFEN
	}
	pos, err := chess.ParseFEN(setup)
	if err != nil {
		return err
	}
	pos.SetChess960(c.chess960.Value())
	for i, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d of %d: %w", i+1, len(moves), err)
		}
		pos.Make(m)
	}
	c.pos = pos
	return nil
}

func (c *chessVariant) search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	limits.SearchMoves = legalMoves(c.pos, limits.SearchMoves, report)
	if err := c.ready(ctx, &limits, c.pos.Side(), c.resize, report); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: anyMove(c.pos)}
	}
	if limits.Mate > 0 {
		return c.mate(ctx, limits, report)
	}
	c.giveBack(report)
	return c.play(ctx, limits, report)
}

// play is the usual search.
func (c *chessVariant) play(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	settings := c.settings(report)
	if c.opts.ShowWDL.Value() {
		settings.WDL = expected
	}
	return c.searcher.Search(ctx, c.evals.Root(c.pos), limits, settings, report)
}

func (c *chessVariant) draw(print func(string)) { lines(c.pos.String(), print) }

func (c *chessVariant) explain(print func(string)) error {
	if c.pos.InCheck() {
		return errInCheck
	}
	lines(c.evals.Root(c.pos).Evaluator.Explain(c.pos).String(), print)
	return nil
}

func (c *chessVariant) perft(ctx context.Context, depth int, print func(string)) error {
	return chessgame.Perft(ctx, c.pos, depth, print)
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// chessVariant is chess: alpha-beta with a hand-written evaluation over a
// cluster.Table.
type chessVariant struct {
	opts     *options.Set
	searcher *alphabeta.Searcher
	table    *store
	pos      *chess.Position
	evals    roster
	proofs   *proofs // for mates; made by `go mate`, given back by a usual search
}

// newChess returns chess at its start position.
func newChess(opts *options.Set, told *notices) *chessVariant {
	c := &chessVariant{opts: opts, searcher: alphabeta.New(), table: newStore(told), proofs: newProofs(new(notices))}
	if err := c.setPosition("startpos", nil); err != nil {
		panic(err) // a start position that the rules refuse
	}
	return c
}

func (c *chessVariant) newGame() {
	c.searcher.NewGame()
	c.clear()
}

func (c *chessVariant) leave() error {
	c.searcher.NewGame()
	return errors.Join(c.proofs.close(), c.table.close())
}

func (c *chessVariant) clear() {
	c.table.clear()
	c.proofs.clear()
}

func (c *chessVariant) resize(mib uint64) error {
	if mib != c.table.asked {
		if err := c.proofs.close(); err != nil {
			return err
		}
	}
	return c.table.resize(mib, c.index(c.opts.Value("HashIndex")), c.searcher.SetTable)
}

// reindex changes the index of the table, if there is one.
func (c *chessVariant) reindex(v options.Value) error {
	if c.table.empty() {
		return nil
	}
	return c.table.resize(c.table.asked, c.index(v), c.searcher.SetTable)
}

// index is the index that a value of HashIndex names: its vars are the names.
func (c *chessVariant) index(v options.Value) cluster.Index {
	i, err := cluster.ParseIndex(v.Text)
	if err != nil {
		return cluster.Auto
	}
	return i
}

func (c *chessVariant) setThreads(n int) {
	c.searcher.SetThreads(n)
	c.evals.all = nil // those of fewer workers are made again, those of more not kept
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
	pos.SetChess960(c.opts.Value("UCI_Chess960").Bool)
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
	limits.SearchMoves = c.searchMoves(limits.SearchMoves, report)
	if err := c.table.ready(uint64(c.opts.Value("Hash").Int), c.resize); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: c.anyMove()}
	}
	for _, line := range c.table.notices.take() {
		report(search.Info{Text: line})
	}
	c.table.await(ctx, patience(&limits, c.pos.Side()))
	if repeatable(&limits) {
		c.table.settle(ctx)
	}
	if limits.Mate > 0 {
		return c.mate(ctx, limits, report)
	}
	if err := c.proofs.close(); err != nil {
		report(search.Info{Text: staysTaken + err.Error()})
	}
	return c.play(ctx, limits, report)
}

// play is the usual search.
func (c *chessVariant) play(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	settings := alphabeta.Settings{
		MultiPV:      c.opts.Value("MultiPV").Int,
		MoveOverhead: milliseconds(c.opts.Value("Move Overhead").Int),
	}
	if c.opts.Value("UCI_ShowWDL").Bool {
		settings.WDL = expected
	}
	return c.searcher.Search(ctx, c.evals.root(c.pos), limits, settings, report)
}

// searchMoves returns those of the moves that are legal here, as the search
// writes them; it tells of the others.
func (c *chessVariant) searchMoves(moves []string, report func(search.Info)) (legal []string) {
	for _, text := range moves {
		m, err := c.pos.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		if canonical := c.pos.Text(m); !slices.Contains(legal, canonical) {
			legal = append(legal, canonical)
		}
	}
	if len(moves) > 0 && len(legal) == 0 {
		report(search.Info{Text: noneLegal})
	}
	return legal
}

// noneLegal is what is said when searchmoves leaves nothing to search.
const noneLegal = "searchmoves: none of them is legal, all moves are searched"

// anyMove returns a legal move, "" if there is none.
func (c *chessVariant) anyMove() string {
	var l game.List
	if c.pos.Moves(game.All, &l); l.Len() == 0 {
		return ""
	}
	return c.pos.Text(l.At(0))
}

func (c *chessVariant) draw(print func(string)) { lines(c.pos.String(), print) }

func (c *chessVariant) explain(print func(string)) error {
	if c.pos.InCheck() {
		return errors.New("eval: the side to move is in check, such positions are only searched")
	}
	lines(c.evals.root(c.pos).eval.Explain(c.pos).String(), print)
	return nil
}

func (c *chessVariant) perft(ctx context.Context, depth int, print func(string)) error {
	return Perft(ctx, c.pos, depth, print)
}

func (c *chessVariant) tableLine() string { return c.table.line((*cluster.Table).Full) }

func (c *chessVariant) plan(mib string, print func(string)) error {
	return HashPlan(mib, c.opts.Value("HashIndex").Text, print)
}

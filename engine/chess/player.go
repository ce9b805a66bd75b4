package chess

import (
	"context"
	"fmt"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/nnue"
	"trefoil/options"
	"trefoil/search"
)

// player plays chess: alpha-beta over a cluster.Table.
type player struct {
	alphabetagame.Player
	pos        *rules.Position
	evaluators evaluatorPool
	chess960   *options.Check
}

// newPlayer returns a player at the start position.
func newPlayer(env registry.Env) registry.Player {
	p := &player{evaluators: evaluatorPool{net: embeddedNet()}}
	roots := alphaBeta(func() *nnue.Net { return p.evaluators.net })
	p.Player = alphabetagame.NewPlayer(env, name, rules.Seed, roots)
	evalFile := options.NewText(env.Options.Set, options.Decl{UCI: "EvalFile", Games: []string{name},
		Help: "the file of the net that evaluates; empty for that of the program, `none` for the hand-written evaluation",
		Details: "The program has none yet, so that empty means the same as `none`. A relative name is relative to the folder in which the engine was started. " +
			"Another evaluation empties the table; see [nets.md](nets.md#playing)"})
	evalFile.OnChange(p.setEvalFile)
	p.chess960 = options.NewCheck(env.Options.Set, options.Decl{UCI: "UCI_Chess960", Games: []string{name},
		Help: "moves are written in Chess960 notation: castling as king takes rook"}, false)
	p.chess960.OnChange(func(on bool) error { p.pos.SetChess960(on); return nil })
	if err := p.SetPosition("startpos", nil); err != nil {
		panic(err) // a mistake of the program
	}
	return p
}

func (p *player) SetThreads(n int) {
	p.Player.SetThreads(n)
	p.evaluators = evaluatorPool{net: p.evaluators.net} // frees those that fewer threads do not need
}

// SetPosition sets up "startpos" or a FEN and plays the moves.
func (p *player) SetPosition(setup string, moves []string) error {
	pos, err := parse(setup)
	if err != nil {
		return err
	}
	pos.SetChess960(p.chess960.Value())
	if err := alphabetagame.Play(pos, moves); err != nil {
		return err
	}
	p.pos = pos
	return nil
}

// parse reads "startpos" or a FEN.
func parse(setup string) (*rules.Position, error) {
	if setup == "startpos" {
		setup = rules.StartFEN
	}
	return rules.ParseFEN(setup)
}

func (p *player) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	limits.SearchMoves = alphabetagame.LegalMoves(p.pos, limits.SearchMoves, report)
	if err := p.Prepare(ctx, &limits, p.pos.Side(), report); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: alphabetagame.AnyMove(p.pos)}
	}
	if limits.Mate > 0 {
		return p.goMate(ctx, limits, report)
	}
	p.CloseMates(report)
	return p.alphaBeta(ctx, limits, report)
}

// alphaBeta searches by alpha-beta.
func (p *player) alphaBeta(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	settings := p.Settings(report)
	if p.Options.ShowWDL.Value() {
		settings.WDL = expected
	}
	return p.Searcher.Search(ctx, p.evaluators.root(p.pos), limits, settings, report)
}

func (p *player) Draw(print func(string)) { registry.PrintLines(p.pos.String(), print) }

// Explain is registry.Evaluator.Explain.
func (p *player) Explain(print func(string)) error {
	if p.pos.InCheck() {
		return alphabetagame.ErrInCheck
	}
	registry.PrintLines(eval.New().Explain(p.pos).String(), print)
	if net := p.evaluators.net; net != nil {
		v := p.evaluators.root(p.pos).Eval()
		if p.pos.Side() == int(rules.Black) {
			v = -v
		}
		print(fmt.Sprintf("value %+.2f for White by the net that plays (%s)", float64(v)/100, describe(net)))
	}
	return nil
}

func (p *player) Perft(ctx context.Context, depth int, print func(string)) error {
	return perft(ctx, p.pos, depth, print)
}

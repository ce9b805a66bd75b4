package chess

import (
	"context"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// player plays chess: alpha-beta over a cluster.Table.
type player struct {
	alphabetagame.Player
	pos        *rules.Position
	evaluators *evaluators
	book       *alphabetagame.OwnBook[*rules.Position]
	chess960   *options.Check
	contempt   *options.Spin // centipawns below 0 that a draw is worth to the side to move at the root
	strength   strength
	tablebases tablebases
}

// newPlayer returns a player at the start position.
func newPlayer(env registry.Env) registry.Player {
	p := &player{evaluators: alphabetagame.NewEvaluators(own)}
	roots := alphaBeta(func() evaluation { return p.evaluators.Evaluation })
	p.Player = alphabetagame.NewPlayer(env, name, new(rules.Position), roots, p.evaluators)
	evalFile.Declare(env.Options.Set, func(e evaluation) error {
		return alphabetagame.SetEvaluation(&p.Player, p.evaluators, e)
	})
	p.book = newOwnBook(env)
	p.strength = newStrength(env.Options)
	p.tablebases.declare(env.Options, env.Notices, p.Reevaluate)
	p.SetRules(p.tablebases.rules)
	p.contempt = options.NewSpin(env.Options.Set, options.Decl{UCI: "Contempt", Games: []string{name},
		Help:    "centipawns that a draw is worth less than 0 to the engine, which above 0 avoids draws",
		Details: "For games, not for analysis. A change empties the hash"}, 0, -100, 100)
	p.DrawValue("Contempt", p.contempt)
	p.chess960 = options.NewCheck(env.Options.Set, options.Decl{UCI: "UCI_Chess960", Games: []string{name},
		Help: "moves are written in Chess960 notation: castling as king takes rook"}, false)
	p.chess960.OnChange(func(on bool) error { p.pos.SetChess960(on); return nil })
	if err := p.SetPosition("startpos", nil); err != nil {
		panic(err) // a mistake of the program
	}
	return p
}

// SetPosition sets up "startpos" or a FEN and plays the moves.
func (p *player) SetPosition(setup string, moves []string) error {
	pos, repairs, err := parse(setup)
	if err != nil {
		return err
	}
	pos.SetChess960(p.chess960.Value())
	if err := alphabetagame.Play(pos, moves); err != nil {
		return err
	}
	p.pos = pos
	for _, repair := range repairs {
		p.Notices.Add(repair)
	}
	return nil
}

// parse is rules.ReadFEN, or the start position of "startpos".
func parse(setup string) (p *rules.Position, repairs []string, err error) {
	if setup == "startpos" {
		setup = rules.StartFEN
	}
	return rules.ReadFEN(setup)
}

func (p *player) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if r, ok := p.book.Search(p.pos, &limits, report); ok {
		return r
	}
	limits.SearchMoves = alphabetagame.LegalMoves(p.pos, limits.SearchMoves, report)
	if err := p.Prepare(ctx, &limits, p.pos.Side(), report); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: alphabetagame.AnyMove(p.pos)}
	}
	if limits.Mate > 0 {
		return p.goMate(ctx, limits, report)
	}
	p.CloseMates(report)
	settings := p.SettingsOf(ctx, p.strength.value(p.pos), &limits, report)
	return p.alphaBeta(ctx, limits, settings, report)
}

// alphaBeta searches by alpha-beta.
func (p *player) alphaBeta(ctx context.Context, limits search.Limits, settings alphabeta.Settings,
	report func(search.Info)) search.Result {
	settings.DrawValue = -p.contempt.Value()
	settings.Unit = unit(p.pos)
	if p.Options.ShowWDL.Value() {
		settings.WDL = expected(p.pos)
	}
	r := root(p.pos, p.evaluators)
	if settings.Skill == nil { // a weaker level would play endings without errors
		r.tables = p.tablebases.prober()
	}
	if closing := settings.Closing; r.tables != nil {
		settings.Closing = func() (lines []string) {
			if closing != nil {
				lines = closing()
			}
			return append(lines, p.tablebases.problems()...)
		}
	}
	return p.SearchRoot(ctx, r, limits, settings, report)
}

// Setup is registry.Writer.Setup.
func (p *player) Setup() string { return p.pos.FEN() }

// Flip is registry.Flipper.Flip.
func (p *player) Flip() { p.pos = p.pos.Flipped() }

func (p *player) Draw(print func(string)) { registry.PrintLines(p.pos.String(), print) }

// Explain is registry.Evaluator.Explain.
func (p *player) Explain(print func(string)) error {
	if p.pos.InCheck() {
		return alphabetagame.ErrInCheck
	}
	registry.PrintLines(eval.New().Explain(p.pos).String(), print)
	if by := p.evaluators.Name; by != handWritten.Name {
		alphabetagame.PrintValue(by, root(p.pos, p.evaluators).Eval(), p.pos.Side(), "White", print)
	}
	return nil
}

func (p *player) Perft(depth int) *registry.Perft { return perft(p.pos, depth) }

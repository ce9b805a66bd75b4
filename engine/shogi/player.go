package shogi

import (
	"cmp"
	"context"
	"slices"
	"time"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/registry"
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// player plays shogi: alpha-beta over a cluster.Table.
type player struct {
	alphabetagame.Player
	pos        *rules.Position
	evaluators *evaluators
	book       *alphabetagame.OwnBook[*rules.Position]
	own        ownOptions
	entering   rules.EnteringKingRule // the value of that option, also before it is stored
}

// newPlayer returns a player at the start position.
func newPlayer(env registry.Env) registry.Player {
	p := &player{evaluators: alphabetagame.NewEvaluators(own), own: newOwnOptions(env.Options.Set)}
	roots := alphaBeta(func() evaluation { return p.evaluators.Evaluation })
	p.Player = alphabetagame.NewPlayer(env, name, new(rules.Position), roots, p.evaluators)
	declareEvaluations(env, func(e evaluation) error {
		return alphabetagame.SetEvaluation(&p.Player, p.evaluators, e)
	})
	p.own.enteringKingRule.OnChange(p.setEnteringKingRule)
	p.SetRules(p.rules)
	p.EmptyOnChange(p.own.maxMovesToDraw) // the hash has draws of before
	for i, side := range []string{"Black", "White"} {
		p.DrawValue("DrawValue"+side, p.own.drawValues[i])
	}
	p.book = newOwnBook(env)
	if err := p.SetPosition("startpos", nil); err != nil {
		panic(err) // a mistake of the program
	}
	return p
}

// setEnteringKingRule is called before another rule counts. It empties the hash, where games are won by the old one.
func (p *player) setEnteringKingRule(to rules.EnteringKingRule) error {
	from := p.entering
	if to == from {
		return nil
	}
	p.entering = to
	err := p.Reevaluate()
	if err != nil {
		p.entering = from
	}
	return err
}

// rules names the entering-king rule, "" for the default.
func (p *player) rules() string {
	if p.entering == rules.Points27 {
		return ""
	}
	i := slices.IndexFunc(enteringKingRules, func(c enteringKingRule) bool { return c.Value == p.entering })
	return " with EnteringKingRule " + enteringKingRules[i].Name
}

// SetPosition sets up "startpos" or an sfen and plays the moves.
func (p *player) SetPosition(setup string, moves []string) error {
	if setup == "startpos" {
		setup = rules.StartSFEN
	}
	pos, repairs, err := rules.ReadSFEN(setup)
	if err != nil {
		return err
	}
	if err := alphabetagame.Play(pos, moves); err != nil {
		return err
	}
	p.pos = pos
	for _, repair := range repairs {
		p.Notices.Add(repair)
	}
	return nil
}

func (p *player) Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if limits.Checks {
		return p.checkmate(ctx, limits, report)
	}
	if limits.Ponder && p.own.stochasticPonder.Value() && p.pos.LastMove() != game.None {
		return p.ponderBefore(ctx, limits, report)
	}
	return p.play(ctx, limits, p.pos.Side(), report)
}

// play searches the position for a side, to which its draws have the value of the option.
func (p *player) play(ctx context.Context, limits search.Limits, side int, report func(search.Info)) search.Result {
	p.pos.SetEnteringKingRule(p.own.enteringKingRule.Value())
	p.pos.SetMaxMoves(p.own.maxMovesToDraw.Value())
	if limits.Declare && p.pos.Declares() {
		report(search.Info{Score: alphabeta.Score(game.Ahead), Time: time.Since(limits.Start), HashFull: -1})
		return search.Result{Declares: true}
	}
	if r, ok := p.book.Search(p.pos, &limits, report); ok {
		return r
	}
	if n := uint64(p.own.nodesLimit.Value()); n > 0 {
		limits.Nodes = min(n, cmp.Or(limits.Nodes, n))
	}
	if d := p.own.depthLimit.Value(); d > 0 {
		limits.Depth = min(d, cmp.Or(limits.Depth, d))
	}
	limits.SearchMoves = alphabetagame.LegalMoves(p.pos, limits.SearchMoves, report)
	if err := p.Prepare(ctx, &limits, p.pos.Side(), report); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: alphabetagame.AnyMove(p.pos)}
	}
	var last search.Score // the latest exact one of the best line
	depth := -1           // of last
	settings := p.SettingsOf(ctx, alphabetagame.Strength{Level: float64(p.Options.SkillLevel.Value()), Noise: noise},
		&limits, report)
	settings.Clock.WorstOverhead = p.own.networkDelay2.Milliseconds()
	settings.Clock.FullSeconds = p.own.fullSeconds.Value()
	settings.Unit = cmp.Or(p.evaluators.Unit, unit)
	settings.DrawValue = p.own.drawValues[side].Value() * settings.Unit / 100
	if side != p.pos.Side() {
		settings.DrawValue = -settings.DrawValue
	}
	if settings.LongLines = p.own.consideration.Value(); !settings.LongLines && !limits.Infinite {
		settings.PVInterval = p.own.pvInterval.Milliseconds()
	}
	settings.NoBounds = !p.own.outputBounds.Value()
	if settings.Skill == nil {
		settings.Prover = p.newProver(ctx, &limits, report)
	}
	r := p.SearchRoot(ctx, root(p.pos, p.evaluators), limits, settings, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" && i.MultiPV <= 1 && i.Bound == search.Exact &&
			(settings.Skill == nil || i.Depth > depth) { // a weak move, which is reported last, is not the best line
			last, depth = i.Score, i.Depth
		}
		if settings.LongLines {
			i.PV = p.withRepetition(i.PV)
		}
		report(i)
	})
	r.Resigns = resigns(last, p.own.resignValue.Value()) && !limits.Infinite
	return r
}

// resigns reports whether a score is a number of centipawns below zero, or worse. A mate counts as 32000.
func resigns(s search.Score, below int) bool {
	const mate = 32000
	if s.Mate {
		return s.Plies <= 0 && mate >= below
	}
	return s.Centipawns <= -below
}

// Setup is registry.Writer.Setup.
func (p *player) Setup() string { return p.pos.SFEN() }

func (p *player) Draw(print func(string)) { registry.PrintLines(p.pos.String(), print) }

// Explain is registry.Evaluator.Explain.
func (p *player) Explain(print func(string)) error {
	if p.pos.InCheck() {
		return alphabetagame.ErrInCheck
	}
	registry.PrintLines(eval.New().Explain(p.pos), print)
	if by := p.evaluators.Name; by != handWritten.Name {
		alphabetagame.PrintValue(by, root(p.pos, p.evaluators).Eval(), p.pos.Side(), "Black", print)
	}
	return nil
}

func (p *player) Perft(depth int) *registry.Perft { return perft(p.pos, depth) }

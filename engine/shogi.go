package engine

import (
	"context"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/engine/config"
	shogigame "trefoil/engine/shogi"
	"trefoil/engine/table"
	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// shogiVariant is shogi: alpha-beta with a hand-written evaluation over a
// cluster.Table.
type shogiVariant struct {
	matesearching
	pos     *shogi.Position
	options shogiOptions
}

// shogiOptions are the options that only shogi uses.
type shogiOptions struct {
	networkDelay2    *options.Spin // ms
	fullSeconds      *options.Check
	enteringKingRule *options.Combo[shogi.Rule]
	maxMovesToDraw   *options.Spin
	resignValue      *options.Spin // centipawns
}

func newShogiOptions(s *options.Set) shogiOptions {
	decl := func(name, help string) options.Decl {
		return options.Decl{USI: name, Help: help, Games: []string{"shogi"}}
	}
	return shogiOptions{
		networkDelay2: options.NewSpin(s, decl("NetworkDelay2",
			"milliseconds that may be lost at worst: with byoyomi, this part of the time left is never used, unless it is more than half of it"), 50, 0, 10000),
		fullSeconds: options.NewCheck(s, options.Decl{USI: "RoundUpToFullSecond", Games: []string{"shogi"},
			Help:    "for clocks that drop fractions of a second: a move uses the rest of the second that it has begun, less `NetworkDelay`",
			Details: "`NetworkDelay` should then be what the network takes, 100 or more. A forced move is played at once"}, false),
		enteringKingRule: options.NewCombo(s, decl("EnteringKingRule", "the rule by which a king that has entered wins"),
			options.Choice[shogi.Rule]{Name: "CSARule27", Value: shogi.Points27},
			options.Choice[shogi.Rule]{Name: "CSARule24", Value: shogi.Points24},
			options.Choice[shogi.Rule]{Name: "TryRule", Value: shogi.Try},
			options.Choice[shogi.Rule]{Name: "NoEnteringKing", Value: shogi.NoEntering}),
		maxMovesToDraw: options.NewSpin(s, decl("MaxMovesToDraw",
			"the game is a draw after this number of moves, unless the last one mates; 0 means no limit"), 0, 0, 100000),
		resignValue: options.NewSpin(s, decl("ResignValue",
			"resigns when the score of the best line is this many centipawns below zero, or worse; a mate counts as 32000"), 99999, 1, 99999),
	}
}

// newShogi returns shogi at its start position.
func newShogi(opts *config.Options, told *table.Notices) *shogiVariant {
	s := &shogiVariant{matesearching: newMatesearching(opts, told, cluster.Label{Game: "shogi", Seed: shogi.Seed})}
	s.options = newShogiOptions(opts.Set)
	if err := s.setPosition("startpos", nil); err != nil {
		panic(err) // a start position that the rules refuse
	}
	return s
}

// root is the position that a search starts from.
func (s *shogiVariant) root() *shogigame.Position {
	return &shogigame.Position{Position: s.pos, Evaluator: eval.New()}
}

// setPosition sets up "startpos" or an sfen and plays the moves.
func (s *shogiVariant) setPosition(setup string, moves []string) error {
	if setup == "startpos" {
		setup = shogi.StartSFEN
	}
	pos, err := shogi.ParseSFEN(setup)
	if err != nil {
		// Editors of GUIs can set up more men than a set has; that can be played.
		crowded, stillWrong := shogi.ParseCrowded(setup)
		if stillWrong != nil {
			return err
		}
		s.table.Notices().Add("set up, but no set has so many men: " + err.Error())
		pos = crowded
	}
	for i, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d of %d: %w", i+1, len(moves), err)
		}
		pos.Make(m)
	}
	s.pos = pos
	return nil
}

func (s *shogiVariant) search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	if limits.Checks {
		return s.checkmate(ctx, limits, report)
	}
	s.pos.SetRule(s.options.enteringKingRule.Value())
	s.pos.SetMostMoves(s.options.maxMovesToDraw.Value())
	if limits.Declare && s.pos.Declares() {
		report(search.Info{Score: alphabeta.Score(game.Ahead), Time: time.Since(limits.Start), HashFull: -1})
		return search.Result{Declares: true}
	}
	limits.SearchMoves = legalMoves(s.pos, limits.SearchMoves, report)
	if err := s.ready(ctx, &limits, s.pos.Side(), s.resize, report); err != nil {
		report(search.Info{Text: err.Error()})
		return search.Result{Best: anyMove(s.pos)}
	}
	s.giveBack(report)
	worst := 0 // the latest exact score of the best line
	settings := s.settings(report)
	settings.Clock.WorstOverhead = s.options.networkDelay2.Milliseconds()
	settings.Clock.FullSeconds = s.options.fullSeconds.Value()
	r := s.searcher.Search(ctx, s.root(), limits, settings, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" && i.MultiPV <= 1 && i.Bound == search.Exact {
			worst = asNumber(i.Score)
		}
		report(i)
	})
	r.Resigns = worst <= -s.options.resignValue.Value() && !limits.Infinite
	return r
}

// asNumber is a score as one number; a mate is beyond all others.
func asNumber(s search.Score) int {
	const mate = 32000
	switch {
	case !s.Mate:
		return s.Centipawns
	case s.Plies > 0:
		return mate - s.Plies
	}
	return -mate - s.Plies
}

func (s *shogiVariant) draw(print func(string)) { lines(s.pos.String(), print) }

func (s *shogiVariant) explain(print func(string)) error {
	if s.pos.InCheck() {
		return errInCheck
	}
	lines(eval.New().Explain(s.pos), print)
	return nil
}

func (s *shogiVariant) perft(ctx context.Context, depth int, print func(string)) error {
	return shogigame.Perft(ctx, s.pos, depth, print)
}

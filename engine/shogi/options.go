package shogi

import (
	"math"

	rules "trefoil/game/shogi"
	"trefoil/options"
)

// noise is alphabetagame.Strength.Noise of shogi.
const noise = 1000

// ownOptions are the options that only shogi uses.
type ownOptions struct {
	networkDelay2    *options.Spin // ms
	fullSeconds      *options.Check
	enteringKingRule *options.Combo[rules.EnteringKingRule]
	maxMovesToDraw   *options.Spin
	drawValues       [2]*options.Spin // centipawns for the side
	resignValue      *options.Spin    // centipawns
	mateLength       *options.Combo[mateLength]
	nodesLimit       *options.Spin
	depthLimit       *options.Spin
	pvInterval       *options.Spin // ms
	outputBounds     *options.Check
	consideration    *options.Check
	stochasticPonder *options.Check
}

// enteringKingRules are the values of EnteringKingRule.
var enteringKingRules = []enteringKingRule{
	{Name: "CSARule27", Value: rules.Points27},
	{Name: "CSARule24", Value: rules.Points24},
	{Name: "CSARule27H", Value: rules.Points27Handicap},
	{Name: "CSARule24H", Value: rules.Points24Handicap},
	{Name: "TryRule", Value: rules.Try},
	{Name: "NoEnteringKing", Value: rules.NoEntering},
}

type enteringKingRule = options.Choice[rules.EnteringKingRule]

func newOwnOptions(s *options.Set) ownOptions {
	decl := func(usi, help string) options.Decl {
		return options.Decl{USI: usi, Help: help, Games: []string{name}}
	}
	drawValue := func(side string) *options.Spin {
		return options.NewSpin(s, decl("DrawValue"+side, "the score of a draw for the engine as "+side+", in centipawns"),
			-2, -30000, 30000)
	}
	return ownOptions{
		networkDelay2: options.NewSpin(s, options.Decl{USI: "NetworkDelay2", Games: []string{name},
			Help:    "most milliseconds that a move in byoyomi may lose",
			Details: "On one machine 50 is enough. See [usi.md](usi.md#time)"}, 1120, 0, 10000),
		fullSeconds: options.NewCheck(s, options.Decl{USI: "RoundUpToFullSecond", Games: []string{name},
			Help: "for clocks that drop fractions of a second: a move uses the second that it has begun to its end, " +
				"less `NetworkDelay`",
			Details: "`NetworkDelay` should then be the delay of the network, 100 or more. A forced move is played at once"},
			false),
		enteringKingRule: options.NewCombo(s, options.Decl{USI: "EnteringKingRule", Games: []string{name},
			Help:    "the rule by which a king that has entered wins; with `H`, White needs less in a handicap game",
			Details: "A change empties the hash, and a saved hash belongs to one rule"}, enteringKingRules...),
		maxMovesToDraw: options.NewSpin(s, options.Decl{USI: "MaxMovesToDraw", Games: []string{name},
			Help:    "the game is a draw after this many moves, unless the last one mates; 0 means no limit",
			Details: "A change empties the hash"}, 0, 0, 100000),
		drawValues: [2]*options.Spin{drawValue("Black"), drawValue("White")},
		resignValue: options.NewSpin(s, decl("ResignValue",
			"resigns when the score of the best line is this many centipawns below zero, or worse; a mate counts as 32000"),
			99999, 1, 99999),
		mateLength: options.NewCombo(s, options.Decl{USI: "MateLength", Games: []string{name},
			Help:    "how long `go mate` looks for shorter mates after the first",
			Details: "See [go mate](usi.md#go-mate)"},
			options.Choice[mateLength]{Name: "Short", Value: shortMate},
			options.Choice[mateLength]{Name: "Any", Value: anyMate},
			options.Choice[mateLength]{Name: "Shortest", Value: shortestMate}),
		nodesLimit: options.NewSpin(s, decl("NodesLimit", "searches at most this many nodes a move; 0 means no limit"),
			0, 0, math.MaxInt32),
		depthLimit: options.NewSpin(s, decl("DepthLimit", "searches at most to this depth; 0 means no limit"),
			0, 0, math.MaxInt32),
		pvInterval: options.NewSpin(s, decl("PvInterval",
			"least time in milliseconds between reports of the best lines, except before the last one and in `go infinite`"),
			0, 0, 100000),
		outputBounds: options.NewCheck(s, decl("OutputFailLHPV",
			"reports lines whose score is only a bound, in searches of more than 3 seconds"), true),
		consideration: options.NewCheck(s, decl("ConsiderationMode",
			"lines go on with moves of the table, up to a repetition, and `PvInterval` has no effect"), false),
		stochasticPonder: options.NewCheck(s, options.Decl{USI: "Stochastic_Ponder", Games: []string{name},
			Help:    "ponders the position before the opponent's move",
			Details: "See [usi.md](usi.md#pondering)"}, false),
	}
}

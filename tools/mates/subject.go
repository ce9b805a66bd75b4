package main

import (
	"context"
	"slices"

	"trefoil/game/shogi"
	"trefoil/game/ultimate"
	"trefoil/search/proof/chessgoal"
	"trefoil/search/proof/initial"
	"trefoil/search/proof/shogigoal"
	"trefoil/search/proof/ultimategoal"
)

// A subject is a goal with initial proof numbers to be fitted.
type subject struct {
	check        func(position string) error
	ends         string // characters that end a position in a line
	newCollector func(plan, tables) collects
	groups       func(attacking bool) []int // sizes of the groups of features
	octave       float64                    // the weight that doubles a proof number
	file         string                     // that has the weights
	head         string                     // its beginning
	coefficients
}

// collects gathers the samples of one position after another.
type collects interface {
	// collect returns the samples of a position, none if it is easy or the context ends.
	collect(ctx context.Context, position string, number int) ([]sample, error)
}

// subjects are the goals by the name of their game.
var subjects = map[string]*subject{
	"shogi": {
		check: func(text string) error { _, err := shogi.ParseSFEN(text); return err }, ends: ";|",
		newCollector: newCollector, groups: shogigoal.Groups, octave: initial.Octave,
		file: "search/proof/shogigoal/initial_weights.go", head: "package shogigoal\n\n// The weights of features",
		coefficients: coefficients{level: 3.5, trust: 0.35, weight: 0.3},
	},
	"chess": {
		check: func(text string) error { _, _, err := parseEnd(text); return err }, ends: "|",
		newCollector: newChessCollector, groups: chessgoal.Groups, octave: initial.Octave,
		file: "search/proof/chessgoal/initial_weights.go", head: "package chessgoal\n\n// The weights of features",
		coefficients: coefficients{level: 3.5, trust: 0.35, weight: 0.3},
	},
	"ultimate": {
		check: func(text string) error { _, err := ultimate.Parse(text); return err }, ends: " \t",
		newCollector: newUltimateCollector, octave: ultimategoal.Octave,
		groups: func(bool) []int { return slices.Repeat([]int{ultimategoal.GroupSize}, ultimategoal.Groups) },
		file:   "search/proof/ultimategoal/initial_weights.go", head: "package ultimategoal\n\n// The weights of features",
		coefficients: coefficients{level: 4.5, trust: 0.42, weight: 0.38},
	},
}

// size returns the number of features of a side.
func (s *subject) size(attacking bool) (n int) {
	for _, group := range s.groups(attacking) {
		n += group
	}
	return n
}

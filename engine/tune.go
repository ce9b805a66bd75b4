//go:build tune

package engine

import (
	"trefoil/options"
	"trefoil/search/alphabeta"
)

func init() {
	declareParameters = func(set *options.Set) {
		for _, p := range alphabeta.Chess.List() {
			declareParameter(set, options.Decl{UCI: p.Name, Help: "a parameter of the search of chess"}, p)
		}
		for _, p := range alphabeta.Shogi.List() {
			declareParameter(set, options.Decl{USI: p.Name, Help: "a parameter of the search of shogi"}, p)
		}
	}
}

func declareParameter(set *options.Set, d options.Decl, p alphabeta.Parameter) {
	options.NewSpin(set, d, p.Value(), p.Min, p.Max).OnChange(p.Set)
}

// Package wdl is a model of the results of chess games: how likely a win, a draw and a loss are for the
// side to move, given its score and the material on the board.
//
//	P(win)  = 1 / (1 + exp((even − score) / spread))
//	P(loss) = 1 / (1 + exp((even + score) / spread))
//	P(draw) = 1 − P(win) − P(loss)
//
// At the score even every other game is won; spread is how flat the curve is. Both are polynomials of the
// material, as in Stockfish: the fewer pieces there are, the less a score has to mean a win.
package wdl

import (
	"math"

	"trefoil/game/chess"
)

// Bounds of the material: less counts as LeastMaterial, more as FullMaterial.
const (
	LeastMaterial = 8
	FullMaterial  = 78 // of the start position
)

// Material returns the material of both sides together: a pawn counts 1, a knight or bishop 3, a rook 5, a
// queen 9.
func Material(p *chess.Position) int {
	total := 0
	for kind, value := range [...]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9} {
		total += value * p.Kind(chess.Kind(kind)).Count()
	}
	return total
}

// Polynomial holds the coefficients of the powers of a material, from 0 on, where FullMaterial is 1.
type Polynomial []float64

// Fraction is the material that polynomials are functions of.
func Fraction(material int) float64 {
	return float64(max(LeastMaterial, min(FullMaterial, material))) / FullMaterial
}

// At is the value at a fraction of the full material.
func (p Polynomial) At(x float64) float64 {
	v := 0.0
	for i := len(p) - 1; i >= 0; i-- {
		v = v*x + p[i]
	}
	return v
}

// Model is the model with its parameters, in centipawns before the material scaling (nnue.Scale).
type Model struct{ Even, Spread Polynomial }

// EvenAt returns the score with which every other game is won.
func (m Model) EvenAt(material int) float64 { return m.Even.At(Fraction(material)) }

// Probabilities returns the probabilities of a win, a draw and a loss at such a score.
func (m Model) Probabilities(material int, score float64) (win, draw, loss float64) {
	x := Fraction(material)
	return Probabilities(m.Even.At(x), m.Spread.At(x), score)
}

// Probabilities returns the probabilities of a win, a draw and a loss at a score, for curves with the
// middle even and the given spread.
func Probabilities(even, spread, score float64) (win, draw, loss float64) {
	win = 1 / (1 + math.Exp((even-score)/spread))
	loss = 1 / (1 + math.Exp((even+score)/spread))
	return win, max(0, 1-win-loss), loss
}

// Fitted is the likeliest model for searches of 150,000 nodes a move (docs/nets.md).
var Fitted = Model{
	Even:   Polynomial{252.8, -182.0},
	Spread: Polynomial{37.2, 18.7},
}

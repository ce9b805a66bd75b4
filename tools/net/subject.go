package main

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"

	"trefoil/nnue"
	"trefoil/tools/internal/selfplay"
	"trefoil/tools/net/internal/train"
)

// subject is a game whose positions are written, and what a net sees of it.
type subject struct {
	train.Format // of its records
	name         string
	shape        func(hidden int) nnue.Shape
	// readNet makes a net of a file; the error says if it is none of the game.
	readNet func(data []byte) (*nnue.Net, error)
	// evaluator returns the evaluation by a net, for one goroutine.
	evaluator func(net *nnue.Net) func(selfplay.Board) int
	// output returns what the net has to put out for a position to have a value; nil: the value.
	output   func(pos selfplay.Board, value int) int
	opening  selfplay.Opening
	chess960 bool          // the game has start positions of Chess960
	within   int           // the greatest value of an opening, in centipawns
	ends     selfplay.Ends // limits by which games are adjudicated
	// keeps reports whether a position, not in check, is one that a net would have to evaluate.
	keeps func(pos selfplay.Board) bool
	// put writes a position to a record, get reads it; pieces is the number of pieces of a record.
	put    func(rec []byte, pos selfplay.Board)
	get    func(rec []byte) (selfplay.Board, error)
	pieces func(rec []byte) int
}

// subjects are the games by name.
var subjects = map[string]*subject{"chess": &chessSubject, "shogi": &shogiSubject, "ultimate": &ultimateSubject}

// An evaluation is what evaluates the positions of a game: a net, or the hand-written evaluation if that
// is nil.
type evaluation struct {
	game *subject
	net  *nnue.Net
	name string // its fingerprint
}

// evaluationBy returns the evaluation by the net in a file, or the hand-written one if that has no name.
func evaluationBy(g *subject, file string) (e evaluation, err error) {
	e.game = g
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return e, err
		}
		if e.net, err = g.readNet(data); err != nil {
			return e, fmt.Errorf("%s: %w", file, err)
		}
	}
	e.name, err = e.fingerprint()
	return e, err
}

// function returns what a board evaluates by: nil is the hand-written evaluation. It is for one goroutine.
func (e *evaluation) function() func(selfplay.Board) int {
	if e.net == nil {
		return nil
	}
	return e.game.evaluator(e.net)
}

// fingerprint is a checksum of the values of some random positions.
func (e *evaluation) fingerprint() (string, error) {
	var values []byte
	evaluate := e.function()
	for i := range 512 {
		pos, err := e.game.opening(rand.New(rand.NewPCG(0, uint64(i))), i%4 == 0, 1+i%96)
		if err != nil {
			return "", err
		}
		pos.EvaluateBy(evaluate)
		if !pos.InCheck() {
			values = fmt.Append(values, pos.Eval(), " ")
		}
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(values)), nil
}

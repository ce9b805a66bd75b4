package selfplay

import (
	"sync"

	"trefoil/game"
	"trefoil/game/chess"
	chesseval "trefoil/game/chess/eval"
	"trefoil/game/shogi"
	shogieval "trefoil/game/shogi/eval"
	"trefoil/search/alphabeta"
)

// Board is a position of a game in play, as the search and the notation need it.
type Board interface {
	alphabeta.Position
	alphabeta.Checker
	// ParseMove reads a legal move.
	ParseMove(text string) (game.Move, error)
	// Setup is the position as text, FEN or sfen.
	Setup() string
	// Copy is an independent position with the same evaluator.
	Copy() Board
	// EvaluateBy replaces the hand-written evaluation by a function, in this board and in copies made
	// from now on; nil brings it back.
	EvaluateBy(evaluate func(pos Board) int)
}

// evaluation implements EvaluateBy.
type evaluation struct{ by func(Board) int }

func (e *evaluation) EvaluateBy(evaluate func(Board) int) { e.by = evaluate }

// of returns the value of pos, which byHand computes unless EvaluateBy has replaced it.
func (e *evaluation) of(pos Board, byHand func() int) int {
	if e.by != nil {
		return e.by(pos)
	}
	return byHand()
}

// chessBoard is a position of chess.
type chessBoard struct {
	*chess.Position
	eval func() *chesseval.Evaluator
	evaluation
}

// Chess returns a Board for a position of chess.
func Chess(p *chess.Position) Board {
	return &chessBoard{Position: p, eval: sync.OnceValue(chesseval.New)}
}

// ChessPosition returns the position of a board of chess.
func ChessPosition(b Board) *chess.Position { return b.(*chessBoard).Position }

func (b *chessBoard) Eval() int {
	return b.of(b, func() int { return b.eval().Evaluate(b.Position) })
}

// Clone shares the evaluator: a Player searches with one worker.
func (b *chessBoard) Clone() alphabeta.Position { return b.Copy() }

func (b *chessBoard) Copy() Board { return &chessBoard{b.Position.Copy(), b.eval, b.evaluation} }

func (b *chessBoard) Setup() string { return b.FEN() }

// shogiBoard is a position of shogi.
type shogiBoard struct {
	*shogi.Position
	eval func() *shogieval.Evaluator
	evaluation
}

// Shogi returns a Board for a position of shogi.
func Shogi(p *shogi.Position) Board {
	return &shogiBoard{Position: p, eval: sync.OnceValue(shogieval.New)}
}

// ShogiPosition returns the position of a board of shogi.
func ShogiPosition(b Board) *shogi.Position { return b.(*shogiBoard).Position }

func (b *shogiBoard) Eval() int {
	return b.of(b, func() int { return b.eval().Evaluate(b.Position) })
}

// Params are the parameters of the search.
func (b *shogiBoard) Params() *alphabeta.Params { return alphabeta.Shogi }

func (b *shogiBoard) MateInOne() game.Move {
	if b.by != nil { // the hand-written evaluation knows no attacks
		return b.MateBeside()
	}
	return b.eval().MateInOne(b.Position)
}

// Clone shares the evaluator: a Player searches with one worker.
func (b *shogiBoard) Clone() alphabeta.Position { return b.Copy() }

func (b *shogiBoard) Copy() Board { return &shogiBoard{b.Position.Copy(), b.eval, b.evaluation} }

func (b *shogiBoard) Setup() string { return b.SFEN() }

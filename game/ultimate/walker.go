package ultimate

import (
	"math/bits"

	"trefoil/game"
	"trefoil/zobrist"
)

// Seed names the key words of a Walker.
const Seed = "trefoil ultimate position 1"

// A Walker is a position on which moves are made and taken back, as a search by alpha-beta needs it.
//
// Its moves are game.Moves: the target, and Move16, is 1 + the Move, the piece 1 + the side that
// moves. A move that wins a board counts as a capture, so that quiescence searches it.
type Walker struct {
	Position
	key   uint64
	stack []state
}

// state is what Undo restores.
type state struct {
	position Position
	key      uint64
}

// victim is the piece code of a board that a move wins; pieces and squares are the exclusive
// bounds of piece codes and targets.
const (
	victim  = 3
	pieces  = victim + 1
	squares = boards*boards + 1
)

// words are the key words.
var words = func() (w struct {
	stones [2][boards][boards]uint64 // of open boards
	won    [2][boards]uint64
	drawn  [boards]uint64
	target [boards + 1]uint64
	side   uint64
}) {
	source := zobrist.NewSource(Seed)
	for side := range 2 {
		for board := range boards {
			source.Fill(w.stones[side][board][:])
		}
		source.Fill(w.won[side][:])
	}
	source.Fill(w.drawn[:])
	source.Fill(w.target[:])
	w.side = source.Word()
	return w
}()

// NewWalker returns a Walker at a position.
func NewWalker(p Position) *Walker {
	return &Walker{Position: p, key: p.key(), stack: make([]state, 0, squares)}
}

// key is the XOR of the words of all that is in the position, except stones on decided boards, which
// do not matter any more. Bit 0 is the side to move.
func (p *Position) key() (key uint64) {
	for board := range boards {
		key ^= p.boardKey(board)
	}
	return p.withTurn(key)
}

// boardKey is the part of the key that is about one board.
func (p *Position) boardKey(board int) (key uint64) {
	if p.Open()>>board&1 == 0 {
		switch {
		case p.won[X]>>board&1 != 0:
			return words.won[X][board]
		case p.won[O]>>board&1 != 0:
			return words.won[O][board]
		}
		return words.drawn[board]
	}
	for side := range Side(2) {
		for stones := p.stones[side][board]; stones != 0; stones &= stones - 1 {
			key ^= words.stones[side][board][bits.TrailingZeros16(stones)]
		}
	}
	return key
}

// withTurn adds the board to play on and the side to move to the key of the boards, or removes them.
func (p *Position) withTurn(key uint64) uint64 {
	key ^= words.target[p.target]
	if p.side == O {
		key ^= words.side
	}
	return key&^1 | uint64(p.side)
}

// Key returns the key of the position; bit 0 is the side to move.
func (w *Walker) Key() uint64 { return w.key }

// Side returns the side to move as a number; Mover returns it as a Side.
func (w *Walker) Side() int   { return int(w.side) }
func (w *Walker) Mover() Side { return w.side }

// InCheck and GivesCheck: there are no checks in this game.
func (w *Walker) InCheck() bool             { return false }
func (w *Walker) GivesCheck(game.Move) bool { return false }

// Adjudicate scores a game that is over, or in which neither side can complete a line any more.
func (w *Walker) Adjudicate(int) (game.Outcome, bool) {
	switch {
	case HasLine(w.won[w.side.Other()]):
		return game.Loss, true
	case HasLine(w.won[w.side]):
		return game.Win, true
	}
	open := w.Open()
	return game.Draw, !HasLine(w.won[X]|open) && !HasLine(w.won[O]|open)
}

// NoMoves is the outcome of a game that is over.
func (w *Walker) NoMoves() game.Outcome {
	o, _ := w.Adjudicate(0)
	return o
}

// playable are the boards on which there are legal moves.
func (p *Position) playable() uint16 {
	switch {
	case HasLine(p.won[X]) || HasLine(p.won[O]):
		return 0
	case p.target != free:
		return 1 << p.target
	}
	return p.Open()
}

// Moves appends the legal moves of a kind: noisy ones win a board.
func (w *Walker) Moves(kind game.Kind, l *game.List) {
	if kind == game.Checks {
		return
	}
	for on := w.playable(); on != 0; on &= on - 1 {
		board := bits.TrailingZeros16(on)
		empty := all &^ (w.stones[X][board] | w.stones[O][board])
		wins := empty & Completing(w.stones[w.side][board])
		if kind != game.Quiet {
			for cells := wins; cells != 0; cells &= cells - 1 {
				l.Add(w.pack(NewMove(board, bits.TrailingZeros16(cells)), victim))
			}
		}
		if kind != game.Noisy {
			for cells := empty &^ wins; cells != 0; cells &= cells - 1 {
				l.Add(w.pack(NewMove(board, bits.TrailingZeros16(cells)), 0))
			}
		}
	}
}

// pack returns a move as a game.Move.
func (w *Walker) pack(m Move, victim int) game.Move {
	return game.NewMove(uint16(m)+1, int(w.side)+1, victim, false)
}

// Unpack returns the Move of a game.Move.
func Unpack(m game.Move) Move { return Move(m.To() - 1) }

// FromMove16 returns the legal move whose Move16 is m16, if there is one.
func (w *Walker) FromMove16(m16 uint16) (game.Move, bool) {
	if m16 == 0 || m16 >= squares {
		return game.None, false
	}
	m := Move(m16 - 1)
	board, cell := m.Board(), m.Cell()
	if (w.stones[X][board]|w.stones[O][board])>>cell&1 != 0 || w.playable()>>board&1 == 0 {
		return game.None, false
	}
	if Completing(w.stones[w.side][board])>>cell&1 != 0 {
		return w.pack(m, victim), true
	}
	return w.pack(m, 0), true
}

// ParseMove reads a legal move; the error is a *MoveError. Text writes a move.
func (w *Walker) ParseMove(token string) (game.Move, error) {
	m, err := w.Position.ParseMove(token)
	if err != nil {
		return game.None, err
	}
	packed, _ := w.FromMove16(uint16(m) + 1)
	return packed, nil
}

func (w *Walker) Text(m game.Move) string { return Unpack(m).String() }

// Make plays a legal move; Undo takes the last one back.
func (w *Walker) Make(m game.Move) {
	w.stack = append(w.stack, state{w.Position, w.key})
	before := &w.stack[len(w.stack)-1].position
	at, key := Unpack(m), w.withTurn(w.key)
	w.Position = w.Play(at)
	if board := at.Board(); w.Open() == before.Open() {
		key ^= words.stones[before.side][board][at.Cell()]
	} else {
		key ^= before.boardKey(board) ^ w.boardKey(board)
	}
	w.key = w.withTurn(key)
}

// Undo takes the last move back.
func (w *Walker) Undo() {
	last := len(w.stack) - 1
	w.Position, w.key = w.stack[last].position, w.stack[last].key
	w.stack = w.stack[:last]
}

// KeyAfter returns the key after a legal move, unless the move decides a board.
func (w *Walker) KeyAfter(m game.Move) uint64 {
	at, target := Unpack(m), uint8(free)
	if w.Open()>>at.Cell()&1 != 0 {
		target = uint8(at.Cell())
	}
	key := w.key ^ words.stones[w.side][at.Board()][at.Cell()] ^ words.target[w.target] ^ words.target[target] ^ words.side
	return key&^1 | uint64(w.side.Other())
}

// MateInOne returns a move that wins the game, or None.
func (w *Walker) MateInOne() game.Move {
	for on := w.playable() & Completing(w.won[w.side]); on != 0; on &= on - 1 {
		board := bits.TrailingZeros16(on)
		empty := all &^ (w.stones[X][board] | w.stones[O][board])
		if cells := empty & Completing(w.stones[w.side][board]); cells != 0 {
			return w.pack(NewMove(board, bits.TrailingZeros16(cells)), victim)
		}
	}
	return game.None
}

// CorrectionKeys fills keys with a hash of the decided boards and a hash of the board to play on; it returns 2.
func (w *Walker) CorrectionKeys(keys *[4]uint64) int {
	decided := uint64(w.won[X]) | uint64(w.won[O])<<boards | uint64(w.Open())<<(2*boards)
	target := uint64(w.target) << (2 * boards)
	if w.target != free {
		target |= uint64(w.stones[X][w.target]) | uint64(w.stones[O][w.target])<<boards
	}
	const golden = 0x9e3779b97f4a7c15 // Fibonacci hashing
	keys[0], keys[1] = decided*golden>>32, target*golden>>32
	return 2
}

// HistoryDimensions are the exclusive bounds of piece codes and targets.
func (w *Walker) HistoryDimensions() (int, int) { return pieces, squares }

// Played is the number of moves made since the Walker was made.
func (w *Walker) Played() int { return len(w.stack) }

// Copy returns an independent copy.
func (w *Walker) Copy() *Walker {
	copied := *w
	copied.stack = append(make([]state, 0, squares), w.stack...)
	return &copied
}

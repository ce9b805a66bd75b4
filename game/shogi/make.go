package shogi

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// Make plays the legal move m.
func (p *Position) Make(m game.Move) {
	p.history = append(p.history, p.state)
	us := p.side
	p.rekey(m)
	p.makeOnBoard(m)
	p.move = m
	p.back++
	p.ply++
	p.seen[p.boardKey>>1%seenSize]++
	if p.checkers.Any() {
		p.checks[us&1] += 2
	} else {
		p.checks[us&1] = 0
	}
}

// rekey updates the keys for m, which is not played yet.
func (p *Position) rekey(m game.Move) {
	us := p.side
	to, code := target(m), m.Piece()
	if m&drop != 0 {
		p.countKey(us, KindOf(code), -1)
	} else {
		p.toggleKeys(code, origin(m))
		if victim := m.Victim(); victim != 0 {
			p.toggleKeys(victim, to)
			p.countKey(us, KindOf(victim).Plain(), 1)
		}
	}
	p.toggleKeys(placed(m), to)
	p.key ^= zobrist.Side
	p.boardKey ^= zobrist.Side
}

// makeOnBoard plays m on the board alone, without keys and history.
func (p *Position) makeOnBoard(m game.Move) {
	us := p.side
	to, code := target(m), m.Piece()
	if m&drop != 0 {
		p.hands[us&1] -= One(KindOf(code))
	} else {
		from := origin(m)
		p.board[from&127] = 0
		p.togglePiece(code, from)
		if victim := m.Victim(); victim != 0 {
			p.togglePiece(victim, to)
			p.hands[us&1] += One(KindOf(victim).Plain())
		}
		if m&promotion != 0 {
			code += promotes
		}
		if KindOf(code) == King {
			p.kings[us&1] = to
		}
	}
	p.board[to&127] = uint8(code)
	p.togglePiece(code, to)
	p.side = us ^ 1
	p.checkers = p.AttackersOf(p.kings[us&1^1], p.Occupied(), us)
}

// promotes is what promotion adds to a piece code.
const promotes = int(promoted) << 1

// countKey enters into the key that c has n pieces of a kind more in hand.
func (p *Position) countKey(c Colour, k Kind, n int) {
	had := p.hands[c&1].Count(k)
	w := &words.hand[c&1][k&7]
	p.key ^= w[had] ^ w[had+n]
}

// Undo takes the last move back.
func (p *Position) Undo() {
	p.ply--
	p.seen[p.boardKey>>1%seenSize]--
	p.undoOnBoard(p.move)
	p.pop()
}

// undoOnBoard takes back on the board alone what makeOnBoard has played, but for hands and checkers.
func (p *Position) undoOnBoard(m game.Move) {
	us := p.side ^ 1
	p.side = us
	to := target(m)
	p.togglePiece(p.At(to), to)
	p.board[to&127] = 0
	if m&drop == 0 {
		from, code := origin(m), m.Piece()
		p.board[from&127] = uint8(code)
		p.togglePiece(code, from)
		if victim := m.Victim(); victim != 0 {
			p.board[to&127] = uint8(victim)
			p.togglePiece(victim, to)
		}
		if KindOf(code) == King {
			p.kings[us&1] = from
		}
	}
}

// BoardUndo is what MakeBoard overwrites.
type BoardUndo struct {
	checkers Bitboard
	hands    [2]Hand
	move     game.Move
}

// MakeBoard makes the legal move m on the board alone: keys, history and counts do not change. UndoBoard
// takes it back.
func (p *Position) MakeBoard(m game.Move) BoardUndo {
	t := BoardUndo{p.checkers, p.hands, m}
	p.makeOnBoard(m)
	return t
}

// UndoBoard takes back what MakeBoard has made.
func (p *Position) UndoBoard(t BoardUndo) {
	p.undoOnBoard(t.move)
	p.checkers, p.hands = t.checkers, t.hands
}

// MakeNull passes; the side to move is not in check.
func (p *Position) MakeNull() {
	p.history = append(p.history, p.state)
	p.move = game.None
	p.back = 0
	p.checks = [2]int32{}
	p.ply++
	p.side ^= 1
	p.key ^= zobrist.Side
	p.boardKey ^= zobrist.Side
	p.seen[p.boardKey>>1%seenSize]++
}

// UndoNull takes the pass back.
func (p *Position) UndoNull() {
	p.side ^= 1
	p.ply--
	p.seen[p.boardKey>>1%seenSize]--
	p.pop()
}

// pop restores the state before the last move.
func (p *Position) pop() {
	last := len(p.history) - 1
	p.state = p.history[last]
	p.history = p.history[:last]
}

// IsDrop reports whether m is a drop.
func IsDrop(m game.Move) bool { return m&drop != 0 }

// Origin returns the square that m moves from; m is no drop.
func Origin(m game.Move) Square { return origin(m) }

// Placed returns the code of the piece that stands on the target of m after it.
func Placed(m game.Move) int { return placed(m) }

// Dropped returns the kind that the drop m drops.
func Dropped(m game.Move) Kind { return dropped(m) }

// Unpromoted returns the move m, which promotes, without the promotion.
func Unpromoted(m game.Move) game.Move { return m &^ promotes1 }

func origin(m game.Move) Square { return Square(m >> 7 & 127) }

func target(m game.Move) Square { return Square(m & 127) }

func dropped(m game.Move) Kind { return Kind(origin(m) - Nowhere) }

// placed returns the code of the piece that stands on the target of m after it.
func placed(m game.Move) int {
	if m&promotion != 0 {
		return m.Piece() + promotes
	}
	return m.Piece()
}

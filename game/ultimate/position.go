// Package ultimate holds the rules of Ultimate Tic-Tac-Toe and its notation.
//
// Nine small boards form a big one. Boards and cells are numbered alike, and written a to i:
//
//	0 1 2    a b c
//	3 4 5    d e f
//	6 7 8    g h i
//
// X begins on any cell. A move on cell k sends the opponent to board k; if that board is
// decided, the opponent may play on any board that is not. Three stones in line win a
// small board for their owner, a full board without a line is drawn. Three
// boards in line win the game; if all boards are decided and no line is there, it is drawn.
package ultimate

import "math/bits"

// Side is a player.
type Side uint8

// The players; X begins.
const (
	X Side = iota
	O
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

func (s Side) String() string { return "XO"[s : s+1] }

// Boards is the number of small boards, and of the cells of each. A set of boards or cells is a word in
// which bit b or c stands for board b or cell c. All is the full set.
const (
	Boards = 9
	All    = 1<<Boards - 1
)

const (
	boards = Boards
	free   = boards // as target: any board that is not decided
	all    = All
)

var lines = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// Lines returns the eight lines of a board, small or big, as sets of cells.
func Lines() [8]uint16 { return lines }

// sets says of each set of cells whether it contains a line, and which cells complete a line: the cells in
// a line whose other cells are in the set.
var sets = func() (t [All + 1]struct {
	line      bool
	completes uint16
}) {
	for set := range t {
		for _, l := range lines {
			switch rest := l &^ uint16(set); {
			case rest == 0:
				t[set].line = true
			case rest&(rest-1) == 0:
				t[set].completes |= rest
			}
		}
	}
	return t
}()

// HasLine reports whether a set of cells contains a line.
func HasLine(cells uint16) bool { return sets[cells&All].line }

// Completing returns the cells that complete a line of a set of cells.
func Completing(cells uint16) uint16 { return sets[cells&All].completes }

// Move is a stone on a cell of a board: 9 × board + cell.
type Move uint8

// NewMove returns the move to a cell of a board, both 0 to 8.
func NewMove(board, cell int) Move { return Move(board*boards + cell) }

// Board returns the board that the move is played on.
func (m Move) Board() int { return int(m) / boards }

// Cell returns the cell of the move, and the board that it sends the opponent to.
func (m Move) Cell() int { return int(m) % boards }

// Position is a position of the game, a value; use Start for the first one.
type Position struct {
	stones [2][boards]uint16 // cells of X and of O on each board
	won    [2]uint16         // boards
	drawn  uint16            // boards
	side   Side
	target uint8 // the board to play on, or free
}

// Start returns the position before the first move.
func Start() Position { return Position{target: free} }

// Side returns the side to move.
func (p *Position) Side() Side { return p.side }

// Target returns the board that has to be played on; ok is false if any open board may be.
func (p *Position) Target() (board int, ok bool) { return int(p.target), p.target != free }

// At returns the owner of the stone on a cell, if there is one.
func (p *Position) At(board, cell int) (Side, bool) {
	if p.stones[O][board]>>cell&1 != 0 {
		return O, true
	}
	return X, p.stones[X][board]>>cell&1 != 0
}

// Open returns the boards that are not decided.
func (p *Position) Open() uint16 { return all &^ (p.won[X] | p.won[O] | p.drawn) }

// Won returns the boards that a side has won.
func (p *Position) Won(s Side) uint16 { return p.won[s] }

// Stones returns the cells of a board that have a stone of a side.
func (p *Position) Stones(s Side, board int) uint16 { return p.stones[s][board] }

// Left returns the number of empty cells of open boards: no game goes on for more moves.
func (p *Position) Left() (n int) {
	for on := p.Open(); on != 0; on &= on - 1 {
		b := bits.TrailingZeros16(on)
		n += bits.OnesCount16(all &^ (p.stones[X][b] | p.stones[O][b]))
	}
	return n
}

// Over reports whether the game is over, whether there is a winner, and which side that is.
func (p *Position) Over() (winner Side, won, over bool) {
	for s := range Side(2) {
		if HasLine(p.won[s]) {
			return s, true, true
		}
	}
	return 0, false, p.Open() == 0
}

// Moves appends the legal moves, none if the game is over.
func (p *Position) Moves(to []Move) []Move {
	if _, _, over := p.Over(); over {
		return to
	}
	on := p.Open()
	if p.target != free {
		on = 1 << p.target
	}
	for ; on != 0; on &= on - 1 {
		b := bits.TrailingZeros16(on)
		for cells := all &^ (p.stones[X][b] | p.stones[O][b]); cells != 0; cells &= cells - 1 {
			to = append(to, NewMove(b, bits.TrailingZeros16(cells)))
		}
	}
	return to
}

// Check returns nil if the move is legal, else a *MoveError.
func (p *Position) Check(m Move) error {
	reason := Reason(0)
	switch _, _, over := p.Over(); {
	case int(m) >= boards*boards:
		reason = NoMove
	case over:
		reason = AfterEnd
	case p.Open()>>m.Board()&1 == 0:
		reason = DecidedBoard
	case p.target != free && int(p.target) != m.Board():
		reason = OtherBoard
	case (p.stones[X][m.Board()]|p.stones[O][m.Board()])>>m.Cell()&1 != 0:
		reason = Occupied
	default:
		return nil
	}
	return &MoveError{Token: m.String(), Reason: reason, Target: p.target}
}

// Play returns the position after a legal move.
func (p Position) Play(m Move) Position {
	b, c := m.Board(), m.Cell()
	p.stones[p.side][b] |= 1 << c
	p.decide(b)
	p.target = free
	if p.Open()>>c&1 != 0 {
		p.target = uint8(c)
	}
	p.side = p.side.Other()
	return p
}

// decide notes the result of a small board.
func (p *Position) decide(board int) {
	switch {
	case HasLine(p.stones[X][board]):
		p.won[X] |= 1 << board
	case HasLine(p.stones[O][board]):
		p.won[O] |= 1 << board
	case p.stones[X][board]|p.stones[O][board] == all:
		p.drawn |= 1 << board
	}
}

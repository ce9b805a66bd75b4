// Package game holds the types that all games share: a move,
// a list of moves, the kinds of moves that a generator lists, and how a
// position can end.
//
// A Move is one 32-bit word with all that move ordering needs, so that ordering
// never has to look at the position:
//
//	 31       27 26      25      21 20      16 15                0
//	┌───────────┬──────────┬──────────┬──────────┬──────────────────┐
//	│  unused   │ promotes │  victim  │  piece   │     Move16       │
//	└───────────┴──────────┴──────────┴──────────┴──────────────────┘
//
// Move16 is what a transposition table keeps of a move. Its low seven bits are
// the target square and the next seven belong to the origin in every game, so
// that histories can be indexed without knowing which game is played; the rest
// is each game's own. 0 is no move: the Move16 of a move is not 0. A piece code names colour and
// kind, 1 to 31; 0 is no piece.
package game

// Move is a move of any game; the zero Move is no move.
type Move uint32

// NewMove packs a move. piece and victim are piece codes below 32.
func NewMove(move16 uint16, piece, victim int, promotes bool) Move {
	m := Move(move16) | Move(piece)<<16 | Move(victim)<<21
	if promotes {
		m |= promotes1
	}
	return m
}

const promotes1 Move = 1 << 26

// None is the absence of a move.
const None Move = 0

// Move16 returns the 16 bits that a transposition table keeps of m.
func (m Move) Move16() uint16 { return uint16(m) }

// To returns the target square.
func (m Move) To() int { return int(m & 0x7f) }

// FromTo returns the 14 bits of origin and target, for butterfly histories.
func (m Move) FromTo() int { return int(m & 0x3fff) }

// Piece returns the code of the piece that moves, before the move.
func (m Move) Piece() int { return int(m >> 16 & 31) }

// Victim returns the code of the captured piece, 0 if m captures nothing.
func (m Move) Victim() int { return int(m >> 21 & 31) }

// Promotes reports whether m promotes.
func (m Move) Promotes() bool { return m&promotes1 != 0 }

// Quiet reports whether m neither captures nor promotes.
func (m Move) Quiet() bool { return m&(31<<21|promotes1) == 0 }

// MaxMoves is more than any position of any game has legal moves (shogi: 593, and
// with more pieces than a set has, 619 found by hill climbing; chess: 218, and with any
// pieces less than 600, because a square is reached along at most eight lines, and by knights).
const MaxMoves = 700

// List is a list of moves with room for every position of every game. Lists
// live in per-worker frames: their address crosses an interface, and one made
// on the stack would escape to the heap.
type List struct {
	n     int
	moves [MaxMoves]Move
}

// Reset empties l.
func (l *List) Reset() { l.n = 0 }

// Add appends m.
func (l *List) Add(m Move) { l.moves[l.n] = m; l.n++ }

// Len returns the number of moves.
func (l *List) Len() int { return l.n }

// At returns move i, 0 ≤ i < Len().
func (l *List) At(i int) Move { return l.moves[i] }

// All returns the moves; the slice is valid until l changes.
func (l *List) All() []Move { return l.moves[:l.n] }

// Kind is a kind of moves that a generator lists.
type Kind uint8

// The kinds of moves. Noisy and Quiet together are All, without moves that are never better than another
// move of the list.
const (
	All    Kind = iota
	Noisy       // captures, and the promotions that are nearly always best
	Quiet       // the rest
	Checks      // the quiet moves that give check
)

// Outcome is the result of a finished game for the side to move.
type Outcome int8

// The outcomes. Ahead and Behind count as much as Win and Loss without a mate: the game
// ends by another rule, or is decided though it goes on.
const (
	Behind Outcome = iota - 2
	Loss
	Draw
	Win
	Ahead
)

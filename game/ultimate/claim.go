package ultimate

import (
	"math/bits"
	"strings"

	"trefoil/game"
)

// Convention names what is claimed, for files of what was found out about claims.
const Convention = "the attacker wins; a draw fails him"

// A Claim says that one side, the attacker, wins from a position; that he does not is the
// claim that the defender at least draws. It is what a proof search settles: a position is
// won, drawn or lost by what becomes of the claims of both sides.
//
// Its key is about roles: who attacks is part of it, and two positions that differ only in
// the names of the players are one claim. A Claim belongs to one goroutine.
type Claim struct {
	t     *tables
	stack []state // the last one is the position
	over  bool    // the game was over at the root
	won   bool    // by the attacker
	root  Position
	who   Side
}

// NewClaim returns the claim that a side wins from a position.
func NewClaim(p Position, attacker Side) *Claim {
	winner, won, over := p.Over()
	c := &Claim{t: theTables(), root: p, who: attacker, over: over, won: won && winner == attacker}
	c.stack = append(make([]state, 0, 16), c.t.newState(&p, attacker))
	return c
}

// Copy returns an independent copy of the claim at its root.
func (c *Claim) Copy() *Claim { return NewClaim(c.root, c.who) }

func (c *Claim) top() *state { return &c.stack[len(c.stack)-1] }

// Key is the key of the claim.
func (c *Claim) Key() uint64 { return c.top().key(c.t) }

// Attacking reports whether the attacker is to move.
func (c *Claim) Attacking() bool { return c.top().mover == attacker }

// Sight fills in what is known of the claim without playing: proof numbers of the player to
// move.
func (c *Claim) Sight(s *game.Successor) {
	s.Key = c.Key()
	if c.over && len(c.stack) == 1 {
		if s.Lose(); c.won == c.Attacking() {
			s.Win()
		}
		return
	}
	c.t.see(c.top(), s)
}

func (t *tables) see(s *state, to *game.Successor) {
	switch good, won, lost := t.sight(s); {
	case won:
		to.Win()
	case lost:
		to.Lose()
	default:
		to.Phi, to.Delta = s.guess(good)
	}
}

// Expand appends the moves that matter, with what is known after them: one that wins at
// sight, else those that do not lose at sight, else all. It tells near of all keys that are
// not solved. A game that is over has no moves.
func (c *Claim) Expand(to []game.Successor, near game.Prefetcher) []game.Successor {
	if c.over {
		return to
	}
	s, t := c.top(), c.t
	from := len(to)
	if now := s.where() & s.critical[s.mover]; now != 0 {
		b := bits.TrailingZeros16(now)
		cell := bits.TrailingZeros16(t.known[s.code[b]].local.wins(s.mover))
		to = append(to, game.Successor{Move: Pack(NewMove(b, cell))})
		to[from].Lose()
		return to
	}
	for where := s.where(); where != 0; where &= where - 1 {
		b := uint8(bits.TrailingZeros16(where))
		for cells := t.good(s, b, s.mover, t.safe(s, b, s.mover)); cells != 0; cells &= cells - 1 {
			cell := uint8(bits.TrailingZeros16(cells))
			child := *s
			t.play(&child, b, cell)
			next := game.Successor{Move: Pack(NewMove(int(b), int(cell)))}
			next.Key = child.key(t)
			if t.see(&child, &next); next.Delta == 0 {
				return append(to[:from], next)
			}
			if next.Phi != 0 {
				near.Prefetch(next.Key)
			}
			to = append(to, next)
		}
	}
	if len(to) > from {
		return to
	}
	for where := s.where(); where != 0; where &= where - 1 {
		b := uint8(bits.TrailingZeros16(where))
		for cells := t.known[s.code[b]].local.empty(); cells != 0; cells &= cells - 1 {
			cell := uint8(bits.TrailingZeros16(cells))
			child := *s
			t.play(&child, b, cell)
			next := game.Successor{Key: child.key(t), Move: Pack(NewMove(int(b), int(cell)))}
			next.Win()
			to = append(to, next)
		}
	}
	return to
}

// Make plays a move of Expand that does not win the game.
func (c *Claim) Make(m game.Move) {
	c.stack = append(c.stack, *c.top())
	at := Unpack(m)
	c.t.play(c.top(), uint8(at.Board()), uint8(at.Cell()))
}

// Undo takes the last move back.
func (c *Claim) Undo() { c.stack = c.stack[:len(c.stack)-1] }

// Short is what a table keeps of a move: the move in the orientation of the key, so that it
// means the same to all positions of the key.
func (c *Claim) Short(m game.Move) uint16 {
	image, at := &c.t.image[c.top().symmetry], Unpack(m)
	return uint16(Pack(NewMove(int(image[at.Board()]), int(image[at.Cell()]))))
}

// Widen is the move here that has this Short.
func (c *Claim) Widen(short uint16) game.Move {
	if short == 0 || short > boards*boards {
		return game.None
	}
	origin, at := &c.t.origin[c.top().symmetry], Unpack(game.Move(short))
	return Pack(NewMove(int(origin[at.Board()]), int(origin[at.Cell()])))
}

// Text writes a move as ParseMove reads it.
func (c *Claim) Text(m game.Move) string { return Unpack(m).String() }

// Text writes the moves of a line with blanks between them.
func Text(line []game.Move) string {
	words := make([]string, len(line))
	for i, m := range line {
		words[i] = Unpack(m).String()
	}
	return strings.Join(words, " ")
}

// Pack is a move as the search and the table see it, never 0; Unpack is the way back.
func Pack(m Move) game.Move { return game.Move(m) + 1 }

// Unpack is the move that was packed.
func Unpack(m game.Move) Move { return Move(m - 1) }

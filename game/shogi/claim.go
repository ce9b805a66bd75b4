package shogi

import (
	"slices"

	"trefoil/game"
	"trefoil/zobrist"
)

// A Claim says that one side, the attacker, mates by nothing but checks within a number
// of his moves. It is what a proof search settles. A failure within n moves says nothing
// about n+1, so the moves that are left are part of the key, and so is who attacks, and
// which positions have occurred three times already: the fourth time ends the game
// without a mate, whoever has given check.
//
// Repetitions below the root need no look. They do not help the attacker: from a position
// that comes back he mates at least as soon the first time as the second. And the defender
// cannot repeat anything against the shortest mate, as every move brings that nearer. So a
// claim is true or not whatever the way to its position, the graph of claims has no cycles,
// and no verdict depends on a path.
//
// A Claim belongs to one goroutine.
type Claim struct {
	p        *Position
	attacker Colour
	left     int      // moves that the attacker may still make, beyond MostMoves: any number
	first    int      // plies before the position of NewClaim
	root     int      // plies before that where the search has begun
	thrice   []uint64 // keys of positions that have occurred so often
	tag      uint64   // of thrice
	moves    game.List
	inner    game.List
	glances  []glance // of positions looked at lately, by key; nil before the first
}

// MostMoves is the longest mate that a Claim can be about. No problem is known that takes more
// (Microcosmos: 763).
const MostMoves = 800

// claimWords are the words of what a claim's key has beside the position.
var claimWords struct {
	left     [MostMoves + 2]uint64
	attacker [2]uint64
}

func init() {
	src := zobrist.NewSource("trefoil shogi claim")
	src.Fill(claimWords.left[:])
	src.Fill(claimWords.attacker[:])
}

// NewClaim returns the claim that a side mates within so many of its moves, at most MostMoves.
// The position and its history are copied.
func NewClaim(p *Position, attacker Colour, moves int) *Claim {
	c := &Claim{p: p.Copy(), attacker: attacker, left: moves, first: len(p.history), root: len(p.history)}
	count := map[uint64]int{p.key: 1}
	for i := range p.history {
		key := p.history[i].key
		if count[key]++; count[key] == 3 {
			c.thrice = append(c.thrice, key)
			c.tag ^= zobrist.Mix(key)
		}
	}
	return c
}

// Identity tells positions apart, whatever the moves left.
func (c *Claim) Identity() uint64 { return c.p.key }

// Left is how many moves the attacker may still make.
func (c *Claim) Left() int { return c.left }

// SetLeft changes how many moves the attacker may still make.
func (c *Claim) SetLeft(moves int) { c.left = moves }

// Attacking reports whether the attacker is to move.
func (c *Claim) Attacking() bool { return c.p.side == c.attacker }

// Key is the key of the claim.
func (c *Claim) Key() uint64 {
	return c.p.key ^ c.words(c.left)
}

// words are what a key has beside that of the position, with so many moves left.
func (c *Claim) words(left int) uint64 {
	return claimWords.left[min(left, MostMoves+1)] ^ claimWords.attacker[c.attacker] ^ c.tag
}

// next is how many moves the attacker may still make after one of the side to move.
func (c *Claim) next() int {
	if c.left <= MostMoves && c.Attacking() {
		return c.left - 1
	}
	return c.left
}

// Make plays a move of Expand.
func (c *Claim) Make(m game.Move) {
	c.left = c.next()
	c.p.Make(m)
}

// Undo takes the last move back.
func (c *Claim) Undo() {
	c.p.Undo()
	if c.left <= MostMoves && c.Attacking() {
		c.left++
	}
}

// Short is what a table keeps of a move.
func (c *Claim) Short(m game.Move) uint16 { return m.Move16() }

// Widen is the legal move of a Short, or None.
func (c *Claim) Widen(short uint16) game.Move {
	m, ok := c.p.FromMove16(short)
	if !ok {
		return game.None
	}
	return m
}

// Text writes a move.
func (c *Claim) Text(m game.Move) string { return c.p.Text(m) }

// Drawn reports whether the game is over without a mate: no legal move though there is no
// check, or a position for the fourth time.
func (c *Claim) Drawn() bool {
	p := c.p
	if !p.checkers.Any() && !p.anyMove() {
		return true
	}
	times := 1
	for d := 4; d <= min(int(p.back), len(p.history)); d += 2 {
		if p.history[len(p.history)-d].key == p.key {
			times++
		}
	}
	return times > 3
}

// Mated reports whether the side to move is mated.
func (c *Claim) Mated() bool { return c.p.Mated() }

// drawn reports whether the position of a successor has occurred three times before the root,
// with so many moves left there.
func (c *Claim) drawn(s *game.Successor, left int) bool {
	return len(c.thrice) > 0 && slices.Contains(c.thrice, s.Key^c.words(left))
}

// repeats reports whether the board after the move of s, which is tried, has been on the way
// here, when the attacker had as much in hand: then he has got nowhere. It says in s when that
// was.
func (c *Claim) repeats(s *game.Successor) bool {
	p, stand := c.p, s.Class^c.words(c.left)
	for i := len(p.history) - 3; i >= c.first; i -= 2 {
		if h := &p.history[i]; h.stand == stand && h.hands[c.attacker&1].Covers(p.hands[c.attacker&1]) {
			s.Loop = uint16(max(i-c.root+2, 1))
			return true
		}
	}
	return false
}

// enter fills in the keys of the present position, and what the attacker has in hand.
func (c *Claim) enter(s *game.Successor) {
	p := c.p
	w := c.words(c.left)
	s.Key, s.Class, s.Stock = p.key^w, p.stand^w, uint32(p.hands[c.attacker&1])
}

// foresee is enter for the positions after the moves of to, which are not played.
func (c *Claim) foresee(to []game.Successor, near game.Prefetcher) {
	p := c.p
	w, hand := c.words(c.next()), p.hands[c.attacker&1]
	for i := range to {
		s := &to[i]
		men, inHand := p.changes(s.Move)
		s.Key, s.Class, s.Stock = p.key^men^inHand^w, p.stand^men^w, uint32(hand)
		near.Prefetch(s.Key)
		if !c.Attacking() {
			continue
		}
		if s.Move&drop != 0 {
			s.Stock -= uint32(one(dropped(s.Move)))
		} else if victim := s.Move.Victim(); victim != 0 {
			s.Stock += uint32(one(KindOf(victim).Plain()))
		}
	}
}

// mayRepeat reports false if the board after the move of s has not been on the way here.
func (c *Claim) mayRepeat(s *game.Successor) bool {
	stand := s.Class ^ c.words(c.left)
	return c.left > MostMoves && c.p.seen[stand>>1%seenSize] > 0
}

// Begin says that a search begins here, whatever has been played before.
func (c *Claim) Begin() { c.root = len(c.p.history) }

// Sight fills in what is known of the claim without playing.
func (c *Claim) Sight(s *game.Successor) {
	c.enter(s)
	if c.Attacking() {
		c.seeAttack(s)
		return
	}
	switch n := c.p.count(); {
	case n == 0 && c.p.checkers.Any():
		s.Lose()
	case n == 0 || c.left == 0 || c.drawn(s, c.left):
		s.Win()
	default: // whoever asks wants to know no more than whether it is settled
		s.Phi, s.Delta = 1, 1
	}
}

// Expand appends the moves that matter: of the attacker's checks one that mates, else all;
// of the defender's moves one that saves him at sight, else all. What memory knows is not
// looked at.
func (c *Claim) Expand(to []game.Successor, near game.Prefetcher) []game.Successor {
	c.moves.Reset()
	from := len(to)
	memory, _ := near.(game.Memory)
	if c.Attacking() {
		to = c.listAttacks(to)
		c.foresee(to[from:], near)
		return c.attacks(to, from, memory)
	}
	to = c.listDefences(to)
	c.foresee(to[from:], near)
	return c.defences(to, from, memory)
}

// listAttacks appends the checks, if any may be given.
func (c *Claim) listAttacks(to []game.Successor) []game.Successor {
	if c.left == 0 {
		return to
	}
	c.p.Checks(&c.moves)
	pairPromotions(c.moves.All())
	last := game.None
	for _, m := range c.moves.All() {
		to = append(to, game.Successor{Move: m, After: declines(m, last)})
		last = m
	}
	return to
}

// listDefences appends the defender's moves.
func (c *Claim) listDefences(to []game.Successor) []game.Successor {
	c.p.Moves(game.All, &c.moves)
	bySquare(c.moves.All())
	last := game.None
	for _, m := range c.moves.All() {
		to = append(to, game.Successor{Move: m, After: m&drop != 0 && last&drop != 0 && target(last) == target(m)})
		last = m
	}
	return to
}

// attacks is the rest of Expand for the attacker.
func (c *Claim) attacks(to []game.Successor, from int, memory game.Memory) []game.Successor {
	left := c.next()
	for i := from; i < len(to); i++ {
		next := &to[i]
		repeated := c.mayRepeat(next)
		if !repeated && memory != nil && memory.Known(next) {
			continue
		}
		if !repeated && c.glanced(next) {
			continue
		}
		before := c.p.try(next.Move)
		w := c.p.waysOut()
		mate := w.count() == 0
		switch {
		case mate:
			next.Stock = uint32(c.guards(0))
			next.Key, next.Class = 0, 0
			next.Lose()
		case left == 0 || c.drawn(next, left) || repeated && c.repeats(next):
			next.Win()
		case repeated && memory != nil && memory.Known(next):
		default:
			c.guessDefence(next, &w)
			c.keep(next)
		}
		c.p.untry(before)
		if mate {
			to[from] = *next
			return to[:from+1]
		}
	}
	return to
}

// defences is the rest of Expand for the defender.
func (c *Claim) defences(to []game.Successor, from int, memory game.Memory) []game.Successor {
	for i := from; i < len(to); i++ {
		next := &to[i]
		if memory != nil && memory.Known(next) {
			continue
		}
		if !c.glanced(next) {
			before := c.p.try(next.Move)
			c.seeAttack(next)
			c.p.untry(before)
			c.keep(next)
		}
		if next.Delta == 0 {
			to[from] = *next
			return to[:from+1]
		}
	}
	return to
}

// bySquare sorts the drops, which are the last moves, by their square, and those on one square by
// kind.
func bySquare(moves []game.Move) {
	for i := range moves {
		for j := i; j > 0 && moves[j]&drop != 0 && moves[j-1]&drop != 0 && target(moves[j-1]) > target(moves[j]); j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

// declines reports whether m is the move before it without the promotion, of a piece that has
// nothing to lose by it: it is better only where that avoids mating with a dropped pawn.
func declines(m, before game.Move) bool {
	k := KindOf(m.Piece())
	return m^before == promotes1 && !m.Promotes() && (k == Pawn || k == Bishop || k == Rook)
}

// pairPromotions brings moves that may promote or not together, the promotion first.
func pairPromotions(moves []game.Move) {
	for i, m := range moves {
		if !m.Promotes() {
			continue
		}
		if j := slices.Index(moves[i+1:], m^promotes1); j > 0 {
			copy(moves[i+2:i+2+j], moves[i+1:i+1+j])
			moves[i+1] = m ^ promotes1
		}
	}
}

// seeAttack fills in the numbers of a position of the attacker.
func (c *Claim) seeAttack(s *game.Successor) {
	if c.left == 0 || c.drawn(s, c.left) {
		s.Lose()
		return
	}
	mate, checks, free := c.p.mateInOne(&c.inner)
	switch {
	case mate != game.None:
		s.Win()
		tried := c.p.try(mate)
		h := c.guards(0)
		c.p.untry(tried)
		s.Stock, s.Plies = uint32(before(mate, h)), 1
	case c.left == 1 || checks == 0:
		s.Lose()
	default:
		c.guessAttack(s, free)
	}
}

// Attacker is the side to move, or its opponent.
func (p *Position) Attacker(opponent bool) Colour {
	if opponent {
		return p.side ^ 1
	}
	return p.side
}

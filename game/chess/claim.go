package chess

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// A Claim says that one side, the attacker, mates within a number of his moves. It is what
// a proof search settles. A failure within n moves says nothing about n+1, so the moves that
// are left are part of the key, and so is whatever else a mate in time depends on:
//
//   - who attacks;
//   - the count of reversible plies, where the fifty-move rule could end the game before the
//     moves are used up;
//   - which positions have occurred twice already, if any can still come back: the third
//     time the game is drawn.
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
	left     int // moves that the attacker may still make
	root     int // plies before the root
	twice    []uint64
	tag      uint64      // of twice
	only     []game.Move // at the root, nil: all
	onlyTag  uint64
	moves    game.List
	inner    game.List
}

// MostMoves is the longest mate that a Claim can be about.
const MostMoves = 250

// claimWords are the words of what a claim's key has beside the position.
var claimWords struct {
	left     [MostMoves + 1]uint64
	attacker [2]uint64
	half     [102]uint64
}

func init() {
	src := zobrist.NewSource("trefoil chess claim")
	src.Fill(claimWords.left[:])
	src.Fill(claimWords.attacker[:])
	src.Fill(claimWords.half[:])
}

// NewClaim returns the claim that a side mates within so many of its moves, at most MostMoves.
// The position and its history are copied.
func NewClaim(p *Position, attacker Colour, moves int) *Claim {
	c := &Claim{p: p.Copy(), attacker: attacker, left: min(moves, MostMoves), root: len(p.history)}
	count := map[uint64]int{p.key: 1}
	for d := 1; d <= min(int(p.back), len(p.history)); d++ {
		key := p.history[len(p.history)-d].key
		if count[key]++; count[key] == 2 {
			c.twice = append(c.twice, key)
			c.tag ^= zobrist.Mix(key)
		}
	}
	return c
}

// Only leaves no other moves than these at the root, at least one and each of them legal: the
// claim is then about the game in which one of them is played.
func (c *Claim) Only(moves []game.Move) {
	c.only, c.onlyTag = moves, 0
	for _, m := range moves {
		c.onlyTag ^= zobrist.Mix(uint64(m.Short()))
	}
}

// restricted reports whether not all moves are considered here.
func (c *Claim) restricted() bool { return c.only != nil && len(c.p.history) == c.root }

// Identity tells positions apart, whatever the moves left.
func (c *Claim) Identity() uint64 {
	if c.restricted() {
		return c.p.key ^ c.onlyTag
	}
	return c.p.key
}

// Left is how many moves the attacker may still make.
func (c *Claim) Left() int { return c.left }

// SetLeft changes how many moves the attacker may still make.
func (c *Claim) SetLeft(moves int) { c.left = moves }

// Begin says that a search begins here: no verdict depends on what was played before.
func (c *Claim) Begin() {}

// Attacking reports whether the attacker is to move.
func (c *Claim) Attacking() bool { return c.p.side == c.attacker }

// Key is the key of the claim.
func (c *Claim) Key() uint64 {
	p, left := c.p, c.left
	key := c.Identity() ^ claimWords.left[left] ^ claimWords.attacker[c.attacker] ^ c.tag
	plies := 2 * left
	if c.Attacking() {
		plies--
	}
	if int(p.half)+plies > 100 {
		key ^= claimWords.half[min(p.half, 101)]
	}
	return key
}

// Make plays a move of Expand.
func (c *Claim) Make(m game.Move) {
	if c.Attacking() {
		c.left--
	}
	c.p.Make(m)
}

// Undo takes the last move back.
func (c *Claim) Undo() {
	c.p.Undo()
	if c.Attacking() {
		c.left++
	}
}

// Short is what a table keeps of a move.
func (c *Claim) Short(m game.Move) uint16 { return m.Short() }

// Widen is the legal move of a Short, or None.
func (c *Claim) Widen(short uint16) game.Move {
	m, ok := c.p.Widen(short)
	if !ok {
		return game.None
	}
	return m
}

// Text writes a move.
func (c *Claim) Text(m game.Move) string { return c.p.Text(m) }

// Drawn reports whether the game is over without a mate: no legal move, neither side can
// mate, fifty moves without a capture or a pawn's move, or a position for the third time.
func (c *Claim) Drawn() bool {
	p := c.p
	if p.checkers != 0 && !p.anyMove() {
		return false
	}
	if p.half >= 100 || p.bare() || !p.anyMove() {
		return true
	}
	times := 1
	for d := 4; d <= min(int(p.back), len(p.history)); d += 2 {
		if p.history[len(p.history)-d].key == p.key {
			times++
		}
	}
	return times > 2
}

// Mated reports whether the side to move is mated.
func (c *Claim) Mated() bool { return c.p.checkers != 0 && c.p.mated() }

// drawn reports whether the present position, which has a legal move, ends the game: by
// fifty moves, or as one that has occurred twice before the root.
func (c *Claim) drawn() bool {
	p := c.p
	if p.half >= 100 {
		return true
	}
	if c.twice != nil && int(p.half) >= len(p.history)-c.root {
		for _, key := range c.twice {
			if key == p.key {
				return true
			}
		}
	}
	return p.bare()
}

// Sight fills in what is known of the claim without playing.
func (c *Claim) Sight(s *game.Successor) {
	s.Key = c.Key()
	if !c.Attacking() {
		switch n := c.p.count(); {
		case n == 0 && c.p.checkers != 0:
			s.Lose()
		case n == 0 || c.left == 0 || c.drawn():
			s.Win()
		default:
			c.guessDefence(s, n)
		}
		return
	}
	c.seeAttack(s)
}

// Expand appends the moves that matter: one that mates, else all of the attacker's; of the
// defender's one that saves him at sight, else all.
func (c *Claim) Expand(to []game.Successor, near game.Prefetcher) []game.Successor {
	c.moves.Reset()
	c.p.Moves(game.All, &c.moves)
	if c.restricted() {
		c.moves.Reset()
		for _, m := range c.only {
			c.moves.Add(m)
		}
	}
	if c.Attacking() {
		return c.attacks(to, near)
	}
	return c.defences(to, near)
}

// attacks is Expand for the attacker.
func (c *Claim) attacks(to []game.Successor, near game.Prefetcher) []game.Successor {
	from := len(to)
	if c.left == 0 {
		return to
	}
	for _, m := range c.moves.All() {
		next := game.Successor{Move: m}
		c.Make(m)
		switch n := c.p.count(); {
		case n == 0 && c.p.checkers != 0:
			c.Undo()
			next.Lose()
			return append(to[:from], next)
		case n == 0:
			next.Win()
		case c.left == 0 || c.drawn():
			next.Key = c.Key()
			next.Win()
		default:
			next.Key = c.Key()
			near.Prefetch(next.Key)
			c.guessDefence(&next, n)
		}
		c.Undo()
		to = append(to, next)
	}
	return to
}

// defences is Expand for the defender.
func (c *Claim) defences(to []game.Successor, near game.Prefetcher) []game.Successor {
	from := len(to)
	for _, m := range c.moves.All() {
		next := game.Successor{Move: m}
		c.Make(m)
		next.Key = c.Key()
		c.seeAttack(&next)
		c.Undo()
		if next.Delta == 0 {
			return append(to[:from], next)
		}
		if next.Phi != 0 {
			near.Prefetch(next.Key)
		}
		to = append(to, next)
	}
	return to
}

// seeAttack fills in the numbers of a position of the attacker.
func (c *Claim) seeAttack(s *game.Successor) {
	p := c.p
	if c.left == 0 || (p.half >= 100 || c.twice != nil || p.bare()) && len(p.history) > c.root && c.drawn() {
		s.Lose()
		return
	}
	if c.restricted() {
		c.guessAttack(s, 0)
		return
	}
	mate, checks := p.mateInOne(&c.inner)
	switch {
	case mate != game.None:
		s.Win()
	case c.left == 1:
		s.Lose()
	default:
		c.guessAttack(s, checks)
	}
}

// Attacker is the side to move, or its opponent.
func (p *Position) Attacker(opponent bool) Colour {
	if opponent {
		return p.side ^ 1
	}
	return p.side
}

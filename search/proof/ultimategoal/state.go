package ultimategoal

import (
	"math/bits"

	"trefoil/game/ultimate"
	"trefoil/game/ultimate/chance"
)

// state is a position from the roles of attacker and defender.
type state struct {
	cells, linesKey uint64           // key, but for mover and target
	race            [2]race          // by role
	lines           [2]int32         // expected number of lines that a role completes
	code            [boards]uint16   // local boards
	orbit           [8]uint16        // of the local boards along the ring that are open, 0 of the others
	won             [2]uint16        // boards, by role
	alive           [2]uint16        // boards won, or open and still to be won, by role
	useful          [2]uint16        // boards of the lines that the role can complete
	need            [2]uint16        // open boards that complete a line
	critical        [2]uint16        // those of need where one stone is enough
	lost            [2]uint16        // open boards where all moves of the role lose at once
	open            uint16           // boards
	chance          [2][boards]uint8 // that a role wins a board
	shortest        [2]uint8         // stones to the shortest line, by role
	openLines       [2]uint8         // that a role can still complete
	left            uint8            // empty cells of open boards
	mover           uint8            // role
	target          uint8            // or free
	last            uint8            // move that led here, 9 × board + cell
	tied            bool             // more than one symmetry gives the orientation
	symmetry        uint8            // that gives the orientation of the key
}

// newState sets a position up.
func (t *tables) newState(p *ultimate.Position, side ultimate.Side) state {
	roles := [2]ultimate.Side{attacker: side, defender: side.Other()}
	s := state{open: p.Open(), target: free}
	if board, ok := p.Target(); ok {
		s.target = uint8(board)
	}
	if p.Side() != side {
		s.mover = defender
	}
	for role, side := range roles {
		s.won[role] = p.Won(side)
		for b := range boards {
			for stones := p.Stones(side, b); stones != 0; stones &= stones - 1 {
				s.code[b] += ultimate.Power[bits.TrailingZeros16(stones)] << role
			}
		}
	}
	for b := range boards {
		if s.open>>b&1 != 0 {
			if b != centre {
				s.orbit[onRing[b]] = t.known[s.code[b]].orbit
			}
			s.left += uint8(count(t.known[s.code[b]].empty))
		}
		t.revive(&s, uint8(b))
		for role := range roles {
			s.chance[role][b] = t.known[s.code[b]].chance[role]
			s.setRace(role, s.race[role]+t.through[b]*race(t.known[s.code[b]].stones[role]))
		}
	}
	for role := range roles {
		s.lines[role] = int32(chance.Lines(&s.chance[role]))
	}
	s.choose()
	t.reline(&s)
	t.findLost(&s, s.open)
	symmetry, tied := orient(&s.orbit)
	t.rekey(&s, symmetry, tied)
	return s
}

// play makes a move of the mover that does not win the game.
func (t *tables) play(s *state, b, c uint8, on *branch) {
	last := &t.known[s.code[b]]
	s.code[b] += ultimate.Power[c] << (s.mover & 1)
	now := &t.known[s.code[b]]
	relined, changed := now.empty == 0, bit(b) // lines, and the boards that may be lost now, or no longer
	s.lines[attacker] += on.through[attacker] * (int32(now.chance[attacker]) - int32(last.chance[attacker]))
	s.lines[defender] += on.through[defender] * (int32(now.chance[defender]) - int32(last.chance[defender]))
	s.chance[attacker][b], s.chance[defender][b] = now.chance[attacker], now.chance[defender]
	if now.stones != last.stones {
		for role := range now.stones {
			stones, before := now.stones[role], last.stones[role]
			if stones == before {
				continue
			}
			s.setRace(role, s.race[role]+t.through[b]*(race(stones)-race(before)))
			relined = relined || stones == dead
			if need := s.need[role] & bit(b); need != 0 && (stones == 1) != (before == 1) {
				s.critical[role] ^= need
				changed = s.open
			}
		}
	}
	s.left--
	orbit := now.orbit
	if now.empty == 0 {
		if now.stones[s.mover&1] == 0 {
			s.won[s.mover&1] |= bit(b)
		}
		s.open &^= bit(b)
		orbit = 0
		s.left -= uint8(count(last.empty) - 1)
	}
	if relined {
		t.revive(s, b)
		t.reline(s)
		changed = s.open
	}
	t.findLost(s, changed)
	s.mover, s.last = 1-s.mover, boards*b+c
	if s.target = c; s.open&bit(c) == 0 {
		s.target = free
		s.choose()
	}
	symmetry, tied := s.symmetry, s.tied
	if b != centre {
		s.orbit[onRing[b&15]&7] = orbit
	}
	if b != centre || tied {
		symmetry, tied = orient(&s.orbit)
	}
	if symmetry != s.symmetry || tied || s.tied {
		t.rekey(s, symmetry, tied)
		return
	}
	s.cells ^= on.word
	if now.empty == 0 {
		s.cells ^= t.done[bit(t.image[s.symmetry&7][b&15])]
	} else {
		s.cells ^= t.word(s, b)
	}
	if relined {
		s.linesKey = t.lineKey(s, s.symmetry)
	}
}

// choose sets the target if there is only one open board.
func (s *state) choose() {
	if s.target == free && s.open != 0 && s.open&(s.open-1) == 0 {
		s.target = uint8(bits.TrailingZeros16(s.open))
	}
}

// revive notes which roles can win, or have won, a board.
func (t *tables) revive(s *state, b uint8) {
	for role := range s.alive {
		s.alive[role] &^= bit(b)
		if s.won[role]&bit(b) != 0 || s.open&bit(b) != 0 && t.known[s.code[b]].stones[role] != dead {
			s.alive[role] |= bit(b)
		}
	}
}

// reline finds the lines that can be completed, and the boards that complete one.
func (t *tables) reline(s *state) {
	for role := range s.alive {
		alive, won := s.alive[role], s.won[role]
		need := t.completes[won&all] & alive &^ won
		s.useful[role], s.need[role], s.critical[role] = t.lines[alive&all], need, 0
		for ; need != 0; need &= need - 1 {
			b := uint8(bits.TrailingZeros16(need))
			if t.known[s.code[b]].stones[role] == 1 {
				s.critical[role] |= bit(b)
			}
		}
	}
}

// safe returns the cells of an open board where a role can play without the opponent
// winning the game at once, provided that the role itself cannot.
func (t *tables) safe(s *state, b, role uint8) uint16 {
	if threats := s.critical[(1-role)&1]; threats != 0 {
		return t.known[s.code[b]].safe(threats, b, role, s.open)
	}
	return t.known[s.code[b]].empty
}

// safe is tables.safe where there are threats. A line of the opponent that needs one more board consists of
// its own boards and that one, so a move that decides a board removes no threat but that on the same board.
func (board *known) safe(threats uint16, b, role uint8, open uint16) uint16 {
	empty, deciding := board.empty, board.deciding(role)
	if threats&bit(b) == 0 {
		// Sent to a threatened board, or free to choose one.
		return empty &^ (threats | ^open | deciding&bit(b))
	}
	spoiling := deciding
	if w := board.wins[(1-role)&1]; single(w) {
		spoiling |= w
	}
	calm := empty &^ spoiling &^ (threats | ^open)
	if rest := threats &^ bit(b); rest != 0 {
		spoiling &^= rest | ^open | deciding&bit(b)
	}
	return calm | spoiling
}

// deciding returns the cells where a role decides the board: it wins it, or leaves no empty cell.
func (board *known) deciding(role uint8) uint16 {
	if single(board.empty) {
		return board.empty
	}
	return board.wins[role&1]
}

// findLost finds the boards of a set where all moves of a role let the opponent win at once.
func (t *tables) findLost(s *state, which uint16) {
	for role := range uint8(2) {
		threats := s.critical[1-role]
		if threats == 0 {
			s.lost[role] = 0
			continue
		}
		lost, calm := s.lost[role]&s.open&^which, s.open&^threats
		for w := which & s.open; w != 0; w &= w - 1 {
			b := uint8(bits.TrailingZeros16(w))
			// Any cell that sends the opponent to another board, which is open and not threatened, is safe.
			if board := &t.known[s.code[b]]; board.empty&calm&^bit(b) == 0 && board.safe(threats, b, role, s.open) == 0 {
				lost |= bit(b)
			}
		}
		s.lost[role] = lost
	}
}

// forcing returns the safe cells of a role, on open board b, that send the opponent to a board where every
// move loses at once. It leaves out moves that decide the board, and the board itself: other moves leave
// the board that the opponent is sent to as it was.
func (board *known) forcing(b, role uint8, safe, lost uint16) uint16 {
	cells := safe & lost &^ bit(b)
	if cells == 0 {
		return 0
	}
	return cells &^ board.deciding(role)
}

// good returns the safe cells of an open board, except cells that send the opponent to a board where it can
// force a win. Where the move itself changes threats all safe cells are returned.
func (t *tables) good(s *state, b, role uint8, safe uint16) uint16 {
	lost := s.lost[role&1]
	if lost&^bit(b) == 0 || (s.critical[(1-role)&1]|s.need[role&1])&bit(b) != 0 {
		return safe
	}
	board := &t.known[s.code[b]]
	if single(board.empty) {
		return safe
	}
	for try := safe & s.open &^ bit(b) &^ board.wins[role&1]; try != 0; try &= try - 1 {
		c := uint8(bits.TrailingZeros16(try))
		if t.known[s.code[c]].forcing(c, 1-role, t.safe(s, c, 1-role), lost)&^bit(b) != 0 {
			safe &^= bit(c)
		}
	}
	return safe
}

// solve returns what is known without a search: whether the mover wins, at once or by force, whether
// all its moves lose in that way, and else the number of moves that do not.
func (t *tables) solve(s *state) (good int, won, lost bool) {
	mover := s.mover & 1
	if s.useful[attacker] == 0 {
		return 0, mover == defender, mover == attacker
	}
	where := s.where()
	if where&s.critical[mover] != 0 {
		return 0, true, false
	}
	threats, ours, theirs := s.critical[1-mover], s.lost[mover], s.lost[1-mover]
	for w := where; w != 0; w &= w - 1 {
		b := uint8(bits.TrailingZeros16(w))
		board := &t.known[s.code[b]]
		safe := board.empty
		if threats != 0 {
			safe = board.safe(threats, b, mover, s.open)
		}
		if board.forcing(b, mover, safe, theirs) != 0 {
			return 0, true, false
		}
		if ours&^bit(b) != 0 {
			safe = t.good(s, b, mover, safe)
		}
		good += count(safe)
	}
	return good, false, good == 0
}

// where returns the boards that may be played on.
func (s *state) where() uint16 {
	if s.target != free {
		return bit(s.target)
	}
	return s.open
}

package ultimategoal

import (
	"math/bits"

	"trefoil/game/ultimate"
)

// state is a position from the roles of attacker and defender.
type state struct {
	code         [boards]uint16 // local boards
	orbit        [boards]uint16 // of the local boards that are open, 0 of the others
	won          [2]uint16      // boards, by role
	alive        [2]uint16      // boards won, or open and still to be won, by role
	useful       [2]uint16      // boards of the lines that the role can complete
	need         [2]uint16      // open boards that complete a line
	critical     [2]uint16      // those of need where one stone is enough
	open         uint16
	mover        uint8            // role
	target       uint8            // or free
	lost         [2]uint16        // open boards where all moves of the role lose at once
	chance       [2][boards]uint8 // that a role wins a board
	race         [2]race          // by role
	shortest     uint8            // feature of race
	openLines    uint8            // likewise
	left         uint8            // empty cells of open boards
	tied         bool             // more than one symmetry gives the orientation
	symmetry     uint8            // that gives the orientation of the key
	cells, lines uint64           // key, but for mover and target
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
			s.orbit[b] = t.known[s.code[b]].orbit
			s.left += uint8(count(t.known[s.code[b]].local.empty()))
		}
		t.revive(&s, uint8(b))
		for role := range roles {
			s.chance[role][b] = t.known[s.code[b]].chance[role]
			s.race[role] += t.through[b] * race(t.known[s.code[b]].stones[role])
		}
	}
	s.choose()
	s.noteRaces()
	t.reline(&s)
	t.findLost(&s, s.open)
	t.rekey(&s)
	return s
}

// play makes a move of the mover that does not win the game.
func (t *tables) play(s *state, b, c uint8) {
	mover, bit := s.mover, uint16(1)<<b
	threats, changed := s.critical, bit
	last := &t.known[s.code[b]]
	before := last.local
	old := t.word(s, b)
	s.code[b] += ultimate.Power[c] << mover
	s.mover = 1 - mover
	now := &t.known[s.code[b]]
	s.chance[attacker][b], s.chance[defender][b] = now.chance[attacker], now.chance[defender]
	if now.stones != last.stones {
		for role := range now.stones {
			s.race[role] += t.through[b] * (race(now.stones[role]) - race(last.stones[role]))
		}
		s.noteRaces()
	}
	s.left--
	wins, relined := before.wins(mover)>>c&1 != 0, false
	if wins || before.empty() == 1<<c {
		if wins {
			s.won[mover] |= bit
		}
		s.open &^= bit
		s.orbit[b] = 0
		s.left -= uint8(count(before.empty()) - 1)
		relined = true
	} else {
		s.orbit[b] = now.orbit
		for role := range uint8(2) {
			s.critical[role] &^= bit
			if now.wins(role) != 0 {
				s.critical[role] |= s.need[role] & bit
			}
		}
		relined = (now.local^before)&localCan != 0
	}
	if relined {
		t.revive(s, b)
		t.reline(s)
	}
	if relined || s.critical != threats {
		changed = s.open
	}
	t.findLost(s, changed)
	if s.target = c; s.open>>c&1 == 0 {
		s.target = free
		s.choose()
	}
	symmetry, tied := s.symmetry, s.tied
	if b != 4 {
		symmetry, tied = orient(&s.orbit)
	}
	if symmetry != s.symmetry || tied || s.tied {
		t.rekey(s)
		return
	}
	s.cells ^= old ^ t.word(s, b)
	if relined {
		s.lines = t.lineKey(s, s.symmetry)
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
	bit := uint16(1) << b
	for role := range uint8(2) {
		s.alive[role] &^= bit
		if s.won[role]&bit != 0 || s.open&bit != 0 && t.known[s.code[b]].local.can(role) {
			s.alive[role] |= bit
		}
	}
}

// reline finds the lines that can be completed, and the boards that complete one.
func (t *tables) reline(s *state) {
	for role := range uint8(2) {
		alive, won := s.alive[role], s.won[role]
		need := t.completes[won] & alive &^ won
		s.useful[role], s.need[role], s.critical[role] = t.lines[alive], need, 0
		for ; need != 0; need &= need - 1 {
			b := bits.TrailingZeros16(need)
			if t.known[s.code[b]].local.wins(role) != 0 {
				s.critical[role] |= 1 << b
			}
		}
	}
}

// safe returns the cells of an open board where a role can play without the opponent
// winning the game at once, provided that the role itself cannot.
//
// Lines of the opponent that need one more board consist of its own boards and that one, so whatever
// the mover decides can only spoil the board it plays on.
func (t *tables) safe(s *state, b, role uint8) uint16 {
	info := t.known[s.code[b]].local
	empty, threats := info.empty(), s.critical[1-role]
	if threats == 0 {
		return empty
	}
	bit := uint16(1) << b
	deciding := info.wins(role)
	if empty&(empty-1) == 0 {
		deciding = empty
	}
	if threats&bit == 0 {
		// Sent to a threatened board, or free to choose one.
		return empty &^ (threats | ^s.open | deciding&bit)
	}
	spoiling := deciding
	if w := info.wins(1 - role); w&(w-1) == 0 {
		spoiling |= w
	}
	calm := empty &^ spoiling &^ (threats | ^s.open)
	if rest := threats &^ bit; rest != 0 {
		spoiling &^= rest | ^s.open | deciding&bit
	}
	return calm | spoiling
}

// findLost finds the boards of a set where all moves of a role let the opponent win at once.
func (t *tables) findLost(s *state, which uint16) {
	if s.critical == [2]uint16{} {
		s.lost = s.critical
		return
	}
	for role := range uint8(2) {
		s.lost[role] &= s.open &^ which
		if s.critical[1-role] == 0 {
			s.lost[role] = 0
			continue
		}
		for w := which & s.open; w != 0; w &= w - 1 {
			if b := bits.TrailingZeros16(w); t.safe(s, uint8(b), role) == 0 {
				s.lost[role] |= 1 << b
			}
		}
	}
}

// forcing returns those of a role's safe cells of an open board that send the opponent to a
// board where all of its moves lose at once. It leaves out moves that decide the board, and the board
// itself: other moves leave the board that the opponent is sent to as it was.
func (t *tables) forcing(s *state, b, role uint8, safe uint16) uint16 {
	cells := safe & s.lost[1-role] &^ (1 << b)
	if cells == 0 {
		return 0
	}
	info := t.known[s.code[b]].local
	if e := info.empty(); e&(e-1) == 0 {
		return 0
	}
	return cells &^ info.wins(role)
}

// good returns the safe cells of an open board without those that send the opponent to a board
// where it can force a win. Where the move itself changes threats all safe cells are returned.
func (t *tables) good(s *state, b, role uint8, safe uint16) uint16 {
	bit := uint16(1) << b
	if s.lost[role]&^bit == 0 || (s.critical[1-role]|s.need[role])&bit != 0 {
		return safe
	}
	info := t.known[s.code[b]].local
	if e := info.empty(); e&(e-1) == 0 {
		return safe
	}
	for try := safe & s.open &^ bit &^ info.wins(role); try != 0; try &= try - 1 {
		c := uint8(bits.TrailingZeros16(try))
		if t.forcing(s, c, 1-role, t.safe(s, c, 1-role))&^bit != 0 {
			safe &^= 1 << c
		}
	}
	return safe
}

// solve returns what is known of the mover without a search: whether it wins, at once or by force,
// whether all its moves lose like that, else the number of the others.
func (t *tables) solve(s *state) (good int, won, lost bool) {
	if s.useful[attacker] == 0 {
		return 0, s.mover == defender, s.mover == attacker
	}
	where := s.where()
	if where&s.critical[s.mover] != 0 {
		return 0, true, false
	}
	for w := where; w != 0; w &= w - 1 {
		b := uint8(bits.TrailingZeros16(w))
		safe := t.safe(s, b, s.mover)
		if t.forcing(s, b, s.mover, safe) != 0 {
			return 0, true, false
		}
		good += count(t.good(s, b, s.mover, safe))
	}
	return good, false, good == 0
}

// where returns the boards that may be played on.
func (s *state) where() uint16 {
	if s.target != free {
		return 1 << s.target
	}
	return s.open
}

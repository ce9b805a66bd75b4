package ultimategoal

import (
	"math/bits"

	"trefoil/zobrist"
)

// Seed names the key words. Keys of equal seeds are comparable, so they may be saved in files.
const Seed = "trefoil ultimate 1"

// The key of a goal is the XOR of
//
//	a word for every open board: the word of its class, turned by seven times its place
//	a word for every decided board
//	a word for the boards of the lines that a role can complete, by role
//	a word for the boards among these that it has won, by role
//	a word for the board to play on
//	a word if the defender is to move
//
// all under the symmetry that gives the position its orientation. The owners of dead stones, the
// winner of a board that completes no line for it, the orientation and the names of the players
// are not in the key.

func (t *tables) fillWords() {
	source := zobrist.NewSource(Seed)
	source.Fill(t.words)
	var done [boards]uint64
	source.Fill(done[:])
	for set := range t.done {
		for b := range done {
			if set>>b&1 != 0 {
				t.done[set] ^= done[b]
			}
		}
	}
	var aim [boards + 1]uint64
	source.Fill(aim[:])
	for role := range 2 {
		source.Fill(t.useful[role][:])
		source.Fill(t.has[role][:])
	}
	side := source.Word()
	for symmetry := range t.aim[attacker] {
		for target := range aim {
			word := aim[t.image[symmetry][target]]
			t.aim[attacker][symmetry][target], t.aim[defender][symmetry][target] = word, word^side
		}
	}
}

func (s *state) key(t *tables) uint64 {
	return s.cells ^ s.linesKey ^ t.aim[s.mover&1][s.symmetry%symmetries][s.target&15]
}

// word returns the word of an open board.
func (t *tables) word(s *state, b uint8) uint64 {
	place := t.image[s.symmetry&7][b&15]
	return bits.RotateLeft64(t.words[t.known[s.code[b]].class[s.symmetry&7]], 7*int(place))
}

// rekey computes the key from scratch, given the result of orient.
func (t *tables) rekey(s *state, symmetry uint8, tied bool) {
	t.turn(s, symmetry)
	s.tied = tied
	if !tied {
		return
	}
	best := *s
	for symmetry := range uint8(symmetries) {
		if !same(&s.orbit, symmetry, best.symmetry) {
			continue
		}
		t.turn(s, symmetry)
		if s.key(t) < best.key(t) {
			best = *s
		}
	}
	*s = best
}

// turn computes the key under a symmetry.
func (t *tables) turn(s *state, symmetry uint8) {
	s.symmetry, s.cells = symmetry, t.done[t.images[symmetry][all&^s.open]]
	for open := s.open; open != 0; open &= open - 1 {
		s.cells ^= t.word(s, uint8(bits.TrailingZeros16(open)))
	}
	s.linesKey = t.lineKey(s, symmetry)
}

// lineKey returns the part of the key that says which boards complete lines. The boards of all
// lines that a role can still complete determine these lines: they are the lines of boards that are
// won or can be won.
func (t *tables) lineKey(s *state, symmetry uint8) (key uint64) {
	images := &t.images[symmetry]
	for role := range uint8(2) {
		useful := s.useful[role]
		key ^= t.useful[role][images[useful]] ^ t.has[role][images[useful&s.won[role]]]
	}
	return key
}

// at returns the orbit at a place of the image under a symmetry, counted along the ring.
func at(orbit *[8]uint16, symmetry, place uint8) uint16 {
	if symmetry%2 == 1 {
		place = -place
	}
	return orbit[(symmetry&^1+place)&7]
}

// same reports whether two symmetries give the same row of orbits.
func same(orbit *[8]uint16, s1, s2 uint8) bool {
	for place := range uint8(8) {
		if at(orbit, s1, place) != at(orbit, s2, place) {
			return false
		}
	}
	return true
}

// orient returns the symmetry under which the orbits around the centre, read along the ring, are greatest
// in lexicographic order, and whether others give the same orbits. Images of a position have images of its
// orbits, so all get the same orientation.
func orient(orbit *[8]uint16) (symmetry uint8, tied bool) {
	best, corners := max(orbit[0], orbit[2], orbit[4], orbit[6]), uint8(0)
	if orbit[0] == best {
		corners |= 1 << 0
	}
	if orbit[2] == best {
		corners |= 1 << 2
	}
	if orbit[4] == best {
		corners |= 1 << 4
	}
	if orbit[6] == best {
		corners |= 1 << 6
	}
	if corners&(corners-1) != 0 {
		return orientTied(orbit)
	}
	symmetry = uint8(bits.TrailingZeros8(corners))
	for place := uint8(1); place < 4; place++ {
		on, back := orbit[(symmetry+place)&7], orbit[(symmetry-place)&7]
		if on > back {
			return symmetry, false
		}
		if on < back {
			return symmetry + 1, false
		}
	}
	return symmetry, true
}

// orientTied is orient where several corners are greatest.
func orientTied(orbit *[8]uint16) (best uint8, tied bool) {
	for s := uint8(1); s < symmetries; s++ {
		place := uint8(0)
		for place < 8 && at(orbit, s, place) == at(orbit, best, place) {
			place++
		}
		if place == 8 {
			tied = true
		} else if at(orbit, s, place) > at(orbit, best, place) {
			best, tied = s, false
		}
	}
	return best, tied
}

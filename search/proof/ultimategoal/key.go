package ultimategoal

import (
	"math/bits"

	"trefoil/zobrist"
)

// Seed names the key words. Keys of equal seeds are comparable, so they may be saved in files.
const Seed = "trefoil ultimate 1"

// The key of a goal is the XOR of
//
//	a word for every open board: that of its class, turned by seven times its place
//	a word for every decided board
//	a word for the boards of the lines that a role can complete, by role
//	a word for those of them that it has won, by role
//	a word for the board to play on
//	a word if the defender is to move
//
// all under the symmetry that gives the position its orientation. The owners of dead stones, the
// winner of a board that completes no line for it, the orientation and the names of the players
// are not in the key.

func (t *tables) fillWords() {
	source := zobrist.NewSource(Seed)
	source.Fill(t.words)
	source.Fill(t.done[:])
	source.Fill(t.aim[:])
	for role := range 2 {
		source.Fill(t.useful[role][:])
		source.Fill(t.has[role][:])
	}
	t.side = source.Word()
}

func (s *state) key(t *tables) uint64 {
	key := s.cells ^ s.lines ^ t.aim[t.image[s.symmetry][s.target]]
	if s.mover == defender {
		key ^= t.side
	}
	return key
}

// word returns the word of a board as it is.
func (t *tables) word(s *state, b uint8) uint64 {
	place := t.image[s.symmetry][b]
	if s.open>>b&1 == 0 {
		return t.done[place]
	}
	return bits.RotateLeft64(t.words[t.class[s.symmetry][s.code[b]]], 7*int(place))
}

// rekey computes orientation and key from scratch.
func (t *tables) rekey(s *state) {
	symmetry, tied := orient(&s.orbit)
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
	s.symmetry, s.cells = symmetry, 0
	for b := range uint8(boards) {
		s.cells ^= t.word(s, b)
	}
	s.lines = t.lineKey(s, symmetry)
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
func at(orbit *[boards]uint16, symmetry uint8, place int) uint16 {
	from := int(symmetry/2*2) + place
	if symmetry%2 == 1 {
		from = int(symmetry/2*2) - place
	}
	return orbit[ring[from&7]]
}

// same reports whether two symmetries give the same row of orbits.
func same(orbit *[boards]uint16, s1, s2 uint8) bool {
	for place := range 8 {
		if at(orbit, s1, place) != at(orbit, s2, place) {
			return false
		}
	}
	return true
}

// orient returns the symmetry under which the orbits around the centre, read along the ring,
// come last in order, and whether others do the same. Images of a position have images of its
// orbits, so all of them are turned alike.
func orient(orbit *[boards]uint16) (symmetry uint8, tied bool) {
	best := orbit[0]
	for k := uint8(1); k < 4; k++ {
		switch corner := orbit[ring[2*k]]; {
		case corner > best:
			best, symmetry, tied = corner, 2*k, false
		case corner == best:
			tied = true
		}
	}
	if tied {
		return orientTied(orbit)
	}
	for place := 1; place < 4; place++ {
		on, back := orbit[ring[(int(symmetry)+place)&7]], orbit[ring[(int(symmetry)-place)&7]]
		if on > back {
			return symmetry, false
		}
		if on < back {
			return symmetry + 1, false
		}
	}
	return symmetry, true
}

// orientTied is orient where several corners are the highest.
func orientTied(orbit *[boards]uint16) (best uint8, tied bool) {
	for s := uint8(1); s < symmetries; s++ {
		place := 0
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

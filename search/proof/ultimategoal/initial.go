package ultimategoal

import (
	"math"
	"math/bits"

	"trefoil/game/ultimate/chance"
)

// The initial proof numbers (df-pn+) are φ and δ of a position before any search below it. A position has
// one feature from each group below, a pair of numbers from 0 to 15 (or more), and every feature adds its
// weights to the logarithms of φ and δ. tools/mates fits the weights to solved positions (docs/tuning.md)
// and has to be run again after a change of groups.
const (
	expectedLines = iota // expected number of lines that attacker and defender complete, in steps
	shortestLine         // stones that attacker and defender need for their shortest line
	openLines            // lines that they can still complete
	boardToPlay          // its empty cells, 15 if any may be chosen; those that let the opponent choose
	moves                // those that are not known to lose; a quarter of all empty cells
	Groups
)

// GroupSize is the number of features of a group.
const GroupSize = 256

// Features are the features of a position, one from each group.
type Features [Groups]uint8

// Octave is the weight that doubles a proof number.
const Octave = 256

// weight is what a feature adds to the logarithms of φ and δ, in 1/Octave of a factor of two.
type weight struct{ phi, delta int16 }

// weights are the weights for one side to move, each in one word: 2^16 × φ + δ.
type weights [Groups][GroupSize]int32

var initialWeights = [2]weights{attacker: packed(attackWeights[:]), defender: packed(defenceWeights[:])}

func packed(list []weight) (w weights) {
	for i, f := range list {
		w[i/GroupSize][i%GroupSize] = int32(f.phi)<<16 + int32(f.delta)
	}
	return w
}

// powers are the powers of two, in steps of a 16th of an octave, indexed by the highest bits of a logarithm.
var powers = func() (p [1 << 12]uint32) {
	for i := range p {
		log := min(max(int16(i<<4)>>4, 0), 255)
		p[i] = uint32(math.Exp2((float64(log) + 0.5) / 16))
	}
	return p
}()

// power is the proof number of a logarithm.
func power(log int16) uint32 { return powers[uint16(log)>>4] }

// pair is the feature of two numbers.
func pair(a, b int) uint8 { return uint8(min(a, 15)<<4 | min(b, 15)) }

// lineSteps are the steps of an expected number of lines; they go by its square root. 127 stands for more, too.
var lineSteps = func() (t [512]uint8) {
	for i := range t {
		t[i] = uint8(min(math.Sqrt(float64(min(i, 127))*1.75), 15))
	}
	return t
}()

func lineStep(lines int32) uint8 { return lineSteps[uint32(lines)>>18%uint32(len(lineSteps))] }

// branch has what the moves on one board have in common.
type branch struct {
	word    uint64   // of the board in the key
	through [2]int32 // what each unit of a role's chance to win the board adds to its expected number of lines
}

func (t *tables) branch(s *state, b uint8) branch {
	return branch{t.word(s, b), [2]int32{int32(chance.Through(&s.chance[attacker], b)),
		int32(chance.Through(&s.chance[defender], b))}}
}

// expected returns the feature of the expected numbers of lines.
func (s *state) expected() uint8 { return lineStep(s.lines[attacker])<<4 | lineStep(s.lines[defender]) }

// toPlay returns the feature of the board to play on.
func (t *tables) toPlay(s *state) uint8 {
	if s.target == free {
		return 15 << 4
	}
	empty := t.known[s.code[s.target]].empty
	return uint8(count(empty)<<4 | count(empty&^s.open))
}

// initial returns the mover's initial proof numbers of a position with good moves that are not known to lose.
func (t *tables) initial(s *state, good int) (phi, delta uint32) {
	w := &initialWeights[s.mover&1]
	sum := w[expectedLines][s.expected()] + w[shortestLine][s.shortest[attacker]<<4|s.shortest[defender]] +
		w[openLines][s.openLines[attacker]<<4|s.openLines[defender]] + w[boardToPlay][t.toPlay(s)] +
		w[moves][pair(good, int(s.left/4))]
	delta16 := int16(sum)
	return power(int16((sum - int32(delta16)) >> 16)), power(delta16)
}

// Features returns the features of the position. ok is false if it is solved without a search.
func (g *Goal) Features() (f Features, ok bool) {
	s, t := g.top(), g.t
	good, won, lost := t.solve(s)
	if g.over || won || lost {
		return f, false
	}
	return Features{
		expectedLines: s.expected(),
		shortestLine:  s.shortest[attacker]<<4 | s.shortest[defender],
		openLines:     s.openLines[attacker]<<4 | s.openLines[defender],
		boardToPlay:   t.toPlay(s),
		moves:         pair(good, int(s.left/4)),
	}, true
}

// A race has a byte for each of the eight lines of the big board: the number of stones of one role that the
// line still needs, dead or more if it cannot be completed.
type race uint64

const (
	dead  = 16                       // stones of a board that cannot be won
	ones  = race(0x0101010101010101) // the byte 1 eight times
	highs = ones << 7
)

// shortest returns the least byte of a race, at most 15.
func shortest(r race) uint8 {
	r = least(r, r>>32)
	r = least(r, r>>16)
	return min(uint8(r), uint8(r>>8), 15)
}

// least returns the bytewise minimum; all bytes are below 128.
func least(a, b race) race {
	notLess := ((a | highs) - b) & highs >> 7 * 0xff // where a is not less than b
	return a&^notLess | b&notLess
}

// below returns how many bytes are less than n.
func below(r race, n race) uint8 {
	return 8 - uint8(bits.OnesCount64(uint64(((r|highs)-n*ones)&highs)))
}

// setRace changes the race of a role.
func (s *state) setRace(role int, r race) {
	s.race[role], s.shortest[role], s.openLines[role] = r, shortest(r), below(r, dead)
}

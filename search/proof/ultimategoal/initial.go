package ultimategoal

import (
	"math"
	"math/bits"

	"trefoil/game/ultimate/chance"
)

// The initial proof numbers (df-pn+) are φ and δ of a position before any search below it. A position has one feature of
// each of these groups, a pair of numbers from 0 to 15, and every feature adds its weights to the logarithms of φ and δ.
// tools/mates fits the weights to solved positions (docs/tuning.md), and has to be run again after a change of the groups.
// 15 stands for more, too.
const (
	expectedLines = iota // lines that attacker and defender complete in expectation, in steps
	shortestLine         // stones that the line takes that needs fewest, of attacker and defender
	openLines            // lines that can still be completed
	boardToPlay          // its empty cells, 15 if any may be chosen; those that let the opponent choose
	moves                // those that are not known to lose; a quarter of all empty cells
	Groups
)

// GroupSize is the number of features of a group.
const GroupSize = 256

// Features are those of a position, one of each group.
type Features [Groups]uint8

// Octave is the weight that doubles a proof number.
const Octave = 256

// weight is what a feature adds to the logarithms of φ and δ, in 1/Octave of a factor of two.
type weight struct{ phi, delta int16 }

// weights are those of one side to move, each in one word: φ times 2^16 and δ.
type weights [Groups][GroupSize]int32

var initialWeights = [2]weights{attacker: packed(attackWeights[:]), defender: packed(defenceWeights[:])}

func packed(list []weight) (w weights) {
	for i, f := range list {
		w[i/GroupSize][i%GroupSize] = int32(f.phi)<<16 + int32(f.delta)
	}
	return w
}

// powers are the numbers of logarithms, in steps of a 16th of an octave.
var powers = func() (p [256]uint32) {
	for i := range p {
		p[i] = uint32(math.Exp2((float64(i) + 0.5) / 16))
	}
	return p
}()

// power is the number of a logarithm.
func power(log int) uint32 { return powers[uint8(min(max(log/(Octave/16), 0), 255))] }

// pair is the feature of two numbers.
func pair(a, b int) uint8 { return uint8(min(a, 15)<<4 | min(b, 15)) }

// lineSteps are the steps of lines in expectation, which grow with the square.
var lineSteps = func() (t [128]uint8) {
	for i := range t {
		t[i] = uint8(min(math.Sqrt(float64(i)*1.75), 15))
	}
	return t
}()

func lineStep(lines int) int { return int(lineSteps[min(lines>>18, 127)]) }

// features returns those of a position, of which some moves are not known to lose.
func (t *tables) features(s *state, good int) Features {
	f := Features{
		expectedLines: pair(lineStep(chance.Lines(&s.chance[attacker])), lineStep(chance.Lines(&s.chance[defender]))),
		shortestLine:  s.shortest,
		openLines:     s.openLines,
		boardToPlay:   15 << 4,
		moves:         pair(good, int(s.left/4)),
	}
	if s.target != free {
		empty := t.known[s.code[s.target]].local.empty()
		f[boardToPlay] = pair(count(empty), count(empty&^s.open))
	}
	return f
}

// initial returns the initial proof numbers of the mover.
func (t *tables) initial(s *state, good int) (phi, delta uint32) {
	f, w := t.features(s, good), &initialWeights[s.mover&1]
	sum := int32(0)
	for group := range f {
		sum += w[group][f[group]]
	}
	delta16 := int16(sum)
	return power(int((sum - int32(delta16)) >> 16)), power(int(delta16))
}

// Features returns those of a position, ok false if it is solved without a search.
func (g *Goal) Features() (f Features, ok bool) {
	s := g.top()
	good, won, lost := g.t.solve(s)
	if g.over || won || lost {
		return f, false
	}
	return g.t.features(s, good), true
}

// A race is the number of stones of one role that each of the eight lines of the big board still needs, one byte for
// each line, dead or more if it cannot be completed.
type race uint64

const (
	dead  = 16                       // stones of a board that cannot be won
	ones  = race(0x0101010101010101) // the byte 1 eight times
	highs = ones << 7
)

// noteRaces brings the features of the races up to date.
func (s *state) noteRaces() {
	a, d := s.race[attacker], s.race[defender]
	s.shortest, s.openLines = pair(shortest(a), shortest(d)), pair(below(a, dead), below(d, dead))
}

// shortest returns the least byte of a race.
func shortest(r race) int {
	r = least(r, r>>32)
	r = least(r, r>>16)
	return int(min(r&0xff, r>>8&0xff))
}

// least returns the smaller of each two bytes, which are below 128.
func least(a, b race) race {
	notLess := ((a | highs) - b) & highs >> 7 * 0xff // where a is not less than b
	return a&^notLess | b&notLess
}

// below returns how many bytes are less than n.
func below(r race, n int) int { return 8 - bits.OnesCount64(uint64(((r|highs)-race(n)*ones)&highs)) }

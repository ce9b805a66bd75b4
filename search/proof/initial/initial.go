// Package initial computes the initial proof numbers of positions (df-pn+), φ and δ before any search below
// them, from features. The features come in groups; a position has one feature from each group. Every
// feature adds its weights to the logarithms of φ and δ. tools/mates fits the weights to solved positions
// (docs/tuning.md).
package initial

import (
	"math"

	"trefoil/search/proof"
)

// Weight is what a feature adds to the logarithms of φ and δ, in this order, in 1/Octave of a factor of two.
type Weight [2]int16

// Octave is the weight that doubles a proof number.
const Octave = 256

// powers are the powers of two, in steps of a 16th of an octave.
var powers = func() (p [12 * 16]uint32) {
	for i := range p {
		p[i] = uint32(math.Exp2((float64(i) + 0.5) / 16))
	}
	return p
}()

// power is the proof number of a logarithm.
func power(log int) uint32 {
	return powers[min(max(log, 0)/(Octave/16), len(powers)-1)]
}

// MaxGroups is the most groups that a Marker can have.
const MaxGroups = 28

// Marker lists the features of a position, group by group. Those of the second group are numbered from the size of the
// first, and so on.
type Marker struct {
	groups []int // their sizes
	found  [MaxGroups]uint16
	n, at  int
}

// New returns a marker for groups of these sizes.
func New(groups []int) Marker { return Marker{groups: groups} }

// Mark lists feature i of the next group, or its last one if it has fewer.
func (m *Marker) Mark(i int) {
	size := m.groups[m.n]
	m.found[m.n] = uint16(m.at + min(i, size-1))
	m.n++
	m.at += size
}

// MarkIf lists feature 1 of the next group if yes, else feature 0.
func (m *Marker) MarkIf(yes bool) { m.Mark(Truth(yes)) }

// Truth returns 1 for true and 0 for false.
func Truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Features returns the features listed so far.
func (m *Marker) Features() []uint16 { return m.found[:m.n] }

// Evaluate fills in the initial numbers of c from its features and the weights of all features.
func Evaluate(c *proof.Child, features []uint16, weights []Weight) {
	phi, delta := 0, 0
	for _, f := range features {
		w := &weights[f]
		phi += int(w[0])
		delta += int(w[1])
	}
	c.Phi, c.Delta = power(phi), power(delta)
}

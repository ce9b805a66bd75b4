package ultimategoal

import "trefoil/game/ultimate/chance"

// initial returns the initial proof numbers of the mover (df-pn+), from the number of moves that
// are not known to lose and from the chances on the big board: one more line completed in
// expectation than the opponent makes φ smaller and δ greater by a factor of 20. Against φ = 1 and
// δ = the number of moves this takes a third of the nodes.
func (s *state) initial(good int) (phi, delta uint32) {
	const (
		unit  = 16   // numbers at even chances
		slope = 1108 // 256 × log2(20)
		most  = 6 * 256
	)
	x := (chance.Lines(&s.chance[s.mover]) - chance.Lines(&s.chance[1-s.mover])) * slope >> 24
	x = min(max(x, -most), most)
	return power(unit, -x), power(2*unit*uint32(good), x)
}

// power returns n × 2^(x/256), at least 1, interpolated linearly between powers of two.
func power(n uint32, x int) uint32 {
	n *= uint32(256 + x&255)
	if x >>= 8; x >= 0 {
		return max(n<<x>>8, 1)
	}
	return max(n>>-x>>8, 1)
}

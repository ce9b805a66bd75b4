package ultimategoal

import "trefoil/game/ultimate"

// fillChances computes the chances of all local boards, those with more stones first.
func (t *tables) fillChances() {
	const one = 1 << 24
	var sums [localBoards][2]uint32
	for code := localBoards - 1; code >= 0; code-- {
		var stones [2]uint16
		for c, rest := 0, code; rest > 0; c, rest = c+1, rest/3 {
			if digit := rest % 3; digit > 0 {
				stones[digit-1] |= 1 << c
			}
		}
		empty := all &^ (stones[0] | stones[1])
		switch {
		case ultimate.HasLine(stones[attacker]):
			sums[code][attacker] = one
		case ultimate.HasLine(stones[defender]):
			sums[code][defender] = one
		default:
			for c := range boards {
				if empty>>c&1 != 0 {
					for role := range 2 { // more stones are a higher code: known already
						next := sums[code+int(pow3[c])<<role]
						sums[code][0] += next[0] / uint32(2*count(empty))
						sums[code][1] += next[1] / uint32(2*count(empty))
					}
				}
			}
		}
		for role := range 2 {
			t.known[code].chance[role] = uint8((uint64(sums[code][role])*255 + one/2) / one)
		}
	}
}

// chances is how many lines a role completes if boards are won by their chances, in units of
// 255^3.
func (s *state) chances(role uint8) int {
	p := &s.chance[role]
	a, b, c := int(p[0]), int(p[1]), int(p[2])
	d, e, f := int(p[3]), int(p[4]), int(p[5])
	g, h, i := int(p[6]), int(p[7]), int(p[8])
	return a*(b*c+d*g+e*i) + e*(d*f+b*h+c*g) + i*(g*h+c*f)
}

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
	x := (s.chances(s.mover) - s.chances(1-s.mover)) * slope >> 24
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

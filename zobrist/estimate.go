package zobrist

import "math"

// NoError is the chance that of 2^n retrievals none takes one position for another, when
// each meets one stored key and keys have n+m bits (Zobrist 1970):
//
//	p = (1 - 2^-(n+m))^(2^n)
func NoError(n, m int) float64 {
	return math.Exp(math.Ldexp(math.Log1p(-math.Ldexp(1, -n-m)), n))
}

// NoErrorLimit is NoError for a large n: e^(-2^-m). What counts is how many bits a key has
// beyond those that the number of retrievals uses up.
func NoErrorLimit(m int) float64 { return math.Exp(-math.Ldexp(1, -m)) }

// Published are the digits that Zobrist's report of 1970 prints for m = 0 to 10. The first
// is misprinted for .36788; five others are one off in the last digit.
var Published = [...]string{
	".36778", ".60653", ".77879", ".88251", ".93941", ".96924", ".98449", ".99222", ".99611", ".99805", ".99901",
}

// A Check is how a table tells positions apart: a probe compares some bits of its key with
// those of each entry in its cluster.
//
// The estimates hold for keys of independent random bits, none of which is both a check
// bit and one that chose the cluster: a bit that is both is the same for all that meet
// there, and checks nothing. They are estimates of hits by positions that are not in the
// table. Positions of a search are not independent probes: a false hit that is probed again
// is one again, so that errors come in clusters, as many as expected in the mean of
// many key seeds, but with a wider spread than a Poisson count in one.
type Check struct {
	Bits     int    // compared
	Lanes    int    // entries in a cluster
	Clusters uint64 // in the table
}

// PerMiss is the expected number of false hits of a probe for a position that is not in a
// full table. As no two entries of a cluster have the same check bits it is the chance
// of one, exactly.
func (c Check) PerMiss() float64 { return math.Ldexp(float64(c.Lanes), -c.Bits) }

// Met is how many entries a probe meets in the mean after so many different positions have
// been stored: a cluster got a Poisson number of them and keeps Lanes at most.
func (c Check) Met(stored float64) float64 {
	load := stored / float64(c.Clusters)
	met, chance := float64(c.Lanes), math.Exp(-load) // of j = 0 positions in a cluster
	for j := range c.Lanes {
		met -= float64(c.Lanes-j) * chance
		chance *= load / float64(j+1)
	}
	return max(met, 0)
}

// FalseHits is the expected number of false hits of so many probes that miss, while so
// many different positions come into a table that was empty, evenly spread among them:
// the mean of Met from 0 to stored, times misses × 2^-Bits. It is never more
// than misses × PerMiss, which it comes near to when stored is many times the table.
func (c Check) FalseHits(misses, stored float64) float64 {
	load := stored / float64(c.Clusters)
	met := 0.0
	if load < 1e-4 {
		met = load / 2 // one lane in use at most, and no digits lost
	} else {
		// The integral of Met over the load, term by term: that of a Poisson chance of j
		// is the chance of more than j.
		more, chance := 1.0, math.Exp(-load)
		sum := float64(c.Lanes) * load
		for j := range c.Lanes {
			more -= chance
			chance *= load / float64(j+1)
			sum -= float64(c.Lanes-j) * more
		}
		met = sum / load
	}
	return math.Ldexp(misses*met, -c.Bits)
}

// AtLeastOne is the chance of one error or more where so many are expected, if errors are
// independent.
func AtLeastOne(expected float64) float64 { return -math.Expm1(-expected) }

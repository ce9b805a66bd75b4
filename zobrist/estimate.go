package zobrist

import "math"

// NoError is the probability that 2^n retrievals never take one position for another, if each is compared
// with one stored key and keys have n+m bits (Zobrist 1970):
//
//	p = (1 - 2^-(n+m))^(2^n)
func NoError(n, m int) float64 {
	return math.Exp(math.Ldexp(math.Log1p(-math.Ldexp(1, -n-m)), n))
}

// NoErrorLimit is the limit of NoError for large n, e^(-2^-m): only the bits beyond the
// logarithm of the number of retrievals count.
func NoErrorLimit(m int) float64 { return math.Exp(-math.Ldexp(1, -m)) }

// Published are the values that Zobrist's report prints for m = 0 to 10. The first is a
// misprint of .36788; six others differ by one in the last digit.
var Published = [...]string{
	".36778", ".60653", ".77879", ".88251", ".93941", ".96924", ".98449", ".99222", ".99611", ".99805", ".99901",
}

// A Check describes how a table distinguishes positions: a probe compares Bits bits of its key with the
// same bits of every entry in its cluster.
//
// The estimates are for hits by positions that are not in the table. They assume keys of independent random
// bits, and that no bit is both a check bit and a bit of the index: such a bit is equal for all keys of a
// cluster and checks nothing. The probes of a search are not independent: a false hit that is probed again
// counts again, so errors come in bursts. Their mean over many key seeds is as expected; from seed to seed
// they vary more than a Poisson count.
type Check struct {
	Bits              int    // compared
	EntriesPerCluster int    // all of them are compared
	Clusters          uint64 // in the table
}

// PerMiss is the expected number of false hits per probe of a position that is not in a full
// table. It is the exact probability of one, because no two entries of a cluster have equal
// check bits.
func (c Check) PerMiss() float64 { return math.Ldexp(float64(c.EntriesPerCluster), -c.Bits) }

// Compared is the mean number of entries that a probe compares its key with, once that many different
// positions have been stored: a Poisson number per cluster, at most EntriesPerCluster.
func (c Check) Compared(stored float64) float64 {
	load := stored / float64(c.Clusters)
	mean, chance := float64(c.EntriesPerCluster), math.Exp(-load) // of j = 0 positions in a cluster
	for j := range c.EntriesPerCluster {
		mean -= float64(c.EntriesPerCluster-j) * chance
		chance *= load / float64(j+1)
	}
	return max(mean, 0)
}

// FalseHits is the expected number of false hits in a table that was empty, when positions that are not
// in it are probed (misses times) while different positions (stored in all) are stored at an even
// rate: the mean of Compared from 0 to stored, times misses × 2^-Bits. It is at most misses × PerMiss,
// and approaches that when stored is many times the size of the table.
func (c Check) FalseHits(misses, stored float64) float64 {
	load := stored / float64(c.Clusters)
	mean := 0.0
	if load < 1e-4 {
		mean = load / 2 // at most one entry in use; the general formula loses all digits
	} else {
		// The integral of Compared over the load, term by term: the integral of the Poisson
		// probability of j is the probability of more than j.
		more, chance := 1.0, math.Exp(-load)
		sum := float64(c.EntriesPerCluster) * load
		for j := range c.EntriesPerCluster {
			more -= chance
			chance *= load / float64(j+1)
			sum -= float64(c.EntriesPerCluster-j) * more
		}
		mean = sum / load
	}
	return math.Ldexp(misses*mean, -c.Bits)
}

// AtLeastOne is the probability of at least one error, given the expected number of errors, if they are
// independent.
func AtLeastOne(expected float64) float64 { return -math.Expm1(-expected) }

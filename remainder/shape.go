package remainder

import (
	"fmt"
	"math"
	"math/big"
)

const (
	wordBytes  = 8
	maxKeyBits = 56 // so that a value has at least eight
	// MaxKey is the largest key of any table: see modulus.
	MaxKey = math.MaxInt64
)

// A Shape says how a table is laid out: an odd number of buckets of 1, 2 or 4 words,
// each of which stores 1 to 56 bits of a key.
type Shape struct {
	Buckets uint64
	Ways    int
	KeyBits uint
}

// Bytes returns the size of a table of this shape.
func (s Shape) Bytes() uint64 { return s.Buckets * uint64(s.Ways) * wordBytes }

// MaxValue returns the largest value that a word holds beside a key.
func (s Shape) MaxValue() uint64 { return math.MaxUint64 >> s.KeyBits }

// check returns why there can be no table of this shape for keys up to maxKey, or nil.
func (s Shape) check(maxKey uint64) error {
	switch {
	case s.Ways != 1 && s.Ways != 2 && s.Ways != 4:
		return fmt.Errorf("remainder: %d ways: want 1, 2 or 4", s.Ways)
	case s.KeyBits < 1 || s.KeyBits > maxKeyBits:
		return fmt.Errorf("remainder: %d key bits are outside 1 to %d", s.KeyBits, maxKeyBits)
	case s.Buckets > math.MaxInt64/wordBytes/uint64(s.Ways):
		return fmt.Errorf("remainder: %d buckets of %d ways are more than memory can be", s.Buckets, s.Ways)
	}
	return checkExact("buckets", s.Buckets, s.KeyBits, maxKey)
}

// checkExact returns an error unless every key up to maxKey has a pair of its own: its
// remainder by the number of places, called what, and its low bits.
func checkExact(what string, places uint64, bits uint, maxKey uint64) error {
	switch {
	case places%2 == 0:
		return fmt.Errorf("remainder: %d %s are an even number, which shares a factor with 2^%d: "+
			"two keys could not be told apart", places, what, bits)
	case places < 3:
		return fmt.Errorf("remainder: %d %s: want at least 3", places, what)
	case maxKey > MaxKey:
		return fmt.Errorf("remainder: largest key %d: want at most %d", maxKey, int64(MaxKey))
	case maxKey>>bits >= places:
		return fmt.Errorf("remainder: %d %s × 2^%d do not exceed the largest key, %d: "+
			"two keys could not be told apart", places, what, bits, maxKey)
	}
	return nil
}

// Plan returns the shape of the largest table of at most that many bytes for keys from 0
// to maxKey, with as few key bits as are exact. Its number of buckets is the largest
// prime that fits, a thousandth left free.
//
// Any odd number would be exact. But what fits is mostly a round number, keys are built of
// fields of a few bits, and the remainder by a number just below a round one adds such
// fields up: by 2^21 - 1, all Connect Four positions that have the same columns, of seven
// bits, but the first, fourth and seventh exchanged, meet in one bucket. Of the 2^21
// positions that are first in a search from the empty board, a table of 4 ways keeps, with
//
//	2^21 - 1 buckets      7 in 100
//	2^21 - 9, prime      71 in 100
//	2^21 - 2131, prime   99.4 in 100; 99.6 were to be expected at random
func Plan(bytes uint64, ways int, maxKey uint64) (Shape, error) {
	s := Shape{Buckets: 3, Ways: ways, KeyBits: maxKeyBits}
	if err := s.check(0); err != nil {
		return Shape{}, err
	}
	fit := bytes / (uint64(ways) * wordBytes)
	if fit < s.Buckets {
		return Shape{}, fmt.Errorf("remainder: %d bytes are less than %d, three buckets of %d ways", bytes, s.Bytes(), ways)
	}
	s.Buckets = spreading(fit)
	for s.KeyBits = 1; s.KeyBits < maxKeyBits && maxKey>>s.KeyBits >= s.Buckets; s.KeyBits++ {
	}
	if err := s.check(maxKey); err != nil {
		return Shape{}, err
	}
	return s, nil
}

// spreading returns the largest prime that is at most n less a thousandth, or 3.
func spreading(n uint64) uint64 {
	for n -= n / 1000; n > 3; n-- {
		if new(big.Int).SetUint64(n).ProbablyPrime(0) { // certain below 2^64
			return n
		}
	}
	return 3
}

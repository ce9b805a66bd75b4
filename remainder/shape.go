package remainder

import (
	"fmt"
	"math"
	"math/big"
)

const (
	wordBytes  = 8
	maxKeyBits = 56 // leaves at least 8 for the value

	// A Table128 has three entries of two words per bucket.
	entries128     = 3
	bucketBytes128 = 64
	minKeyBits128  = 64
	maxKeyBits128  = 64 + maxKeyBits
	maxBuckets128  = 1 << 32 // see Table128.bucket
)

// A Shape is the layout of a table.
type Shape struct {
	Buckets          uint64 // odd, 3 or more
	EntriesPerBucket int    // 1, 2 or 4; 3 in a Table128
	KeyBits          uint   // bits of a key in an entry, 1 to 56, in a Table128 64 to 120; the value has the others
}

// two reports whether entries have two words.
func (s Shape) two() bool { return s.EntriesPerBucket == entries128 }

// keyBits returns the fewest and the most key bits of an entry.
func (s Shape) keyBits() (least, most uint) {
	if s.two() {
		return minKeyBits128, maxKeyBits128
	}
	return 1, maxKeyBits
}

// bucketBytes returns the size of a bucket.
func (s Shape) bucketBytes() uint64 {
	if s.two() {
		return bucketBytes128
	}
	return uint64(s.EntriesPerBucket) * wordBytes
}

// Bytes returns the size of a table of this shape.
func (s Shape) Bytes() uint64 { return s.Buckets * s.bucketBytes() }

// MaxValue returns the largest value of an entry.
func (s Shape) MaxValue() uint64 { return math.MaxUint64 >> s.highBits() }

// highBits returns the key bits in the word that has the value.
func (s Shape) highBits() uint {
	if s.two() {
		return s.KeyBits - minKeyBits128
	}
	return s.KeyBits
}

// check returns an error if the shape is not valid or not exact for keys up to maxKey.
func (s Shape) check(maxKey Key) error {
	least, most := s.keyBits()
	switch {
	case s.EntriesPerBucket < 1 || s.EntriesPerBucket > 4:
		return fmt.Errorf("remainder: %d entries per bucket: expected 1, 2 or 4, or 3 of two words", s.EntriesPerBucket)
	case s.KeyBits < least || s.KeyBits > most:
		return fmt.Errorf("remainder: %d key bits are outside %d to %d", s.KeyBits, least, most)
	case s.two() && s.Buckets > maxBuckets128:
		return fmt.Errorf("remainder: %d buckets of 64 bytes: expected at most 2^32", s.Buckets)
	case s.Buckets > math.MaxInt64/s.bucketBytes():
		return fmt.Errorf("remainder: %d buckets of %d entries are more than memory can be", s.Buckets, s.EntriesPerBucket)
	case !s.two() && s.Buckets > 2 && maxKey.High > math.MaxUint64/s.Buckets:
		return fmt.Errorf("remainder: largest key %v: for %d buckets expected less than %d·2^64", maxKey, s.Buckets,
			math.MaxUint64/s.Buckets+1)
	}
	return checkExact("buckets", s.Buckets, s.KeyBits, maxKey)
}

// checkExact returns an error unless the remainder by the number of places (buckets or slots, as
// what says) and the low bits together determine every key up to maxKey.
func checkExact(what string, places uint64, bits uint, maxKey Key) error {
	switch {
	case places%2 == 0:
		return fmt.Errorf("remainder: %d %s are an even number, which shares a factor with 2^%d: "+
			"two keys could not be distinguished", places, what, bits)
	case places < 3:
		return fmt.Errorf("remainder: %d %s: expected at least 3", places, what)
	case !divides(places, maxKey.word()):
		return fmt.Errorf("remainder: largest key %v: remainders by %d %s are exact below 2^63 only", maxKey, places, what)
	case maxKey.without(bits) >= places:
		return fmt.Errorf("remainder: %d %s × 2^%d do not exceed the largest key, %v: "+
			"two keys could not be distinguished", places, what, bits, maxKey)
	}
	return nil
}

// without returns the key without its low bits, one or more; the largest number if that needs more than a word.
func (k Key) without(bits uint) uint64 {
	if bits >= 64 {
		return k.High >> (bits - 64)
	}
	if k.High>>bits != 0 {
		return math.MaxUint64
	}
	return k.High<<(64-bits) | k.Low>>bits
}

// word returns the largest Low of the keys up to k.
func (k Key) word() uint64 {
	if k.High > 0 {
		return math.MaxUint64
	}
	return k.Low
}

// Plan returns the shape of the largest table of at most that many bytes for keys from 0
// to maxKey, with as few key bits as are exact, for a Table128 (three entries per bucket) at least 64. Its number of
// buckets is the largest prime that fits, after a thousandth of the size is set aside.
//
// Any odd number would be exact, but not every one distributes keys evenly. The number that just
// fits is usually close to a power of two, and keys are composed of fields of a few bits; the
// remainder by a number just below a power of two adds such fields up. By 2^21 - 1, all Connect
// Four positions that differ only by exchanging the first, fourth and seventh columns, which have
// seven bits each, share a bucket. Of the first 2^21 positions of a search from the empty board a
// table with 4 entries per bucket keeps, with
//
//	2^21 - 1 buckets      7 in 100
//	2^21 - 9, prime      71 in 100
//	2^21 - 2131, prime   99.4 in 100; 99.6 are expected at random
func Plan(bytes uint64, entriesPerBucket int, maxKey uint64, options ...Option) (Shape, error) {
	s := Shape{Buckets: 3, EntriesPerBucket: entriesPerBucket}
	least, most := s.keyBits()
	s.KeyBits = most
	if err := s.check(Key{}); err != nil {
		return Shape{}, err
	}
	c := configOf(options)
	last := c.maxKey(maxKey)
	fit := bytes / s.bucketBytes()
	if fit < s.Buckets {
		return Shape{}, fmt.Errorf("remainder: %d bytes are less than %d, three buckets of %d entries", bytes, s.Bytes(),
			entriesPerBucket)
	}
	s.Buckets = primeBelow(fit, last.word())
	for s.KeyBits = least; s.KeyBits < most && last.without(s.KeyBits) >= s.Buckets; s.KeyBits++ {
	}
	if err := s.check(last); err != nil {
		return Shape{}, err
	}
	return s, nil
}

// primeBelow returns the largest prime up to n less a thousandth of n whose remainders are right for words
// up to most; 3 if there is none.
func primeBelow(n, most uint64) uint64 {
	for n -= n / 1000; n > 3; n-- {
		if isPrime(n) && divides(n, most) {
			return n
		}
	}
	return 3
}

// isPrime reports whether n is a prime.
func isPrime(n uint64) bool { return new(big.Int).SetUint64(n).ProbablyPrime(0) } // exact below 2^64

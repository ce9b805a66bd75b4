package remainder

import (
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A level is a number of buckets at the beginning of the memory. The keys are stored by their
// remainders modulo that number.
type level struct {
	modulus
	buckets uint64
	inverse uint64 // of 2^KeyBits modulo buckets
}

const (
	firstSize = 16 << 10  // about the bytes of the first level; they fit into a first-level cache
	growth    = 8         // a level has about this many times the buckets of the one before
	lastSize  = 256 << 20 // the most bytes of any level but the last, because Grow copies them
)

// levels returns the levels of a table in ascending order, all exact. The last one has all buckets. The
// others have a prime number of buckets, for the reason that Plan gives.
func levels(shape Shape, maxKey Key, growing bool) (all []level) {
	bucketBytes := shape.bucketBytes()
	buckets := max(firstSize/bucketBytes, maxKey.without(shape.KeyBits)+1) | 1
	for ; growing && buckets <= min(shape.Buckets/2, lastSize/bucketBytes); buckets = growth*buckets | 1 {
		for !isPrime(buckets) || !divides(buckets, maxKey.word()) {
			buckets += 2
		}
		all = append(all, newLevel(Shape{buckets, shape.EntriesPerBucket, shape.KeyBits}))
	}
	return append(all, newLevel(shape))
}

// newLevel returns the level of all buckets of a shape.
func newLevel(s Shape) level {
	inverse := uint64(1)
	for range s.KeyBits { // half of it, modulo an odd number
		inverse = inverse/2 + inverse%2*(s.Buckets/2+1)
	}
	return level{newModulus(s.Buckets, s.bucketBytes()), s.Buckets, inverse}
}

// key returns the key that a bucket stores as its low bits: the number low + 2^k·n with
// n ≡ (bucket - low) / 2^k modulo the number of buckets.
func (l *level) key(bucket uint64, low Key, keyBits uint) Key {
	remainder := low.Low % l.buckets
	if low.High != 0 {
		remainder = bits.Rem64(low.High, low.Low, l.buckets)
	}
	hi, lo := bits.Mul64((bucket+l.buckets-remainder)%l.buckets, l.inverse)
	n := bits.Rem64(hi, lo, l.buckets)
	if keyBits >= 64 {
		return Key{n<<(keyBits-64) | low.High, low.Low}
	}
	return Key{n >> (64 - keyBits), n<<keyBits | low.Low}
}

// level returns the level in use.
func (t *Table) level() *level { return &t.levels[t.used.Load()] }

// words returns the memory of the level in use.
func (t *Table) words() []uint64 { return t.region.Words()[:t.level().span/wordBytes] }

// use sets the level in use.
func (t *Table) use(level int) {
	t.used.Store(int32(level))
	t.buckets = t.levels[level].modulus
	t.wrap = -t.levels[level].buckets % t.levels[level].buckets // 2^64 less the buckets, modulo them
}

// Room returns the number of entries in the buckets that are in use, and whether Grow can add some.
func (t *Table) Room() (entries uint64, growing bool) {
	return t.level().buckets * uint64(t.entriesPerBucket), int(t.used.Load()) < len(t.levels)-1
}

// Grow uses about eight times as many buckets, and moves the entries. It does nothing if all are in
// use. No other method may run at the same time, except Full, InUse, Look and Prefault.
func (t *Table) Grow() {
	if _, growing := t.Room(); !growing {
		return
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	old := t.entries(t.level(), slices.Clone(t.words()))
	clear(t.words())
	t.use(int(t.used.Load()) + 1)
	store := t.Store
	if t.shape.two() {
		store = (&Table128{t}).Store
	}
	for key, value := range old {
		store(key, value)
	}
}

// All returns the keys and values of the table, in the order of their buckets. If Store runs at the
// same time, its entry may or may not be among them; in a Table128 it must not.
func (t *Table) All() iter.Seq2[Key, uint64] { return t.entries(t.level(), t.words()) }

// entries returns the keys and values of words that were stored at a level.
func (t *Table) entries(l *level, words []uint64) iter.Seq2[Key, uint64] {
	return func(yield func(key Key, value uint64) bool) {
		two, bucketWords := t.shape.two(), l.scale/wordBytes
		for i := range words {
			w := atomic.LoadUint64(&words[i])
			if w == 0 || two && !isValueWord(i) {
				continue
			}
			low := Key{0, w & t.mask}
			if two {
				low = Key{w & t.mask, atomic.LoadUint64(&words[i+1])}
			}
			if !yield(l.key(uint64(i)/bucketWords, low, t.shape.KeyBits), w>>t.shift) {
				return
			}
		}
	}
}

// entry returns entry i of a bucket: the word with the value, 0 if it is empty, and the low bits of the key.
func (t *Table) entry(bucket unsafe.Pointer, i uint64) (word uint64, low Key) {
	if t.shape.two() {
		word = load(bucket, valueWord(i))
		return word, Key{word & t.mask, load(bucket, lowWord(i))}
	}
	word = load(bucket, i)
	return word, Key{0, word & t.mask}
}

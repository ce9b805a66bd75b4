package remainder

import "unsafe"

// A Bucket is a copy of a bucket, for inspection.
type Bucket struct {
	table   *Table
	level   *level
	number  uint64
	entries int // that the bucket has, at most 4
	words   [4]uint64
	low     [4]Key // the low bits of their keys
}

// Words returns the words of the entries, of a Table128 those with the values; 0 is an empty one.
func (b *Bucket) Words() []uint64 { return b.words[:b.entries] }

// Value returns the value of an entry, 0 if it is empty.
func (b *Bucket) Value(entry int) uint64 { return b.words[entry] >> b.table.shift }

// Key returns the key of an entry that is not empty.
func (b *Bucket) Key(entry int) Key {
	return b.level.key(b.number, b.low[entry], b.table.shape.KeyBits)
}

// InUse returns the number of buckets in use. Unless the table grows, that is all buckets.
func (t *Table) InUse() uint64 { return t.level().buckets }

// Look returns a copy of a bucket, 0 to InUse()-1. ok is false if the number is too large, while the
// table grows or is cleared, or while a Table128 stores there. It may run concurrently with all methods but Close.
func (t *Table) Look(bucket uint64) (b Bucket, ok bool) {
	if !t.looking.TryRLock() {
		return b, false
	}
	defer t.looking.RUnlock()
	l := t.level()
	if bucket >= l.buckets {
		return b, false
	}
	b = Bucket{table: t, level: l, number: bucket, entries: int(t.entriesPerBucket)}
	at := unsafe.Add(t.base, bucket*l.scale)
	version := load(at, 0)
	for i := range b.entries {
		b.words[i], b.low[i] = t.entry(at, uint64(i))
	}
	if t.shape.two() && (version&1 != 0 || load(at, 0) != version) {
		return Bucket{}, false
	}
	return b, true
}

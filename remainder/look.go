package remainder

import "unsafe"

// A Bucket is a copy of a bucket, for inspection.
type Bucket struct {
	table   *Table
	level   *level
	number  uint64
	entries int // that the bucket has, at most 4
	words   [4]uint64
}

// Words returns the words of the entries; 0 is an empty one.
func (b *Bucket) Words() []uint64 { return b.words[:b.entries] }

// Value returns the value of an entry, 0 if it is empty.
func (b *Bucket) Value(entry int) uint64 { return b.words[entry] >> b.table.shift }

// Key returns the key of an entry that is not empty.
func (b *Bucket) Key(entry int) Key {
	return b.level.key(b.number, b.words[entry]&b.table.mask, b.table.shift)
}

// InUse returns the number of buckets in use. Unless the table grows, that is all buckets.
func (t *Table) InUse() uint64 { return t.level().buckets }

// Look returns a copy of a bucket, 0 to InUse()-1. ok is false if the number is too large, or while the
// table grows or is cleared. It may run concurrently with all methods but Close.
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
	for i := range b.entries {
		b.words[i] = load(at, uint64(i))
	}
	return b, true
}

package remainder

import "unsafe"

// MaxEntries is the most entries that a bucket has.
const MaxEntries = 4

// A StoredEntry is a copy of an entry, for people who look into a table.
type StoredEntry struct {
	Word       uint64 // as it lies in memory; 0 if the entry is empty, and then so are key and value
	Key, Value uint64
}

// InUse returns the number of buckets in use: all of them, unless the table grows.
func (t *Table) InUse() uint64 { return t.level().buckets }

// Look returns copies of the entries of a bucket, 0 to InUse()-1. ok is false if there is none of that number, or if the
// table grows or is cleared at the moment. It may run beside all methods but Close.
func (t *Table) Look(bucket uint64) (entries [MaxEntries]StoredEntry, n int, ok bool) {
	if !t.looking.TryRLock() {
		return entries, 0, false
	}
	defer t.looking.RUnlock()
	l := t.level()
	if bucket >= l.buckets {
		return entries, 0, false
	}
	n = int(t.entriesPerBucket)
	at := unsafe.Add(t.base, bucket*l.scale)
	for i := range entries[:n] {
		if w := load(at, uint64(i)); w != 0 {
			entries[i] = StoredEntry{Word: w, Key: l.key(bucket, w&t.mask, t.shift), Value: w >> t.shift}
		}
	}
	return entries, n, true
}

package ttanalysis

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzTrace reads traces of any header, summary and records. What is accepted makes sense, and can be
// written and read again; what is refused is named.
func FuzzTrace(f *testing.F) {
	const ours = `{"game":"chess","mib":3,"index":"mul32","key_bits":21,"seed":"s","note":"n"}`
	probe, store := ProbeRecord(7, 3, -1, 0, true, true, true), StoreRecord(7, entryOf(7))
	records := block(0, uint64(KindSearch), probe.Key, probe.Word, store.Key, store.Word, 0, uint64(KindClear), 1,
		uint64(KindSearch))
	f.Add(ours, `{"records":5}`, records)
	f.Add(`{"game":"go","mib":1,"note":""}`, `{"records":1}`, records[:recordBytes])
	f.Add(ours, `{"records":18446744073709551615}`, records)
	f.Add(`{"mib":33554433}`, `{}`, records[1:])
	f.Add(`[]`, `null`, records[recordBytes:])
	f.Fuzz(func(t *testing.T, header, summary string, block []byte) {
		path := filepath.Join(t.TempDir(), "t.trace")
		if foreign(path, header, summary, block) != nil {
			return // not JSON, or too long for a container
		}
		head, all, err := readAll(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("%v does not name the file", err)
			}
			return
		}
		if head.Records != uint64(len(all)) || len(all)*recordBytes != len(block) {
			t.Fatalf("%d records of %d bytes, the header says %d", len(all), len(block), head.Records)
		}
		writeAll(t, path, head, all)
		if again, same, err := readAll(path); err != nil || again != head || !slices.Equal(same, all) {
			t.Errorf("written again: %+v, %v, want %+v", again, err, head)
		}
	})
}

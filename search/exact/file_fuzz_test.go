package exact

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/remainder"
)

// FuzzLoad loads files of any header, summary and block. A file is refused and leaves the table as it is, or all
// its entries are of the board and have bounds that can be.
func FuzzLoad(f *testing.F) {
	b := connect4.Standard
	most := int32(b.Cells / 2)
	var block []byte
	for _, w := range []uint64{b.MaxKey, pack(-most, most, 100, 0), 5, pack(3, 3, 1<<39, 0)} {
		block = binary.LittleEndian.AppendUint64(block, w)
	}
	for _, header := range []string{`{"width":7,"height":6,"connect":4}`, `{"width":9,"height":5,"connect":3}`,
		`{"width":70,"height":-6,"connect":4}`, `{}`, `null`, `[]`} {
		f.Add(header, `{"entries":2}`, block)
		f.Add(header, `{"entries":18446744073709551615}`, block[:16])
		f.Add(header, `null`, block[1:])
	}
	path := filepath.Join(f.TempDir(), "table")
	s, err := New(Options{Hash: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	table := s.prover.(*best).table
	own := pack(1, 2, 3, 0)
	f.Fuzz(func(t *testing.T, header, summary string, block []byte) {
		var out bytes.Buffer // a stream, because a file would be synced each time
		err := container.Write(container.WriteStream(&out, path), container.Scores, json.RawMessage(header),
			func(w *container.Writer) (any, error) { return json.RawMessage(summary), w.WriteBlock(block) })
		if err != nil {
			return // no JSON, or too long
		}
		filetest.Write(t, path, out.Bytes())
		if err := s.prover.(*best).clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		table.Store(remainder.Key{Low: 77}, own)
		err = s.Load(context.Background(), container.File(path))
		entries := 0
		for key, value := range table.All() {
			entries++
			lower, upper := unpack(value)
			switch {
			case err != nil && (key.Low != 77 || value != own):
				t.Errorf("%v: and the table has key %v", err, key)
			case key.Low > b.MaxKey || lower < -most || upper > most || lower > upper:
				t.Errorf("key %v, %d to %d", key, lower, upper)
			}
		}
		if err != nil && entries != 1 || entries > len(block)/16 && err == nil {
			t.Errorf("%d entries of %d bytes: %v", entries, len(block), err)
		}
	})
}

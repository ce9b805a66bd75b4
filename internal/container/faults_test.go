package container

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/internal/disk/disktest"
	"trefoil/internal/filetest"
)

// TestFaults: whatever fails while a file is replaced, it is the old one or the new one, complete.
func TestFaults(t *testing.T) {
	// The second takes several writes.
	blocks := [][]byte{bytes.Repeat([]byte("old "), 100), bytes.Repeat([]byte("new "), streamBuffer)}
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		write := func(b []byte) error {
			return Write(Replace(path), Hash, header{"chess"}, func(w *Writer) (any, error) {
				return summary{1}, w.WriteBlock(b)
			})
		}
		if err := write(blocks[0]); err != nil {
			t.Fatal(err)
		}
		err := f.Do(t, path, func() error { return write(blocks[1]) })
		got, broken := readBlocks(File(path))
		if broken != nil || len(got) != 1 {
			t.Fatalf("%d blocks, %v", len(got), broken)
		}
		if i := slices.IndexFunc(blocks, func(b []byte) bool { return bytes.Equal(b, got[0]) }); i < 0 ||
			(err == nil) != (i == 1) && !f.Killed() {
			t.Errorf("block %d, %v", i, err)
		}
		if err := write(blocks[1]); err != nil {
			t.Error(err)
		}
		if files, _ := os.ReadDir(f.Dir); len(files) != 1 {
			t.Errorf("files %v", files)
		}
	})
}

// readBlocks returns copies of all blocks.
func readBlocks(in Input) (blocks [][]byte, err error) {
	r, err := Open(in, Hash, new(header), new(summary))
	if err != nil {
		return nil, err
	}
	if err = r.Keep(); err == nil {
		blocks, err = each(r)
	}
	return blocks, errors.Join(err, r.Close())
}

// TestFaultsOfReading: what cannot be read is an error, and never other blocks.
func TestFaultsOfReading(t *testing.T) {
	blocks := [][]byte{{1, 2, 3}, bytes.Repeat([]byte("x"), 2*streamBuffer)}
	data := encoded(t, Hash, header{"chess"}, blocks)
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "file")
		filetest.Write(t, path, data)
		err := f.Do(t, path, func() error {
			got, err := readBlocks(File(path))
			if err == nil && !slices.EqualFunc(got, blocks, bytes.Equal) {
				t.Error("other blocks")
			}
			return err
		})
		if again, now := readBlocks(File(path)); now != nil || len(again) != 2 {
			t.Errorf("%v after %v", now, err)
		}
	})
}

// TestFaultsOfKeeping: a stream whose copy cannot be written is an error, which names the folder of temporary files.
func TestFaultsOfKeeping(t *testing.T) {
	blocks := [][]byte{{1, 2, 3}, bytes.Repeat([]byte("x"), 2*streamBuffer)}
	data := encoded(t, Hash, header{"chess"}, blocks)
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		t.Setenv("TMPDIR", f.Dir)
		err := f.Do(t, f.Dir, func() error {
			r, err := Open(Stream(bytes.NewReader(data), "a.file"), Hash, new(header), new(summary))
			if err != nil {
				return err
			}
			err = r.ReadAhead(t.Context())
			var got [][]byte
			for err == nil {
				var b []byte
				if b, err = r.Next(); err == nil {
					got = append(got, bytes.Clone(b))
				}
			}
			if err == io.EOF {
				if err = nil; !slices.EqualFunc(got, blocks, bytes.Equal) {
					t.Error("other blocks")
				}
			}
			return errors.Join(err, r.Close())
		})
		if files, _ := os.ReadDir(f.Dir); len(files) > 0 && err == nil && !f.Killed() {
			t.Errorf("files %v", files)
		}
	})
}

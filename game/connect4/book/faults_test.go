package book

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/disk/disktest"
	"trefoil/internal/filetest"
)

// TestFaults: whatever fails while a book is made, there is a whole book or none, and the same call completes
// it: no solved position that was reported is lost.
func TestFaults(t *testing.T) {
	const ply = 1
	// Goroutines that share a journal may report further scores after one that could not be written.
	solver := func(_ context.Context, positions []connect4.Position,
		found func(connect4.Position, int) error) (err error) {
		for _, p := range positions {
			score, _ := parity(t.Context(), p)
			err = errors.Join(err, found(p, score))
		}
		return err
	}
	want := filetest.Read(t, made(t, ply))
	disktest.Each(t, func(t *testing.T, f *disktest.Fault) {
		path := filepath.Join(f.Dir, "book")
		reported, again := 0, -1
		err := f.Do(t, path, func() error {
			return Make(t.Context(), path, connect4.Standard, ply, solver, func(done, _ int) { reported = done })
		})
		got, _ := os.ReadFile(path)
		if len(got) > 0 && !bytes.Equal(got, want) || len(got) == 0 && err == nil {
			t.Errorf("%d bytes of a book: %v", len(got), err)
		}
		if len(got) > 0 {
			return
		}
		err = Make(t.Context(), path, connect4.Standard, ply, solver, func(done, _ int) {
			if again < 0 {
				again = done
			}
		})
		if got, _ = os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("another book: %v", err)
		}
		if again < reported {
			t.Errorf("%d solved positions are in the journal, of %d that were reported", again, reported)
		}
		if files, _ := os.ReadDir(f.Dir); len(files) != 1 {
			t.Errorf("files %v", files)
		}
	})
}

package book

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/filetest"
)

// FuzzJournal makes a book beside any journal. The journal is refused and stays, or the book is complete; it is the
// book without a journal if no line has another score.
func FuzzJournal(f *testing.F) {
	title := journalTitle(connect4.Standard, 1)
	last, err := Positions(f.Context(), connect4.Standard, 1)
	if err != nil {
		f.Fatal(err)
	}
	whole := title
	for _, p := range last {
		score, _ := parity(f.Context(), p)
		whole += journalLine(canonical(p), score) + "\n"
	}
	for _, text := range []string{"", title[:9], title, whole[:len(whole)-3], whole, whole + "77 3 00000000\n\x00\xff\n",
		strings.ReplaceAll(whole, "\n", "\r\n"), journalTitle(connect4.Standard, 2), title + journalLine(7, 99) + "\n",
		title + journalLine(canonical(last[0]), 99) + "\n", title + journalLine(canonical(last[0]), -1000) + "\n"} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, journal []byte) {
		path := filepath.Join(dir, "book")
		_ = os.Remove(path)
		filetest.Write(t, path+".part", journal)
		known := 0
		err := Make(context.Background(), path, connect4.Standard, 1, Each(parity), func(done, _ int) {
			known = max(known, done)
		})
		left, missing := os.ReadFile(path + ".part")
		if err != nil {
			if !strings.Contains(err.Error(), path+".part") || !bytes.Equal(left, journal) {
				t.Errorf("%v: the journal was %q and is %q", err, journal, left)
			}
			return
		}
		b, err := Open(path)
		if err != nil || b.Len() != 5 || known != len(last) || missing == nil {
			t.Fatalf("%v, %d solved, the journal is left: %v", err, known, missing == nil)
		}
		for _, p := range last {
			if _, ok := b.Score(p); !ok {
				t.Errorf("position %d is missing", canonical(p))
			}
		}
	})
}

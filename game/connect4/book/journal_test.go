package book

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

// TestJournal: behind half a line a new line begins, so that nothing is lost which is added then.
func TestJournal(t *testing.T) {
	wanted, err := Positions(t.Context(), connect4.Standard, 1)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "journal")
	open := func(known ...int) *journal {
		t.Helper()
		j, err := openJournal(path, connect4.Standard, 1, wanted)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range wanted {
			score, ok := j.scores[canonical(p)]
			if i < len(known) != ok || ok && score != known[i] {
				t.Errorf("position %d: %d, %v, want %v", i, score, ok, known)
			}
		}
		return j
	}
	known := []int{-zero, zero - 1, 0}
	for i, score := range known {
		j := open(known[:i]...)
		if err := j.add(canonical(wanted[i]), score); err != nil {
			t.Fatal(err)
		}
		if _, err := j.file.WriteString("77 3 000"); err != nil {
			t.Fatal(err)
		}
		j.close()
	}
	open(known...).close()
	for score, want := range map[int]bool{-zero - 1: false, -zero: true, zero - 1: true, zero: false} {
		if _, _, ok := parseLine(journalLine(7, score)); ok != want {
			t.Errorf("score %d: %v", score, ok)
		}
	}
	other, err := connect4.NewBoard(6, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(path, other, 1, nil); err == nil || !strings.Contains(err.Error(), "6x5") {
		t.Errorf("a journal of another board: %v", err)
	}
}

// TestMakeTo: a stream gets the book that a file gets.
func TestMakeTo(t *testing.T) {
	want := filetest.Read(t, made(t, 2))
	var out bytes.Buffer
	b, err := MakeTo(t.Context(), container.WriteStream(&out, "stream"), connect4.Standard, 2, Each(parity), nil)
	if err != nil || b.Len() != 1+4+25 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v: another book", err)
	}
	if _, err := MakeTo(t.Context(), container.WriteStream(&out, "stream"), connect4.Standard, MaxPly+1, Each(parity),
		nil); err == nil {
		t.Error("a ply that no book has")
	}
}

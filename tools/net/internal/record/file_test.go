package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/atomicfile"
	"trefoil/internal/filetest"
)

var testHeader = Header{Game: "chess", Games: "seed 1", Scores: "none"}

// gamesOf returns three games; the second has no ply, the third nothing.
func gamesOf(t testing.TB) [][]byte {
	rec := start(t)
	return [][]byte{AppendPly(bytes.Clone(rec), Ply{19, 30}, 0), rec, nil}
}

// writeFile writes games from the number that the file has on.
func writeFile(t testing.TB, name string, games [][]byte) {
	t.Helper()
	w, err := Resume(name, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	for i := w.Games(); i < len(games); i++ {
		if err := w.Append(100+i, games[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// readFile returns the games of a file up to the first error, which is nil at its end.
func readFile(name string) (games [][]byte, err error) {
	r, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		number, records, err := r.Next()
		if errors.Is(err, io.EOF) {
			return games, nil
		}
		if err != nil {
			return games, err
		}
		if number != 100+len(games) {
			return games, errors.New("wrong number")
		}
		games = append(games, bytes.Clone(records))
	}
}

// A file that ends anywhere is completed to the same file.
func TestResumeFromEveryByte(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	games := gamesOf(t)
	writeFile(t, whole, games)
	want := filetest.Read(t, whole)
	for n := range len(want) + 1 {
		filetest.Write(t, cut, want[:n])
		if got, err := readFile(cut); len(got) > len(games) ||
			err != nil && !strings.Contains(err.Error(), "ends in its header") {
			t.Fatalf("%d bytes: %d games, %v", n, len(got), err)
		}
		writeFile(t, cut, games)
		if !bytes.Equal(filetest.Read(t, cut), want) {
			t.Fatalf("resumed after %d bytes: another file", n)
		}
	}
}

// No changed byte gives other games than those that were written.
func TestDamagedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	games := gamesOf(t)
	writeFile(t, name, games)
	whole := filetest.Read(t, name)
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x40
		filetest.Write(t, name, damaged)
		got, err := readFile(name)
		if err == nil && len(got) == len(games) {
			t.Fatalf("byte %d changed: no error", i)
		}
		for k := range got {
			if !bytes.Equal(got[k], games[k]) {
				t.Fatalf("byte %d changed: another game %d", i, k)
			}
		}
	}
}

func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		text string
		want string
	}{
		{"hello", "not a file of games"},
		{"# trefoil self-play: seed 1, nodes 5000\n", "not a file of games"},
		{magic + "\x01\x00\x00\x00" + strings.Repeat("x", 100), "version 1"},
		{magic + "\x02\x00\x00\x00\xff\xff\xff\xff" + strings.Repeat("x", 100), "header of 4294967295 bytes"},
		{magic + "\x02\x00\x00\x00\x02\x00\x00\x00{}1234", "header is damaged"},
	} {
		name := filepath.Join(dir, "file")
		filetest.Write(t, name, c.text)
		if _, err := Resume(name, testHeader); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.text, err, c.want)
		}
		if string(filetest.Read(t, name)) != c.text {
			t.Errorf("%.20q was changed", c.text)
		}
	}
	name := filepath.Join(dir, "other")
	writeFile(t, name, gamesOf(t))
	before := filetest.Read(t, name)
	for want, h := range map[string]Header{
		`games are by "seed 1", not "seed 2"`: {"chess", "seed 2", "none"},
		`scores are by "none", not "all"`:     {"chess", "seed 1", "all"},
		`game is "chess", not "shogi"`:        {"shogi", "seed 1", "none"},
	} {
		if _, err := Resume(name, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if !bytes.Equal(before, filetest.Read(t, name)) {
		t.Error("a refused file was changed")
	}
	w, err := Resume(name, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(name, testHeader); !errors.Is(err, atomicfile.ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	if err := w.Append(9, make([]byte, MaxGame+1)); err == nil {
		t.Error("a game that is too long is written")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(filepath.Join(dir, "none", "file"), testHeader); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// Plies of any rank and score are read as they were written, and what no ply is written as is refused.
func TestPlies(t *testing.T) {
	plies := []Ply{{0, 0}, {1, -32000}, {217, 32000}, {592, 31999}, {0, -1}, {127, -20}, {128, 20},
		{5, -32768}, {5, 32767}}
	var game []byte
	before := 0
	for _, p := range plies {
		game = AppendPly(game, p, before)
		before = p.Score
	}
	before = 0
	for i, want := range plies {
		var got Ply
		var err error
		if got, game, err = TakePly(game, before); err != nil || got != want {
			t.Fatalf("ply %d: %v, %v, want %v", i, got, err, want)
		}
		before = got.Score
	}
	if len(game) > 0 {
		t.Errorf("%d bytes are left", len(game))
	}
	for _, bad := range [][]byte{nil, {1}, {0x80}, {1, 0x80}, {0xff, 0xff, 0xff, 0xff, 1, 0},
		binary.AppendVarint([]byte{1}, 40000)} {
		if p, _, err := TakePly(bad, 0); err == nil {
			t.Errorf("% x is read as %v", bad, p)
		}
	}
}

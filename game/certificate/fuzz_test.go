package certificate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/shogi"
	"trefoil/game/ultimate"
	"trefoil/game/ultimate/ultimatetest"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

var update = flag.Bool("update", false, "write the seeds of FuzzVerify again")

// FuzzVerify: whatever a file says, Verify ends with an error about the file, or the value is true.
func FuzzVerify(f *testing.F) {
	f.Fuzz(func(t *testing.T, game, position, value string, entries []byte, block, positions uint16) {
		var file bytes.Buffer
		err := container.Write(container.WriteStream(&file, "x"), container.Certificate, header{game, position, value},
			func(w *container.Writer) (any, error) {
				for rest := entries; len(rest) > 0; {
					n := min(len(rest), int(block)+1)
					if err := w.WriteBlock(rest[:n]); err != nil {
						return nil, err
					}
					rest = rest[n:]
				}
				return summary{uint64(positions)}, nil
			})
		if err != nil {
			t.Skip(err)
		}
		s, err := Verify(context.Background(), container.Stream(&file, "x"), func(_, _ uint64) {})
		if wrong := (*container.Error)(nil); err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
		if err == nil && !isTrue(game, s.Position, s.Value) {
			t.Fatalf("%s: %s: %s is accepted", game, position, value)
		}
	})
}

// isTrue reports whether a value is true, as far as a plain search finds that soon.
func isTrue(game, position, value string) bool {
	moves := 0
	if _, err := fmt.Sscanf(value, "mate %d", &moves); err == nil {
		if n := max(moves, -moves); n > 2 || n == 2 && len(position) > 50 {
			return true
		}
	}
	switch game {
	case "chess":
		return (&plain[*chess.Position]{chessMates(), map[string]bool{}}).holds(position, moves)
	case "shogi":
		return (&plain[*shogi.Position]{shogiMates(), map[string]bool{}}).holds(position, moves)
	}
	p, err := ultimate.Parse(position)
	return err == nil && (p.Left() > 7 || value == string(values[ultimatetest.Minimax(p)+1]))
}

// TestSeeds: the seeds of FuzzVerify are certificates that are accepted; -update writes them.
func TestSeeds(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	dir, path := "testdata/fuzz/FuzzVerify", filepath.Join(t.TempDir(), "a")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	seed := func(name string) {
		t.Helper()
		var h header
		r, err := container.Open(container.File(path), container.Certificate, &h, &summary{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		s, err := check(path)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("go test fuzz v1\nstring(%q)\nstring(%q)\nstring(%q)\n[]byte(%q)\nuint16(%d)\nuint16(%d)\n",
			h.Game, h.Position, h.Value, movesOf(t, path), 1023, s.Positions)
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	for i, c := range chessPositions {
		if s, err := writeMate(t, chessMates(), path, c.fen, c.moves); err == nil && s.holds(c.fen, c.moves) {
			seed(fmt.Sprintf("chess-%d", i))
		}
	}
	for i, c := range shogiPositions {
		if _, err := writeMate(t, shogiMates(), path, c.sfen, c.moves); err == nil {
			seed(fmt.Sprintf("shogi-%d", i))
		}
	}
	r := rand.New(rand.NewPCG(6, 1))
	for i, left := range []int{5, 6, 7, 8, 9} {
		p := late(r, left)
		if _, err := write(t, path, p, values[ultimatetest.Minimax(p)+1], best); err != nil {
			t.Fatal(err)
		}
		seed(fmt.Sprintf("ultimate-%d", i))
	}
}

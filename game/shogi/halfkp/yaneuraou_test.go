package halfkp

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/internal/filetest"
)

// TestYaneuraOu compares values with the values of builds of YaneuraOu in the folder TREFOIL_YANEURAOU: of the
// positions of golden_test.go, of random games, and of the files in TREFOIL_TESTDATA. A build has the name of
// its architecture, for example kp_256x2-32-32; architectures without a build are left out.
//
//	TREFOIL_YANEURAOU=… go test ./game/shogi/halfkp -run TestYaneuraOu -v
func TestYaneuraOu(t *testing.T) {
	folder := os.Getenv("TREFOIL_YANEURAOU")
	if folder == "" {
		t.Skip("TREFOIL_YANEURAOU names no folder")
	}
	sfens := comparable(t)
	for i, n := range slices.Concat(testNets, largeNets) {
		program := filepath.Join(folder, n.edition)
		if _, err := os.Stat(program); err != nil {
			t.Logf("%s left out: %v", n.name, err)
			continue
		}
		for _, scale := range []int{DefaultScale, 1 + i%2*35} {
			y := startYaneuraOu(t, program, n.file(), scale)
			e := NewEvaluator(n.net(), scale)
			differ, distinct := 0, map[int]bool{}
			for _, sfen := range sfens {
				want := y.evaluate(t, sfen)
				got := e.Evaluate(position(t, sfen))
				if got != want {
					differ++
					t.Errorf("%s, FV_SCALE %d: %s: %d, YaneuraOu %d", n.name, scale, sfen, got, want)
				}
				distinct[want] = true
			}
			t.Logf("%s, FV_SCALE %d: %d positions, %d different values, %d differ from YaneuraOu", n.name, scale,
				len(sfens), len(distinct), differ)
			if scale == DefaultScale && i < len(golden[0].values) {
				for _, c := range golden {
					if want := y.evaluate(t, c.sfen); c.values[i] != want {
						t.Errorf("golden: %s: %s: %d, YaneuraOu %d", n.name, c.sfen, c.values[i], want)
					}
				}
			}
		}
	}
}

// comparable returns at least 1,000 positions with both kings.
func comparable(t *testing.T) (sfens []string) {
	walks.Walk(t, 1200, func(p *shogi.Position) {
		if p.King(shogi.Black) != shogi.Nowhere && p.King(shogi.White) != shogi.Nowhere {
			sfens = append(sfens, p.SFEN())
		}
	})
	rng := rand.New(rand.NewPCG(5, 6))
	var l game.List
	for range 20 {
		for p := position(t, shogi.StartSFEN); p.Played() < 100; {
			l.Reset()
			if p.Moves(game.All, &l); l.Len() == 0 {
				break
			}
			p.Make(l.At(rng.IntN(l.Len())))
			sfens = append(sfens, p.SFEN())
		}
	}
	for _, name := range []string{"openings.txt", "tsume_public.txt", "tsume_selfplay.txt", "perft.txt"} {
		text, err := os.ReadFile(filepath.Join(os.Getenv("TREFOIL_TESTDATA"), "shogi", name))
		if err != nil {
			t.Logf("without %s", name)
			continue
		}
		before := len(sfens)
		for line := range strings.Lines(string(text)) {
			if p := fromLine(t, line); p != nil {
				sfens = append(sfens, p.SFEN())
			}
		}
		t.Logf("%d positions of %s", len(sfens)-before, name)
	}
	if len(sfens) < 1000 {
		t.Fatalf("%d positions", len(sfens))
	}
	return sfens
}

// fromLine returns the position that a line of a file begins with, or whose moves it has; nil if there is
// none with both kings.
func fromLine(t *testing.T, line string) *shogi.Position {
	if moves, ok := strings.CutPrefix(line, "startpos moves "); ok {
		p := position(t, shogi.StartSFEN)
		gametest.Play(t, p, moves)
		return p
	}
	for field := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == '|' || r == ';' }) {
		p, err := shogi.ParseSFEN(strings.TrimSpace(field))
		if err == nil && p.King(shogi.Black) != shogi.Nowhere && p.King(shogi.White) != shogi.Nowhere {
			return p
		}
	}
	return nil
}

// A yaneuraOu is a process that evaluates.
type yaneuraOu struct {
	in  io.Writer
	out *bufio.Scanner
}

// startYaneuraOu starts a process with an evaluation file.
func startYaneuraOu(t *testing.T, program string, file []byte, scale int) *yaneuraOu {
	t.Helper()
	folder := t.TempDir()
	filetest.Write(t, filepath.Join(folder, "nn.bin"), file)
	c := exec.Command(program)
	c.Dir = folder
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	y := &yaneuraOu{in, bufio.NewScanner(out)}
	t.Cleanup(func() {
		fmt.Fprintln(in, "quit")
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	})
	fmt.Fprintf(in, "usi\nsetoption name EvalDir value %s\nsetoption name FV_SCALE value %d\nsetoption name USI_Hash value 16\nisready\n", folder, scale)
	y.find(t, "readyok")
	return y
}

// find reads until a line that begins with a text, and returns the rest of it.
func (y *yaneuraOu) find(t *testing.T, text string) string {
	t.Helper()
	last := ""
	for y.out.Scan() {
		if rest, ok := strings.CutPrefix(y.out.Text(), text); ok {
			return rest
		}
		last = y.out.Text()
	}
	t.Fatalf("YaneuraOu ended without %q; its last line is %q", text, last)
	return ""
}

func (y *yaneuraOu) evaluate(t *testing.T, sfen string) int {
	t.Helper()
	fmt.Fprintf(y.in, "position sfen %s\ne\n", sfen)
	v, err := strconv.Atoi(y.find(t, "eval = "))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

package tests

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"trefoil/game/connect4"
	"trefoil/internal/filetest"
)

// run runs the engine and returns its output; its exit status must be one of these.
func run(t *testing.T, statuses string, args ...string) string {
	t.Helper()
	cmd := exec.Command(trefoil, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	if !strings.Contains(statuses, fmt.Sprint(cmd.ProcessState.ExitCode())) {
		t.Fatalf("%v: %v: %s", args, cmd.ProcessState, errs.String())
	}
	return out.String()
}

// killed runs the engine until a file has so many lines, and kills it.
func killed(t *testing.T, file string, lines int, args ...string) {
	t.Helper()
	cmd := exec.Command(trefoil, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		text, _ := os.ReadFile(file)
		if strings.Count(string(text), "\n") >= lines {
			_ = cmd.Process.Kill()
			<-ended
			return
		}
		select {
		case <-ended: // it was faster
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// middlegames are positions of Connect Four of so many stones from random moves, and lines that hold none.
func middlegames(n, stones int) string {
	rnd := rand.New(rand.NewPCG(20, 1))
	var b strings.Builder
	b.WriteString("# positions\n")
	for range n {
		p, moves := connect4.Standard.Start(), ""
		for len(moves) < stones {
			col := rnd.IntN(7)
			if !p.CanPlay(col) {
				continue
			}
			q := p.Play(col)
			if _, over := q.Over(); over {
				p, moves = connect4.Standard.Start(), ""
				continue
			}
			p, moves = q, moves+connect4.Text(col)
		}
		fmt.Fprintln(&b, moves)
		if rnd.IntN(10) == 0 {
			b.WriteString("\n8 is no column\n")
		}
	}
	return b.String()
}

var (
	seconds = regexp.MustCompile(`"seconds":[^,}]*`)
	nodes   = regexp.MustCompile(`"nodes":[^,}]*,"seconds":[^,}]*`)
)

// TestKilledShards kills shards of a run at several points, also between two bytes of a record, and resumes
// them: merged they are what one run makes, but for the times.
func TestKilledShards(t *testing.T) {
	for _, c := range []struct {
		command, input string
		shards, jobs   int
	}{
		{"solve connect4 --hash 1 INPUT", middlegames(60, 18), 3, 2},
		{"solve mate --hash 1 --time 0 --moves 3 INPUT", strings.Repeat("k7/8/1K6/8/8/8/8/7R w - - 0 1\n7k/8/5K2/8/8/8/8/6B1 w - - 0 1\nno position\n", 8), 2, 1},
		{"solve ultimate --hash 1 INPUT", strings.Repeat("O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X draw\n", 12), 2, 3},
		{"perft 4 --file INPUT", strings.Repeat("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D4 197281 ;D3 1\nstartpos\nnone\n", 5), 2, 2},
		{"hash audit --hash 1 --nodes 2000 --keybits 8,21 INPUT", strings.Repeat("8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 2 47\nnone\n", 8), 2, 2},
		{"analyse --hash 1 --nodes 500 INPUT", strings.Repeat("k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; id \"one\";\n7k/8/5K2/8/8/8/8/6B1 w - - am Kf7;\n7k/8/5K2/8/8/8/8/6B1 w - - bm Kf8;\n", 5), 2, 2},
		{"book connect4 --hash 1 --size 5x4 --ply 5", "", 3, 2},
	} {
		dir := t.TempDir()
		input := filepath.Join(dir, "input")
		filetest.Write(t, input, c.input)
		args := strings.Fields(strings.Replace(c.command, "INPUT", input, 1))
		once := run(t, "01", append(args, "--json", "--shard", "1/1")...)
		merge := []string{"merge"}
		for shard := range c.shards {
			out := filepath.Join(dir, fmt.Sprint(shard+1, ".jsonl"))
			merge = append(merge, out)
			args := append(args, "--shard", fmt.Sprintf("%d/%d", shard+1, c.shards), "--jobs",
				fmt.Sprint(c.jobs), "--resume", out)
			for _, lines := range []int{0, 1, 3, 4} {
				killed(t, out, lines, args...)
				if text, err := os.ReadFile(out); err == nil && len(text) > 0 && lines != 3 {
					if err := os.Truncate(out, int64(len(text)-7*lines)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if printed := run(t, "01", args...); printed != "" {
				t.Errorf("%s: %s", c.command, printed)
			}
		}
		varying := seconds
		if strings.HasPrefix(c.command, "book") { // which keeps its table
			varying = nodes
		}
		got, want := varying.ReplaceAllString(run(t, "0", merge...), ""), varying.ReplaceAllString(once, "")
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.command, got, want)
		}
	}
}

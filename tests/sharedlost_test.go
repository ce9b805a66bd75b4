package tests

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const lost = "its memory is lost, because its file was cut short; this process goes on with an empty hash of its own, "

// firstMoves are the legal moves of the start position.
var firstMoves = strings.Fields("a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 " +
	"b1a3 b1c3 g1f3 g1h3")

// all sends lines and returns what the engine prints until all of them have been executed.
func (p *process) all(lines ...string) []string {
	p.t.Helper()
	p.send(append(lines, "end")...)
	return p.until(`info string unknown command "end"`)
}

// An engine whose shared table is cut short says so once, answers, and has a table of its own. It can share
// again.
func TestSharedHashCutShort(t *testing.T) {
	name, file := sharedName(t)
	share := "setoption name Hash Shared value " + name
	a, b := start(t), start(t)
	for _, p := range []*process{a, b} {
		p.says([]string{`shared as "` + name + `"`}, "setoption name Hash value 8", share)
		p.send("go depth 8")
		p.until("bestmove")
	}
	truncate := func(bytes int64) {
		if err := os.Truncate(file, bytes); err != nil {
			t.Fatal(err)
		}
	}
	count := func(lines []string) (n int) {
		for _, l := range lines {
			if l == `info string shared hash "`+name+`": `+lost+"8 MiB" {
				n++
			}
		}
		return n
	}
	// During a search it says so at once; the search goes on.
	a.send("setoption name Threads value 2", "go infinite")
	a.until("info depth ")
	truncate(1 << 20)
	a.until("info string shared hash ")
	a.until("info depth ")
	a.send("stop")
	lines := a.until("bestmove")
	lines = append(lines, a.all("go nodes 20000", "d")...)
	if n := count(lines); n != 0 {
		t.Errorf("it says so %d times more: %q", n, lines)
	}
	if text := strings.Join(lines, "\n"); !strings.Contains(text, "hash 8 MiB: ") ||
		strings.Contains(text, "shared as") {
		t.Error(text)
	}
	// Between searches; every command works.
	lines = b.all("hash", "d", "go depth 6", "ucinewgame", "go nodes 5000", "hash", "setoption name Hash value 8")
	if n := count(lines); n != 1 {
		t.Errorf("it says so %d times: %q", n, lines)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("the last one did not take it away")
	}
	if text := strings.Join(b.all("setoption name Hash value 4", "go nodes 1000", "hash"),
		"\n"); !strings.Contains(text, "hash 4 MiB: ") {
		t.Error(text)
	}
	for _, p := range []*process{a, b} {
		p.says([]string{`shared as "` + name + `"`}, share)
	}
	a.says([]string{", other processes 1"}, "d")
	// Another Hash, before anything else has noticed.
	truncate(6 << 20)
	for _, p := range []*process{a, b} {
		lines = p.all("setoption name Hash value 3", "d")
		if text := strings.Join(lines, "\n"); !strings.Contains(text, lost+"8 MiB") ||
			!strings.Contains(text, "\nhash 3 MiB: ") {
			t.Errorf("%q", lines)
		}
	}
	a.quit()
	b.quit()
}

// cutter lets engines share a table, and cuts it short while they do all kinds of things.
type cutter struct {
	*rand.Rand
	share  string
	dir    string
	losses int // that the engine has reported
}

// line returns a random line for an engine.
func (c *cutter) line() string {
	switch c.IntN(14) {
	case 0, 1:
		return fmt.Sprintf("go movetime %d", 1+c.IntN(40))
	case 2, 3:
		return fmt.Sprintf("go nodes %d", 1+c.IntN(20000))
	case 4:
		return "go depth 7"
	case 5:
		return "go infinite"
	case 6:
		return "ucinewgame"
	case 7:
		return fmt.Sprintf("setoption name Hash value %d", 1+c.IntN(4))
	case 8:
		return "hash"
	case 9:
		return "isready"
	case 10:
		return fmt.Sprintf("setoption name Threads value %d", 1+c.IntN(3))
	case 11:
		return "setoption name Hash File value " + filepath.Join(c.dir, "x.hash") + "\nsetoption name " +
			[]string{"Save", "Load"}[c.IntN(2)] + " Hash"
	case 12:
		return "go wtime 1000 btime 1000"
	}
	return []string{c.share, "setoption name Hash Shared value", "d", "setoption name HashStats value true"}[c.IntN(4)]
}

// round sends lines to an engine and checks that each go is answered. It stops what has no end.
func (c *cutter) round(p *process, lines []string) error {
	gos := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "go ") {
			gos++
		}
		p.send(l)
	}
	stop := time.AfterFunc(time.Duration(20+c.IntN(60))*time.Millisecond, func() { p.send("stop") })
	defer stop.Stop()
	p.send("end") // is answered in order
	for p.out.Scan() {
		text := p.out.Text()
		if move, ok := strings.CutPrefix(text, "bestmove "); ok {
			gos--
			if move, _, _ = strings.Cut(move, " "); !slices.Contains(firstMoves, move) {
				return fmt.Errorf("illegal: %q", text)
			}
		}
		if strings.Contains(text, lost) {
			c.losses++
		}
		if strings.HasPrefix(text, `info string unknown command "end"`) {
			if gos != 0 {
				return fmt.Errorf("%d searches are not answered: %q", gos, lines)
			}
			return nil
		}
	}
	return fmt.Errorf("the engine ended; %d searches are not answered: %v after %q", gos, p.cmd.Wait(), lines)
}

// A segment is cut short at any moment: no engine ends, and every go is answered by a legal move.
func TestSharedHashSurvivesCuts(t *testing.T) {
	rounds := 30
	if *long {
		rounds = 1000
	}
	name, file := sharedName(t)
	seed := uint64(1)
	c := cutter{rand.New(rand.NewPCG(seed, 0)), "setoption name Hash Shared value " + name, t.TempDir(), 0}
	engines := []*process{start(t), start(t), start(t)}
	for i := range rounds {
		var group sync.WaitGroup
		errs, losses := make([]error, len(engines)), make([]int, len(engines))
		for n, p := range engines {
			lines := []string{fmt.Sprintf("setoption name Hash value %d", 1+c.IntN(4)), c.share}
			for range 2 + c.IntN(6) {
				lines = append(lines, c.line())
			}
			sub := cutter{rand.New(rand.NewPCG(seed, uint64(1+i*len(engines)+n))), c.share, c.dir, 0}
			group.Go(func() { errs[n] = sub.round(p, lines); losses[n] = sub.losses })
		}
		time.Sleep(time.Duration(c.IntN(60_000)) * time.Microsecond)
		_ = os.Truncate(file, []int64{0, 100, 4096, 2 << 20, 2<<20 + 4096, 2<<20 + int64(c.IntN(4<<20))}[c.IntN(6)])
		group.Wait()
		for n, err := range errs {
			if err != nil {
				t.Fatalf("round %d, engine %d: %v", i, n, err)
			}
			c.losses += losses[n]
		}
	}
	if t.Logf("%d cuts, %d losses", rounds, c.losses); c.losses == 0 {
		t.Error("no engine has lost its table")
	}
	for _, p := range engines {
		p.quit()
	}
}

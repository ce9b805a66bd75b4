package protocol

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/search"
	"trefoil/search/clock"
)

func newPipe() (io.Reader, func(string)) {
	r, w := io.Pipe()
	return r, func(s string) { io.WriteString(w, s) }
}

// TestPositionWords: where the position ends and the moves begin.
func TestPositionWords(t *testing.T) {
	many := strings.Repeat(" moves", 100000)
	for _, c := range []struct {
		text, setup string
		moves       int
	}{
		{"startpos moves a b", "startpos", 2},
		{"fen 8/8 w moves a", "8/8 w", 1},
		{"8/8 w - - moves a", "8/8 w - -", 1}, // without fen
		{`fen "8/8 w" moves a`, `"8/8 w"`, 1},
		{`fen 8/8 w - - c0 "3 moves to mate"; c1 "moves"; moves a b`, `8/8 w - - c0 "3 moves to mate"; c1 "moves";`, 2},
		{`fen "8/8 w moves a b`, `"8/8 w`, 2},                             // a quote that does not end
		{`fen 8/8 w c0 """ moves "; moves a`, `8/8 w c0 """ moves ";`, 1}, // three quotes are one more than two
		{"sfen 9/9 b - 1 moves a", "9/9 b - 1", 1},
		{`fen "8/8` + many + ` a`, `"8/8`, 100000},
		{`fen "8/8` + many + ` "`, `"8/8` + many + ` "`, 0},
	} {
		setup, moves, err := uci.position(c.text)
		if err != nil || setup != c.setup || len(moves) != c.moves {
			t.Errorf("%.60q: %.60q, %d moves, %v", c.text, setup, len(moves), err)
		}
	}
}

func TestGo(t *testing.T) {
	at := time.Unix(1, 0)
	own := func(s string) bool { return s == "perft" }
	sec := time.Second
	for _, c := range []struct {
		line string
		want search.Limits
		says int
	}{
		{"go", search.Limits{}, 0},
		{"go infinite", search.Limits{Infinite: true}, 0},
		{"go wtime 1000 btime 2000 winc 3000 binc 4000 movestogo 5", search.Limits{Clock: search.Clock{Time: [2]time.Duration{sec, 2 * sec}, Inc: [2]time.Duration{3 * sec, 4 * sec}, MovesToGo: 5, Given: true}}, 0},
		{"go btime -2000 movestogo 0", search.Limits{Clock: search.Clock{Time: [2]time.Duration{0, -2 * sec}, Given: true}}, 0},
		{"go depth 5 nodes 7 mate 2 movetime 1000", search.Limits{Depth: 5, Nodes: 7, Mate: 2, MoveTime: sec}, 0},
		{"go searchmoves e2e4 d2d4 ponder depth 3", search.Limits{SearchMoves: []string{"e2e4", "d2d4"}, Ponder: true, Depth: 3}, 0},
		{"go depth 3 searchmoves e2e4", search.Limits{SearchMoves: []string{"e2e4"}, Depth: 3}, 0},
		{"go nodes 99999999999999999999", search.Limits{Nodes: math.MaxInt64}, 0},
		{"go depth 99999999999", search.Limits{Depth: math.MaxInt32}, 0},
		{"go movetime 99999999999999999999", search.Limits{MoveTime: longest * time.Millisecond}, 0},
		{"go wtime -99999999999999999999", search.Limits{Clock: search.Clock{Time: [2]time.Duration{-longest * time.Millisecond, 0}, Given: true}}, 0},
		{"go depth 1 nodes 1 movetime 1 mate 1", search.Limits{Depth: 1, Nodes: 1, MoveTime: time.Millisecond, Mate: 1}, 0},
		{"go mate", search.Limits{Mate: search.AnyMate}, 0},
		{"go mate depth 5", search.Limits{Mate: search.AnyMate, Depth: 5}, 0},
		{"go mate 99999999999", search.Limits{Mate: search.AnyMate}, 0},
		{"go wtime 0 winc 0 binc 0", search.Limits{Clock: search.Clock{Given: true}}, 0},
		{"go wtime 1000 movestogo 99999999999", search.Limits{Clock: search.Clock{Time: [2]time.Duration{sec, 0}, MovesToGo: math.MaxInt32, Given: true}}, 0},
		{"go ponder wtime 1000 depth x", search.Limits{Ponder: true, Clock: search.Clock{Time: [2]time.Duration{sec, 0}, Given: true}}, 1},
		// What cannot be used is named and skipped; with nothing left, one ply.
		{"go depth", search.Limits{Depth: 1}, 2},
		{"go depth x", search.Limits{Depth: 1}, 2},
		{"go depth 0", search.Limits{Depth: 1}, 2},
		{"go movetime -1", search.Limits{Depth: 1}, 2},
		{"go nodes -5", search.Limits{Depth: 1}, 2},
		{"go wtime", search.Limits{Depth: 1}, 2},
		{"go depth movetime 1000", search.Limits{MoveTime: sec}, 1},
		{"go ponder depth", search.Limits{Ponder: true, Depth: 1}, 2},
		{"go infinite depth x", search.Limits{Infinite: true}, 1},
		{"go mate 3 depth x", search.Limits{Mate: 3}, 1},
		{"go nodes 5 winc -3", search.Limits{Nodes: 5}, 1},
		{"go fast nodes 5", search.Limits{Nodes: 5}, 1},
		{"go searchmoves depth 2", search.Limits{Depth: 2}, 1},
	} {
		got := uci.parse(c.line, at, own)
		c.want.Start = at
		if got.verb != vGo || len(got.remarks) != c.says || !reflect.DeepEqual(got.limits, c.want) {
			t.Errorf("%s\ngot  %+v %q\nwant %+v", c.line, got.limits, got.remarks, c.want)
		}
	}
	if got := uci.parse("go perft 4", at, own); got.verb != vCommand || got.name != "perft" ||
		fmt.Sprint(got.args) != "[4]" {
		t.Errorf("%+v", got)
	}
}

// TestLongestClock: the longest times that are read do not overflow where a move gets its share of them.
func TestLongestClock(t *testing.T) {
	const most = "9223372036854775807"
	line := strings.ReplaceAll("go wtime M btime M winc M binc M", "M", most)
	for _, d := range []*dialect{uci, usi} {
		l := d.parse(line, time.Now(), func(string) bool { return false }).limits
		for _, slow := range []int{10, 100, 1000} {
			for _, uneven := range []bool{false, true} {
				p := clock.AlphaBeta(0, clock.Settings{SlowMover: slow, Uneven: uneven})
				b, _ := p.Budget(&l, l.Clock)
				if b.Optimum < time.Hour || b.Limit < b.Optimum/10 || b.Maximum < b.Limit {
					t.Errorf("%s, slow mover %d, uneven %v: %+v", d.hello, slow, uneven, b)
				}
			}
		}
	}
}

// Of a line of a million words only a few are kept and reported.
func TestManyWords(t *testing.T) {
	own := func(s string) bool { return s == "d" }
	for _, start := range []string{"go", "go searchmoves", "go perft",
		"go depth 3 searchmoves e2e4 nodes 5 searchmoves", "d", "go nodes 5"} {
		c := uci.parse(start+strings.Repeat(" a", 1_000_000), time.Time{}, own)
		if n := len(c.remarks); n > maxRemarks+1 {
			t.Errorf("%s: %d remarks", start, n)
		}
		if last := c.remarks; len(last) > maxRemarks && last[maxRemarks] != "further remarks are omitted" {
			t.Errorf("%s: the last remark is %q", start, last[maxRemarks])
		}
		if n := len(c.args); c.verb == vCommand && n != maxArgs {
			t.Errorf("%s: %d arguments are kept, want %d", start, n, maxArgs)
		}
		if n, m := cap(c.args), cap(c.limits.SearchMoves); n > 2*maxArgs || m > 2*maxArgs {
			t.Errorf("%s: capacity for %d arguments and %d moves is kept", start, n, m)
		}
	}
	c := uci.parse("go searchmoves"+strings.Repeat(" a", maxArgs)+" depth 3 searchmoves b", time.Time{}, own)
	if len(c.limits.SearchMoves) != maxArgs || c.limits.Depth != 3 || len(c.remarks) != 1 ||
		c.remarks[0] != "go: only the first 1000 searchmoves are read" {
		t.Errorf("%d moves, depth %d, %q", len(c.limits.SearchMoves), c.limits.Depth, c.remarks)
	}
}

// TestRemarks: the first of them are kept, then one says that there were others.
func TestRemarks(t *testing.T) {
	none := func(string) bool { return false }
	for words, want := range map[int]int{19: 19, 20: 20, 21: 21, 22: 21, 500: 21} {
		c := uci.parse("go depth 1"+strings.Repeat(" a", words), time.Time{}, none)
		if omitted := slices.Contains(c.remarks, "further remarks are omitted"); len(c.remarks) != want ||
			omitted != (words > maxRemarks) {
			t.Errorf("%d unknown words: %d remarks, want %d; the last is %q", words, len(c.remarks), want,
				c.remarks[len(c.remarks)-1])
		}
	}
	c := uci.parse("a b c d e f g h i isready", time.Time{}, none)
	if c.verb != vReady || fmt.Sprint(c.remarks) != `[skipped "a b c d e f g h"]` {
		t.Errorf("nine unknown words before isready: %+v", c)
	}
}

// FuzzSession feeds a session anything: it must end, having answered every go
// and a last isready that no quit came before.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nposition startpos moves e2e4\ngo depth 3\n",
		"go infinite\nstop\nponderhit\n", "setoption name Hash value 99999999999999999999\n",
		"go depth\ngo movetime -1\r\n\x00\x00go nodes 1", "joho debug on\nquit\n",
		"go ponder\ngo perft 3\nstop\nposition fen \xff\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		checkSession(t, string(input))
	})
}

package protocol

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/search"
)

func TestUSIParse(t *testing.T) {
	at := time.Unix(1, 0)
	own := func(name string) bool { return name == "perft" }
	const ms = time.Millisecond
	clock := func(b, w, byoyomi, binc, winc time.Duration) search.Limits {
		return search.Limits{Start: at, Declare: true, Clock: search.Clock{
			Time: [2]time.Duration{b, w}, Byoyomi: byoyomi, Inc: [2]time.Duration{binc, winc}, Given: true,
		}}
	}
	mate := func(limit time.Duration) search.Limits {
		return search.Limits{Start: at, Mate: search.AnyMate, Checks: true, MoveTime: limit}
	}
	for _, c := range []struct {
		line string
		want command
	}{
		{"usi", command{verb: vHello}},
		{"gameover win", command{verb: vStop}},
		{"usinewgame", command{verb: vNewGame}},
		{"setoption name USI_Hash value 300", command{verb: vSetOption, name: "USI_Hash", value: "300"}},
		{"setoption name clear_hash", command{verb: vSetOption, name: "clear_hash"}},
		{"setoption name BookFile value no_book", command{verb: vSetOption, name: "BookFile", value: "no_book"}},
		{"position startpos moves 7g7f", command{verb: vPosition, text: "startpos moves 7g7f"}},
		{"go btime 1000 wtime 2000 byoyomi 30", command{verb: vGo, limits: clock(1000*ms, 2000*ms, 30*ms, 0, 0)}},
		// The coming increment is not on the clock yet.
		{"go btime 1000 wtime 2000 binc 30 winc 40", command{verb: vGo, limits: clock(1030*ms, 2040*ms, 0, 30*ms, 40*ms)}},
		{"go byoyomi 0 binc 0 winc 0", command{verb: vGo, limits: clock(0, 0, 0, 0, 0)}},
		{"go byoyomi 100", command{verb: vGo, limits: clock(0, 0, 100*ms, 0, 0)}},
		{"go nodes 5 depth 3 movetime 9", command{verb: vGo, limits: search.Limits{Start: at, Declare: true, Nodes: 5, Depth: 3, MoveTime: 9 * ms}}},
		{"go rtime 300", command{verb: vGo, limits: search.Limits{Start: at, Declare: true, MoveTime: 300 * ms}}},
		{"go seconds", command{verb: vGo, limits: search.Limits{Start: at, Declare: true, Depth: 1}, remarks: []string{
			`go: unknown word "seconds" skipped`, "go: no valid limit: the search depth is 1",
		}}},
		{"go infinite searchmoves P*5e 8h2b+", command{verb: vGo, limits: search.Limits{Start: at, Infinite: true, SearchMoves: []string{"P*5e", "8h2b+"}}}},
		{"go mate 1000", command{verb: vGo, limits: mate(1000 * ms)}},
		{"go mate infinite", command{verb: vGo, limits: mate(0)}},
		{"go mate", command{verb: vGo, limits: mate(0)}},
		{"go mate 0", command{verb: vGo, limits: mate(ms), remarks: []string{
			`go: mate "0" is below 1 and is skipped`, "go: no valid limit: the search takes 1 ms",
		}}},
		{"ponderhit", command{verb: vPonderHit}},
		{"ponderhit btime 5 wtime 6 byoyomi 7", command{verb: vPonderHit, limits: search.Limits{Clock: clock(5*ms, 6*ms, 7*ms, 0, 0).Clock}}},
		{"ponderhit btime 5 wtime 6 binc 7 winc 8", command{verb: vPonderHit, limits: search.Limits{Clock: clock(12*ms, 14*ms, 0, 7*ms, 8*ms).Clock}}},
		{"ponderhit now", command{verb: vPonderHit, remarks: []string{`ponderhit: unknown word "now" skipped`}}},
		{"please position startpos moves 7g7f", command{verb: vPosition, text: "startpos moves 7g7f", remarks: []string{`skipped "please"`}}},
		{"go perft 4", command{verb: vCommand, name: "perft", args: []string{"4"}}},
		{"uci", command{remarks: []string{`unknown command "uci" (help lists the commands)`}}},
		{"go byoyomi x", command{verb: vGo, limits: search.Limits{Start: at, Declare: true, Depth: 1}, remarks: []string{
			`go: byoyomi "x" is not a whole number and is skipped`, "go: no valid limit: the search depth is 1",
		}}},
	} {
		if got := usi.parse(c.line, at, own); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.line, got, c.want)
		}
	}
}

func TestUSIPrints(t *testing.T) {
	d := usi
	for want, got := range map[string]string{
		"bestmove win":                   d.best(search.Result{Best: "7g7f", Declares: true, Resigns: true}),
		"bestmove resign":                d.best(search.Result{}),
		"bestmove 7g7f ponder 3c3d":      d.best(search.Result{Best: "7g7f", Ponder: "3c3d"}),
		"info depth 3 currmove P*5e":     d.info(search.Info{Depth: 3, CurrMove: "P*5e", CurrMoveNumber: 7}),
		"checkmate G*5b":                 d.best(search.Result{Checkmate: &search.Checkmate{Line: []string{"G*5b"}}}),
		"checkmate nomate":               d.best(search.Result{Checkmate: &search.Checkmate{None: true}}),
		"checkmate timeout":              d.best(search.Result{Checkmate: new(search.Checkmate)}),
		"info string hello":              d.info(search.Info{Text: "hello"}),
		"cp -12":                         usiScore(search.Score{Centipawns: -12}),
		"mate 3":                         usiScore(search.Score{Mate: true, Plies: 3}),
		"mate -2":                        usiScore(search.Score{Mate: true, Plies: -2}),
		"mate -0":                        usiScore(search.Score{Mate: true}),
		"bestmove resign (with a move)":  d.best(search.Result{Best: "7g7f", Resigns: true}) + " (with a move)",
		"bestmove 7g7f, though resigned": uci.best(search.Result{Best: "7g7f", Resigns: true}) + ", though resigned",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFirstWord: only the first command chooses the dialect.
func TestFirstWord(t *testing.T) {
	for input, want := range map[string]string{
		"\n\nusi\nuci\n":      "usiok",
		"uci\nusi\n":          "uciok",
		"nonsense\n usi \n":   "usiok",
		"isready\nusi\nuci\n": "uciok",
	} {
		var out strings.Builder
		Serve(strings.NewReader(input), &out, newFake())
		other := strings.Replace("usiok uciok", want, "", 1)
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), strings.TrimSpace(other)) {
			t.Errorf("%q gave\n%s", input, &out)
		}
	}
}

// TestPonderHitClock: the clock that comes with ponderhit reaches the search, which then ends by itself.
func TestPonderHitClock(t *testing.T) {
	s := &session{engine: newFake()}
	s.out = printer{w: io.Discard, d: usi}
	j := newJob(command{verb: vGo, limits: search.Limits{Ponder: true}})
	defer j.cancel()
	s.running = j
	s.accept(usi.parse("ponderhit btime 1 wtime 2 byoyomi 3", time.Time{}, func(string) bool { return false }))
	if c := <-j.limits.PonderHit; c.Byoyomi != 3*time.Millisecond || !c.Given {
		t.Errorf("clock %+v", c)
	}
	if !j.bounded() {
		t.Error("the end of the input would stop the search")
	}
}

// TestUSIOptions: options have the names of USI; unlisted ones are ignored without a message,
// bad values are not.
func TestUSIOptions(t *testing.T) {
	var out strings.Builder
	f := newFake()
	Serve(strings.NewReader("usi\nsetoption name USI_Hash value 100\nsetoption name Hash value 200\n"+
		"setoption name BookFile value no_book\nsetoption name usi_hash value x\nisready\n"), &out, f)
	got := out.String()
	want := `id name Fake 1
id author its author
option name USI_Hash type spin default 16 min 1 max 1024
option name Clear_Hash type button
option name USI_Ponder type check default false
option name NetworkDelay type spin default 10 min 0 max 100
usiok
info string table of 100
info string option "USI_Hash": "x" is not a whole number from 1 to 1024; it stays 100
readyok
`
	if got != want || f.log[0] != "usi" {
		t.Errorf("%s\nwant\n%s\nlog %q", got, want, f.log)
	}
}

// TestRepeat: f is not running once stop has returned.
func TestRepeat(t *testing.T) {
	calls, running := make(chan bool, 1000), atomic.Bool{}
	stop := repeat(time.Millisecond, func() {
		running.Store(true)
		calls <- true
		time.Sleep(10 * time.Millisecond)
		running.Store(false)
	})
	<-calls
	<-calls
	if stop(); running.Load() {
		t.Error("f is running")
	}
}

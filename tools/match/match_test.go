package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/game/ultimate"
	"trefoil/tools/internal/selfplay"
)

// TestMain lets the test be an engine for UCI and USI. It plays the first legal move, and has options: Play_After
// resigns, or plays a move, after some moves; Refuse is refused; Sleep waits before each move. It answers `go mate N`
// with a mate in N, after a mate in N+1 and bounds; of more than four moves it finds only the longer one, and with
// `infinite` a mate in four. In USI it has Threads and USI_Hash, and reports 7 nodes if they are 1 and 16.
func TestMain(m *testing.M) {
	if os.Getenv("MATCH_ENGINE") == "" {
		os.Exit(m.Run())
	}
	var pos selfplay.Board
	var l game.List
	plays, variant, sleep, moves, threads, hash := "", "", time.Duration(0), 0, "1", "16"
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := in.Text()
		switch first, rest, _ := strings.Cut(line, " "); first {
		case "uci", "usi":
			names := []string{"Play After Two", "Refuse", "Sleep", "UCI_Variant"}
			if variant == "ultimate" {
				names = append(names, "Of Ultimate")
			}
			if first == "usi" {
				threads, hash, names = "7", "1024", append(names, "Threads", "USI_Hash")
			}
			for _, name := range names {
				fmt.Printf("option name %s type string\n", name)
			}
			fmt.Printf("%sok\n", first)
		case "setoption":
			switch words := strings.Fields(rest); words[len(words)-3] {
			case "UCI_Variant":
				variant = words[len(words)-1]
			case "Two":
				plays = words[len(words)-1]
			case "Refuse":
				fmt.Println(`info string option "Refuse": no`)
			case "Sleep":
				sleep, _ = time.ParseDuration(words[len(words)-1])
			case "Threads":
				threads = words[len(words)-1]
			case "USI_Hash":
				hash = words[len(words)-1]
			}
		case "isready":
			fmt.Println("readyok")
		case "ucinewgame", "usinewgame":
			moves = 0
		case "position":
			pos = position(rest)
		case "go":
			var n int
			if _, err := fmt.Sscanf(rest, "mate %d", &n); err == nil || rest == "mate infinite" {
				goMate(n)
				continue
			}
			time.Sleep(sleep)
			if moves++; moves > 2 && plays != "" {
				fmt.Println("bestmove " + plays)
				continue
			}
			l.Reset()
			pos.Moves(game.All, &l)
			nodes := map[string]int{"1/16": 7, "2/16": 14, "1/3": 21}[threads+"/"+hash]
			fmt.Printf("info depth 1 nodes %d pv x\nbestmove %s\n", nodes, pos.Text(l.At(0)))
		case "quit":
			return
		}
	}
}

// position returns the board of the words after position.
func position(text string) (pos selfplay.Board) {
	text, moves, _ := strings.Cut(text, " moves ")
	if fen, ok := strings.CutPrefix(text, "fen "); ok && strings.Count(fen, "/") == 7 {
		p, _ := chess.ParseFEN(fen)
		pos = selfplay.Chess(p)
	} else if ok {
		p, _ := ultimate.Parse(fen)
		pos = selfplay.Ultimate(p)
	} else {
		p, _ := shogi.ParseSFEN(strings.TrimPrefix(text, "sfen "))
		pos = selfplay.Shogi(p)
	}
	for _, text := range strings.Fields(moves) {
		m, err := pos.ParseMove(text)
		if err != nil {
			panic(err)
		}
		pos.Make(m)
	}
	return pos
}

// goMate answers go mate n, 0 for infinite.
func goMate(n int) {
	if n == 0 {
		fmt.Println("info depth 1 score mate 4 pv a1a2\nbestmove a1a2")
		return
	}
	fmt.Printf("info depth 1 score mate 1 lowerbound pv a1a2\ninfo string score mate 1 pv a1a2\ninfo depth 1 score mate %d pv a1a2\n", n+1)
	if n < 5 {
		fmt.Printf("info depth 2 score mate %d pv a1a2\n", n)
	}
	fmt.Println("bestmove a1a2")
}

// self returns the test as an engine, with options.
func self(t *testing.T, options ...string) string {
	t.Helper()
	t.Setenv("MATCH_ENGINE", "1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append([]string{path}, options...), " ")
}

// call runs the command and returns what it prints.
func call(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatalf("match %v: %v", args, err)
	}
	return out.String()
}

// shipped is the net of a game that the engine has.
func shipped(game string) string { return "../../engine/" + game + "/" + game + ".net" }

// A match does not depend on the number of workers, a net scores half against itself, and each game can be played
// with the openings of the other evaluation.
func TestNets(t *testing.T) {
	for name := range subjects {
		t.Run(name, func(t *testing.T) {
			score := func(workers, first, second string) string {
				text := call(t, "-game", name, "-n", "6", "-nodes", "40", "-workers", workers, first, second)
				line, _, _ := strings.Cut(text, "\n")
				return line
			}
			one, two := score("1", none, shipped(name)), score("2", none, shipped(name))
			if one != two || !strings.HasPrefix(one, "none: +") {
				t.Errorf("by one worker %q, by two %q", one, two)
			}
			if got := score("1", shipped(name), shipped(name)); !strings.Contains(got, ", 50.0 %, Elo +0 [+0, +0]") {
				t.Errorf("a net against itself: %q", got)
			}
		})
	}
}

// Programs play games of all kinds, one against another and against the search in this process.
func TestPrograms(t *testing.T) {
	e := self(t)
	for game, second := range map[string]string{"chess": none, "shogi": e, "ultimate": "uct"} {
		text := call(t, "-game", game, "-n", "2", "-nodes", "20", "-random", "30", "-v", e, second)
		want := regexp.MustCompile(`(?m)^game 1: \S+ begins, (0|1/2|1) for \S+: .+ moves( \S+)+
game 2: \S+ begins, (0|1/2|1) for \S+: .+ moves( \S+)+
\S+: \+\d =\d -\d, [\d.]+ %, Elo \S+ \[\S+ \S+\]
\S+: \d+ moves of 7 nodes and [\d.]+ ms, [\d.]+ µs a node
\S+: \d+ moves of (7|20) nodes and [\d.]+ ms, [\d.]+ µs a node
$`)
		if !want.MatchString(text) {
			t.Errorf("%s: got\n%s", game, text)
		}
	}
}

// The options of a game are options of its programs, unless a player says otherwise.
func TestOptionsOfGames(t *testing.T) {
	text := call(t, "-game", "shogi", "-n", "2", "-random", "30", self(t, "Threads=2"), self(t, "USI_Hash=3"))
	if !regexp.MustCompile(`moves of 14 nodes(.*\n)+.*moves of 21 nodes`).MatchString(text) {
		t.Errorf("got\n%s", text)
	}
}

// Games are lost by a resignation and on the clock. The other limits are the limits that the flags set.
func TestEnds(t *testing.T) {
	resigns, resigned := self(t, "Play_After_Two=resign"), `resign\)\n.*resign\)\n`
	late := self(t, "Sleep=20ms")
	for _, c := range []struct {
		want string
		args []string
	}{
		{`begins, 0 for .* moves( \S{4}){4} \(resign\)\n.* begins, 0 for .* moves( \S{4}){5} \(resign\)\n`,
			[]string{"-nodes", "9", resigns, self(t)}},
		{`begins, 0 for .* moves \(\S+ of 1ms used\)\n.* begins, 1 for .* used\)\n`, []string{"-clock", "1ms", late, late}},
		{resigned, []string{"-go", "depth 3", resigns, self(t)}},
		{resigned, []string{"-time", "1ms", resigns, none}},
		{resigned, []string{"-equal", resigns, none}},
	} {
		text := call(t, append([]string{"-n", "2", "-v"}, c.args...)...)
		if !regexp.MustCompile(c.want).MatchString(text) {
			t.Errorf("%q: got\n%s", c.args, text)
		}
	}
}

func TestClockWords(t *testing.T) {
	left := [2]time.Duration{time.Second, 500 * time.Millisecond}
	for _, c := range []struct {
		protocol, want string
		clock
	}{
		{"uci", "wtime 1100 btime 600 binc 100 winc 100", clock{inc: 100 * time.Millisecond}},
		{"usi", "btime 1000 wtime 500 binc 100 winc 100", clock{inc: 100 * time.Millisecond}},
		{"usi", "btime 1000 wtime 500 byoyomi 2000", clock{byoyomi: 2 * time.Second}},
	} {
		if got := c.words(c.protocol, left); got != c.want {
			t.Errorf("%s: %q, want %q", c.protocol, got, c.want)
		}
	}
}

// stopAt cancels when a text is written.
type stopAt struct {
	bytes.Buffer
	text string
	stop func()
}

func (s *stopAt) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(s.text)) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// A match that is stopped counts whole pairs of games.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	out := &stopAt{text: "game 3:", stop: cancel}
	args := strings.Fields("-game ultimate -n 200 -nodes 5 -random 30 -v uct uct")
	if err := run(ctx, args, out, io.Discard); err != nil || !strings.HasSuffix(out.String(), "stopped\n") {
		t.Fatalf("%v\n%s", err, &out.Buffer)
	}
	var won, drawn, lost int
	_, score, _ := strings.Cut(out.String(), "\nuct: ")
	if _, err := fmt.Sscanf(score, "+%d =%d -%d", &won, &drawn, &lost); err != nil || won+drawn+lost != 4 {
		t.Errorf("%v in\n%s", err, &out.Buffer)
	}
}

// uct finds a move that wins at once, and every playout counts for one of the moves.
func TestUCT(t *testing.T) {
	u := &uct{rng: rand.New(rand.NewPCG(1, 2))}
	p := gametest.Ultimate(t,
		"O;O.X@..O.X;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO.X.OXOO")
	at := &moment{Board: selfplay.Ultimate(p)}
	if got, _, err := u.move(context.Background(), at, limit{nodes: 2000}); err != nil || at.Text(got.Move) != "db" {
		t.Errorf("%v, %v, want db", got, err)
	}
	root, sum := u.nodes[0], int32(0)
	for _, c := range u.nodes[root.first : root.first+int32(root.count)] {
		sum += c.visits
	}
	if root.visits != 2000 || sum != root.visits {
		t.Errorf("%d visits, the moves have %d", root.visits, sum)
	}
}

func TestUsage(t *testing.T) {
	e := self(t)
	for _, c := range []struct{ want, args string }{
		{"1 players, want 2", "none"},
		{`game "go"`, "-game go none none"},
		{"-n must be even", "-n 3 none none"},
		{"-workers and -nodes must be at least 1", "-nodes 0 none none"},
		{"must not be negative", "-within -1 none none"},
		{"only one of", "-time 1s -equal none none"},
		{"-go and -clock are for programs, not for none", "-clock 1s none none"},
		{"uct plays only -game ultimate", "uct none"},
		{"/none.net: no such file", "none /none.net"},
		{"shogi.net: its features are", "none " + shipped("shogi")},
		{"not found", "no-such-program none"},
		{"no such file", "-game ultimate ultimattt:/none uct"},
		{"ends: unexpected argument", "ends x"},
		{"ends: -workers, -n", "ends -n 0"},
		{"mates: 1 arguments, want 3", "mates x"},
		{"-each", "mates -each 0s a b c"},
		{"no such file", "mates a b /no/such/file"},
	} {
		err := run(context.Background(), strings.Fields(c.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.args, err, c.want)
		}
	}
	for want, first := range map[string]string{
		"a player without a name":                  "",
		"no option Hash":                           e + " Hash=1",
		"no option EvalFile":                       e + " EvalFile=x.net",
		`info string option "Refuse": no`:          e + " Refuse=1",
		`Play_After_Two=a1a1 plays "a1a1" at `:     e + " Play_After_Two=a1a1",
		`Play_After_Two=(none) plays "(none)" at `: e + " Play_After_Two=(none)",
	} {
		err := run(context.Background(), []string{"-n", "2", first, none}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", first, err, want)
		}
	}
}

// An option that an engine lists only once the game is selected is known.
func TestOptionOfGame(t *testing.T) {
	t.Setenv("MATCH_ENGINE", "1")
	e := os.Args[0] + " Of_Ultimate=1"
	call(t, "-game", "ultimate", "-n", "2", e, "none")
	err := run(context.Background(), []string{"-n", "2", e, "none"}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no option Of_Ultimate") {
		t.Error(err)
	}
}

// Games end with a mate, and do not depend on the workers.
func TestMateEnds(t *testing.T) {
	args := []string{"ends", "-n", "6", "-nodes", "30", "-last", "6", "-workers"}
	one, two := call(t, append(args, "1")...), call(t, append(args, "2")...)
	if one != two || !regexp.MustCompile(`(?m)^\S+ [wb] \S+ \S+ \d+ \d+;6\n(.*;[2-5]\n){4}.*;1$`).MatchString(one) {
		t.Errorf("by one worker\n%s\nby two\n%s", one, two)
	}
}

package tests

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/protocol"
)

// hostile are lines of a hostile user. Each search ends by itself or at the stop that
// comes last.
var hostile = []string{
	"uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "debug off", "d", "eval", "hash", "help",
	"position startpos", "position startpos moves e2e4 e7e5 g1f3", "position startpos moves e2e5",
	"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen garbage", "position",
	"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
	"position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 h3g2",
	"position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 99 80",
	"go depth 3", "go nodes 300", "go depth", "go movetime -1", "go movetime 1", "go infinite", "go ponder depth 2",
	"go ponder wtime 10 btime 10", "go wtime 5 btime 5", "go mate 1", "go", "go perft 2", "go searchmoves e2e4 a1a1 depth 2",
	"go wtime -5 btime 99999999999999999999 depth 1",
	"setoption name Hash value 1", "setoption name Hash value 3", "setoption name Hash value abc", "setoption name Hash value -5",
	"setoption name Hash value 33554432", "setoption name HashIndex value pow2", "setoption name HashIndex value auto",
	"setoption name Clear Hash", "setoption name Threads value 1", "setoption name Threads value 3", "setoption name Threads value 0",
	"setoption name MultiPV value 4", "setoption name MultiPV value 1", "setoption name UCI_ShowWDL value true",
	"setoption name UCI_Chess960 value true", "setoption name UCI_Chess960 value false", "setoption name Nothing value 1",
	"setoption name UCI_Variant value connect4", "setoption name UCI_Variant value chess", "setoption name UCI_Variant value shogi",
	"position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e", "position sfen 4k4/9/4P4/9/9/9/9/9/9 b 17pG2r2b3g4s4n4l 1", "go searchmoves B*5e 2g2f nodes 50",
	"setoption name Connect4 Book value nowhere", "setoption name EvalFile value nowhere/net", "setoption name EvalFile value none",
	"setoption name SyzygyPath value ../syzygy/testdata", "setoption name SyzygyPath value nowhere", "setoption name SyzygyPath value <empty>",
	"setoption name Hash File value nowhere/hash", "setoption name Save Hash", "setoption name Load Hash",
	"setoption name Hash Shared value monkey", "setoption name Hash Shared value <empty>", "setoption name Hash Shared value ../x",
	"setoption name NeverClearHash value true", "setoption name NeverClearHash value false",
	"position startpos moves 4 4 3", "position startpos moves 4444444", "position startpos moves 1122334", "position fen 4455",
	"setoption name UCI_Variant value ultimate", "position startpos moves ee ea ai if", "position startpos moves ee aa", "go searchmoves fa zz nodes 500",
	"position fen O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X", "position fen O;XXX......;XXX....../XXX....../XXX....../........./........./........./........./........./.........",
	"position startpos moves 4 1 5 1 6 0", "position startpos moves 1567737314134765344723735222644221", "go searchmoves 4 9 depth 2",
	"position fen 4k3/8/8/8/8/8/8/4K3", "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w moves", "position startpos moves e7e5 0000",
	"go ponder infinite", "go movestogo 0 wtime 50 btime 50", "go depth 0", "go nodes -1 depth 2", "go mate", "go searchmoves", "go wtime", "GO DEPTH 2",
	"xyzzy", "joho isready", "\x00\x00", "\xff\xfe", "", "perft 1", "perft", "bench 1", "bench x", "hash plan 7", "eval eval",
	"flip", "compiler", "genfens 1 seed 3 book None", "genfens x", "speedtest x", "bench 1 1 10 current nodes", "register later", "uci uci",
}

// tails are what the input ends with, in a search or out of one, and the number of answers to it.
var tails = []struct {
	text    string
	answers int
}{
	{"", 0}, {"quit", 0}, {"go infinite", 1}, {"go ponder\nquit\n", 1}, {"go infinite\nponderhit\nquit\nquit\n", 1}, {"go depth 2\ngo ponder", 2},
	{"go ponder infinite\nponderhit\nstop\nquit\ngo depth 1\n", 1}, {"perft 3\nquit\n", 0}, {"go infinite\nisready\ngo infinite\nquit", 2},
}

// TestMonkey sends random hostile lines to the whole engine, a quarter of them garbled.
func TestMonkey(t *testing.T) {
	n := 60
	if *long {
		n = 2000
	}
	monkeys(t, 1, n, "", func(r *rand.Rand) string {
		line := hostile[r.IntN(len(hostile))]
		if r.IntN(4) == 0 {
			line = garble(line, r)
		}
		return line
	}, func(line string) string { return answerToAny(line, uciVerbs) })
}

// monkeys runs n sessions of up to 40 random lines, which the engine reads at once or in
// pieces. Each line gets exactly the answer that begins with answerTo(line), "" for none;
// every isready is answered, also the last one, and one of the tails.
func monkeys(t *testing.T, stream uint64, n int, first string, line func(*rand.Rand) string,
	answerTo func(line string) string) {
	t.Helper()
	t.Chdir(t.TempDir()) // a garbled Hash File may be one that can be saved
	for seed := range n {
		r := rand.New(rand.NewPCG(stream, uint64(seed)))
		input := first
		expected := make(map[string]int)
		for range 1 + r.IntN(40) {
			text := line(r)
			expected[answerTo(text)]++
			input += text + []string{"\n", "\r\n", "\n\n", "\x00\r\r\n"}[r.IntN(4)]
		}
		tail := tails[r.IntN(len(tails))]
		input += "stop\nisready\n" + tail.text
		expected["bestmove"] += tail.answers
		expected["readyok"] += 1 + strings.Count(tail.text, "isready")
		out := serve(t, input, r)
		check := func(word string, got int) {
			t.Helper()
			if got != expected[word] {
				t.Fatalf("seed %d: %d %s, want %d\n%q\n%s", seed, got, word, expected[word], input, out)
			}
		}
		for _, word := range []string{"bestmove", "checkmate"} {
			check(word, strings.Count("\n"+out, "\n"+word+" "))
		}
		check("readyok", strings.Count("\n"+out, "\nreadyok"))
	}
}

// serve returns the output of an engine for an input, which it reads at once or, with
// probability 1/2, in pieces.
func serve(t *testing.T, input string, r *rand.Rand) string {
	t.Helper()
	var in io.Reader = strings.NewReader(input)
	if r.IntN(2) == 1 {
		in = pieces{in, r}
	}
	var out strings.Builder
	e := engine.New().On(small)
	protocol.Serve(in, &out, e)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	return out.String()
}

// pieces reads a few bytes at a time.
type pieces struct {
	r   io.Reader
	rnd *rand.Rand
}

func (p pieces) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.rnd.IntN(64))])
}

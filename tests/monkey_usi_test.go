package tests

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hostileUSI are lines of a hostile user of USI.
var hostileUSI = []string{
	"usi", "isready", "usinewgame", "stop", "ponderhit", "gameover win", "gameover", "d", "eval", "hash", "help",
	"ponderhit btime 10 wtime 10 byoyomi 1", "ponderhit btime -9999999999999999999999 wtime x byoyomi", "ponderhit ponderhit",
	"position startpos", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e", "position startpos moves 7g7f 7g7f", "position",
	"position sfen", "position sfen 9/9/9/9/9/9/9/9/9 b - 1", "position sfen 4k4/9/4P4/9/9/9/9/9/9 b 17pG2r2b3g4s4n4l 1",
	"position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB 99999999999999999999",
	"position sfen 4k4/9/9/9/9/9/9/9/4K4 b 999999999999P 1", "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 0P 1",
	"position sfen R8/2K1S1S1k/4B1B2/2S6/9/9/1R7/9/3L1L1L1 b RBGSNLP3g3n17p 1",
	"position sfen +P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 9P 1", "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2",
	"position sfen k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1", "position sfen k8/9/9/9/9/9/9/9/8K w - -1",
	"position startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a",
	"go depth 3", "go nodes 300", "go depth", "go movetime -1", "go movetime 1", "go infinite", "go ponder depth 2",
	"go ponder btime 10 wtime 10 byoyomi 5", "go ponder", "go btime 5 wtime 5", "go byoyomi 5", "go byoyomi -5", "go btime 0 wtime 0 byoyomi 0",
	"go btime 1 wtime 1 binc 99999999999999999999 winc 1 depth 2", "go binc 1 winc 1", "go", "go perft 2", "go searchmoves 7g7f 1a1a depth 2",
	"go btime -5 wtime 99999999999999999999 depth 1", "go nodes 1 nodes 2 nodes", "go infinite ponder depth 1 movetime 1", "go rtime 5 depth 1",
	"go mate 1", "go mate 0", "go mate -1", "go mate x", "go depth 2 mate", "go movestogo 0 depth 1",
	"setoption name USI_Hash value 1", "setoption name USI_Hash value 3", "setoption name USI_Hash value 0", "setoption name USI_Hash value -5",
	"setoption name USI_Hash value 33554432", "setoption name USI_Hash value 99999999999999999999", "setoption name USI_Hash", "setoption",
	"setoption name HashIndex value pow2", "setoption name HashIndex value mul64", "setoption name Clear_Hash", "setoption name Clear_Hash value x",
	"setoption name Threads value 2", "setoption name Threads value 1", "setoption name Threads value 0", "setoption name MultiPV value 256",
	"setoption name MultiPV value 1", "setoption name ResignValue value 1", "setoption name ResignValue value 99999", "setoption name MaxMovesToDraw value 3",
	"setoption name MaxMovesToDraw value 0", "setoption name EnteringKingRule value TryRule", "setoption name EnteringKingRule value CSARule27",
	"setoption name RoundUpToFullSecond value maybe", "setoption name NetworkDelay2 value 10000", "setoption name NetworkDelay value 1",
	"setoption name UCI_Variant value chess", "setoption name BookFile value", "setoption value name", "setoption name value value",
	"xyzzy", "joho isready", "\x00\x00", "\xff\xfe", "", "perft 1", "perft", "bench 1", "bench x", "hash plan 7", "go go go", "usi usi usi",
}

// garble damages a line at random.
func garble(line string, r *rand.Rand) string {
	b := []byte(line)
	at := r.IntN(len(b) + 1)
	switch r.IntN(6) {
	case 0:
		b = b[:at]
	case 1:
		b = slices.Insert(b, at, byte(r.IntN(256)))
	case 2:
		b = append(b, " "+line...)
	case 3:
		words := strings.Fields(line)
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		b = []byte(strings.Join(words, " "))
	case 4:
		b = append(b, strings.Repeat(" 7g7f", 1+r.IntN(3000))...)
	case 5:
		b = slices.Insert(b, at, []byte(strings.Repeat("9", 1+r.IntN(30)))...)
	}
	return strings.NewReplacer("\n", "", "\r", "", "quit", "quiet").Replace(string(b))
}

// uciVerbs and usiVerbs are the words that begin a command of the protocol.
var (
	uciVerbs = []string{"uci", "isready", "stop", "ponderhit", "quit", "debug", "ucinewgame",
		"setoption", "position", "go"}
	usiVerbs = []string{"usi", "isready", "stop", "ponderhit", "quit", "gameover", "usinewgame",
		"setoption", "position", "go"}
)

// ownCommands are the commands of the engine.
var ownCommands = []string{"d", "eval", "perft", "bench", "hash", "help", "flip", "compiler", "genfens", "speedtest"}

// answerToAny is answerTo for a line of any kind: its first word may be unknown.
func answerToAny(line string, verbs []string) string {
	words := strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r == 0x7f })
	if strings.HasPrefix(line, "position ") || len(words) > 0 && slices.Contains(ownCommands, words[0]) {
		return ""
	}
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(verbs, w) })
	switch {
	case i < 0:
		return ""
	case words[i] == "isready":
		return "readyok"
	case words[i] != "go":
		return ""
	}
	for _, w := range words[i+1:] {
		switch {
		case w == "perft":
			return ""
		case w == "mate" && slices.Contains(verbs, "usi"):
			return "checkmate"
		}
	}
	return "bestmove"
}

// TestMonkeyUSI sends random hostile lines of USI, a quarter of them garbled.
func TestMonkeyUSI(t *testing.T) {
	n := 60
	if *long {
		n = 4000
	}
	monkeys(t, 2, n, "usi\n", func(r *rand.Rand) string {
		line := hostileUSI[r.IntN(len(hostileUSI))]
		if r.IntN(4) == 0 {
			line = garble(line, r)
		}
		return line
	}, func(line string) string { return answerToAny(line, usiVerbs) })
}

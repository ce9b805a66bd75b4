package tests

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	chessnnue "trefoil/game/chess/nnue"
	"trefoil/game/shogi/halfkp/halfkptest"
	shoginnue "trefoil/game/shogi/nnue"
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/nnue"
	"trefoil/nnue/nnuetest"
	"trefoil/tools/mutants/mutant"
)

// TestTranscripts plays the golden dialogues of testdata/transcripts. Each file
// is a testscript with the command
//
//	talk FILE [ARG…]
//
// which runs the engine with the arguments and compares it with the dialogue in FILE:
//
//	> text            send a line
//	>> "quoted"       send what Go makes of the quotes, with no line end
//	>> N "quoted"     send it N times
//	close             the end of our output, the engine's input
//	< text            the next line is exactly this
//	~ regexp          the next line is this
//	... regexp        a later line is this, whatever comes before it
//	exit              the engine ends, with status 0, and prints nothing more
//
// Reports of a search, messages about the table, progress messages and the empty lines before a readyok of USI are
// skipped unless a step expects one: their number depends on the speed of the machine. A dialogue ends with an exit.
// In every dialogue a bestmove must follow a full report with a score. A dialogue in USI that searches sets USI_Hash,
// which by default depends on the machine.
func TestTranscripts(t *testing.T) {
	nets := writeNets(t)
	tables, err := filepath.Abs("../syzygy/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/transcripts",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"talk": talkCommand,
			// Evaluation files, up to 64 MB large, are made where they are needed.
			"nn.bin": func(ts *testscript.TestScript, neg bool, args []string) {
				kinds := map[string]halfkptest.Kind{"HalfKP": halfkptest.HalfKP, "K-P": halfkptest.KP,
					"SFNN": halfkptest.SFNN.Sized(64, 15, 32)}
				if neg || len(args) != 2 || kinds[args[0]].Inputs == 0 {
					ts.Fatalf("usage: nn.bin HalfKP|K-P|SFNN FOLDER")
				}
				path := ts.MkAbs(filepath.Join(args[1], "nn.bin"))
				ts.Check(os.WriteFile(path, kinds[args[0]].File(1, halfkptest.Usual), 0o666))
			},
			// A file of bytes from one with their hexadecimal digits.
			"unhex": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: unhex DIGITS FILE")
				}
				data, err := hex.DecodeString(strings.Join(strings.Fields(ts.ReadFile(args[0])), ""))
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o666))
			},
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("TREFOIL", trefoil)
			env.Setenv("NETS", nets)
			env.Setenv("SYZYGY", tables)
			for _, name := range []string{mutant.Active, mutant.Reached} {
				env.Setenv(name, os.Getenv(name))
			}
			return nil
		},
	})
}

// writeNets writes random nets, of each game that has them and of other features, and returns their folder.
func writeNets(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	other := chessnnue.Shape(32)
	other.Features = "other"
	for name, shape := range map[string]nnue.Shape{
		"chess.net": chessnnue.Shape(32), "shogi.net": shoginnue.Shape(32), "ultimate.net": ultimatennue.Shape(32), "other.net": other,
	} {
		var b bytes.Buffer
		err := nnuetest.Random(t, shape, 1).Write(&b)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// timeout is when an engine that does not answer counts as hung. No result depends on it.
const timeout = 2 * time.Minute

// dialogue is one run of the engine.
type dialogue struct {
	ts     *testscript.TestScript
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    chan string
	step   string   // the current one
	line   string   // the last one read
	passed []string // lines that the current step has read
	info   bool     // that one was a full report with a score
}

// talkCommand is the command talk.
func talkCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: talk FILE [ARG…]")
	}
	talk(ts, ts.ReadFile(args[0]), args[1:])
}

func talk(ts *testscript.TestScript, script string, args []string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &dialogue{ts: ts, cmd: exec.CommandContext(ctx, trefoil, args...), out: make(chan string, 100000)}
	d.cmd.Dir = ts.MkAbs(".")
	d.cmd.Env = append(os.Environ(), "GOMAXPROCS=2") // one thread by default in USI too
	var err error
	d.in, err = d.cmd.StdinPipe()
	ts.Check(err)
	out, err := d.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(d.cmd.Start())
	go func() {
		defer close(d.out)
		s := bufio.NewScanner(out)
		for s.Buffer(nil, 1<<26); s.Scan(); {
			d.out <- s.Text()
		}
	}()
	for line := range strings.Lines(script) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			d.step = line
			d.do(line)
		}
	}
	if d.cmd.ProcessState == nil {
		d.exit()
	}
}

// do does one step of a dialogue.
func (d *dialogue) do(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "#":
	case ">":
		d.send(rest + "\n")
	case ">>":
		n, quoted := 1, rest
		if count, text, ok := strings.Cut(rest, " "); ok && !strings.HasPrefix(rest, `"`) {
			var err error
			n, err = strconv.Atoi(count)
			d.ts.Check(err)
			quoted = text
		}
		text, err := strconv.Unquote(quoted)
		d.ts.Check(err)
		d.send(strings.Repeat(text, n))
	case "close":
		d.ts.Check(d.in.Close())
	case "<":
		d.expect(regexp.MustCompile("^"+regexp.QuoteMeta(rest)+"$"), false)
	case "~":
		d.expect(regexp.MustCompile("^(?:"+rest+")$"), false)
	case "...":
		d.expect(regexp.MustCompile("^(?:"+rest+")$"), true)
	case "exit":
		d.exit()
	default:
		d.ts.Fatalf("unknown step %q", line)
	}
}

func (d *dialogue) send(text string) {
	_, err := io.WriteString(d.in, text)
	d.ts.Check(err)
}

var (
	skipped = regexp.MustCompile(`^info (depth|string ((for mates(, beside the hash)?: )?hash \d+ MiB|mate: proof number|.* the hash: \d+ %$))`)
	report  = regexp.MustCompile(`^info depth \d+ .*multipv 1 score (cp|mate) -?\d+ .*nodes \d+ .*time \d+`)
)

// next reads a line; false at the end.
func (d *dialogue) next() bool {
	var more bool
	select {
	case d.line, more = <-d.out:
	case <-time.After(timeout):
		d.ts.Fatalf("at %q the engine printed nothing for %v; before that\n  %s", d.step, timeout,
			strings.Join(d.passed, "\n  "))
	}
	if strings.HasPrefix(d.line, "bestmove") && more && !d.info {
		d.ts.Fatalf("%q without a full report before it", d.line)
	}
	d.info = report.MatchString(d.line)
	return more
}

// expect reads up to the line that want matches; skip says that any lines may
// come before it.
func (d *dialogue) expect(want *regexp.Regexp, skip bool) {
	d.passed = d.passed[:0]
	for d.next() {
		if want.MatchString(d.line) {
			return
		}
		keepAlive := d.line == "" && d.step == "< readyok"
		if !skip && !keepAlive && !skipped.MatchString(d.line) {
			d.ts.Fatalf("at %q the engine printed\n  %s\nIf the change is meant, run make golden, or paste the line",
				d.step, d.line)
		}
		d.passed = append(d.passed, d.line)
	}
	d.ts.Fatalf("at %q the engine had ended", d.step)
}

// exit closes the engine's input and waits for its end.
func (d *dialogue) exit() {
	_ = d.in.Close() // it may be closed already
	for d.next() {
		if !skipped.MatchString(d.line) {
			d.ts.Fatalf("at the end the engine printed\n  %s", d.line)
		}
	}
	d.ts.Check(d.cmd.Wait())
}

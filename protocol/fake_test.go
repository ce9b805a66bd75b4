package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// fake is an engine that plays no game: it answers at once, or when its context
// ends if the search has no end of its own. A search for 77 nodes waits for gate, and so does perft.
type fake struct {
	opts    *options.Set
	text    *options.Text       // the option Log
	kind    *options.Combo[int] // the option Kind, which is the game
	mu      sync.Mutex
	notices []string
	gate    chan struct{} // closed to let the gated search end
	begun   chan struct{} // gets a value when an endless or gated search begins
	silent  bool          // report nothing
	last    search.Limits
	log     []string
	records []string // of Record, if recording
	record  bool
	busy    chan struct{} // closed when nothing runs in the background; nil: nothing does
	used    func() uint64 // bytes, of fakeRoom; nil: none
}

// fakeRoom is the memory that a fake has for a queue.
const fakeRoom = 2 << 30

func (f *fake) Room() uint64 {
	if f.used == nil {
		return fakeRoom
	}
	return fakeRoom - min(fakeRoom, f.used())
}

func newFake() *fake {
	f := &fake{gate: make(chan struct{}), begun: make(chan struct{}, 100)}
	f.opts = options.NewSet()
	hash := options.NewSpin(f.opts, options.Decl{UCI: "Hash", USI: "USI_Hash", Help: "MiB"}, 16, 1, 1024)
	hash.OnChange(func(mib int) error {
		f.note(fmt.Sprintf("table of %d", mib))
		if mib == 1000 {
			return errors.New("too large")
		}
		return nil
	})
	options.NewButton(f.opts, options.Decl{UCI: "Clear Hash", USI: "Clear_Hash", Help: "clears"})
	options.NewCheck(f.opts, options.Decl{UCI: "Ponder", USI: "USI_Ponder", Help: "ponders"}, false)
	f.text = options.NewText(f.opts, options.Decl{UCI: "Log", Help: "logs"})
	recorded := options.NewCheck(f.opts, options.Decl{UCI: "Record", Help: "records lines", AtOnce: true}, false)
	recorded.OnChange(func(on bool) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.record = on
		return nil
	})
	f.kind = options.NewCombo(f.opts, options.Decl{UCI: "Kind", Help: "kind"}, options.Choice[int]{Name: "a"},
		options.Choice[int]{Name: "b", Value: 1})
	options.NewSpin(f.opts,
		options.Decl{UCI: "Board", Help: "width", SetsPosition: true, Games: []string{"game 0"}}, 7, 4, 9)
	options.NewSpin(f.opts, options.Decl{USI: "NetworkDelay", Help: "ms"}, 10, 0, 100)
	return f
}

func (f *fake) note(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notices = append(f.notices, s)
}

func (f *fake) Name() string          { return "Fake 1" }
func (f *fake) Author() string        { return "its author" }
func (f *fake) Options() *options.Set { return f.opts }
func (f *fake) Game() string          { return fmt.Sprint("game ", f.kind.Value()) }

func (f *fake) Start(p options.Protocol) error {
	f.log = append(f.log, [...]string{"uci", "usi"}[p])
	return nil
}
func (f *fake) NewGame() { f.log = append(f.log, "newgame") }

func (f *fake) Settle(ctx context.Context) {
	if f.busy != nil {
		select {
		case <-f.busy:
		case <-ctx.Done():
		}
	}
}

func (f *fake) Record(input bool, lines ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.record {
		return nil
	}
	for _, line := range lines {
		f.records = append(f.records, map[bool]string{true: ">", false: "<"}[input]+line)
	}
	if slices.Contains(lines, "full disk") {
		return errors.New("the disk is full")
	}
	return nil
}

func (f *fake) Notices() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.notices
	f.notices = nil
	return n
}

func (f *fake) SetPosition(setup string, moves []string) error {
	for i, m := range moves {
		if m == "bad" {
			return fmt.Errorf("move %d %q is illegal", i+1, m)
		}
	}
	f.log = append(f.log, fmt.Sprintf("%s +%d", setup, len(moves)))
	return nil
}

func (f *fake) Search(ctx context.Context, l search.Limits, report func(search.Info)) search.Result {
	f.last = l
	if !f.silent {
		report(search.Info{Depth: 1, MultiPV: 1, Score: search.Score{Centipawns: 7}, Nodes: 20, HashFull: -1,
			PV: []string{"m1"}})
		report(search.Info{Depth: 1, CurrMove: "m2", CurrMoveNumber: 2})
	}
	if !(&job{command: command{verb: vGo, limits: l}}).bounded() {
		f.begun <- struct{}{}
		select {
		case <-ctx.Done():
		case <-l.PonderHit:
		}
	}
	if l.Nodes == 77 {
		f.begun <- struct{}{}
		<-f.gate
	}
	return search.Result{Best: "m1", Ponder: "m2", Nodes: 20}
}

func (f *fake) Commands() []options.Command {
	return []options.Command{
		{Name: "d", Help: "shows", Position: options.Always, Run: func(_ context.Context, args []string, print func(string)) error {
			print(fmt.Sprint("d ", args))
			return nil
		}},
		{Name: "perft", Args: "N", Help: "counts", Position: options.Always, Long: true, Run: func(ctx context.Context, args []string, print func(string)) error {
			f.begun <- struct{}{}
			select {
			case <-ctx.Done():
				return errors.New("perft was stopped")
			case <-f.gate:
				print("counted")
				return nil
			}
		}},
	}
}

// run feeds all of input at once and returns what came out.
func run(f *fake, input string) string {
	var out strings.Builder
	Serve(strings.NewReader(input), &out, f)
	return out.String()
}

// expect runs input and compares the whole output.
func expect(t *testing.T, input string, want ...string) *fake {
	t.Helper()
	f := newFake()
	got := strings.TrimSuffix(run(f, input), "\n")
	if w := strings.Join(want, "\n"); got != w {
		t.Errorf("%q\ngot:\n%s\nwant:\n%s", input, got, w)
	}
	return f
}

// dialogue is a session driven line by line.
type dialogue struct {
	t   *testing.T
	in  *io.PipeWriter
	out chan string
}

func talk(t *testing.T, f *fake) *dialogue {
	ir, iw := io.Pipe()
	or, ow := io.Pipe()
	d := &dialogue{t: t, in: iw, out: make(chan string, 1000)}
	go func() {
		Serve(ir, ow, f)
		ow.Close()
	}()
	go func() {
		defer close(d.out)
		for in := newLines(or); ; {
			line, err := in.next()
			if err != nil {
				return
			}
			d.out <- line
		}
	}()
	return d
}

func (d *dialogue) send(lines ...string) {
	d.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(d.in, l+"\n"); err != nil {
			d.t.Fatal(err)
		}
	}
}

// want reads lines and compares each.
func (d *dialogue) want(lines ...string) {
	d.t.Helper()
	for _, w := range lines {
		if got := <-d.out; got != w {
			d.t.Fatalf("got %q, want %q", got, w)
		}
	}
}

// end waits for the session to return, with no further output.
func (d *dialogue) end() {
	d.t.Helper()
	if got, more := <-d.out; more {
		d.t.Fatalf("more output: %q", got)
	}
}

const (
	info1  = "info depth 1 seldepth 1 multipv 1 score cp 7 nodes 20 nps 20000 time 0 pv m1"
	curr   = "info depth 1 currmove m2 currmovenumber 2"
	answer = "bestmove m1 ponder m2"
)

// checkSession feeds input and then isready; it fails unless every go that was
// accepted is answered once, and the isready too if nothing quit before it.
func checkSession(t *testing.T, input string) {
	t.Helper()
	f := newFake()
	close(f.gate)
	f.begun = make(chan struct{}, len(input)+1)
	gos, quit := 0, false
	own := func(name string) bool { return name == "d" || name == "perft" || name == "help" }
	in := newLines(strings.NewReader(input))
	for !quit {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		c := uci.parse(line, time.Time{}, own)
		quit = c.verb == vQuit
		if c.verb == vGo {
			gos++
		}
	}
	// Commands wait for a word; the end of the input does not end them.
	out := run(f, input+"\nstop\nisready\n")
	if n := strings.Count("\n"+out, "\nbestmove "); n != gos {
		t.Errorf("%d go, %d bestmove\n%s", gos, n, out)
	}
	if !quit && !strings.Contains(out, "readyok\n") {
		t.Errorf("no readyok:\n%s", out)
	}
}

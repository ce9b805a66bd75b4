package alphabetagame

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/mate"
)

// texts returns a report that collects the lines of text.
func texts(lines *[]string) func(search.Info) {
	return func(i search.Info) { *lines = append(*lines, i.Text) }
}

// TestLegalMoves: each legal move once, as the position writes it; the others are reported.
func TestLegalMoves(t *testing.T) {
	for _, c := range []struct {
		moves, legal string
		reports      int
	}{{"", "", 0}, {"e2e4 e2e4 a2a3", "e2e4 a2a3", 0}, {"e2e5 a2a3", "a2a3", 1}, {"e2e5", "", 2}} {
		var said []string
		legal := LegalMoves(gametest.Chess(t, chess.StartFEN), strings.Fields(c.moves), texts(&said))
		if strings.Join(legal, " ") != c.legal || len(said) != c.reports ||
			c.reports > 0 && !strings.HasPrefix(said[0], `searchmoves: move "e2e5"`) ||
			(c.reports == 2) != slices.Contains(said, registry.NoneLegal) {
			t.Errorf("%q: %q, %q", c.moves, legal, said)
		}
	}
}

// TestTexts: lines, scores and proofs in words.
func TestTexts(t *testing.T) {
	p := gametest.Chess(t, chess.StartFEN)
	line := gametest.Play(t, p, "e2e4 e7e5")
	if got := LineTexts(gametest.Chess(t, chess.StartFEN), line); !slices.Equal(got, []string{"e2e4", "e7e5"}) {
		t.Errorf("%q", got)
	}
	for want, s := range map[int]search.Score{-7: {Centipawns: -7}, 31997: {Mate: true, Plies: 3},
		-31996: {Mate: true, Plies: -4}, -32000: {Mate: true}} {
		if got := s.Value(); got != want {
			t.Errorf("%+v: %d, want %d", s, got, want)
		}
	}
	for want, p := range map[string]mate.Progress{
		"mate in 3: proof number 5, disproof number 6, nodes 3000, nps 1500, hashfull 8": {
			Moves: 3, Phi: 5, Delta: 6, Nodes: 3000, Time: 2 * time.Second, HashFull: 8},
		"mated: proof number 1, disproof number 2, nodes 4, nps 4000, hashfull 0": {
			Moves: mate.Endless, Opponent: true, Phi: 1, Delta: 2, Nodes: 4},
	} {
		if got := MateProgress(p).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, side := range map[string]int{"value +1.50 for White by the net in use (N)": 0,
		"value -1.50 for White by the net in use (N)": 1} {
		PrintValue("N", 150, side, "White", func(line string) {
			if line != want {
				t.Errorf("side %d: %q, want %q", side, line, want)
			}
		})
	}
}

// TestPerft: the sum is the same at whatever depth the fast count takes over.
func TestPerft(t *testing.T) {
	for atOnce := range 4 {
		p := gametest.Chess(t, chess.StartFEN)
		var count func(depth int) uint64
		count = func(depth int) (n uint64) {
			if depth > atOnce {
				t.Errorf("depth %d is counted at once, at most %d", depth, atOnce)
			}
			if depth == 0 {
				return 1
			}
			var l game.List
			p.Moves(game.All, &l)
			for _, m := range l.All() {
				p.Make(m)
				n += count(depth - 1)
				p.Undo()
			}
			return n
		}
		perft := Perft(p, 3, atOnce, count)
		if n, err := perft.Total(t.Context()); n != 8902 || err != nil || len(perft.Moves) != 20 ||
			p.FEN() != chess.StartFEN {
			t.Errorf("at once %d: %d leaves of %d moves, %v, %s", atOnce, n, len(perft.Moves), err, p.FEN())
		}
	}
}

// evaluator is the evaluator of a number.
type evaluator struct{ number int }

func (e *evaluator) Evaluate(int) int { return e.number }
func (e *evaluator) Bytes() uint64    { return 1000 }

// TestEvaluators: no two workers of a search share an evaluator, and the next search has the same ones.
func TestEvaluators(t *testing.T) {
	made := 0
	e := NewEvaluators(HandWritten(func() Evaluator[int] { made++; return &evaluator{made} }))
	if e.Bytes() != 1000 || made != 1 {
		t.Errorf("%d bytes, %d made", e.Bytes(), made)
	}
	for search := range 3 {
		e.Restart()
		for want := 1; want <= 3; want++ {
			if got := e.Next().Evaluate(0); got != want {
				t.Errorf("search %d: evaluator %d, want %d", search, got, want)
			}
		}
	}
	if e.release(); e.Next().Evaluate(0) != 4 {
		t.Error("an evaluator was kept")
	}
}

// TestSameEvaluation: a net that is read again takes the place of the first, so that no two of them are in memory.
func TestSameEvaluation(t *testing.T) {
	number := func(n int) Evaluation[int] {
		return Evaluation[int]{Name: "net", New: func() Evaluator[int] { return &evaluator{n} }}
	}
	e := NewEvaluators(number(1))
	first := e.Next().Evaluate(0)
	err := SetEvaluation(&Player{Notices: new(table.Notices)}, e, number(2))
	if second := e.Next().Evaluate(0); err != nil || first != 1 || second != 2 {
		t.Errorf("net %d, then %d, %v", first, second, err)
	}
}

// TestEvalFile: the values stand for the evaluation of the program, the hand-written one, and files up to a
// size.
func TestEvalFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net")
	f := &EvalFile[int]{Game: "chess", UCI: "EvalFile", Own: Evaluation[int]{Name: "own"}, MaxBytes: 4,
		HandWritten: Evaluation[int]{Name: HandWrittenName},
		Read: func(data []byte) (e Evaluation[int], err error) {
			if string(data) == "bad" {
				return e, fmt.Errorf("it is no net")
			}
			return Evaluation[int]{Name: string(data)}, nil
		}}
	for _, c := range []struct{ data, value, want string }{
		{"", "", "own"}, {"", "none", HandWrittenName}, {"good", path, "good"}, {"", path + "x", path + "x"},
		{"large", path, path + ": 5 bytes, more than any net of chess has"}, {"bad", path, path + ": it is no net"},
	} {
		filetest.Write(t, path, c.data)
		e, err := f.evaluation(t.Context(), c.value)
		if err == nil && e.Name != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %s, %v", c.value, e.Name, err)
		}
	}
}

// rooted is a chess position with a value that its key changes.
type rooted struct {
	*chess.Position
	t     *testing.T
	value int
}

func (r rooted) Eval() int {
	if r.InCheck() {
		r.t.Errorf("evaluated in check: %s", r.FEN())
	}
	return r.value + int(r.Key()>>32%64)
}

func (r rooted) Clone() alphabeta.Position { r.Position = r.Copy(); return r }

// roots returns roots with that value.
func roots(t *testing.T, value int, setups ...string) *registry.AlphaBeta {
	return &registry.AlphaBeta{Setups: setups, NewRoots: func() func(string) (alphabeta.Position, error) {
		return func(setup string) (alphabeta.Position, error) {
			p, err := chess.ParseFEN(setup)
			return rooted{p, t, value}, err
		}
	}}
}

// TestMatesByNodes: if nodes are the time, a search waits until the table for mates is cleared, whatever its
// clock says.
func TestMatesByNodes(t *testing.T) {
	o := config.New(config.Uses{})
	p := &Player{Options: o, env: registry.Env{Options: o, Memory: new(memory.Budget)},
		mates: table.NewWindowOwner(new(table.Notices))}
	prepare := func() {
		t.Helper()
		limits := &search.Limits{Clock: search.Clock{Given: true}}
		if _, err := p.PrepareMates(t.Context(), 1<<20, limits, 0, "", func(search.Info) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Set.Set(t.Context(), options.UCI, "nodestime", "600"); err != nil {
		t.Fatal(err)
	}
	prepare()
	cleared := false
	p.mates.ClearBy(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
			cleared = true
		}
		return ctx.Err()
	})
	if prepare(); !cleared {
		t.Error("not cleared to the end")
	}
	if err := p.closeMates(); err != nil {
		t.Error(err)
	}
}

// TestFingerprint: the checksum depends on the name of the evaluation and on the values. Positions in check
// have no value.
func TestFingerprint(t *testing.T) {
	const check = "4k3/8/8/8/8/8/8/4R1K1 b - - 0 1"
	seen := map[string]bool{}
	for value := range 2 {
		for _, name := range []string{"one", "two"} {
			sum, err := fingerprint(roots(t, value, chess.StartFEN, check), name)
			if seen[sum] || err != nil || len(sum) != 8 {
				t.Errorf("%s, %d: %q, %v", name, value, sum, err)
			}
			seen[sum] = true
		}
	}
	if sum, err := fingerprint(roots(t, 0, "8/8"), "one"); err == nil {
		t.Error(sum)
	}
}

// book has moves, in every position.
type book []BookMove

func (b book) Moves(*chess.Position) ([]BookMove, error) { return b, nil }
func (book) Close() error                                { return nil }

// TestOwnBook: the best move, the weights and what is reported of a move.
func TestOwnBook(t *testing.T) {
	p := gametest.Chess(t, chess.StartFEN)
	var moves book
	for i, text := range []string{"e2e4", "d2d4", "a2a3"} {
		m := gametest.Move(t, p, text)
		moves = append(moves, BookMove{Move: m, Weight: []uint64{1, 3, 0}[i], Value: 30 - i, Depth: 12})
	}
	o := &OwnBook[*chess.Position]{options: config.New(config.Uses{}), book: moves}
	set := func(name, value string) {
		t.Helper()
		if err := o.options.Set.Set(t.Context(), options.UCI, name, value); err != nil {
			t.Fatal(err)
		}
	}
	answer := func() (best string, infos []search.Info) {
		r, ok := o.Search(p, &search.Limits{Start: time.Now()}, func(i search.Info) { infos = append(infos, i) })
		if ok != (r.Best != "") {
			t.Errorf("%v, %+v", ok, r)
		}
		return r.Best, infos
	}
	if best, _ := answer(); best != "" {
		t.Errorf("%s, although OwnBook is off", best)
	}
	set("OwnBook", "true")
	set("Best Book Move", "true")
	best, infos := answer()
	if best != "e2e4" || len(infos) != 2 || infos[0].Text != "book move e2e4: the best of 2" {
		t.Fatalf("%s, %+v", best, infos)
	}
	if i := infos[1]; i.Depth != 12 || i.Score.Centipawns != 30 || i.HashFull != -1 ||
		!slices.Equal(i.PV, []string{"e2e4"}) {
		t.Errorf("%+v", i)
	}
	set("Best Book Move", "false")
	count := map[string]int{}
	for seed := 1; seed <= 200; seed++ {
		set("BookSeed", fmt.Sprint(seed))
		best, infos := answer()
		want := map[string]string{"e2e4": "25", "d2d4": "75"}[best]
		if infos[0].Text != "book move "+best+": one of 2, chosen with a probability of "+want+" %" {
			t.Fatalf("%s: %q", best, infos[0].Text)
		}
		count[best]++
	}
	if n := count["e2e4"]; n < 30 || n > 70 {
		t.Errorf("%v, want about 50 of 200", count)
	}
	moves[0].Weight = 0
	if best, infos := answer(); best != "d2d4" || infos[0].Text != "book move d2d4: the only one" {
		t.Errorf("%s, %+v", best, infos)
	}
	set("MultiPV", "2")
	if best, _ := answer(); best != "" {
		t.Errorf("%s, although MultiPV is 2", best)
	}
}

// indexed is a book with an index in memory.
type indexed struct{ book }

func (indexed) Bytes() uint64 { return 3 << 20 }

// TestBookFile: a book takes memory until another one, or none, takes its place. After an error it stays.
func TestBookFile(t *testing.T) {
	env := registry.Env{Options: config.New(config.Uses{}), Notices: new(table.Notices), Memory: &memory.Budget{
		Measure: func() mem.Room { return mem.Room{Free: 10 << 20, Map: mem.Unlimited} }}}
	o := BookFile(env, options.Decl{UCI: "Book", USI: "USI_Book", Help: "a book"},
		func(_ context.Context, path string) (b Book[*chess.Position], about string, err error) {
			switch path {
			case "small":
				return book{}, "no moves", nil
			case "large":
				return indexed{}, "an index", nil
			}
			return nil, "", fmt.Errorf("%s: it is no book", path)
		})
	for _, c := range []struct {
		path, notice string
		room         uint64
		kept         bool
	}{
		{"large", "book large: an index", 7, false}, {"bad", "", 7, true},
		{"small", "book small: no moves", 10, false},
		{"large", "book large: an index", 7, false}, {"", "", 10, false},
	} {
		before := o.book
		err := env.Options.Set.Set(t.Context(), options.UCI, "Book", c.path)
		if (err != nil) != c.kept || c.kept && o.book == nil || (c.path == "") != (o.book == nil) ||
			strings.Join(env.Notices.Take(), "\n") != c.notice || env.Memory.Room() != c.room<<20 {
			t.Errorf("%q: %v, from %v to %v, %d bytes are left", c.path, err, before, o.book, env.Memory.Room())
		}
	}
}

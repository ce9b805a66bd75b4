package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/options"
	"trefoil/search"
)

// started is an engine that is closed with the test.
func started(t *testing.T) *Engine {
	t.Helper()
	e := New()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func set(t *testing.T, e *Engine, name, value string) {
	t.Helper()
	if err := e.Options().Set(context.Background(), options.UCI, name, value); err != nil {
		t.Fatal(err)
	}
}

// setUp sets a position up and plays moves.
func setUp(t *testing.T, e *Engine, setup string, moves ...string) {
	t.Helper()
	if err := e.SetPosition(setup, moves); err != nil {
		t.Fatal(err)
	}
}

// nodes searches n nodes and returns the answer and the lines of text.
func nodes(e *Engine, n uint64, moves ...string) (search.Result, []string) {
	var texts []string
	r := e.Search(context.Background(), search.Limits{Nodes: n, SearchMoves: moves}, func(i search.Info) {
		if i.Text != "" {
			texts = append(texts, i.Text)
		}
	})
	return r, texts
}

// board is how the position is drawn.
func board(e *Engine) string {
	var b strings.Builder
	e.current.player.Draw(func(line string) { fmt.Fprintln(&b, line) })
	return b.String()
}

// hasTable reports whether the current player has a table.
func hasTable(e *Engine) bool { return e.tableLine() != table.ErrNone.Error() }

func TestTableIsLazy(t *testing.T) {
	e := started(t)
	set(t, e, "HashIndex", "pow2")
	set(t, e, "Clear Hash", "")
	e.NewGame()
	if hasTable(e) || len(e.Notices()) > 0 {
		t.Fatal("a table before the first search")
	}
	if r, texts := nodes(e, 500); r.Best == "" || len(texts) != 1 ||
		!strings.HasPrefix(texts[0], "hash 16 MiB: 524288 clusters, index pow2") {
		t.Errorf("%+v %q", r, texts)
	}
}

func TestResize(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "3")
	e.Notices()
	set(t, e, "hash", "3")
	if n := e.Notices(); len(n) > 0 && strings.Contains(n[0], "pending") {
		t.Errorf("the same size made another table: %q", n)
	}
	nodes(e, 2000)
	set(t, e, "HashIndex", "pow2")
	if line := e.tableLine(); !strings.HasPrefix(line, "hash 2 MiB of 3: 65536 clusters, index pow2") {
		t.Error(line)
	}
	set(t, e, "HashIndex", "auto")
	nodes(e, 500) // waits until the memory is touched
	before := e.tableLine()
	e.Notices()
	for _, bad := range []string{"abc", "0", "-5", "33554432", "33554433", "99999999999999999999", ""} {
		if err := e.Options().Set(context.Background(), options.UCI, "Hash", bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
		if line := e.tableLine(); line != before || e.options.Hash.Value() != 3 {
			t.Fatalf("after %q: Hash %v, %s", bad, e.options.Hash.Value(), line)
		}
	}
	// The warning of a size beyond the 32-bit index is reported although the size is refused.
	if n := e.Notices(); !slices.ContainsFunc(n,
		func(s string) bool { return strings.Contains(s, "33554432 MiB needs") }) {
		t.Errorf("%q", n)
	}
	if r, _ := nodes(e, 500); r.Best == "" {
		t.Error("no move after refusals")
	}
	// Any number of changes, each while the last one is still being touched and the notice about it is written in the
	// background. Run with -race.
	for i := range 40 {
		set(t, e, "Hash", []string{"64", "1", "33", "7"}[i%4])
	}
}

// TestNotices: the line about the table comes again, once, when its memory has been touched.
func TestNotices(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "8")
	_, texts := nodes(e, 500) // waits for that
	n := append(texts, e.Notices()...)
	if len(n) == 0 || len(n) > 2 || !strings.HasPrefix(n[0], "hash 8 MiB: 262144 clusters, index mul32, huge pages ") ||
		strings.Contains(n[len(n)-1], "pending") {
		t.Errorf("%q", n)
	}
	e.NewGame()
	if _, texts := nodes(e, 500); len(texts) > 0 {
		t.Errorf("again: %q", texts)
	}
}

// TestNewGameClears: after a new game the table has no entries.
func TestNewGameClears(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "1")
	set(t, e, "Threads", "2")
	nodes(e, 20000)
	if entries(t, e) == 0 {
		t.Fatal("no entries after a search")
	}
	e.NewGame()
	// The search waits for the table to be cleared. With one thread it ends after its first node.
	set(t, e, "Threads", "1")
	nodes(e, 1, "a2a3")
	if n := entries(t, e); n > 1 {
		t.Errorf("%d entries", n)
	}
}

// TestSettle: Settle waits until a table is made, moved, cleared and touched, for each game that has one,
// and ends with its context.
func TestSettle(t *testing.T) {
	for _, game := range []string{"chess", "shogi", "connect4", "ultimate"} {
		e := started(t)
		set(t, e, "UCI_Variant", game)
		e.Settle(t.Context())
		u := e.current.player.(registry.Hasher).Use()
		if u.Table == 0 || u.Workers != 1 && game != "connect4" { // whose workers take nothing
			t.Errorf("%s: before the first search a table of %d bytes, %d workers", game, u.Table, u.Workers)
		}
		for _, change := range []func(){
			func() { set(t, e, "Hash", "64") }, func() { nodes(e, 500) }, e.NewGame, func() { set(t, e, "Hash", "48") },
			func() { set(t, e, "Clear Hash", "") },
		} {
			change()
			e.Settle(t.Context())
			if line := e.current.player.(registry.Hasher).TableLine(); strings.Contains(line, "pending") {
				t.Errorf("%s: %s", game, line)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		set(t, e, "Hash", "512")
		e.Settle(ended)
	}
}

// TestResizeResumes: after a change of the size a search begins where the one before it ended.
func TestResizeResumes(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "4")
	depth := func() uint64 {
		return e.Search(context.Background(), search.Limits{Depth: 14}, func(search.Info) {}).Nodes
	}
	all := depth()
	for _, size := range []string{"6", "3", "64"} {
		set(t, e, "Hash", size)
		if n := depth(); n > all/10 {
			t.Errorf("Hash %s: %d nodes of %d", size, n, all)
		}
	}
	e.NewGame()
	if n := depth(); n < all/2 {
		t.Errorf("in a new game %d nodes of %d", n, all)
	}
}

// TestClearGivesWay: a search that has ended or has little time does not wait for
// the table; whichever way that goes, it answers.
func TestClearGivesWay(t *testing.T) {
	e := started(t)
	set(t, e, "Hash", "64")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	nowhere := func(search.Info) {}
	for range 20 {
		nodes(e, 500)
		e.NewGame()
		if r := e.Search(ended, search.Limits{Infinite: true}, nowhere); r.Best == "" {
			t.Fatal("no move")
		}
		nodes(e, 500)
		e.NewGame()
		if r := e.Search(context.Background(), search.Limits{MoveTime: time.Millisecond, Start: time.Now()},
			nowhere); r.Best == "" {
			t.Fatal("no move")
		}
		set(t, e, "Clear Hash", "")
		set(t, e, "Clear Hash", "")
	}
}

func TestSetPositionIsAllOrNothing(t *testing.T) {
	e := started(t)
	setUp(t, e, "startpos", "d2d4")
	before := board(e)
	for _, c := range []struct {
		setup string
		moves []string
		says  string
	}{
		{"startpos", []string{"e2e4", "e7e5", "e1e3"}, `ply 3 of 3: move "e1e3"`},
		{"8/8/8/8/8/8/8/8 w - - 0 1", nil, "placement"},
		{"garbage", []string{"e2e4"}, "FEN"},
		{"", nil, "FEN"},
	} {
		err := e.SetPosition(c.setup, c.moves)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q %q: %v", c.setup, c.moves, err)
		}
		if board(e) != before {
			t.Fatalf("%q was half applied", c.setup)
		}
	}
}

func TestSearchMoves(t *testing.T) {
	e := started(t)
	r, texts := nodes(e, 500, "h2h3", "e7e5", "h2h3")
	if r.Best != "h2h3" || !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, `"e7e5"`) }) {
		t.Errorf("%+v %q", r, texts)
	}
	// Castling as king takes rook is the same move in another notation.
	setUp(t, e, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	if r, _ := nodes(e, 500, "e1h1"); r.Best != "e1g1" {
		t.Errorf("%+v", r)
	}
}

// TestNoticesFromAnywhere: they may be asked for during a search.
func TestNoticesFromAnywhere(t *testing.T) {
	e := started(t)
	set(t, e, "Threads", "2")
	var asking sync.WaitGroup
	done := make(chan struct{})
	asking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				e.Notices()
			}
		}
	})
	for _, size := range []string{"2", "5", "1"} {
		set(t, e, "Hash", size)
		nodes(e, 2000)
		e.NewGame()
	}
	close(done)
	asking.Wait()
}

package engine

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/game/gametest"
	"trefoil/options"
	"trefoil/search"
)

// drawn is a game that fills the board.
const drawn = "143771121216314355223556673536644445226777"

// connectFour is an engine that plays Connect Four.
func connectFour(t *testing.T) *Engine {
	t.Helper()
	e := started(t)
	set(t, e, "UCI_Variant", "connect4")
	set(t, e, "Hash", "4")
	return e
}

// best searches and returns the answer and the last report of each line.
func best(t *testing.T, e *Engine, l search.Limits) (search.Result, map[int]search.Info) {
	t.Helper()
	last := map[int]search.Info{}
	r := e.Search(context.Background(), l, func(i search.Info) {
		if i.Text == "" {
			last[i.MultiPV] = i
		}
	})
	return r, last
}

// TestColumns: the score of a position is the score of its best column, and a line of play ends when its
// score says so.
func TestColumns(t *testing.T) {
	e := connectFour(t)
	for n := 24; n < len(drawn); n++ {
		setUp(t, e, "startpos", drawn[:n])
		set(t, e, "MultiPV", "1")
		one, single := best(t, e, search.Limits{})
		set(t, e, "MultiPV", "7")
		_, all := best(t, e, search.Limits{})
		if single[1].Score != all[1].Score || single[1].Bound != search.Exact {
			t.Errorf("ply %d: %+v, of all columns %+v", n, single[1], all[1])
		}
		p := gametest.ConnectFour(t, drawn[:n])
		moves := 0
		for col := range connect4.Standard.Width {
			if p.CanPlay(col) {
				moves++
			}
		}
		if len(all) != moves {
			t.Errorf("ply %d: %d lines of %d moves", n, len(all), moves)
		}
		for _, i := range all {
			if len(i.PV) != i.Depth {
				t.Errorf("ply %d: %d plies of play, depth %d: %+v", n, len(i.PV), i.Depth, i)
			}
			if _, err := connect4.Parse(drawn[:n] + strings.Join(i.PV, "")); err != nil {
				t.Errorf("ply %d: %v", n, err)
			}
		}
		if one.Best != single[1].PV[0] {
			t.Errorf("ply %d: plays %s, says %v", n, one.Best, single[1].PV)
		}
	}
}

// TestVariantsKeepTheirPosition: a game that is left has no table, and its position.
func TestVariantsKeepTheirPosition(t *testing.T) {
	e := started(t)
	setUp(t, e, "startpos", "e2e4")
	before := board(e)
	nodes(e, 500)
	set(t, e, "UCI_Variant", "connect4")
	if hasTable(e) {
		t.Error("a table before the first search")
	}
	setUp(t, e, "startpos", "4", "4")
	if err := e.SetPosition("startpos", []string{"4", "9"}); err == nil || !strings.Contains(board(e), "Moves: 44\n") {
		t.Errorf("half applied: %v %s", err, board(e))
	}
	set(t, e, "Threads", "2")
	if r, _ := nodes(e, 500); len(r.Best) != 1 {
		t.Errorf("%+v", r)
	}
	set(t, e, "UCI_Variant", "chess")
	if hasTable(e) || board(e) != before {
		t.Error("the table stays, or the position does not")
	}
	if r, _ := nodes(e, 500); len(r.Best) != 4 {
		t.Errorf("%+v", r)
	}
}

// TestStopsAtOnce: a search whose context has ended answers with a move.
func TestStopsAtOnce(t *testing.T) {
	e := connectFour(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, pv := range []string{"1", "7"} {
		set(t, e, "MultiPV", pv)
		reports := 0
		r := e.Search(ended, search.Limits{Infinite: true}, func(i search.Info) {
			if i.Text == "" {
				reports++
			}
		})
		if r.Best == "" || reports == 0 {
			t.Errorf("%+v after %d reports", r, reports)
		}
	}
}

// TestSolvesAgain: after a new game the same search takes the same nodes, and so it
// does beside a table that is still being touched.
func TestSolvesAgain(t *testing.T) {
	e := connectFour(t)
	setUp(t, e, "startpos", drawn[:20])
	first, _ := best(t, e, search.Limits{})
	for range 3 {
		e.NewGame()
		set(t, e, "Threads", "1")
		if again, _ := best(t, e, search.Limits{}); again.Nodes != first.Nodes || again.Best != first.Best ||
			first.Nodes == 0 {
			t.Errorf("%+v, then %+v", first, again)
		}
	}
}

// TestBookAnswers: positions of the book are answered from it, and those beyond not.
func TestBookAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book")
	err := book.Make(context.Background(), path, connect4.Standard, 2,
		book.Each(func(_ context.Context, p connect4.Position) (int, error) {
			return -p.Ply() + 3, nil // after one move: the first player loses
		}), nil)
	if err != nil {
		t.Fatal(err)
	}
	e := connectFour(t)
	set(t, e, "Connect4 Book", path)
	for _, pv := range []string{"1", "7"} {
		set(t, e, "MultiPV", pv)
		r, last := best(t, e, search.Limits{Infinite: true})
		if r.Nodes != 0 || r.Best != "4" || last[1].Score != (search.Score{Mate: true, Plies: 41}) ||
			strings.Join(last[1].PV, " ") != "4 4" {
			t.Errorf("%+v %+v", r, last[1])
		}
	}
	if err := e.Options().Set(context.Background(), options.UCI, "Connect4 Book", path+"x"); err == nil {
		t.Error("a book that does not exist is opened")
	}
	if r, _ := best(t, e, search.Limits{Depth: 1}); r.Nodes != 0 || r.Best != "4" {
		t.Errorf("the old book is gone: %+v", r)
	}
	set(t, e, "Connect4 Book", "")
	r, last := best(t, e, search.Limits{Nodes: 100})
	if strings.Join(last[1].PV, " ") != "4 4 4 4 4 4 3 2" || r.Nodes != 0 {
		t.Errorf("the book of the program has eight plies: %+v, %+v", r, last[1])
	}
	searched := func(moves string, l search.Limits) {
		setUp(t, e, "startpos", moves)
		for _, pv := range []string{"1", "7"} {
			set(t, e, "MultiPV", pv)
			if r, _ := best(t, e, l); r.Nodes == 0 {
				t.Errorf("%q with the limits %+v and MultiPV %s is answered by a book", moves, l, pv)
			}
		}
	}
	searched("444444322", search.Limits{Nodes: 100})
	searched("4", search.Limits{Nodes: 100, NoBook: true})
	set(t, e, "Connect4 Book", "none")
	searched("4", search.Limits{Nodes: 100})
}

// A table that is replaced while its memory is being touched is described by its new size. Run with
// -race.
func TestConnect4ResizedWhileTouched(t *testing.T) {
	e := started(t)
	set(t, e, "UCI_Variant", "connect4")
	for _, mib := range []string{"1", "2", "3", "4"} {
		set(t, e, "Hash", mib)
		time.Sleep(time.Millisecond) // it begins to be touched, or has been: both are right
	}
	if said := e.Notices(); len(said) == 0 || !strings.HasPrefix(said[len(said)-1], "hash 4 MiB") {
		t.Errorf("%q", said)
	}
}

// TestColumnsInTurn: when a search of all columns is stopped, each has been searched, with all nodes
// together, and the move is the first of the list.
func TestColumnsInTurn(t *testing.T) {
	e := connectFour(t)
	set(t, e, "MultiPV", "7")
	for _, limit := range []uint64{1000, 30_000, 300_000} {
		setUp(t, e, "startpos", "44")
		r, all := best(t, e, search.Limits{Nodes: limit, NoBook: true})
		if len(all) != 7 || r.Best != all[1].PV[0] || r.Nodes < limit || r.Nodes > limit+7*1024 {
			t.Errorf("%d nodes: plays %s, %+v", limit, r.Best, all)
		}
	}
}

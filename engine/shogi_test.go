package engine

import (
	"context"
	"strings"
	"testing"

	"trefoil/search"
)

// shogiEngine plays shogi on a small table.
func shogiEngine(t *testing.T) *Engine {
	t.Helper()
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Hash", "4")
	return e
}

// TestShogiRepeats: the same nodes give the same answer after a new game, also after
// another game was played on the table.
func TestShogiRepeats(t *testing.T) {
	e := shogiEngine(t)
	for _, moves := range [][]string{nil, {"7g7f", "3c3d", "8h2b+", "3a2b"}} {
		setUp(t, e, "startpos", moves...)
		e.NewGame()
		first, _ := nodes(e, 20000)
		set(t, e, "UCI_Variant", "chess")
		nodes(e, 5000)
		set(t, e, "UCI_Variant", "shogi")
		e.NewGame()
		second, _ := nodes(e, 20000)
		if first.Best == "" || first.Best != second.Best || first.Nodes != second.Nodes {
			t.Errorf("%v: %+v, then %+v", moves, first, second)
		}
	}
}

// TestShogiThreads: several workers play on copies of the position.
func TestShogiThreads(t *testing.T) {
	e := shogiEngine(t)
	set(t, e, "Threads", "3")
	before := board(e)
	if r, _ := nodes(e, 30000); r.Best == "" || board(e) != before {
		t.Errorf("%+v, %s", r, board(e))
	}
}

// TestShogiEnds: what a protocol with words for it should answer instead of a move.
func TestShogiEnds(t *testing.T) {
	e := shogiEngine(t)
	for _, c := range []struct {
		sfen, option, value string
		resigns             bool
	}{
		{"4k4/9/9/9/9/9/9/9/4K4 b 2rb 1", "ResignValue", "99999", false},
		{"4k4/9/9/9/9/9/9/9/4K4 b 2rb 1", "ResignValue", "500", true},
		{"4k4/9/9/9/9/9/9/9/4K4 b R 1", "ResignValue", "500", false},
		{mayDeclare, "ResignValue", "99999", false}, // but Limits.Declare is not set
	} {
		set(t, e, c.option, c.value)
		setUp(t, e, c.sfen)
		if r, _ := nodes(e, 1000); r.Best == "" || r.Resigns != c.resigns || r.Declares {
			t.Errorf("%s, %s %s: %+v", c.sfen, c.option, c.value, r)
		}
	}
}

// mayDeclare is a position in which Black may declare by 27 points and not by 24.
const mayDeclare = "+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 9P 1"

// TestDeclares: where that is legal it is the answer, without a search.
func TestDeclares(t *testing.T) {
	e := shogiEngine(t)
	for rule, want := range map[string]bool{"CSARule27": true, "CSARule24": false, "TryRule": false,
		"NoEnteringKing": false} {
		set(t, e, "EnteringKingRule", rule)
		setUp(t, e, mayDeclare)
		var last search.Info
		r := e.Search(context.Background(), search.Limits{Declare: true, Depth: 2}, func(i search.Info) { last = i })
		if r.Declares != want || (r.Best == "") != want || (r.Nodes == 0) != want || last.Score.Mate ||
			last.Score.Centipawns < 3000 {
			t.Errorf("%s: %+v, after %+v", rule, r, last)
		}
	}
}

// TestNoFalseMates: a game that is decided without a mate is not announced as one.
func TestNoFalseMates(t *testing.T) {
	e := shogiEngine(t)
	// Black can declare after any quiet move of White's.
	setUp(t, e, "+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/k8 w 9P 1")
	_, last := deep(e, 2)
	if last.Score.Mate || last.Score.Centipawns > -19900 {
		t.Errorf("score %+v", last.Score)
	}
}

// TestShogiMates: a mate that is announced is played out to its end by the line, whether the
// last move was given or found by the search.
func TestShogiMates(t *testing.T) {
	e := shogiEngine(t)
	for _, c := range []struct {
		sfen  string
		plies int
	}{
		{"3g3nl/l1s1kg1s1/p1npp2pp/9/5+R1P1/1PPP4P/P1L1PPP1g/1+b1SKs2r/L2G3+n1 w 4Pbn 76", 1},
		{"9/1+P2+N1+R2/1p1+R4G/4K2k1/5pp1g/7Sp/3P1PP1L/+p1p3S2/3G1G1N1 b 2B2S2N3L7Pp 175", 1},
		{"3g3nl/l1s1kg1s1/p1npp2pp/9/5+R1P1/1PPP4P/P1L1PPP1g/1+b1S4r/L2GK2+n1 w 4Pbsn 74", 3},
		{"s+Rg4n1/3bk3g/l1pp2+P2/pp2pp1pL/2PN1L3/P4R3/1P1PPPNP1/LS1GK1S2/1N3G2P b BS2p 101", 3},
		{"1r6n/l6+N1/ppsp1B2p/2p2+B2k/5p2g/2P3N2/PPNPPPp2/1S2K1S2/L2G1G2L b 3Prgsl2p 117", 5},
		{"1r6n/l6+N1/ppsp1B2p/2p2+B1gk/5p3/2P3N1P/PPNPPPp2/1S2K1S2/L2G1G2L b 3Prgslp 115", 7},
	} {
		setUp(t, e, c.sfen)
		e.NewGame()
		_, last := deep(e, 12)
		if !last.Score.Mate || last.Score.Plies != c.plies || len(last.PV) != c.plies {
			t.Errorf("%s: %+v, not a mate in %d: %v", c.sfen, last.Score, c.plies, last.PV)
			continue
		}
		setUp(t, e, c.sfen, last.PV...)
		if r, _ := nodes(e, 100); r.Best != "" {
			t.Errorf("%s: %v does not mate", c.sfen, last.PV)
		}
	}
}

// TestShogiWholeMate: the line of a mate has all its moves after a deeper search of the position, whose entries
// have bounds.
func TestShogiWholeMate(t *testing.T) {
	e := shogiEngine(t)
	set(t, e, "Shogi EvalFile", "none")
	setUp(t, e, "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
		strings.Fields("P*3h R*8d 3i1g G*2c 2b2c 2d2c P*4g 4c3d+ G*8a")...)
	for _, depth := range []int{128, 2} {
		if _, last := deep(e, depth); last.Score != (search.Score{Mate: true, Plies: 3}) || len(last.PV) != 3 {
			t.Errorf("depth %d: %+v", depth, last)
		}
	}
}

package alphabeta

import (
	"math"
	"strconv"
	"testing"

	"trefoil/game"
)

// zugzwang is a toy game in which every move costs the side that makes it, side 0 more than side 1: to
// pass would be better. It has no end.
type zugzwang struct {
	spent  [2]int // centipawns
	played []int  // costs
}

// costs of the moves of a side.
var costs = [2][3]int{{300, 400, 500}, {100, 400, 500}}

func (z *zugzwang) Key() uint64 {
	return uint64(z.spent[0]*100_003+z.spent[1]+1)*0x9E3779B97F4A7C15&^1 | uint64(z.Side())
}

func (z *zugzwang) Side() int                           { return len(z.played) & 1 }
func (z *zugzwang) Adjudicate(int) (game.Outcome, bool) { return game.Draw, false }
func (z *zugzwang) NoMoves() game.Outcome               { return game.Draw }

func (z *zugzwang) Moves(kind game.Kind, l *game.List) {
	if kind == game.All || kind == game.Quiet {
		for i := range costs[0] {
			m, _ := z.FromMove16(uint16(i + 1))
			l.Add(m)
		}
	}
}

func (z *zugzwang) FromMove16(m16 uint16) (game.Move, bool) {
	if m16 == 0 || int(m16) > len(costs[0]) {
		return game.None, false
	}
	return game.NewMove(m16, 1+z.Side(), 0, false), true
}

func (z *zugzwang) play(cost int) {
	z.spent[z.Side()] += cost
	z.played = append(z.played, cost)
}

func (z *zugzwang) Make(m game.Move) { z.play(costs[z.Side()][m.To()-1]) }
func (z *zugzwang) MakeNull()        { z.play(0) }
func (z *zugzwang) UndoNull()        { z.Undo() }

func (z *zugzwang) Undo() {
	last := len(z.played) - 1
	cost := z.played[last]
	z.played = z.played[:last]
	z.spent[z.Side()] -= cost
}

func (z *zugzwang) NullMoveSound() bool           { return true }
func (z *zugzwang) Eval() int                     { return z.spent[1-z.Side()] - z.spent[z.Side()] }
func (z *zugzwang) HistoryDimensions() (int, int) { return 3, len(costs[0]) + 1 }
func (z *zugzwang) Text(m game.Move) string       { return strconv.Itoa(m.To()) }
func (z *zugzwang) Clone() Position {
	return &zugzwang{spent: z.spent, played: append([]int(nil), z.played...)}
}

// TestNullMoveVerification: in zugzwang a null move proves nothing. At large depths a search without
// null moves finds that out; after it they are allowed again.
func TestNullMoveVerification(t *testing.T) {
	for _, c := range []struct {
		depth, nullFrom int
		want            bool // the node is cut off
	}{
		{Chess.nullVerify - 1, 0, true},
		{Chess.nullVerify, 0, false},
		{Chess.nullVerify + 4, 0, false},
		{Chess.nullVerify, 1, true},  // within a verification there is no other one
		{Chess.nullVerify, 3, false}, // nor a null move at all near its root
	} {
		s := newSearcher(t, 1)
		pos := new(zugzwang)
		s.MakeWorkers(pos.HistoryDimensions())
		w := s.workers[0]
		var stop control
		w.table, w.control, w.manager = s.table, &stop, nil
		w.prepare(pos, nil, 0)
		w.pollAt, w.rootDepth, w.nullFrom = math.MaxUint64, maxDepth, c.nullFrom
		const ply = 2
		n := node{f: w.frame(ply), ply: ply, depth: c.depth, alpha: -1, beta: 0, cut: true, table: game.None}
		w.frame(ply - 1).move, _ = pos.FromMove16(1)
		v, cut := w.nullMovePruning(&n)
		if cut != c.want || cut && v < n.beta || w.nullFrom != c.nullFrom || len(pos.played) > 0 {
			t.Errorf("depth %d, no null moves before ply %d: %v with value %d, then %d", c.depth,
				c.nullFrom, cut, v, w.nullFrom)
		}
	}
}

package alphabeta

import (
	"testing"

	"trefoil/search"
)

// TestLastLine: the last report before the answer has an exact value and a line that can be played, also where
// the search is stopped in an iteration that has only a bound, unless that iteration has found another best move.
func TestLastLine(t *testing.T) {
	bounds, searches := 0, 0
	for _, fen := range fens {
		for nodes := uint64(3000); nodes < 30_000; nodes += 2999 {
			s, pos := newSearcher(t, 1), parse(t, fen)
			res, infos := run(t, s, pos, search.Limits{Nodes: nodes}, Settings{})
			last, exact := infos[len(infos)-1], ""
			for _, i := range infos {
				if i.Bound == search.Exact {
					exact = i.PV[0]
				}
			}
			parse(t, fen, last.PV...)
			if last.PV[0] != res.Best || len(last.PV) > 1 && last.PV[1] != res.Ponder {
				t.Errorf("%s, %d nodes: %+v, last %+v", fen, nodes, res, last)
			}
			searches++
			if last.Bound == search.Exact {
				continue
			}
			if bounds++; exact == res.Best {
				t.Errorf("%s, %d nodes: last %+v", fen, nodes, last)
			}
		}
	}
	if bounds > searches/10 {
		t.Errorf("%d of %d searches end with a bound", bounds, searches)
	}
}

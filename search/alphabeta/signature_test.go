package alphabeta

import (
	"flag"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/internal/golden"
	"trefoil/search"
)

var update = flag.Bool("update", false, "rewrite testdata/signature.txt")

const signatureHead = `# What searches of TestSignature find, by the plain evaluation of board_test.go and cleared tables: kind of
# search and number of the position in fens, nodes, score in centipawns (or plies to a mate), the best line, a
# hash of all reports. For time management: nodes below the best move of nodes below all, and changes of the best
# move in the last iteration. Every search is made twice; nodes, score and line are those of the second one.
# go test ./search/alphabeta -run Signature -update writes this file.
`

// tabled is a board with tables of the positions of up to five pieces, in which two pawns' worth win.
type tabled struct{ board }

func (b tabled) Clone() Position     { return tabled{board{b.Copy()}} }
func (b tabled) HasTablebases() bool { return true }

func (b tabled) ProbeTablebase(depth int) (int, bool) {
	if b.Occupied().Count() > 5 || depth < 2 {
		return 0, false
	}
	switch v := b.Eval(); {
	case v >= 400:
		return 2, true
	case v >= 200:
		return 1, true
	case v <= -400:
		return -2, true
	case v <= -200:
		return -1, true
	}
	return 0, true
}

func (b tabled) RankRoot([]game.Move) ([]TablebaseRank, bool) { return nil, false }

// hasty is a game with the interfaces of every game, of checks and of static exchanges, and no others.
type hasty struct {
	Position
	Checker
	Exchanger
}

func (h hasty) Clone() Position {
	b := h.Position.Clone().(board)
	return hasty{b, b, b}
}

func chessBoard(b board) Position { return b }

// signatures are the searches of TestSignature.
var signatures = []struct {
	name      string
	game      func(board) Position
	limits    search.Limits
	set       Settings
	positions []int
}{
	{"chess", chessBoard, search.Limits{Depth: 10}, Settings{}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
	{"deep", chessBoard, search.Limits{Nodes: 50_000}, Settings{}, []int{2, 5, 7}},
	{"three lines", chessBoard, search.Limits{Depth: 7}, Settings{MultiPV: 3}, []int{0, 4, 6, 9}},
	{"resumed", chessBoard, search.Limits{Depth: 8}, Settings{Resume: true}, []int{4, 8, 12}},
	{"weak", chessBoard, search.Limits{Depth: 7, SoftNodes: 2000}, Settings{Skill: &Skill{Moves: 5, Noise: 80, Seed: 1}}, []int{4, 10}},
	{"mate in 3", chessBoard, search.Limits{Mate: 3, Depth: 6}, Settings{}, []int{5, 13}},
	{"quiet checks", func(b board) Position { return checking{b} }, search.Limits{Depth: 8}, Settings{}, []int{3, 6, 12}},
	{"mates in one", func(b board) Position { return mateFinder{b} }, search.Limits{Depth: 8}, Settings{}, []int{3, 10}},
	{"tablebases", func(b board) Position { return tabled{b} }, search.Limits{Depth: 8}, Settings{}, []int{2, 6, 7, 11, 12, 15, 16}},
	{"few interfaces", func(b board) Position { return hasty{b, b, b} }, search.Limits{Depth: 7}, Settings{}, []int{3, 6, 12}},
}

// signaturePositions are the positions of fens, and others near the end of fifty moves and of a repetition.
func signaturePositions(t *testing.T) (list []board) {
	for _, fen := range fens {
		list = append(list, parse(t, fen))
	}
	return append(list,
		parse(t, "8/5k2/3p4/3P1p2/2B2P2/4K3/8/4n3 w - - 88 140"),
		parse(t, "6k1/5ppp/1r6/8/8/2Q5/5PPP/6K1 w - - 0 1", "c3a5", "b6b8", "a5c3", "b8b6"),
		parse(t, "r2q1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9"),
		parse(t, "8/8/4k3/8/8/4K3/8/3Q4 w - - 0 1"),
		parse(t, "8/8/8/3k4/6pr/8/4K1P1/8 w - - 0 1"),
	)
}

// TestSignature: searches find exactly what they found when the file was written. A change of the search
// that is meant changes the file; one that is not is seen here, also where the benches do not go: several
// lines, weak play, resumed searches, tablebases, games that implement fewer or other interfaces.
func TestSignature(t *testing.T) {
	var lines []string
	for _, c := range signatures {
		for i, b := range signaturePositions(t) {
			if !slices.Contains(c.positions, i) {
				continue
			}
			s := newSearcher(t, 1)
			var res search.Result
			var infos []search.Info
			effort := ""
			c.set.NoBounds = true // these come only after some seconds
			for range 2 {         // the second search has the table and the histories of the first
				var more []search.Info
				res, more = run(t, s, c.game(b), c.limits, c.set)
				infos = append(infos, more...)
				w := s.workers[0]
				effort += fmt.Sprintf(", %d/%d %d", w.root[0].nodes, w.rootNodes(), w.bestMoveChanges)
			}
			lines = append(lines, fmt.Sprintf("%s %d: %s%s", c.name, i, signature(res, infos), effort))
		}
	}
	golden.Lines(t, *update, "testdata/signature.txt", signatureHead, lines)
}

// signature is what identifies a search: its answer, the last report of its best line, and a hash of all reports.
func signature(res search.Result, infos []search.Info) string {
	h := fnv.New32a()
	var best search.Info
	for _, i := range infos {
		fmt.Fprintln(h, i.Depth, i.SelDepth, i.MultiPV, i.Score, i.Bound, i.Nodes, i.TableHits, i.PV)
		if i.MultiPV == 1 {
			best = i
		}
	}
	score := fmt.Sprint(best.Score.Centipawns)
	if best.Score.Mate {
		score = fmt.Sprintf("mate %d", best.Score.Plies)
	}
	return fmt.Sprintf("%d nodes, %s, %s; %08x", res.Nodes, score,
		strings.Join(best.PV[:min(len(best.PV), 6)], " "), h.Sum32())
}

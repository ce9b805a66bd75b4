package tests

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/engine/registry"
	"trefoil/options"
	"trefoil/protocol"
	"trefoil/search"
)

// nim is a heap of stones. A move takes one to three of them; the player who takes the last
// one wins.
type nim struct{ stones int }

// nimGame is the game as the engine needs it.
func nimGame() *registry.Game {
	return &registry.Game{
		Name: "nim", Title: "Nim", Notation: "the number of stones", Protocols: []options.Protocol{options.UCI},
		New: func(registry.Env) registry.Player { return &nim{21} },
		Perft: func(setup string, depth int) (*registry.Perft, error) {
			n := new(nim)
			if err := n.SetPosition(setup, nil); err != nil {
				return nil, err
			}
			return n.Perft(depth), nil
		},
		Measured: registry.Measured{Benches: []registry.Bench{{Name: "nim", Setups: []string{"12", "13"},
			Open: func(uint64, int) (registry.BenchSearch, error) { return &nimBench{}, nil }}}},
	}
}

// SetPosition sets up a number of stones.
func (n *nim) SetPosition(setup string, moves []string) (err error) {
	next := nim{21}
	if setup != "startpos" {
		if next.stones, err = strconv.Atoi(setup); err != nil {
			return fmt.Errorf("%q is not a number of stones", setup)
		}
	}
	err = registry.PlayMoves(moves, func(move string) error {
		taken, err := strconv.Atoi(move)
		if err != nil || taken < 1 || taken > next.moves() {
			return fmt.Errorf("%q is not a legal move", move)
		}
		next.stones -= taken
		return nil
	})
	if err == nil {
		*n = next
	}
	return err
}

// moves is how many stones can be taken.
func (n *nim) moves() int { return min(3, n.stones) }

// Search leaves a multiple of four if it can.
func (n *nim) Search(_ context.Context, _ search.Limits, report func(search.Info)) search.Result {
	if n.stones == 0 {
		return search.Result{}
	}
	move := strconv.Itoa(max(n.stones%4, 1))
	report(search.Info{Depth: 1, HashFull: -1, Nodes: 1, PV: []string{move}})
	return search.Result{Best: move, Nodes: 1}
}

func (n *nim) Draw(print func(string)) { print(strings.Repeat("*", n.stones)) }

func (n *nim) Perft(depth int) *registry.Perft {
	p := new(registry.Perft)
	for taken := range n.moves() {
		p.Moves = append(p.Moves, strconv.Itoa(taken+1))
	}
	p.Count = func(_ context.Context, i int) (uint64, error) { return nim{n.stones - i - 1}.leaves(depth - 1), nil }
	return p
}

func (n nim) leaves(depth int) (leaves uint64) {
	if depth == 0 {
		return 1
	}
	for taken := range n.moves() {
		leaves += nim{n.stones - taken - 1}.leaves(depth - 1)
	}
	return leaves
}

// nimBench searches the positions of the bench.
type nimBench struct{ nim }

func (b *nimBench) Prepare(_ context.Context, setup string) error { return b.SetPosition(setup, nil) }

func (b *nimBench) Search(ctx context.Context, _ search.Limits) (result string, nodes uint64, err error) {
	r := b.nim.Search(ctx, search.Limits{}, func(search.Info) {})
	return r.Best, r.Nodes, ctx.Err()
}

func (b *nimBench) Close() error { return nil }

// TestToyGame plays Nim through the protocol, beside the other games.
func TestToyGame(t *testing.T) {
	e := engine.NewWith(registry.New(append(engine.Games().Games(), nimGame())...))
	defer e.Close()
	var out strings.Builder
	protocol.Serve(strings.NewReader(strings.Join([]string{
		"uci", "setoption name UCI_Variant value nim", "setoption name Hash value 2", "setoption name Threads value 2",
		"ucinewgame", "position startpos moves 2 3 2", "d", "go depth 12", "position startpos moves 2 4",
		"position startpos moves 2 3 2", "go perft 2", "eval", "hash plan 1", "bench",
		"setoption name Clear Hash", "setoption name Hash File value x", "setoption name Save Hash",
		"setoption name UCI_Variant value chess", "go nodes 100",
	}, "\n")), &out, e)
	for _, line := range []string{
		`option name UCI_Variant type combo default chess var chess .*var nim`,
		`\*{14}`,
		`hash: Nim uses no table`,
		`bestmove 2`,
		`info string position refused: ply 2 of 2: "4" is not a legal move`,
		`Nodes searched: 9`,
		`info string eval: Nim has no static evaluation`,
		`info string hash: Nim uses no table`,
		`2 nodes \d+ nps`,
		`info string option "Save Hash": the table of Nim cannot be saved; only those of chess and shogi.* can`,
		`bestmove [a-h]\d[a-h]\d.*`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out.String()) {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

package tests

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"trefoil/engine"
)

var nodesOf = regexp.MustCompile(`^info depth .* nodes (\d+)`)

// searchTo searches a position to a depth and returns the nodes and the time.
func (p *process) searchTo(position string, depth int) (nodes float64, took time.Duration) {
	p.t.Helper()
	begun := time.Now()
	p.send("position "+position, fmt.Sprint("go depth ", depth))
	for _, line := range p.until("bestmove") {
		if m := nodesOf.FindStringSubmatch(line); m != nil {
			nodes, _ = strconv.ParseFloat(m[1], 64)
		}
	}
	return nodes, time.Since(begun)
}

// A GUI that has an engine for each board, whose positions are one ply apart: the later boards need
// fewer nodes with one table for all than with a table each.
func TestBoardsGainBySharing(t *testing.T) {
	depth := 12
	if *long {
		depth = 16
	}
	var own, shared float64
	for _, game := range []string{
		"e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1g5 e7e6 f2f4 f8e7 d1f3 d8c7 e1c1 b8d7",
		"d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8 f1d3 d7d5 g1f3 c7c5 e1g1 b8c6 a2a3 b4c3 b2c3 d5c4",
		"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c8b7",
	} {
		name, _ := sharedName(t)
		moves := strings.Fields(game)
		var boards []*process // their engines stay until the end of the game
		for ply := len(moves) - 3; ply <= len(moves); ply++ {
			position := "startpos moves " + strings.Join(moves[:ply], " ")
			alone, board := start(t), start(t)
			board.says([]string{"shared as"}, "setoption name Hash Shared value "+name)
			a, _ := alone.searchTo(position, depth)
			b, _ := board.searchTo(position, depth)
			own, shared = own+a, shared+b
			alone.quit()
			boards = append(boards, board)
		}
		for _, board := range boards {
			board.quit()
		}
	}
	t.Logf("depth %d: %.0f nodes with a table each, %.0f with one for all boards of a game: %.3f", depth,
		own, shared, shared/own)
	if shared >= own {
		t.Error("no gain")
	}
}

// TestPairsGainBySharing measures what two processes gain that analyse one position at the same time.
// The figures depend on the machine, so it only prints them.
func TestPairsGainBySharing(t *testing.T) {
	if !*long {
		t.Skip("a measurement: -long")
	}
	const depth, positions = 16, 20
	games := engine.Games()
	chess, _ := games.Lookup("chess")
	var nodes, times float64
	for _, fen := range chess.AlphaBeta.Setups[1 : 1+positions] {
		name, _ := sharedName(t)
		alone := start(t)
		alone.says(nil, "setoption name Hash value 64")
		time.Sleep(100 * time.Millisecond) // the memory is touched; a search need not wait for that
		one, oneTook := alone.searchTo("fen "+fen, depth)
		alone.quit()
		var pair [2]*process
		var n [2]float64
		var took [2]time.Duration
		var group sync.WaitGroup
		for i := range pair {
			pair[i] = start(t)
			pair[i].says([]string{"shared as"}, "setoption name Hash value 64",
				"setoption name Hash Shared value "+name)
		}
		time.Sleep(100 * time.Millisecond)
		for i, p := range pair {
			group.Go(func() { n[i], took[i] = p.searchTo("fen "+fen, depth) })
		}
		group.Wait()
		pair[0].quit()
		pair[1].quit()
		each, first := (n[0]+n[1])/2, min(took[0], took[1])
		nodes += math.Log(each/one) / positions
		times += math.Log(first.Seconds()/oneTook.Seconds()) / positions
		t.Logf("%-72s %9.0f nodes %6v; two processes %9.0f each, %6v", fen, one,
			oneTook.Round(time.Millisecond), each, first.Round(time.Millisecond))
	}
	t.Logf("depth %d, geometric means: two processes search %.3f of the nodes each, in %.3f of the time", depth,
		math.Exp(nodes), math.Exp(times))
}

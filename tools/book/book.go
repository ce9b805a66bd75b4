package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/tools/internal/selfplay"
)

// tries is the limit on rejected openings for each requested one.
const tries = 50

// fill writes the openings of a plan to w, no position twice.
func fill(ctx context.Context, p plan, workers int, w io.Writer) error {
	seen := map[uint64]bool{}
	work := func(ctx context.Context, player *selfplay.Player, i int) (*chess.Position, error) {
		return opening(ctx, player, p, i)
	}
	return selfplay.InOrder(ctx, 0, workers, 4, work, func(i int, pos *chess.Position) (bool, error) {
		if i >= tries*p.n {
			return false, fmt.Errorf("only %d of %d openings after %d tries: take more plies, a wider window or margin",
				len(seen), p.n, i)
		}
		if pos == nil || seen[pos.Key()] {
			return true, nil
		}
		seen[pos.Key()] = true
		_, err := fmt.Fprintln(w, epd(pos))
		return len(seen) < p.n, err
	})
}

// epd is the record of a position: the first four fields of its FEN.
func epd(pos *chess.Position) string {
	return strings.Join(strings.Fields(pos.FEN())[:4], " ")
}

// opening returns the last position of opening i, nil if it is rejected.
func opening(ctx context.Context, player *selfplay.Player, p plan, i int) (*chess.Position, error) {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)))
	pos, err := selfplay.Start(rng, p.frc)
	if err != nil {
		return nil, err
	}
	board := selfplay.Chess(pos)
	for range p.plies {
		lines, err := player.Search(ctx, board, selfplay.Hard(p.nodes), p.lines)
		if err != nil || len(lines) == 0 {
			return nil, err
		}
		pos.Make(choose(rng, lines, p.margin))
	}
	lines, err := player.Search(ctx, board, selfplay.Hard(10*p.nodes), 1)
	if err != nil || len(lines) == 0 || pos.InCheck() {
		return nil, err
	}
	if v := lines[0].Value; max(v, -v) < p.least || max(v, -v) > p.window {
		return nil, nil
	}
	return pos, nil
}

// choose takes a random line among the lines within margin of the best; all are equally likely.
func choose(rng *rand.Rand, lines []selfplay.Line, margin int) game.Move {
	n := 1
	for n < len(lines) && lines[n].Value >= lines[0].Value-margin {
		n++
	}
	return lines[rng.IntN(n)].Move
}

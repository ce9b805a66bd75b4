// Package analysis searches all positions of a game and says which moves lost how much. It also reads lists of
// positions whose right or wrong moves are known.
//
//	Format ── Open ──▶ Record ── Game ──▶ Analyse ──▶ Report ── Annotate ──▶ Record ── WriteTo
//	List ── Problem ──▶ Problem ── Setup ──▶ Search ──▶ Position ── Judge
//
// The positions are searched from the last to the first, with one table. It has deep entries of what was
// played when the position before it is searched, which saves nodes; docs/analyse.md has the figures.
package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"trefoil/search"
)

// Engine is what searches the positions.
type Engine interface {
	NewGame()
	SetPosition(setup string, moves []string) error
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
}

// Game is what is analysed.
type Game struct {
	Setup string // the first position, in the notation of the game
	First int    // the side to move in it: 0 or 1
	Moves []string
	Drawn bool // the rules end the game with the last move, as a draw
}

// Position is the result of one search.
type Position struct {
	Best  string       // the move that the search chose, "" if there is none
	Score search.Score // for the side to move
	Line  []string     // the best line, nil if the game is over
	Depth int
	Nodes uint64
}

// Search searches the position that e has within the limits, and calls report with every report of the search.
// It fails when ctx ends.
func Search(ctx context.Context, e Engine, limits search.Limits, report func(search.Info)) (p Position, err error) {
	limits.Start = time.Now()
	r := e.Search(ctx, limits, func(info search.Info) {
		report(info)
		p.Take(&info)
	})
	p.Best, p.Nodes = r.Best, r.Nodes
	return p, ctx.Err()
}

// Take takes a report of the search. The result of a search is its last exact score.
func (p *Position) Take(info *search.Info) {
	if info.Text == "" && info.CurrMove == "" && info.MultiPV <= 1 && info.Bound == search.Exact {
		p.Score, p.Line, p.Depth = info.Score, slices.Clone(info.PV), info.Depth
	}
}

// Report is the result of an analysis.
type Report struct {
	Game      Game
	Scale     Scale
	Positions []Position // the first one and those after each move
	Nodes     uint64
	Time      time.Duration
}

// Analyse searches all positions of g within the limits, each, and calls progress with the number of
// positions done. It fails at an illegal move, and when ctx ends.
func Analyse(ctx context.Context, e Engine, g Game, scale Scale, limits search.Limits,
	progress func(done int)) (*Report, error) {
	start := time.Now()
	r := &Report{Game: g, Scale: scale, Positions: make([]Position, len(g.Moves)+1)}
	e.NewGame()
	for i := len(g.Moves); i >= 0; i-- {
		if err := e.SetPosition(g.Setup, g.Moves[:i]); err != nil {
			return nil, err
		}
		done := len(g.Moves) - i
		p, err := Search(ctx, e, limits, func(search.Info) { progress(done) })
		if err != nil {
			return nil, err
		}
		r.Positions[i] = p
		r.Nodes += p.Nodes
		progress(done + 1)
	}
	if g.Drawn {
		r.Positions[len(g.Moves)] = Position{}
	}
	r.Time = time.Since(start)
	return r, nil
}

// Mark is how bad a move is.
type Mark int

// The marks.
const (
	None Mark = iota
	Inaccuracy
	Mistake
	Blunder
)

// Scale turns scores into expected results, and losses of these into marks.
type Scale struct {
	Spread     float64    // centipawns: the expected result is 1 / (1 + exp(-score / Spread))
	Thresholds [3]float64 // losses of an inaccuracy, a mistake, a blunder
}

// Expected returns the expected result of the side to move, from 0 to 1.
func (s *Scale) Expected(score search.Score) float64 {
	switch {
	case score.Mate && score.Plies > 0:
		return 1
	case score.Mate:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(score.Centipawns)/s.Spread))
}

// maxCentipawns bounds the scores that are averaged as losses. A mate counts as the bound.
const maxCentipawns = 1000

// bounded returns a score in centipawns within the bounds.
func bounded(score search.Score) int {
	switch {
	case score.Mate && score.Plies > 0:
		return maxCentipawns
	case score.Mate:
		return -maxCentipawns
	}
	return max(-maxCentipawns, min(score.Centipawns, maxCentipawns))
}

// Loss is what a move lost.
type Loss struct {
	Expected   float64 // of the expected result, 0 to 1
	Centipawns int
	Mark       Mark
}

// Loss returns what move i lost against the best one. It is nothing for the best move itself.
func (r *Report) Loss(i int) (l Loss) {
	before, after := &r.Positions[i], &r.Positions[i+1]
	if len(before.Line) == 0 || before.Line[0] == r.Game.Moves[i] {
		return l
	}
	l.Expected = max(0, r.Scale.Expected(before.Score)-(1-r.Scale.Expected(after.Score)))
	l.Centipawns = max(0, bounded(before.Score)+bounded(after.Score))
	for _, least := range r.Scale.Thresholds {
		if l.Expected >= least {
			l.Mark++
		}
	}
	return l
}

// Side returns the side that makes move i, 0 or 1.
func (r *Report) Side(i int) int { return (r.Game.First + i) % 2 }

// Summary is about the moves of one side.
type Summary struct {
	Moves      int
	Marks      [Blunder + 1]int // how many moves have a mark
	Centipawns float64          // average loss
	Accuracy   float64          // percent, average of the moves
}

// Summary returns the summary of a side.
func (r *Report) Summary(side int) (s Summary) {
	for i := range r.Game.Moves {
		if r.Side(i) != side {
			continue
		}
		l := r.Loss(i)
		s.Moves++
		s.Marks[l.Mark]++
		s.Centipawns += float64(l.Centipawns)
		s.Accuracy += accuracy(l.Expected)
	}
	s.Centipawns /= float64(max(1, s.Moves))
	s.Accuracy /= float64(max(1, s.Moves))
	return s
}

// SideTexts are the summaries of the sides that have moved, with their names.
func (r *Report) SideTexts(names [2]string) (texts []string) {
	for side, name := range names {
		s := r.Summary(side)
		if s.Moves == 0 {
			continue
		}
		var marks []string
		for i, noun := range [...][2]string{
			{"inaccuracy", "inaccuracies"}, {"mistake", "mistakes"}, {"blunder", "blunders"},
		} {
			n := s.Marks[Inaccuracy+Mark(i)]
			word := noun[1]
			if n == 1 {
				word = noun[0]
			}
			marks = append(marks, fmt.Sprintf("%d %s", n, word))
		}
		texts = append(texts, fmt.Sprintf("%s: %s; average centipawn loss %.0f, accuracy %.1f %%", name,
			strings.Join(marks, ", "), s.Centipawns, s.Accuracy))
	}
	return texts
}

// accuracy is the accuracy of a move in percent by the loss of its expected result, as lichess
// defines it (https://lichess.org/page/accuracy).
func accuracy(loss float64) float64 {
	return max(0, min(100, 103.1668*math.Exp(-0.04354*100*loss)-3.1669))
}

// Worst returns up to n marked moves, the greatest loss first.
func (r *Report) Worst(n int) (moves []int) {
	for i := range r.Game.Moves {
		if r.Loss(i).Mark > None {
			moves = append(moves, i)
		}
	}
	slices.SortStableFunc(moves, func(a, b int) int {
		return cmp.Compare(r.Loss(b).Expected, r.Loss(a).Expected)
	})
	return moves[:min(n, len(moves))]
}

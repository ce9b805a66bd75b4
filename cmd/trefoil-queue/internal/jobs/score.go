package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"trefoil/cmd/trefoil-queue/internal/queue"
	"trefoil/game/connect4"
	"trefoil/search/exact"
)

// Score is the job to find the exact scores of some positions of Connect Four.
type Score struct {
	Size    string   `json:"size"` // of the board, such as 7x6
	Connect int      `json:"connect"`
	Columns []string `json:"columns"` // of each position: played from the empty board
}

// Scored is the result of a Score.
type Scored struct {
	Columns []string `json:"columns"` // of the job
	Scores  []int    `json:"scores"`  // in the same order
	Nodes   uint64   `json:"nodes"`
	Seconds float64  `json:"seconds"`
}

// scoreMeaning is the number of what Score and Scored mean. It is raised when they mean something else, and
// when results of earlier builds are no longer to be trusted.
const scoreMeaning = 1

// ScoreVersion is the version of these jobs, which follows from their meaning and from the rules of the
// game.
var ScoreVersion = sync.OnceValue(func() string {
	h := fnv.New64a()
	for _, size := range connect4.Sizes() {
		board, err := connect4.NewBoard(size[0], size[1], connect4.Standard.Connect)
		if err != nil {
			panic(err)
		}
		if board.MaxHigh > 0 { // which no book has
			continue
		}
		p := board.Start()
		for _, over := p.Over(); !over; _, over = p.Over() {
			col := int(h.Sum64() % uint64(board.Width))
			for !p.CanPlay(col) {
				col = (col + 1) % board.Width
			}
			p = p.Play(col)
			fmt.Fprintln(h, p.Key(), col)
		}
		fmt.Fprintln(h, p.FinalScore())
	}
	return fmt.Sprintf("scores %d; rules %016x", scoreMeaning, h.Sum64())
})

// Read reads the result of a job on a board and returns its positions.
func (s *Scored) Read(board *connect4.Board, body json.RawMessage) (positions []connect4.Position, err error) {
	if err := json.Unmarshal(body, s); err != nil {
		return nil, err
	}
	if len(s.Columns) != len(s.Scores) {
		return nil, fmt.Errorf("%d scores for %d positions", len(s.Scores), len(s.Columns))
	}
	for i, columns := range s.Columns {
		p, err := board.Parse(columns)
		if err != nil {
			return nil, err
		}
		if score := s.Scores[i]; score < -board.Cells || score > board.Cells {
			return nil, fmt.Errorf("position %q: score %d", columns, score)
		}
		positions = append(positions, p)
	}
	return positions, nil
}

// scorer is a solver for positions of one board. Its table is kept from job to job, because a score does
// not depend on it.
type scorer struct {
	*exact.Solver
	board *connect4.Board
}

// score does a job.
func (w *Worker) score(ctx context.Context, job Score) (Scored, error) {
	began := time.Now()
	board, err := connect4.ParseBoard(job.Size, job.Connect)
	if err != nil {
		return Scored{}, err
	}
	if w.scores == nil || w.scores.board != board {
		if err := w.Close(); err != nil {
			return Scored{}, err
		}
		s, err := exact.New(exact.Options{Board: board, Threads: w.threads, Hash: int(w.hash)})
		if err != nil {
			return Scored{}, &queue.Unable{Err: err}
		}
		w.scores = &scorer{s, board}
	}
	result := Scored{Columns: job.Columns}
	for _, columns := range job.Columns {
		p, err := board.Parse(columns)
		if err != nil {
			return Scored{}, err
		}
		r := w.scores.Solve(ctx, p, exact.Limits{}, nil)
		if !r.Exact {
			return Scored{}, context.Cause(ctx)
		}
		result.Scores = append(result.Scores, r.Score)
		result.Nodes += r.Nodes
	}
	result.Seconds = time.Since(began).Seconds()
	return result, nil
}

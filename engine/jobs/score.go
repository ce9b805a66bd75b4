package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"trefoil/game/connect4"
	"trefoil/search/exact"
)

// Score is the job to find the exact score of a position of Connect Four.
type Score struct {
	Size    string `json:"size"` // of the board, such as 7x6
	Connect int    `json:"connect"`
	Columns string `json:"columns"` // played from the empty board
}

// Scored is the result of a Score.
type Scored struct {
	Score int    `json:"score"`
	Nodes uint64 `json:"nodes"`
}

// scoreConvention is changed when Score or Scored means something else.
const scoreConvention = "connect4 scores 1"

// ReadScore reads the score in the result of a job on a board.
func ReadScore(board *connect4.Board, body json.RawMessage) (int, error) {
	var s struct{ Score *int }
	switch err := json.Unmarshal(body, &s); {
	case err != nil:
		return 0, err
	case s.Score == nil:
		return 0, errors.New("it holds no score")
	case *s.Score < -board.Cells || *s.Score > board.Cells:
		return 0, fmt.Errorf("score %d", *s.Score)
	}
	return *s.Score, nil
}

// scorer is a solver for positions of one board. Its table is kept from job to job, because a score does not depend on it.
type scorer struct {
	*exact.Solver
	board *connect4.Board
}

// score does a job.
func (w *Worker) score(ctx context.Context, job Score) (Scored, error) {
	board, err := connect4.ParseBoard(job.Size, job.Connect)
	if err != nil {
		return Scored{}, err
	}
	p, err := board.Parse(job.Columns)
	if err != nil {
		return Scored{}, err
	}
	if w.scores == nil || w.scores.board != board {
		if err := w.Close(); err != nil {
			return Scored{}, err
		}
		s, err := exact.New(exact.Options{Board: board, Threads: w.threads, Hash: int(w.hash)})
		if err != nil {
			return Scored{}, err
		}
		w.scores = &scorer{s, board}
	}
	r := w.scores.Solve(ctx, p, exact.Limits{}, nil)
	if !r.Exact {
		return Scored{}, context.Cause(ctx)
	}
	return Scored{r.Score, r.Nodes}, nil
}

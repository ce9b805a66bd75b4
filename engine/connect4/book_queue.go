package connect4

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"trefoil/engine/jobs"
	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
	"trefoil/queue"
)

// byQueue returns a solver whose positions are jobs for the workers of a queue. The caller closes it.
func (c *bookCommand) byQueue(ctx context.Context, std *cli.Console, board *rules.Board, progress *bookProgress) (solver book.Solver, closer func() error, err error) {
	q, err := c.Access.Open(ctx, std, c.Queue, c.AckWait)
	if err != nil {
		return nil, nil, err
	}
	warn := func(format string, args ...any) { progress.warn(std, format, args...) }
	own := jobs.NewWorker(jobs.ProcessName(), std.Version, int(c.Threads), uint64(c.Hash))
	solver = func(ctx context.Context, positions []rules.Position, found func(rules.Position, int) error) error {
		task := jobs.Task(std.Version, fmt.Sprintf("book connect4 %v ply %d", board, c.Ply))
		task.Ahead, task.Report = 3, jobs.EachMinute(warn) // some of those that wait are not for each worker
		s := newScoring(positions, found)
		s.job = jobs.Score{Size: string(c.Size), Connect: int(c.boardFlags.Connect)}
		s.unconfirmed, s.own, s.warn, s.progress = c.Unconfirmed, own, warn, progress
		return errors.Join(q.Coordinate(ctx, task, s), s.err)
	}
	return solver, func() error { q.Close(); return own.Close() }, nil
}

// scoring finds the scores of positions as a task of a queue: each position is a job. Unless unconfirmed, two workers have to
// agree on a score. If they do not, the coordinator solves the position, and drops all that the liar has said.
type scoring struct {
	found       func(rules.Position, int) error
	job         jobs.Score // of the empty board
	unconfirmed bool
	own         *jobs.Worker // of the coordinator
	warn        func(format string, args ...any)
	progress    *bookProgress

	positions []rules.Position
	open      map[uint64]int     // positions without a score, by their key
	claims    map[uint64][]claim // of these, at most one of each worker
	again     []uint64           // positions of which another job is wanted
	next      int                // the next of positions
	liars     []string           // workers
	err       error              // that ends the task
}

// claim is what a worker says of a position.
type claim struct {
	worker string
	score  int
}

func newScoring(positions []rules.Position, found func(rules.Position, int) error) *scoring {
	s := &scoring{positions: positions, found: found, open: make(map[uint64]int, len(positions)), claims: map[uint64][]claim{}}
	for i, p := range positions {
		s.open[p.Key()] = i
	}
	return s
}

// Purposes of jobs, which are the last parts of their IDs.
const (
	first   = "score"
	confirm = "confirm"
	judge   = "judge"
)

// Next returns the next job.
func (s *scoring) Next() (queue.Request, bool) {
	for s.err == nil {
		var key uint64
		switch {
		case len(s.again) > 0:
			key, s.again = s.again[0], s.again[1:]
		case s.next < len(s.positions):
			key = s.positions[s.next].Key()
			s.next++
		default:
			return queue.Request{}, false
		}
		if i, ok := s.open[key]; ok {
			return s.request(key, s.positions[i]), true
		}
	}
	return queue.Request{}, false
}

// request returns the job that a position needs after what has been said of it.
func (s *scoring) request(key uint64, p rules.Position) queue.Request {
	job := s.job
	var ok bool
	if job.Columns, ok = p.Columns(); !ok {
		s.err = fmt.Errorf("no game leads to the position\n%v", p)
	}
	r := queue.Request{About: fmt.Sprintf("position %q", job.Columns), Not: s.liars, Body: jobs.Body{Score: &job}}
	purpose := first
	switch claims := s.claims[key]; len(claims) {
	case 0:
	case 1:
		purpose, r.Not = confirm, slices.Concat(s.liars, []string{claims[0].worker})
	default:
		purpose, r.Judge = judge, true
	}
	r.ID = fmt.Sprintf("%x-%s", key, purpose)
	return r
}

// keyOf returns the position of a job.
func keyOf(id string) uint64 {
	text, _, _ := strings.Cut(id, "-")
	key, _ := strconv.ParseUint(text, 16, 64) // 0 is no position
	return key
}

// Result takes the result of a job.
func (s *scoring) Result(r queue.Result) error {
	key := keyOf(r.ID)
	if _, ok := s.open[key]; !ok {
		return nil // it has its score, or is none of these positions
	}
	err := s.take(key, r)
	if _, ok := s.open[key]; ok {
		s.again = append(s.again, key)
	}
	return err
}

func (s *scoring) take(key uint64, r queue.Result) error {
	score, err := jobs.ReadScore(s.positions[s.open[key]].Board(), r.Body)
	if err != nil {
		return err
	}
	claims := s.claims[key]
	switch {
	case r.Verdict:
		s.accuse(claims, score)
		s.settle(key, score)
	case slices.Contains(s.liars, r.Worker):
		return errors.New("it has been found to lie")
	case s.unconfirmed || len(claims) == 1 && claims[0].worker != r.Worker && claims[0].score == score:
		s.settle(key, score)
	case !slices.ContainsFunc(claims, func(c claim) bool { return c.worker == r.Worker }):
		s.claims[key] = append(claims, claim{r.Worker, score})
	}
	return nil
}

// settle gives a position its score.
func (s *scoring) settle(key uint64, score int) {
	p := s.positions[s.open[key]]
	delete(s.open, key)
	delete(s.claims, key)
	if err := s.found(p, score); s.err == nil {
		s.err = err
	}
}

// accuse drops all that the workers have said that claim another score than the true one. Their positions have other jobs already.
func (s *scoring) accuse(claims []claim, score int) {
	before := len(s.liars)
	for _, c := range claims {
		if c.score != score {
			s.liars = append(s.liars, c.worker)
		}
	}
	if len(s.liars) == before {
		return
	}
	jobs.WarnOfLiars(s.warn, s.liars)
	for key, claims := range s.claims {
		if s.claims[key] = slices.DeleteFunc(claims, func(c claim) bool { return slices.Contains(s.liars, c.worker) }); len(s.claims[key]) == 0 {
			delete(s.claims, key)
		}
	}
}

// Do solves a position in this process.
func (s *scoring) Do(ctx context.Context, r queue.Request) (any, error) {
	return s.own.Do(ctx, r.Body.(jobs.Body))
}

// Lost gives a job again.
func (s *scoring) Lost(r queue.Request) { s.again = append(s.again, keyOf(r.ID)) }

// Done reports whether all positions have a score.
func (s *scoring) Done() bool { return len(s.open) == 0 || s.err != nil }

// scoringStatus is the detail of the status of a book.
type scoringStatus struct {
	Positions int      `json:"positions"` // of the last ply
	Solved    int      `json:"solved"`    // of these
	Open      int      `json:"unconfirmed"`
	Liars     []string `json:"liars,omitempty"`
}

// Status returns the state of the book.
func (s *scoring) Status() (any, string) {
	done, total, pace := s.progress.state()
	d := scoringStatus{Positions: total, Solved: done, Open: len(s.claims), Liars: s.liars}
	text := fmt.Sprintf("%d of %d positions solved", done, total)
	if pace != "" {
		text += ", " + pace
	}
	if d.Open > 0 {
		text += fmt.Sprintf(", %d to confirm", d.Open)
	}
	return d, text
}

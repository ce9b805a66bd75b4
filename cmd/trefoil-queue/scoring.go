package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"trefoil/cmd/trefoil-queue/internal/jobs"
	"trefoil/cmd/trefoil-queue/internal/queue"
	engine "trefoil/engine/connect4"
	"trefoil/game/connect4"
)

// scoring finds the scores of positions as a task of a queue. Unless unconfirmed, two workers have to agree
// on a score. If they do not, the coordinator solves the position, and drops all that the liar has said. A
// result counts for the positions that it names, whatever the jobs of this run are.
type scoring struct {
	board       *connect4.Board
	found       func(connect4.Position, int) error
	job         jobs.Score // without positions
	batch       int        // positions of a job; 0: as many as take about jobTime
	unconfirmed bool
	own         *jobs.Worker // of the coordinator
	warn        func(format string, args ...any)
	progress    *engine.BookProgress

	positions []connect4.Position
	open      map[uint64]int      // positions without a score, by their key
	claims    map[uint64][]claim  // of these, at most one of each worker
	given     map[string][]uint64 // the positions of each job, by its ID
	again     []uint64            // positions that another job is to have
	next      int                 // the next of positions
	liars     []string            // workers
	err       error               // that ends the task

	solved  int // positions in results
	seconds float64
}

// A job is about as long as this, so that the queue takes little of it, and has no more positions than this.
const (
	jobTime  = 0.5 // seconds
	jobLimit = 256
)

// claim is what a worker says of a position.
type claim struct {
	worker string
	score  int
}

func newScoring(board *connect4.Board, positions []connect4.Position,
	found func(connect4.Position, int) error) *scoring {
	s := &scoring{
		board: board, positions: positions, found: found,
		open: make(map[uint64]int, len(positions)), claims: map[uint64][]claim{}, given: map[string][]uint64{},
	}
	for i, p := range positions {
		s.open[p.Key()] = i
	}
	return s
}

// need is what a position needs after what has been said of it.
type need struct {
	purpose string // of the job
	not     string // the worker that has solved it, for confirm
}

// Purposes of jobs, which are the last parts of their IDs.
const (
	first   = "score"
	confirm = "confirm"
	judge   = "judge"
)

func (s *scoring) need(key uint64) need {
	switch claims := s.claims[key]; len(claims) {
	case 0:
		return need{purpose: first}
	case 1:
		return need{confirm, claims[0].worker}
	}
	return need{purpose: judge}
}

// Next returns the next job: of positions that need the same.
func (s *scoring) Next() (queue.Request, bool) {
	var keys []uint64
	var want need
	for len(keys) < s.size() && s.err == nil {
		key, ok := s.peek()
		if !ok || len(keys) > 0 && s.need(key) != want {
			break
		}
		keys, want = append(keys, key), s.need(key)
		if len(s.again) > 0 {
			s.again = s.again[1:]
		} else {
			s.next++
		}
	}
	if len(keys) == 0 {
		return queue.Request{}, false
	}
	return s.request(keys, want), true
}

// peek returns the next position that needs a job.
func (s *scoring) peek() (key uint64, ok bool) {
	for ; len(s.again) > 0; s.again = s.again[1:] {
		if _, open := s.open[s.again[0]]; open {
			return s.again[0], true
		}
	}
	for ; s.next < len(s.positions); s.next++ {
		key = s.positions[s.next].Key()
		if _, open := s.open[key]; open {
			return key, true
		}
	}
	return 0, false
}

// size is how many positions the next job has at most.
func (s *scoring) size() int {
	switch {
	case s.batch > 0:
		return s.batch
	case s.seconds <= 0:
		return 1
	}
	return int(max(1, min(jobTime*float64(s.solved)/s.seconds, jobLimit)))
}

// request returns the job of some positions.
func (s *scoring) request(keys []uint64, want need) queue.Request {
	job := s.job
	hash := fnv.New64a()
	for _, key := range keys {
		p := s.positions[s.open[key]]
		columns, ok := p.Columns()
		if !ok {
			s.err = fmt.Errorf("no game leads to the position\n%v", p)
		}
		job.Columns = append(job.Columns, columns)
		fmt.Fprintln(hash, columns)
	}
	r := queue.Request{
		ID: fmt.Sprintf("%016x-%s", hash.Sum64(), want.purpose), About: fmt.Sprintf("positions from %q", job.Columns[0]),
		Not: s.liars, Judge: want.purpose == judge, Body: jobs.Body{Score: &job},
	}
	if want.not != "" {
		r.Not = slices.Concat(s.liars, []string{want.not})
	}
	s.given[r.ID] = keys
	return r
}

// Result takes the result of a job.
func (s *scoring) Result(r queue.Result) error {
	err := s.take(r)
	s.giveAgain(r.ID)
	return err
}

// Lost gives the positions of a job again.
func (s *scoring) Lost(r queue.Request) { s.giveAgain(r.ID) }

// giveAgain gives the positions of a job again that have no score.
func (s *scoring) giveAgain(id string) {
	for _, key := range s.given[id] {
		if _, open := s.open[key]; open {
			s.again = append(s.again, key)
		}
	}
	delete(s.given, id)
}

func (s *scoring) take(r queue.Result) error {
	var scored jobs.Scored
	positions, err := scored.Read(s.board, r.Body)
	if err != nil {
		return err
	}
	if given, ok := s.given[r.ID]; ok && len(given) != len(positions) {
		return fmt.Errorf("it has %d positions, but the job has %d", len(positions), len(given))
	}
	if !r.Verdict && slices.Contains(s.liars, r.Worker) {
		return errors.New("it has sent false results")
	}
	s.solved += len(positions)
	s.seconds += max(0, min(scored.Seconds, time.Hour.Seconds()))
	for i, p := range positions {
		if _, open := s.open[p.Key()]; open { // it may have its score, or be none of these positions
			s.says(p.Key(), r, scored.Scores[i])
		}
	}
	return nil
}

// says takes what a result says of a position.
func (s *scoring) says(key uint64, r queue.Result, score int) {
	claims := s.claims[key]
	switch {
	case r.Verdict:
		s.accuse(claims, score)
		s.settle(key, score)
	case s.unconfirmed || len(claims) == 1 && claims[0].worker != r.Worker && claims[0].score == score:
		s.settle(key, score)
	case !slices.ContainsFunc(claims, func(c claim) bool { return c.worker == r.Worker }):
		s.claims[key] = append(claims, claim{r.Worker, score})
	}
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

// accuse drops all that the workers have said that claim another score than the true one. Their positions
// have other jobs already.
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
		if s.claims[key] = slices.DeleteFunc(claims, func(c claim) bool {
			return slices.Contains(s.liars, c.worker)
		}); len(s.claims[key]) == 0 {
			delete(s.claims, key)
		}
	}
}

// Do solves a position in this process.
func (s *scoring) Do(ctx context.Context, r queue.Request) (any, error) {
	return s.own.Do(ctx, r.Body.(jobs.Body))
}

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
	done, total, pace := s.progress.State()
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

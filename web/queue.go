package web

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"trefoil/engine/registry"
	"trefoil/options"
	"trefoil/search"
)

// Engine is what the server drives; its methods are called one at a time. See engine.Engine.
type Engine interface {
	Name() string
	Options() *options.Set
	NewGame()
	SetPosition(setup string, moves []string) error
	Search(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result
	Notices() []string
	Game() string
	Viewer() registry.Viewer
}

// A worker owns the engine: one goroutine does all that is asked of it, one thing at a time.
//
//	searches ──► queue ──┐
//	                     ├──► run ── Engine
//	options ───► tasks ──┘ first
//
// Each session has one search at most, so the queue is no longer than the sessions are many. A search gives way to
// others after its turn, and goes on later with what the table has. One without a limit gives way to tasks at once.
type worker struct {
	engine Engine
	turn   time.Duration // of a search while others wait

	mu      sync.Mutex
	queue   []*job
	tasks   []*task
	running *job // nil: none
	cancel  context.CancelCauseFunc
	counted int // streams that want the searches to be counted
	ids     uint64
	wake    chan struct{}
	notices func([]string)
	watch   func() // is called when another game may have been chosen
}

// task is something that is done between searches.
type task struct {
	do   func()
	done chan struct{}
}

// Why a search that runs is ended.
var (
	errStopped    = errors.New("stopped")
	errSuperseded = errors.New("superseded by another search of its session")
	errTurn       = errors.New("it is the turn of another search")
	errTask       = errors.New("an option is to be set")
)

// searchTurn is how long a search runs while others wait.
const searchTurn = 10 * time.Second

func newWorker(e Engine, notices func([]string)) *worker {
	return &worker{engine: e, turn: searchTurn, wake: make(chan struct{}, 1), notices: notices}
}

// run does what is asked of the engine until ctx ends.
func (w *worker) run(ctx context.Context) {
	for {
		t, j := w.next(ctx)
		switch {
		case t != nil:
			t.do()
			w.watch()
			w.notices(w.engine.Notices())
			close(t.done)
		case j != nil:
			w.search(j)
		case ctx.Err() != nil:
			return
		default:
			select {
			case <-w.wake:
			case <-ctx.Done():
			}
		}
	}
}

// next returns what is to be done next, a task or a search; neither if there is nothing. A search is running from then
// on, and can be cancelled.
func (w *worker) next(ctx context.Context) (*task, *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
	case len(w.tasks) > 0:
		t := w.tasks[0]
		w.tasks = w.tasks[1:]
		return t, nil
	case len(w.queue) > 0:
		j := w.queue[0]
		w.queue, w.running = w.queue[1:], j
		j.ctx, w.cancel = context.WithCancelCause(ctx)
		w.tellPlaces()
		return nil, j
	}
	return nil, nil
}

// search runs a search, or a turn of it.
func (w *worker) search(j *job) {
	go w.endTurn(j.ctx)
	begun := time.Now()
	result, err := j.run(w.engine, w.chosen)
	w.notices(w.engine.Notices())
	w.mu.Lock()
	defer w.mu.Unlock()
	cause := context.Cause(j.ctx)
	if j.ended != nil {
		cause = j.ended // also if it was to give way before that
	}
	w.cancel(nil)
	w.running = nil
	switch cause {
	case errTurn:
		j.spend(result.Nodes, time.Since(begun))
		w.queue = append(w.queue, j)
	case errTask:
		w.queue = slices.Insert(w.queue, 0, j)
	default:
		j.finish(result, errors.Join(err, cause))
	}
	w.tellPlaces()
}

// count adds n to the streams that want the searches to be counted. A search without a limit goes on with
// that at once, others are not disturbed.
func (w *worker) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.counted > 0
	if w.counted += n; w.counted > 0 != before && w.running != nil && w.running.unlimited {
		w.cancel(errTask)
	}
}

// chosen is called when the engine has changed to the game of a search.
func (w *worker) chosen() {
	w.mu.Lock()
	counts := w.counted > 0
	w.mu.Unlock()
	if c, ok := w.engine.Viewer().(registry.ClusterHasher); ok {
		c.Count(counts)
	}
	w.watch()
}

// endTurn ends the turn of the search that has ctx when its time is up and others wait.
func (w *worker) endTurn(ctx context.Context) {
	for next := w.turn; ; next = w.turn / 10 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		}
		w.mu.Lock()
		if ctx.Err() == nil && len(w.queue) > 0 { // else the search may have another turn by now
			w.cancel(errTurn)
		}
		w.mu.Unlock()
	}
}

// submit puts a search into the queue and returns its number and its place: 0 runs. It ends the earlier search of the
// session.
func (w *worker) submit(j *job) (id uint64, place int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	replaced := w.remove(j.owner, errSuperseded)
	j.owner.box.clear()
	if replaced > 0 {
		best := bestJSON{ID: replaced, Reason: "replaced"}
		j.owner.box.put("replaced", "best", func() any { return best })
	}
	w.ids++
	j.id = w.ids
	w.queue = append(w.queue, j)
	w.tellPlaces()
	w.ring()
	place = len(w.queue)
	if w.running == nil {
		place--
	}
	return j.id, place
}

// stop ends the search of a session, if it has one.
func (w *worker) stop(c *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(c, errStopped)
	w.tellPlaces()
}

// remove ends the search of a session, which runs or waits, and returns its number, 0 if there is none.
func (w *worker) remove(c *session, why error) (id uint64) {
	if j := w.running; j != nil && j.owner == c {
		if why == errSuperseded && j.silence() {
			id = j.id
		}
		j.ended = why
		w.cancel(why)
	}
	w.queue = slices.DeleteFunc(w.queue, func(j *job) bool {
		if j.owner != c {
			return false
		}
		if id = j.id; why != errSuperseded {
			j.finish(search.Result{}, why)
		}
		return true
	})
	return id
}

// do lets the engine's goroutine do something. It returns early, with the reason, if ctx ends before that has begun.
func (w *worker) do(ctx context.Context, f func()) error {
	t := &task{do: f, done: make(chan struct{})}
	w.mu.Lock()
	w.tasks = append(w.tasks, t)
	if w.running != nil && w.running.unlimited {
		w.cancel(errTask)
	}
	w.ring()
	w.mu.Unlock()
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	i := slices.Index(w.tasks, t)
	if i >= 0 {
		w.tasks = slices.Delete(w.tasks, i, i+1)
	}
	w.mu.Unlock()
	if i >= 0 {
		return context.Cause(ctx)
	}
	<-t.done
	return nil
}

// tellPlaces tells every search that waits its place.
func (w *worker) tellPlaces() {
	for i, j := range w.queue {
		if w.running != nil {
			i++
		}
		j.tellPlace(i)
	}
}

func (w *worker) ring() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

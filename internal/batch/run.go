package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"trefoil/internal/cli"
	"trefoil/internal/disk"
	"trefoil/internal/pipe"
)

// maxPending is how many answers may wait for that to an earlier line, and queued how many lines and answers may wait
// to be taken, so that short searches need not wait for a goroutine at each line.
const (
	maxPending = 1 << 16
	queued     = 64
)

// File answers the lines of a file, or of standard input if file is "" or "-", until they or ctx
// end. The error is a cli.Status if a line was wrong or bad (StatusWrong), or ctx has ended.
func (r *Run[F]) File(ctx context.Context, file string) error {
	r.JSON = r.JSON || r.Resume != ""
	in, err := r.input(ctx, file)
	if err != nil {
		return err
	}
	defer in.Close()
	run := &running[F]{Run: r, screen: newScreen(r.Console), pending: make(map[int]result[F])}
	if err := run.begin(ctx, in); err != nil {
		return errors.Join(err, run.close())
	}
	run.screen.progress.Show(0)
	err = run.solve(ctx, newReader(in, r.Source))
	interrupted := ctx.Err() != nil
	if interrupted {
		err = nil // it says no more than that
	}
	run.screen.progress.Clear()
	err = errors.Join(err, run.close())
	if failed := run.screen.summary(r.Totals.Text(run.counts), r.JSON); err == nil {
		err = failed
	}
	switch {
	case interrupted:
		return &cli.Status{Code: cli.StatusInterrupted, Err: err}
	case err != nil:
		return err
	case run.counts.Wrong+run.counts.Bad > 0:
		return &cli.Status{Code: cli.StatusWrong}
	}
	return nil
}

// input opens the input. One that can be read only once is read into memory if it has to be counted before
// it is solved.
func (r *Run[F]) input(ctx context.Context, file string) (io.ReadCloser, error) {
	if r.Lines != nil {
		return memory{bytes.NewReader([]byte(strings.Join(r.Lines, "\n")))}, nil
	}
	in := io.NopCloser(r.Console.In)
	if file != "" && file != "-" {
		r.Console.NotePipe(file)
		f, err := pipe.Within(ctx, func() (*disk.File, error) { return disk.Open(file) })
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return f, nil
		}
		in = struct{ io.ReadCloser }{f} // which cannot be read twice
	}
	if r.Shard.N == 0 && r.Resume == "" {
		return in, nil
	}
	data, err := pipe.Within(ctx, func() ([]byte, error) { return io.ReadAll(in) })
	if err := errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	return memory{bytes.NewReader(data)}, nil
}

// memory is an input in memory.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// running is a run that has begun.
type running[F Fields] struct {
	*Run[F]
	screen  *Screen
	resumed *resumption // nil without --resume
	solvers []Solver[F]
	of      int // lines that are not skipped, 0 if not known
	counts  Counts

	next    int               // the answer to be printed next
	pending map[int]result[F] // those behind it
}

// task is a line to be answered, and its number among the lines of the run.
type task[F Fields] struct {
	n int
	Line
}

// result is what became of a task.
type result[F Fields] struct {
	task[F]
	answer *Answer[F]
	err    error // why the line holds no position
	cut    bool  // the run was interrupted meanwhile
}

// begin reads the file of --resume, counts the lines of the input, and opens the solvers. Until all fits,
// nothing is written.
func (r *running[F]) begin(ctx context.Context, in io.Reader) error {
	if r.Resume != "" {
		before := NewSummary(r.Totals)
		var err error
		if r.resumed, err = resume(r.Resume, r.Console.Command, r.Shard, before.Add); err != nil {
			return err
		}
		r.counts = before.Counts
	}
	if err := r.survey(ctx, in); err != nil {
		return err
	}
	for range max(1, r.Jobs) {
		s, err := r.Open(ctx, r.screen)
		if err != nil {
			return err
		}
		r.solvers = append(r.solvers, s)
	}
	if r.resumed == nil {
		return nil
	}
	if n := len(r.resumed.done); n > 0 {
		r.screen.Warnf("%s has records of %d of %s", r.Resume, n, cli.Count(n+r.screen.progress.Total, "position"))
	}
	return r.resumed.begin()
}

// survey counts the lines of an input that can be read twice, and compares them with the records of --resume.
func (r *running[F]) survey(ctx context.Context, in io.Reader) error {
	again, ok := in.(io.Seeker)
	if !ok || r.Source != nil && !r.JSON { // to read games twice takes time
		return nil
	}
	for lines := newReader(in, r.Source); ; {
		l, err := lines.read()
		if err == io.EOF {
			break
		}
		if err := errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		r.of++
		if r.wanted(l.Number) {
			r.screen.progress.Total++
		} else if r.resumed != nil {
			if err := r.resumed.check(l); err != nil {
				return err
			}
		}
	}
	if r.resumed != nil {
		if err := r.resumed.checkTotal(r.of); err != nil {
			return err
		}
	}
	_, err := again.Seek(0, io.SeekStart)
	return err
}

// wanted reports whether the position of a number is to be solved.
func (r *running[F]) wanted(number int) bool {
	if !r.Shard.has(number) {
		return false
	}
	if r.resumed == nil {
		return true
	}
	_, done := r.resumed.done[number]
	return !done
}

// close closes the solvers and the file of --resume.
func (r *running[F]) close() (err error) {
	for _, s := range r.solvers {
		err = errors.Join(err, s.Close())
	}
	if r.resumed != nil {
		err = errors.Join(err, r.resumed.close())
	}
	return err
}

// solve answers the lines until they or ctx end.
//
//	read ── tasks ──▶ solvers ── results ──▶ emit
//
// The goroutine that reads may wait for input when ctx ends, and is left to itself then.
func (r *running[F]) solve(ctx context.Context, lines *reader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tasks, results := make(chan task[F], queued), make(chan result[F], queued)
	failed, free := make(chan error, 1), make(chan struct{}, maxPending)
	go func() {
		defer close(tasks)
		if err := r.read(ctx, lines, tasks, free); err != nil {
			failed <- err
		}
	}()
	var working sync.WaitGroup
	for _, s := range r.solvers {
		working.Go(func() { r.work(ctx, s, tasks, results) })
	}
	go func() {
		working.Wait()
		close(results)
	}()
	var err error
	for done := range results {
		if err != nil {
			continue
		}
		if err = r.collect(done, free); err != nil || len(results) == 0 {
			err = cmp.Or(err, r.screen.flush()) // a failed write fails again
		}
		if err != nil {
			stop() // further answers would be lost
		}
	}
	select {
	case failure := <-failed:
		return errors.Join(err, failure)
	default:
		return err
	}
}

// read reads the lines of the shard.
func (r *running[F]) read(ctx context.Context, lines *reader, tasks chan<- task[F], free chan<- struct{}) error {
	for n := 0; ; {
		l, err := lines.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if r.of > 0 && l.Number > r.of {
			return fmt.Errorf("line %d: the input has grown since its lines were counted", l.Line)
		}
		if !r.wanted(l.Number) {
			continue
		}
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		select {
		case tasks <- task[F]{n, l}:
			n++
		case <-ctx.Done():
			return nil
		}
	}
}

// work answers lines by one solver.
func (r *running[F]) work(ctx context.Context, s Solver[F], tasks <-chan task[F], results chan<- result[F]) {
	for {
		select {
		case <-ctx.Done():
			return
		case t, more := <-tasks:
			if !more {
				return
			}
			done := result[F]{task: t, err: t.bad}
			if t.bad == nil {
				done.answer, done.err = s.Solve(ctx, t.Line)
			}
			done.cut = ctx.Err() != nil
			results <- done
		}
	}
}

// collect emits the answers whose turn has come. Records of --resume are written at once, so that no work is lost
// when the run is killed.
func (r *running[F]) collect(done result[F], free <-chan struct{}) error {
	if r.resumed != nil {
		<-free
		return r.emit(done)
	}
	r.pending[done.n] = done
	for {
		done, ok := r.pending[r.next]
		if !ok {
			return nil
		}
		delete(r.pending, r.next)
		r.next++
		<-free
		if err := r.emit(done); err != nil {
			return err
		}
	}
}

// emit prints and counts an answer. One that may be incomplete because of an interrupt is no record.
func (r *running[F]) emit(done result[F]) error {
	if done.answer == nil && done.err == nil || done.cut && r.JSON {
		return nil
	}
	if failure, ok := errors.AsType[*Failure](done.err); ok {
		return failure
	}
	text, err := r.text(done)
	if err != nil {
		return err
	}
	if r.resumed != nil {
		err = r.resumed.write(text)
	} else if text != "" {
		err = r.screen.print(text)
	}
	if err != nil {
		return err
	}
	r.count(done)
	r.screen.step()
	return nil
}

// text is an answer as it is printed.
func (r *running[F]) text(done result[F]) (string, error) {
	if !r.JSON {
		if done.err != nil {
			return "", nil
		}
		text := done.answer.Fields.Text(done.Line)
		if text == "" { // only the summary is printed
			return "", nil
		}
		return text + "\n", nil
	}
	record := Record{Line: done.Line.Line, Input: done.Text, Number: done.Number, Of: r.of, Command: r.Console.Command}
	if done.err != nil {
		record.Error = done.err.Error()
		line, err := encode(record, nil)
		return string(line), err
	}
	record.Wrong = done.answer.Wrong
	line, err := encode(record, done.answer.Fields)
	return string(line), err
}

// count counts an answer and prints the messages about it.
func (r *running[F]) count(done result[F]) {
	if done.err != nil {
		r.counts.Bad++
		r.screen.Warnf("%s", done.message(done.err))
		return
	}
	for _, note := range done.answer.Notes {
		r.screen.Warnf("line %d: %s", done.Line.Line, note)
	}
	if done.answer.Wrong != "" {
		r.counts.Wrong++
		r.screen.Warnf("line %d: %s", done.Line.Line, done.answer.Wrong)
	}
	r.Totals.Add(done.answer.Fields)
}

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"

	"trefoil/game/shogi"
	"trefoil/internal/atomicfile"
	"trefoil/search/mate"
	"trefoil/search/proof"
	"trefoil/search/proof/shogigoal"
	"trefoil/tools/internal/selfplay"
	"trefoil/window"
)

// plan is how samples are gathered.
type plan struct {
	seed  uint64
	every int    // use every n-th position
	easy  uint64 // nodes: positions solved within them are skipped
	nodes uint64 // of the search for samples in the others
	most  int    // samples of one position
	each  uint64 // nodes for each sample
}

// gather is the subcommand gather.
func gather(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p plan
	variant := set.String("game", "shogi", "the game: chess, shogi or ultimate")
	set.Uint64Var(&p.seed, "seed", 1, "seed of the choice")
	set.Uint64Var(&p.easy, "easy", 1000, "skip positions that are solved within `N` nodes")
	set.Uint64Var(&p.nodes, "nodes", 30000, "nodes searched in each of the others")
	set.IntVar(&p.most, "most", 60, "samples taken from one position")
	set.Uint64Var(&p.each, "each", 1500, "nodes searched for a sample")
	set.IntVar(&p.every, "every", 1, "use every `N`-th position")
	workers := set.Int("workers", 2, "positions searched at a time; the file does not depend on it")
	name := set.String("o", "", "file to write")
	if err := set.Parse(args); err != nil {
		return err
	}
	sub, err := selfplay.Subject(subjects, *variant)
	switch {
	case err != nil:
		return fmt.Errorf("gather: %w", err)
	case *name == "":
		return errors.New("gather: -o FILE is missing")
	case set.NArg() == 0:
		return errors.New("gather: no file of positions")
	case *workers < 1 || p.every < 1 || p.most < 1 || p.easy < 1 || p.nodes < 1 || p.each < 1:
		return errors.New("gather: -workers, -every, -most, -easy, -nodes and -each must be at least 1")
	}
	if err := vacant(*name); err != nil {
		return err
	}
	texts, err := sub.positions(set.Args(), p.every)
	if err != nil {
		return err
	}
	all, err := p.gatherAll(ctx, sub, texts, *workers, out)
	if err != nil {
		return err
	}
	return atomicfile.Write(*name, atomicfile.Prefix(magic), func(f io.Writer) error {
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "%s: seed %d, every %d, easy %d, nodes %d, most %d, each %d, %d of %d positions\n",
			magic, p.seed, p.every, p.easy, p.nodes, p.most, p.each, len(all), len(texts))
		for _, samples := range all {
			for i := range samples {
				if err := samples[i].write(w); err != nil {
					return err
				}
			}
		}
		return w.Flush()
	})
}

// vacant refuses the name of an existing file, which may have taken hours.
func vacant(name string) error {
	if info, err := os.Lstat(name); err == nil && info.Size() > 0 {
		return fmt.Errorf("gather: %s exists: choose another name", name)
	}
	return atomicfile.Writable(name, atomicfile.Prefix(magic))
}

// positions returns every n-th position of files, in which positions are at the beginning of lines.
// Positions of shogi are SFENs and end at a semicolon or a bar, positions of chess are the lines of the
// subcommand play.
func (sub *subject) positions(names []string, every int) (texts []string, err error) {
	n := 0
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		for line := 1; in.Scan(); line++ {
			text := in.Text()
			if i := strings.IndexAny(text, sub.ends); i >= 0 {
				text = text[:i]
			}
			if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
				continue
			}
			if err := sub.check(text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			if n++; n%every == 0 {
				texts = append(texts, text)
			}
		}
		if err := in.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return texts, nil
}

// gatherAll returns the samples of all positions, or if the context ends of those begun before.
func (p plan) gatherAll(ctx context.Context, sub *subject, texts []string, workers int,
	out io.Writer) (all [][]sample, err error) {
	collectors := make([]collects, workers)
	for k := range collectors {
		t, err := newTables()
		if err != nil {
			return nil, err
		}
		defer t.close()
		collectors[k] = sub.newCollector(p, t)
	}
	all = make([][]sample, len(texts))
	errs := make([]error, workers)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	var group sync.WaitGroup
	for k, c := range collectors {
		group.Go(func() {
			for i := range next {
				if all[i], errs[k] = c.collect(inner, texts[i], i); errs[k] != nil {
					cancel()
					return
				}
			}
		})
	}
	done := 0
	for done < len(texts) && inner.Err() == nil {
		select {
		case next <- done:
			if done++; done%1000 == 0 {
				fmt.Fprintf(out, "%d of %d positions\n", done, len(texts))
			}
		case <-inner.Done():
		}
	}
	close(next)
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	used, samples := 0, 0
	for _, one := range all {
		used += min(len(one), 1)
		samples += len(one)
	}
	if ctx.Err() != nil {
		fmt.Fprintf(out, "stopped after %d of %d positions\n", done, len(texts))
	}
	switch {
	case samples == 0 && ctx.Err() != nil:
		return nil, errors.New("gather: stopped before the first sample")
	case samples == 0:
		return nil, fmt.Errorf("gather: no samples, as none of %d positions takes %d nodes and more", done, p.easy)
	}
	fmt.Fprintf(out, "%d samples of %d hard positions among %d\n", samples, used, done)
	return all[:done], nil
}

// A collector gathers the samples of one position after another.
type collector struct {
	plan
	tables
	rnd    *rand.Rand
	seen   map[uint64]bool
	chosen []candidate
}

// A candidate is a position to be searched for a sample.
type candidate struct {
	sfen     string
	features []uint16
}

func newCollector(p plan, t tables) collects { return &collector{plan: p, tables: t} }

// tables are the large one, in which a position is searched, and the small one for its samples.
type tables struct{ large, small *window.Table }

func newTables() (t tables, err error) {
	if t.large, err = window.New(16); err != nil {
		return t, err
	}
	if t.small, err = window.New(1); err != nil {
		t.close()
	}
	return t, err
}

func (t tables) close() {
	for _, one := range []*window.Table{t.large, t.small} {
		if one != nil {
			_ = one.Close() // no search uses it any more
		}
	}
}

// collect returns the samples of a position, none if it is easy or the context ends.
func (c *collector) collect(ctx context.Context, sfen string, number int) ([]sample, error) {
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		return nil, err
	}
	attacker := shogigoal.Attacker(p, false)
	c.rnd = rand.New(rand.NewPCG(c.seed, uint64(number)))
	c.seen, c.chosen = map[uint64]bool{}, c.chosen[:0]
	problem := mate.Problem{Moves: mate.Endless, Alone: true, Goal: func(_ bool, moves int) mate.Goal {
		return &sampler{shogigoal.New(p, attacker, moves), c}
	}}
	if err := c.large.Clear(ctx); err != nil {
		return nil, nil
	}
	finder := mate.New(c.large, 1, nil)
	a, err := finder.Find(ctx, problem, mate.Limits{Nodes: c.easy}, nil)
	if err != nil || a.Moves > 0 || a.Nodes < c.easy {
		return nil, err
	}
	if _, err = finder.Find(ctx, problem, mate.Limits{Nodes: c.nodes}, nil); err != nil {
		return nil, err
	}
	samples := make([]sample, 0, len(c.chosen))
	for _, s := range c.chosen {
		one, err := c.solve(ctx, s, attacker)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		one.problem = number
		samples = append(samples, one)
	}
	return samples, nil
}

// solve searches a candidate.
func (c *collector) solve(ctx context.Context, s candidate, attacker shogi.Colour) (sample, error) {
	p, err := shogi.ParseSFEN(s.sfen)
	if err != nil {
		return sample{}, err
	}
	if err := c.small.Clear(ctx); err != nil {
		return sample{}, nil
	}
	solver := proof.New(c.small, proof.Options{Threads: 1})
	r, err := solver.Prove(ctx, func() proof.Goal { return shogigoal.New(p, attacker, mate.Endless) },
		proof.Limits{Nodes: c.each})
	return sample{attacking: shogigoal.Attacker(p, false) == attacker, result: r.Result, nodes: r.Nodes,
		features: s.features}, err
}

// A sampler is a goal that passes the positions that a search visits to a collector.
type sampler struct {
	*shogigoal.Goal
	to *collector
}

// Expand expands the goal.
func (w *sampler) Expand(children []proof.Child, table proof.Prefetcher) []proof.Child {
	from := len(children)
	children = w.Goal.Expand(children, table)
	for i := from; i < len(children); i++ {
		if !children[i].Solved() && children[i].Work == 0 {
			w.to.meet(w.Goal, &children[i])
		}
	}
	return children
}

// meet chooses a random sample of the positions visited that are not solved without a search, of
// the goal without a limit of moves (reservoir sampling).
func (c *collector) meet(goal *shogigoal.Goal, s *proof.Child) {
	if goal.Left() != mate.Endless || c.seen[s.Key] {
		return
	}
	c.seen[s.Key] = true
	at := len(c.chosen)
	if at < c.most {
		c.chosen = append(c.chosen, candidate{})
	} else if at = c.rnd.IntN(len(c.seen)); at >= c.most {
		return
	}
	goal.Make(s.Move)
	c.chosen[at] = candidate{goal.Position().SFEN(), goal.Features()}
	goal.Undo()
}

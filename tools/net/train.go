package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"trefoil/internal/atomicfile"
	"trefoil/nnue"
	"trefoil/tools/net/internal/train"
)

// training is a run of the command train.
type training struct {
	config     train.Config
	passes     float64
	name       string // of the net
	from       string // checkpoint or net, or empty
	every      int    // steps
	heldOut    int    // positions
	memory     int    // MiB
	workers    int
	positions  positions
	checkpoint string // checkpoint
	out        io.Writer
}

// checkpointOf returns the name of the checkpoint beside a net.
func checkpointOf(net string) string { return net + ".train" }

// trainNet is the command train.
func trainNet(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	t := training{out: out}
	c := &t.config
	set.StringVar(&t.name, "o", "",
		"write the net to `FILE`, and a checkpoint to FILE.train, from which the same command goes on")
	set.StringVar(&t.from, "from", "",
		"begin with the weights of a checkpoint or of a net, of the same shape or with fewer neurons")
	set.IntVar(&c.Shape.Hidden, "hidden", 128, "neurons of an accumulator, a multiple of 32")
	t.positions.lossFlags(set, &c.Loss)
	set.Float64Var(&t.passes, "passes", 20, "passes over the positions")
	set.IntVar(&c.Batch, "batch", 4096, "positions of a step")
	set.Float64Var(&c.Rate, "rate", 0.001, "highest learning rate")
	set.Float64Var(&c.Final, "final", 0.01, "learning rate at the end, as a share of the highest")
	set.IntVar(&c.Warmup, "warmup", 400, "steps in which the learning rate rises from 0; after them it falls by a cosine")
	set.Float64Var(&c.Decay, "decay", 0.01, "weight decay of AdamW")
	set.Uint64Var(&c.Seed, "seed", 1, "seed of the first weights and of the order of the positions")
	set.BoolVar(&c.OutputOnly, "output-only", false,
		"with -from: round the feature weights as in the net, and train the output layer alone")
	set.IntVar(&t.every, "every", 500, "steps between two reports, each with a checkpoint")
	set.IntVar(&t.heldOut, "held-out", 200000,
		"at most `N` positions of games that are held out give the loss of a report")
	set.IntVar(&t.memory, "memory", 1024,
		"`MiB` of positions in memory; if there are more, temporary files beside the net have them too")
	set.IntVar(&t.workers, "workers", runtime.NumCPU(), "goroutines; with another number the net differs in the last bits")
	if err := set.Parse(args); err != nil {
		return err
	}
	t.checkpoint = checkpointOf(t.name)
	switch {
	case t.name == "":
		return errors.New("train: -o FILE is missing")
	case c.OutputOnly && t.from == "":
		return errors.New("train: -output-only needs the weights of another training: -from is missing")
	case !(t.passes > 0) || t.every < 1 || t.heldOut < 0 || t.memory < 1 || t.workers < 1:
		return errors.New("train: -passes, -every, -memory and -workers must be greater than 0, and -held-out not less")
	}
	if err := t.positions.open(set.Args()); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	return t.run(ctx)
}

// lossFlags declares the flags of positions and of the loss function.
func (p *positions) lossFlags(set *flag.FlagSet, l *train.Loss) {
	p.targetFlags(set)
	set.Float64Var(&l.Power, "power", 2, "power of the difference from the target that is the loss")
}

// targetFlags declares the flags of positions and of their targets.
func (p *positions) targetFlags(set *flag.FlagSet) {
	p.mostFlag(set)
	set.Float64Var(&p.k, "k", 0,
		"`centipawns` of the logistic function that makes a score an expected result (0 = by the results)")
	set.Float64Var(&p.lambda, "lambda", 0.9,
		"decay of the weights of later scores in the target, from 0, the score alone, to 1, the result of the game alone")
	set.IntVar(&p.ending, "ending", 0, "positions with at most that `number` of pieces have lambda 1")
}

// target names the target of a position.
func (p *positions) target() string {
	if p.ending == 0 {
		return fmt.Sprintf("lambda %g", p.lambda)
	}
	return fmt.Sprintf("lambda %g, with at most %d pieces 1", p.lambda, p.ending)
}

// netHead is what the file of a net begins with.
var netHead = atomicfile.Prefix("TREFOIL\nnet\x00")

// run trains.
func (t *training) run(ctx context.Context) error {
	g := t.positions.game
	t.config.Shape = g.shape(t.config.Shape.Hidden)
	t.config.Steps = 1
	if err := t.positions.fit(); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	t.config.Loss.K = t.positions.k
	if err := cmp.Or(t.config.Check(), atomicfile.Writable(t.name, netHead)); err != nil {
		return err
	}
	total, err := t.positions.total()
	if err != nil {
		return err
	}
	source, err := train.Open(&g.Format, t.positions.data(t.workers), t.config.Seed, total, int64(t.memory)<<20,
		filepath.Dir(t.name))
	if err != nil {
		return err
	}
	defer source.Close()
	t.config.Steps = int(math.Ceil(t.passes * float64(source.Count()) / float64(t.config.Batch)))
	trainer, err := t.begin(source)
	if err != nil {
		return err
	}
	held := source.HeldOut(t.heldOut)
	fmt.Fprintf(t.out, "%s, %d of them to train on, %d twice, loss on %d held out, K %g\n",
		source.ID(), source.Count(), source.Duplicates(), held.Len(), t.config.Loss.K)
	fmt.Fprintf(t.out, "%8s %14s %12s %12s %12s %10s\n", "step", "positions", "positions/s", "loss", "held out", "rate")
	err = train.Run(ctx, trainer, source, held, t.every, func(p train.Progress) error {
		heldOut := "-"
		if held.Len() > 0 {
			heldOut = fmt.Sprintf("%.6f", p.HeldOut)
		}
		fmt.Fprintf(t.out, "%8d %14d %12.0f %12.6f %12s %10.2e\n", p.Step, p.Step*trainer.Batch, p.Speed, p.Loss, heldOut,
			p.Rate)
		return t.save(trainer, source)
	})
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		if err := t.save(trainer, source); err != nil {
			return err
		}
		return fmt.Errorf("interrupted after step %d of %d; the same command goes on", trainer.Step(), trainer.Steps)
	}
	return err
}

// begin returns the trainer: from the checkpoint of the run if there is one.
func (t *training) begin(source *train.Records) (*train.Trainer, error) {
	saved, state, err := train.Load(t.checkpoint, t.workers)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.fresh()
	case err != nil:
		return nil, err
	case state.Data != source.ID() || state.From != t.from:
		return nil, fmt.Errorf("%s is of another training: of %s, from %q; here are %s, from %q: "+
			"choose another name for the net",
			t.checkpoint, state.Data, state.From, source.ID(), t.from)
	case saved.Config != t.config:
		return nil, fmt.Errorf("%s was made with other flags: choose another name for the net\nfile:  %+v\nflags: %+v",
			t.checkpoint, saved.Config, t.config)
	case saved.Done():
		return nil, fmt.Errorf("%s: all %d steps are done: choose another name for the net", t.checkpoint, saved.Steps)
	}
	return saved, source.Seek(state.Place)
}

// fresh returns a trainer that begins.
func (t *training) fresh() (*train.Trainer, error) {
	trainer, err := train.New(t.config, t.workers)
	if err != nil || t.from == "" {
		return trainer, err
	}
	data, err := os.ReadFile(t.from)
	if err != nil {
		return nil, err
	}
	if netHead(data) == nil {
		net, err := readNet(t.from)
		if err != nil {
			return nil, err
		}
		return trainer, trainer.RestartNet(net)
	}
	from, _, err := train.Load(t.from, 1)
	if err != nil {
		return nil, err
	}
	return trainer, trainer.Restart(from)
}

// save writes the net and the checkpoint.
func (t *training) save(trainer *train.Trainer, source *train.Records) error {
	c := &trainer.Config
	about := fmt.Sprintf("step %d of %d, batch %d, %s, K %g, %s, power %g, "+
		"rate %g to %g, warm-up %d, decay %g, seed %d",
		trainer.Step(), c.Steps, c.Batch, source.ID(), c.Loss.K, t.positions.target(), c.Loss.Power, c.Rate, c.Rate*c.Final,
		c.Warmup, c.Decay, c.Seed)
	if t.from != "" {
		about += ", from " + filepath.Base(t.from)
	}
	net, err := trainer.Net(about)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	if err := atomicfile.Write(t.name, netHead, net.Write); err != nil {
		return err
	}
	return trainer.Save(t.checkpoint, train.State{Data: source.ID(), From: t.from, Place: source.Place()})
}

// readNet reads the net of a file.
func readNet(name string) (*nnue.Net, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	net, err := nnue.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return net, nil
}

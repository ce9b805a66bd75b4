package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"

	"trefoil/nnue"
	"trefoil/tools/net/internal/train"
)

// check is the command of that name: it measures a net, the float weights of its checkpoint if there
// is one, and another net, on the positions of games that are held out.
func check(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var loss train.Loss
	var from positions
	from.lossFlags(set, &loss)
	against := set.String("against", "", "also measure the net in `FILE`")
	workers := set.Int("workers", runtime.NumCPU(), "goroutines; the figures do not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() < 2 || *workers < 1 {
		return errors.New("check: a net and at least one file of positions are needed, and at least one worker")
	}
	name := set.Arg(0)
	net, err := readNet(name)
	if err != nil {
		return err
	}
	if err := from.open(set.Args()[1:]); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	m := measurement{game: from.game}
	trainer, _, err := train.Load(checkpointOf(name), 1)
	switch {
	case err == nil:
		from.k = cmp.Or(from.k, trainer.Loss.K)
		err = m.add("float weights", trainer.Shape, train.Float(trainer))
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	if err := from.fit(); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	loss.K = from.k
	if err := m.add(filepath.Base(name), net.Shape, train.Quantised(net)); err != nil {
		return err
	}
	if *against != "" {
		other, err := readNet(*against)
		if err == nil {
			err = m.add(filepath.Base(*against), other.Shape, train.Quantised(other))
		}
		if err != nil {
			return err
		}
	}
	batch, err := from.game.HeldOut(from.data(*workers))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: hidden %d, scale %d, checksum %08x, trained: %s\n", name, net.Hidden, net.Scale,
		net.Checksum(), net.Trained)
	return m.print(out, batch, loss, from.target(), *workers)
}

// A measurement is what check measures.
type measurement struct {
	game       *subject
	names      []string
	evaluators []train.Evaluator
}

// add adds an evaluation.
func (m *measurement) add(name string, shape nnue.Shape, e train.Evaluator) error {
	if want := m.game.shape(shape.Hidden); shape != want {
		return fmt.Errorf("%s: shape %+v, want %+v", name, shape, want)
	}
	m.names = append(m.names, name)
	m.evaluators = append(m.evaluators, e)
	return nil
}

// print measures and prints.
func (m *measurement) print(out io.Writer, batch train.Batch, loss train.Loss, target string, workers int) error {
	measures, err := train.MeasureAll(batch, loss, workers, m.evaluators...)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d positions of games that are held out, K %g, %s, power %g\n", batch.Len(), loss.K,
		target, loss.Power)
	fmt.Fprintf(out,
		"correlation: of expected results by evaluation and by score; difference: from the first line, in centipawns\n")
	fmt.Fprintf(out, "%-24s %10s %12s %16s %10s\n", "", "loss", "correlation", "mean difference", "greatest")
	for i, r := range measures {
		fmt.Fprintf(out, "%-24s %10.6f %12.4f %16.2f %10.1f\n", m.names[i], r.Loss, r.Correlation, r.Mean, r.Most)
	}
	return nil
}

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"

	"trefoil/internal/atomicfile"
	"trefoil/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// A file of samples, for gpu/train.py, and a file of the weights that it makes of them, little-endian:
//
//	8   "TREFOIL" and a line feed
//	8   kind: "samples" or "weights", then a zero
//	4   version of the format: 1
//	4   h, the length of the header, at most maxExchange
//	h   header: a JSON object (exchange)
//
// Samples follow, each of 2·Active+4 int16: the features of the side to move, Inputs where there are no more, the
// features of its opponent, the score, the λ-return, the output bucket, and 1 if the game is held out. Or float32
// weights follow, in the order of train.Trainer.SetWeights.
const (
	samplesMagic    = "TREFOIL\nsamples\x00"
	weightsMagic    = "TREFOIL\nweights\x00"
	exchangeVersion = 1
	maxExchange     = 1 << 16
)

// An exchange is the header of both files. In a file of samples the number of hidden neurons is 0.
type exchange struct {
	Shape   nnue.Shape
	K       float64
	Trained string // on what, and how
}

// head returns the beginning of a file.
func (e *exchange) head(magic string) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32([]byte(magic), exchangeVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...), nil
}

// samples is the command of that name: it writes the positions that a net learns from.
func samples(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var p positions
	p.targetFlags(set)
	name := set.String("o", "", "write the samples to `FILE`")
	workers := set.Int("workers", runtime.NumCPU(), "goroutines; the file does not depend on it")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *name == "" || *workers < 1 {
		return errors.New("samples: -o FILE is missing, or -workers is less than 1")
	}
	if err := p.open(set.Args()); err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	if err := p.fit(); err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	if !(p.k >= 1 && p.k <= nnue.MaxScale/4) {
		return fmt.Errorf("samples: K must be from 1 to %d, not %g", nnue.MaxScale/4, p.k)
	}
	e := exchange{Shape: p.game.shape(0), K: p.k, Trained: p.target()}
	head, err := e.head(samplesMagic)
	if err != nil {
		return err
	}
	count := 0
	err = atomicfile.Write(*name, atomicfile.Prefix(samplesMagic), func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		read := func(name string) ([]byte, error) {
			scores, err := (&positions{game: p.game, most: p.most}).read(name)
			if err != nil {
				return nil, err
			}
			returns, err := p.read(name)
			if err != nil {
				return nil, err
			}
			return p.game.samples(scores.records, returns.records)
		}
		return eachFile(p.names, *workers, read, func(name string, rows []byte) error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if len(rows) == 0 {
				return fmt.Errorf("%s: no positions", name)
			}
			count += len(rows) / p.game.sampleBytes()
			_, err := w.Write(rows)
			return err
		})
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d samples, K %g\n", count, p.k)
	return err
}

// sampleBytes is the length of a sample in a file.
func (g *subject) sampleBytes() int { return 2 * (2*g.shape(0).Active + 4) }

// samples returns records with scores, of which others have the λ-returns, as samples of a file.
func (g *subject) samples(records, returns []byte) ([]byte, error) {
	shape, size := g.shape(0), g.Bytes
	rows := make([]byte, 0, len(records)/size*g.sampleBytes())
	var s train.Sample
	for at := 0; at < len(records); at += size {
		if err := g.Decode(records[at:at+size], &s); err != nil {
			return nil, err
		}
		for _, side := range [][]uint16{s.Us, s.Them} {
			for i := range shape.Active {
				feature := uint16(shape.Inputs)
				if i < len(side) {
					feature = side[i]
				}
				rows = binary.LittleEndian.AppendUint16(rows, feature)
			}
		}
		tail, held := record.TailOf(returns[at:at+size]), uint16(0)
		if train.HeldOut(tail.Number) {
			held = 1
		}
		for _, v := range [...]uint16{uint16(int16(s.Score)), uint16(tail.Score), uint16(s.Bucket), held} {
			rows = binary.LittleEndian.AppendUint16(rows, v)
		}
	}
	return rows, nil
}

// weights is the command of that name: it makes a net, and a checkpoint, of float weights.
func weights(_ context.Context, set *flag.FlagSet, args []string, _ io.Writer) error {
	name := set.String("o", "", "write the net to `FILE`, and a checkpoint to FILE.train for -from of net train")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *name == "" || set.NArg() != 1 {
		return errors.New("weights: -o FILE and one file of weights are needed")
	}
	trainer, e, err := readWeights(set.Arg(0))
	if err != nil {
		return fmt.Errorf("%s: %w", set.Arg(0), err)
	}
	net, err := trainer.Net(e.Trained)
	if err != nil {
		return fmt.Errorf("%s: %w", set.Arg(0), err)
	}
	if err := atomicfile.Writable(*name, netHead); err != nil {
		return err
	}
	if err := trainer.Save(checkpointOf(*name), train.State{Data: e.Trained}); err != nil {
		return err
	}
	return atomicfile.Write(*name, netHead, net.Write)
}

// readWeights reads a file of weights.
func readWeights(name string) (*train.Trainer, *exchange, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	rest, ok := bytes.CutPrefix(data, []byte(weightsMagic))
	if !ok || len(rest) < 8 {
		return nil, nil, fmt.Errorf("it begins with %q: not a file of weights",
			data[:min(len(data), len(weightsMagic))])
	}
	if v := binary.LittleEndian.Uint32(rest); v != exchangeVersion {
		return nil, nil, fmt.Errorf("version %d of the format, only %d is known", v, exchangeVersion)
	}
	h := int64(binary.LittleEndian.Uint32(rest[4:]))
	if rest = rest[8:]; h > min(maxExchange, int64(len(rest))) {
		return nil, nil, fmt.Errorf("a header of %d bytes", h)
	}
	var e exchange
	if err := json.Unmarshal(rest[:h], &e); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	known := false
	for _, g := range subjects {
		known = known || g.shape(e.Shape.Hidden) == e.Shape
	}
	if !known {
		return nil, nil, fmt.Errorf("shape %+v: no game has it", e.Shape)
	}
	if rest = rest[h:]; len(rest)%4 != 0 {
		return nil, nil, errors.New("it ends within a weight")
	}
	values := make([]float32, len(rest)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	trainer, err := train.New(train.Config{Shape: e.Shape, Loss: train.Loss{K: e.K, Power: 2}, Batch: 1, Steps: 1,
		Rate: 0.001}, 1)
	if err != nil {
		return nil, nil, err
	}
	return trainer, &e, trainer.SetWeights(values)
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sync"

	"trefoil/internal/atomicfile"
	"trefoil/tools/internal/selfplay"
)

// settings are the parameters of a fit.
type settings struct {
	game    subject
	seed    uint64
	epochs  int
	batch   int
	rate    float64 // Adam's step, in centipawns
	lambda  float64 // how far the target looks ahead: 0 = score of the search, 1 = result of the game
	units   units
	prior   float64 // strength of the pull to the weights in play
	workers int
}

// fit is the command of that name.
func fit(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	var s settings
	set.Uint64Var(&s.seed, "seed", 1, "seed of the order of positions")
	set.IntVar(&s.epochs, "epochs", 20, "times that all positions are seen")
	set.IntVar(&s.batch, "batch", 16384, "positions a step")
	set.Float64Var(&s.rate, "rate", 1, "first length of a step, in centipawns; it falls to a twentieth")
	set.Float64Var(&s.lambda, "lambda", 0.97,
		"share of what comes later in the target: 0 = the search's score, 1 = the result")
	set.Float64Var(&s.units.mg, "mg", 0,
		"centipawns of a logistic unit in the middlegame, or while kings are in danger (0 = what fits the weights in "+
			"play best)")
	set.Float64Var(&s.units.eg, "eg", 0, "the same in the endgame, or while kings are safe")
	set.Float64Var(&s.prior, "prior", 5e-9, "pull towards the weights in play, for each centipawn squared")
	set.IntVar(&s.workers, "workers", 2, "goroutines; the result does not depend on it")
	variant := set.String("game", "chess", "the game: chess or shogi")
	name := set.String("o", "", "file of the weights to rewrite (default: that of the game, in the project's root)")
	most := set.Int("max", 4_000_000, "positions to use at most")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() == 0 {
		return errors.New("fit: no file of positions")
	}
	if s.epochs < 1 || s.batch < 1 || s.workers < 1 || s.rate <= 0 || s.lambda < 0 || s.lambda > 1 || s.units.mg < 0 ||
		s.units.eg < 0 || s.prior < 0 {
		return errors.New("fit: a flag is out of range")
	}
	var err error
	if s.game, err = selfplay.Subject(subjects, *variant); err != nil {
		return err
	}
	if *name == "" {
		*name = s.game.file()
	}
	if _, err := os.Stat(*name); err != nil {
		return fmt.Errorf("fit: the weights' file must exist (run in the project's root or give -o): %w", err)
	}
	train, test, err := load(ctx, set.Args(), *most, &s, out)
	if err != nil {
		return err
	}
	w := s.game.weights()
	x, err := descend(ctx, newParams(s.game, w), train, test, &s, out)
	if err != nil {
		return err
	}
	x.store(s.game, w)
	s.game.settle(w)
	note := fmt.Sprintf("tuned is the weights in play, fitted by tools/tune to %d positions of the\nengine's games "+
		"against itself (docs/tuning.md).", len(train)+len(test))
	text, err := source(s.game, w, note)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(*name, atomicfile.Any, text)
}

// load reads and traces the positions of all files. Every twentieth game is
// kept apart to test the fit.
func load(ctx context.Context, names []string, most int, s *settings,
	out io.Writer) (train, test []position, err error) {
	var raw []sample
	full := errors.New("enough")
	games := 0
	for _, name := range names {
		n, err := read(name, games, func(one sample) error {
			if len(raw) == most {
				return full
			}
			raw = append(raw, one)
			return nil
		})
		if err != nil && !errors.Is(err, full) {
			return nil, nil, err
		}
		games += n
	}
	if len(raw) < 1000 {
		return nil, nil, fmt.Errorf("%d positions are too few to fit weights to: play at least 1000", len(raw))
	}
	fmt.Fprintf(out, "%d positions of %d games\n", len(raw), games)
	traced := make([]position, len(raw))
	if err := each(ctx, len(raw), s.workers, newTraceWorker(s.game, raw, traced)); err != nil {
		return nil, nil, err
	}
	if s.units.mg == 0 || s.units.eg == 0 {
		s.units = bestUnits(raw, traced)
	}
	fmt.Fprintf(out, "traced; one logistic unit is %.1f centipawns in the middlegame or danger, %.1f in the endgame "+
		"or safety\n", s.units.mg, s.units.eg)
	setTargets(raw, traced, s)
	for i := range traced {
		p := &traced[i]
		if p.terms == nil {
			continue
		}
		if raw[i].game%20 == 7 {
			test = append(test, *p)
		} else {
			train = append(train, *p)
		}
	}
	return train, test, nil
}

// setTargets gives each position the λ-return of its game (Sutton 1988): the score of its own search, mixed
// with the scores of the positions to come and at last with the result. That is far less noisy than the
// result alone.
func setTargets(raw []sample, traced []position, s *settings) {
	target := 0.0
	for i := len(raw) - 1; i >= 0; i-- {
		if i == len(raw)-1 || raw[i].game != raw[i+1].game {
			target = float64(raw[i].half) / 2
		}
		traced[i].unit = s.units.at(traced[i].phase)
		target = s.lambda*target + (1-s.lambda)*expect(float64(raw[i].score), traced[i].unit)
		traced[i].target = target
	}
}

// newTraceWorker returns what makes a function that traces one raw position.
func newTraceWorker(g subject, raw []sample, traced []position) func() func(int) error {
	return func() func(int) error {
		tracer := newTracer(g)
		var list []term
		return func(i int) error {
			p, err := g.parse(raw[i].setup)
			if err != nil {
				return fmt.Errorf("position %d: %w", i+1, err)
			}
			t := &traced[i]
			if !tracer.plain.look(p, t) {
				return nil
			}
			if list, err = tracer.trace(p, list[:0]); err != nil {
				return fmt.Errorf("position %d: %s: %w", i+1, raw[i].setup, err)
			}
			t.terms = append(make([]term, 0, len(list)), list...)
			return nil
		}
	}
}

// each calls work(i) for i below n in several goroutines, each with a function
// of its own, and returns the first error.
func each(ctx context.Context, n, workers int, start func() func(int) error) error {
	errs := make([]error, workers)
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			work := start()
			for i := k; i < n && errs[k] == nil; i += workers {
				if errs[k] = work(i); i>>8&15 == 0 && ctx.Err() != nil {
					errs[k] = ctx.Err()
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// units are the centipawns of a logistic unit with all pieces and with none.
// Weak play loses more of an advantage while there are pieces; with one unit
// for both, the fit would make all middlegame weights small instead.
type units struct{ mg, eg float64 }

// at is the unit of a phase.
func (u units) at(phase int) float64 { return u.eg + (u.mg-u.eg)*float64(phase)/24 }

// bestUnits are those by which the weights in play predict results best: golden
// sections of one and the other in turn.
func bestUnits(raw []sample, traced []position) units {
	loss := func(u units) (sum float64) {
		for i := range traced {
			if p := &traced[i]; p.terms != nil {
				d := expect(float64(p.value), u.at(p.phase)) - float64(raw[i].half)/2
				sum += d * d
			}
		}
		return sum
	}
	best := units{250, 250}
	for range 4 {
		best.mg = golden(50, 3000, func(x float64) float64 { return loss(units{x, best.eg}) })
		best.eg = golden(50, 3000, func(x float64) float64 { return loss(units{best.mg, x}) })
	}
	return best
}

// golden is where f, which has one valley from low to high, is least.
func golden(low, high float64, f func(float64) float64) float64 {
	const ratio = 0.6180339887498949
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	fa, fb := f(a), f(b)
	for high-low > 1 {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - ratio*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + ratio*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}

// descend is Adam (Kingma and Ba 2015) on the squared error of the expected
// result; it returns the params with the smallest error on the test positions.
func descend(ctx context.Context, x params, train, test []position, s *settings, out io.Writer) (params, error) {
	start := append(params(nil), x...)
	best, least := append(params(nil), x...), loss(x, test, s)
	fmt.Fprintf(out, "%d positions to fit, %d to test\nbefore:   %.6f fit, %.6f test\n", len(train), len(test),
		loss(x, train, s), least)
	rng := rand.New(rand.NewPCG(s.seed, 0))
	m, v := make([]float64, len(x)), make([]float64, len(x))
	const beta1, beta2 = 0.9, 0.999
	step := 0
	for epoch := range s.epochs {
		rng.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
		seen := 0.0
		rate := s.rate * (0.05 + 0.95*0.5*(1+math.Cos(math.Pi*float64(epoch)/float64(s.epochs))))
		for at := 0; at < len(train); at += s.batch {
			batch := train[at:min(at+s.batch, len(train))]
			grad, sum := gradient(x, batch, s)
			seen += sum
			step++
			c1, c2 := 1-math.Pow(beta1, float64(step)), 1-math.Pow(beta2, float64(step))
			for i, g := range grad {
				g = g/float64(len(batch)) + 2*s.prior*(x[i]-start[i])
				m[i] = beta1*m[i] + (1-beta1)*g
				v[i] = beta2*v[i] + (1-beta2)*g*g
				x[i] -= rate * m[i] / c1 / (math.Sqrt(v[i]/c2) + 1e-9)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fresh := loss(x, test, s)
		fmt.Fprintf(out, "epoch %2d: %.6f fit, %.6f test\n", epoch+1, seen/float64(len(train)), fresh)
		if fresh < least {
			least, best = fresh, append(best[:0], x...)
		}
	}
	return best, nil
}

// shards is how many parts a sum over positions is made of, whatever the number
// of goroutines, so that it is rounded the same way.
const shards = 8

// gradient is the gradient of the squared errors of a batch, and their sum.
func gradient(x params, batch []position, s *settings) (grad []float64, sum float64) {
	parts, errs := make([][]float64, shards), [shards]float64{}
	inShards(len(batch), s.workers, func(k, low, high int) {
		parts[k] = make([]float64, len(x))
		for i := low; i < high; i++ {
			p := &batch[i]
			value, d := x.value(s.game, p)
			e := expect(value, p.unit)
			d.add(parts[k], p, 2*(e-p.target)*e*(1-e)/p.unit)
			errs[k] += (e - p.target) * (e - p.target)
		}
	})
	for k, part := range parts {
		sum += errs[k]
		if k > 0 {
			for i, g := range part {
				parts[0][i] += g
			}
		}
	}
	return parts[0], sum
}

// loss is the mean squared error of the expected result.
func loss(x params, ps []position, s *settings) float64 {
	var parts [shards]float64
	inShards(len(ps), s.workers, func(k, low, high int) {
		for i := low; i < high; i++ {
			value, _ := x.value(s.game, &ps[i])
			d := expect(value, ps[i].unit) - ps[i].target
			parts[k] += d * d
		}
	})
	sum := 0.0
	for _, part := range parts {
		sum += part
	}
	return sum / float64(max(len(ps), 1))
}

// inShards calls work for each shard of n things.
func inShards(n, workers int, work func(shard, low, high int)) {
	var all sync.WaitGroup
	for k := range min(workers, shards) {
		all.Go(func() {
			for shard := k; shard < shards; shard += workers {
				work(shard, n*shard/shards, n*(shard+1)/shards)
			}
		})
	}
	all.Wait()
}

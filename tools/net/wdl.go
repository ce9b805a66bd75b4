package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"trefoil/tools/net/internal/record"
)

// wdl is the command of that name: it fits the model of win, draw and loss by which a score is an
// expected result, as UCI_ShowWDL prints it.
func wdl(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() == 0 {
		return errors.New("wdl: no file of positions")
	}
	var r results
	for _, name := range set.Args() {
		h, games, err := readAll(name)
		if err != nil {
			return err
		}
		if h.Kind != record.Played {
			return fmt.Errorf("wdl: %s: kind %s, want %s: the scores must be those of searches", name, h.Kind, record.Played)
		}
		fmt.Fprintf(out, "%s: %s\n", name, h.Scores)
		for _, one := range games {
			for at := 0; at < len(one.records); at += h.Bytes {
				r.count(record.TailOf(one.records[at : at+h.Bytes]))
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if r.positions == 0 {
		return errors.New("wdl: the files have no positions")
	}
	r.print(out, r.fit())
	return nil
}

// results counts the half points of positions by score, from −decided on.
type results struct {
	positions int
	half      [2*decided + 1][3]int
}

func (r *results) count(t record.Tail) {
	score := min(max(int(t.Score), -decided), decided)
	r.half[decided+score][t.Half]++
	r.positions++
}

// wdlModel says how likely results are: a win 1/(1+exp((even−score)/spread)), a loss the same of −score.
type wdlModel struct{ even, spread float64 }

// probabilities are those of loss, draw and win.
func (m wdlModel) probabilities(score float64) [3]float64 {
	win := 1 / (1 + math.Exp((m.even-score)/m.spread))
	loss := 1 / (1 + math.Exp((m.even+score)/m.spread))
	return [3]float64{loss, 1 - win - loss, win}
}

// fit returns the model of maximum likelihood.
func (r *results) fit() wdlModel {
	best := wdlModel{even: 50, spread: 100}
	least := r.loss(best)
	for step := 1.0; step > 1e-5; {
		better := false
		for _, try := range [4]wdlModel{
			{best.even * (1 + step), best.spread}, {best.even / (1 + step), best.spread},
			{best.even, best.spread * (1 + step)}, {best.even, best.spread / (1 + step)},
		} {
			if loss := r.loss(try); loss < least {
				best, least, better = try, loss, true
			}
		}
		if !better {
			step /= 2
		}
	}
	return best
}

// loss is minus the mean logarithm of the probability of the result of a position.
func (r *results) loss(m wdlModel) float64 {
	sum := 0.0
	for i, half := range r.half {
		if half == [3]int{} {
			continue
		}
		for k, p := range m.probabilities(float64(i - decided)) {
			sum -= float64(half[k]) * math.Log(max(p, 1e-12))
		}
	}
	return sum / float64(r.positions)
}

// print prints a model, and what it says and what has been counted for classes of scores.
func (r *results) print(out io.Writer, m wdlModel) {
	fmt.Fprintf(out, "%d positions: even at %.1f centipawns, spread %.1f, mean loss %.4f\n", r.positions, m.even, m.spread, r.loss(m))
	fmt.Fprintf(out, "%16s %10s   %-23s %s\n", "score", "positions", "win, draw, loss counted", "by the model")
	for low := -800; low < 800; low += 100 {
		n, counted, expected := 0, [3]float64{}, [3]float64{}
		for score := low; score < low+100; score++ {
			p := m.probabilities(float64(score))
			for k, c := range r.half[decided+score] {
				n += c
				counted[k] += float64(c)
				for j := range p {
					expected[j] += float64(c) * p[j]
				}
			}
		}
		if n == 0 {
			continue
		}
		f := 100 / float64(n)
		fmt.Fprintf(out, "%5d to %5d cp %10d   %5.1f %% %5.1f %% %5.1f %%  %5.1f %% %5.1f %% %5.1f %%\n", low, low+99, n,
			f*counted[2], f*counted[1], f*counted[0], f*expected[2], f*expected[1], f*expected[0])
	}
}

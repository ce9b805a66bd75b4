package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/optimize"

	"trefoil/game/chess/wdl"
)

const (
	defaultOrder = 2
	maxOrder     = 3
	folds        = 10 // of the cross-validation
)

// fit returns the model of maximum likelihood whose polynomials have that order.
func fit(positions []scored, order int) (m wdl.Model, err error) {
	n := order + 1
	start := make([]float64, 2*n) // the coefficients of both polynomials
	start[0], start[n] = 100, 100
	likelihood := optimize.Problem{
		Func: func(x []float64) float64 { return loss(positions, model(x), nil) },
		Grad: func(grad, x []float64) { loss(positions, model(x), grad) },
	}
	result, err := optimize.Minimize(likelihood, start, &optimize.Settings{GradientThreshold: 1e-7}, &optimize.BFGS{})
	if err != nil {
		return m, fmt.Errorf("wdl: the fit of order %d: %w", order, err)
	}
	return model(result.X), nil
}

// model is the one with these coefficients.
func model(x []float64) wdl.Model {
	n := len(x) / 2
	return wdl.Model{Even: x[:n], Spread: x[n:]}
}

// loss is minus the mean logarithm of the probability of the results of positions. Unless grad is nil, it gets
// the gradient for the coefficients. The loss of a model without probabilities is infinite.
func loss(positions []scored, m wdl.Model, grad []float64) float64 {
	clear(grad)
	n, sum := len(m.Even), 0.0
	for _, s := range positions {
		x := wdl.Fraction(s.material)
		even, spread := m.Even.At(x), m.Spread.At(x)
		if even <= 0 || spread <= 0 {
			return math.Inf(1)
		}
		win, draw, lost := m.Probabilities(s.material, s.score)
		// The derivatives of the win and of the loss by even, and by spread.
		winEven, lossEven := -win*(1-win)/spread, -lost*(1-lost)/spread
		winSpread, lossSpread := winEven*(s.score-even)/spread, lossEven*(-s.score-even)/spread
		p := [3]float64{lost, draw, win}[s.half]
		byEven := [3]float64{lossEven, -winEven - lossEven, winEven}[s.half]
		bySpread := [3]float64{lossSpread, -winSpread - lossSpread, winSpread}[s.half]
		p = max(p, 1e-12)
		sum -= math.Log(p)
		for i, power := 0, 1.0; grad != nil && i < n; i, power = i+1, power*x {
			grad[i] -= byEven / p * power / float64(len(positions))
			grad[n+i] -= bySpread / p * power / float64(len(positions))
		}
	}
	return sum / float64(len(positions))
}

// compareOrders prints the loss of models of each order on games that they were not fitted to, with what
// the material gains.
func compareOrders(ctx context.Context, out io.Writer, all []scored, games int) error {
	fmt.Fprintf(out, "held-out loss, a tenth of the games at a time (± standard error by games)\n")
	var alone []float64
	for order := 0; order <= maxOrder; order++ {
		losses, err := heldOutLosses(ctx, all, games, order)
		if err != nil {
			return err
		}
		if order == 0 {
			alone = losses
			fmt.Fprintf(out, "  score alone        %.4f\n", total(losses)/float64(len(all)))
			continue
		}
		mean, deviation := difference(losses, alone)
		n := float64(len(all))
		fmt.Fprintf(out, "  material, order %d  %.4f   difference %+.4f ± %.4f\n", order, total(losses)/n, mean*float64(games)/n, deviation*float64(games)/n)
	}
	fmt.Fprintln(out)
	return nil
}

// heldOutLosses returns the sum of the losses of each game by models that were fitted without it.
func heldOutLosses(ctx context.Context, all []scored, games, order int) ([]float64, error) {
	losses := make([]float64, games)
	for fold := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var fitted []scored
		for _, s := range all {
			if s.game%folds != fold {
				fitted = append(fitted, s)
			}
		}
		m, err := fit(fitted, order)
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if s.game%folds == fold {
				losses[s.game] += loss([]scored{s}, m, nil)
			}
		}
	}
	return losses, nil
}

// difference is the mean of a − b and its standard error.
func difference(a, b []float64) (mean, deviation float64) {
	n := float64(len(a))
	for i := range a {
		mean += (a[i] - b[i]) / n
	}
	for i := range a {
		deviation += (a[i] - b[i] - mean) * (a[i] - b[i] - mean)
	}
	return mean, math.Sqrt(deviation / (n - 1) / n)
}

func total(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"trefoil/game/chess/wdl"
)

const (
	defaultOrder = 1
	maxOrder     = 3
	folds        = 10 // of the cross-validation
)

// lengthModel is a model for searches of several lengths: even and spread are those of the model for the
// longest ones, and change by powers of the nodes.
type lengthModel struct {
	wdl.Model
	evenPower, spreadPower float64
}

// at is the model for searches of a length.
func (m lengthModel) at(length float64) wdl.Model {
	scaled := func(p wdl.Polynomial, power float64) wdl.Polynomial {
		return floats.ScaleTo(make(wdl.Polynomial, len(p)), math.Exp(power*length), p)
	}
	return wdl.Model{Even: scaled(m.Even, m.evenPower), Spread: scaled(m.Spread, m.spreadPower)}
}

// fit returns the model of maximum likelihood whose polynomials have that order.
func fit(games []scoredGame, order int) (m lengthModel, err error) {
	n := order + 1
	start := make([]float64, 2*n+2)
	start[0], start[n] = 100, 100
	likelihood := optimize.Problem{
		Func: func(x []float64) float64 { return loss(games, model(x), nil) },
		Grad: func(grad, x []float64) { loss(games, model(x), grad) },
	}
	result, err := optimize.Minimize(likelihood, start, &optimize.Settings{GradientThreshold: 1e-6}, &optimize.BFGS{})
	if err != nil {
		return m, fmt.Errorf("wdl: the fit of order %d: %w", order, err)
	}
	return model(result.X), nil
}

// model is the one with these parameters: the coefficients of both polynomials, and the powers.
func model(x []float64) lengthModel {
	n := len(x)/2 - 1
	return lengthModel{wdl.Model{Even: x[:n], Spread: x[n : 2*n]}, x[2*n], x[2*n+1]}
}

// loss is minus the mean logarithm of the probability of the results of positions. Unless grad is nil, it gets
// the gradient for the parameters. The loss of a model without probabilities is infinite.
func loss(games []scoredGame, m lengthModel, grad []float64) float64 {
	clear(grad)
	sum, positions := 0.0, 0
	for _, g := range games {
		positions += len(g.positions)
		evenFactor, spreadFactor := math.Exp(m.evenPower*g.length), math.Exp(m.spreadPower*g.length)
		for _, s := range g.positions {
			x := wdl.Fraction(s.material)
			even, spread := evenFactor*m.Even.At(x), spreadFactor*m.Spread.At(x)
			if even <= 0 || spread <= 0 {
				return math.Inf(1)
			}
			win, draw, lost := wdl.Probabilities(even, spread, s.score)
			p := max([3]float64{lost, draw, win}[s.half], 1e-12)
			sum -= math.Log(p)
			if grad == nil {
				continue
			}
			// The derivatives of the probabilities by even and by spread.
			winEven, lossEven := -win*(1-win)/spread, -lost*(1-lost)/spread
			winSpread, lossSpread := winEven*(s.score-even)/spread, lossEven*(-s.score-even)/spread
			byEven := -[3]float64{lossEven, -winEven - lossEven, winEven}[s.half] / p
			bySpread := -[3]float64{lossSpread, -winSpread - lossSpread, winSpread}[s.half] / p
			n, power := len(m.Even), 1.0
			for i := range n {
				grad[i] += byEven * evenFactor * power
				grad[n+i] += bySpread * spreadFactor * power
				power *= x
			}
			grad[2*n] += byEven * even * g.length
			grad[2*n+1] += bySpread * spread * g.length
		}
	}
	for i := range grad {
		grad[i] /= float64(positions)
	}
	return sum / float64(positions)
}

// compareOrders prints, for each length of searches, the losses of models of each order on games that they were
// not fitted to, and what the material gains.
func compareOrders(ctx context.Context, out io.Writer, games []scoredGame) error {
	var losses [maxOrder + 1][]float64
	for order := range losses {
		var err error
		if losses[order], err = heldOutLosses(ctx, games, order); err != nil {
			return err
		}
	}
	first := 0
	for _, same := range byLength(games) {
		positions := count(same)
		fmt.Fprintf(out, "%d nodes: %d positions of %d games; loss, a tenth of the games held out at a time:\n",
			same[0].nodes, positions, len(same))
		alone := losses[0][first : first+len(same)]
		fmt.Fprintf(out, "  score alone        %.4f\n", floats.Sum(alone)/float64(positions))
		for order := 1; order <= maxOrder; order++ {
			l := losses[order][first : first+len(same)]
			gain := floats.SubTo(make([]float64, len(l)), l, alone)
			fmt.Fprintf(out, "  material, order %d  %.4f  %+.4f ± %.4f (standard error by games)\n", order,
				floats.Sum(l)/float64(positions),
				floats.Sum(gain)/float64(positions), math.Sqrt(float64(len(same)))*stat.StdDev(gain, nil)/float64(positions))
		}
		first += len(same)
	}
	fmt.Fprintln(out)
	return nil
}

// heldOutLosses returns the sum of the losses of each game by a model that was fitted without it.
func heldOutLosses(ctx context.Context, games []scoredGame, order int) ([]float64, error) {
	losses := make([]float64, len(games))
	for fold := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var fitted []scoredGame
		for i, g := range games {
			if i%folds != fold {
				fitted = append(fitted, g)
			}
		}
		m, err := fit(fitted, order)
		if err != nil {
			return nil, err
		}
		for i := fold; i < len(games); i += folds {
			losses[i] = loss(games[i:i+1], m, nil) * float64(len(games[i].positions))
		}
	}
	return losses, nil
}

package plot

import (
	"fmt"
	"math"
	"strings"
)

// An axis maps values to pixels.
type axis struct {
	log      bool
	from, to float64 // values, logarithms of them if log is set
	at, end  float64 // their pixels
}

// place returns the pixel of a value, NaN if it has none.
func (a axis) place(v float64) float64 {
	if a.log {
		v = logarithm(v)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.NaN()
	}
	if a.from == a.to {
		return (a.at + a.end) / 2
	}
	return a.at + (v-a.from)/(a.to-a.from)*(a.end-a.at)
}

// logarithm is log10, NaN for what is not positive.
func logarithm(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return math.Log10(v)
}

// xAxis returns the axis of the points, in pixels left to right.
func (c Chart) xAxis(left, right float64) axis {
	a := axis{log: c.LogX, from: c.At[0], to: c.At[len(c.At)-1], at: left, end: right}
	if c.LogX {
		a.from, a.to = math.Log10(a.from), math.Log10(a.to)
	}
	return a
}

// yAxis returns the axis of the values, in pixels from bottom to top, and its numbers.
func (c Chart) yAxis(bottom, top float64) (a axis, numbers []float64, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range c.Lines {
		for _, values := range [][]float64{l.Values, l.Low, l.High} {
			for _, v := range values {
				if c.LogY {
					v = logarithm(v)
				}
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	if low > high {
		return a, nil, false
	}
	from, to, n := c.round(low, high)
	for i := range n {
		v := from + (to-from)*float64(i)/float64(n-1)
		if c.LogY {
			v = math.Pow(10, v)
		}
		numbers = append(numbers, v)
	}
	return axis{log: c.LogY, from: from, to: to, at: bottom, end: top}, numbers, true
}

// round widens a range of the y axis to round numbers and returns how many of them it has. They differ in the digits
// that number writes.
func (c Chart) round(low, high float64) (from, to float64, numbers int) {
	if low == 0 && high == 0 {
		high = 1
	}
	step := 1.0
	if !c.LogY || high-low > 10 {
		least := max(high-low, math.Abs(high)*1e-5, 1e-12) / 8
		step = math.Pow(10, math.Floor(math.Log10(least)))
		for _, factor := range []float64{1, 2, 5, 10} {
			if step*factor >= least {
				step *= factor
				break
			}
		}
	}
	from, to = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if from == to {
		to += step
	}
	return from, to, int(math.Round((to-from)/step)) + 1
}

// number formats a value for an axis.
func number(v float64) string {
	if math.Abs(v) < 1e-12 {
		v = 0 // what rounding left of it
	}
	text := fmt.Sprintf("%.7g", v)
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(text)
}

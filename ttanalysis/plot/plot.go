// Package plot draws line charts as SVG without external references, for a file of their own or
// within an HTML page.
package plot

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/go-analyze/charts"
)

// A Chart has lines over common points.
type Chart struct {
	Title  string
	X, Y   string   // titles of the axes, with units
	Points []string // on the x axis, at equal distances
	Lines  []Line
	Log    bool // logarithmic y axis; values that are not positive are not drawn
}

// A Line has a value for every point, NaN where there is none.
type Line struct {
	Name   string
	Values []float64
}

// Size of a chart in pixels.
const (
	width  = 960
	height = 540
)

// SVG draws the chart. Texts are escaped here, because the library does not escape them.
func (c Chart) SVG() ([]byte, error) {
	if len(c.Points) == 0 || len(c.Lines) == 0 {
		return nil, errors.New("plot: nothing to draw")
	}
	values, names := make([][]float64, len(c.Lines)), make([]string, len(c.Lines))
	low, high, longest := math.Inf(1), math.Inf(-1), 0
	for i, l := range c.Lines {
		if len(l.Values) != len(c.Points) {
			return nil, fmt.Errorf("plot: line %q has %d values for %d points", l.Name, len(l.Values), len(c.Points))
		}
		names[i] = html.EscapeString(l.Name)
		longest = max(longest, len(l.Name))
		values[i] = make([]float64, len(l.Values))
		for j, v := range l.Values {
			values[i][j] = c.place(v)
			if values[i][j] != charts.GetNullValue() {
				low, high = min(low, values[i][j]), max(high, values[i][j])
			}
		}
	}
	if low > high {
		return nil, errors.New("plot: no line has a value")
	}
	opt := charts.NewLineChartOptionWithData(values)
	opt.Title.Text = html.EscapeString(c.Title)
	opt.Title.FontStyle.FontSize = 14
	opt.Padding = charts.NewBoxEqual(20)
	opt.XAxis.Title = html.EscapeString(c.X)
	opt.XAxis.Labels = make([]string, len(c.Points))
	for i, p := range c.Points {
		opt.XAxis.Labels[i] = html.EscapeString(p)
	}
	opt.XAxis.BoundaryGap = charts.Ptr(false)
	opt.XAxis.LabelCount = len(c.Points)
	opt.YAxis[0].Title = html.EscapeString(c.Y)
	low, high, labels := c.round(low, high)
	opt.YAxis[0].Min, opt.YAxis[0].Max, opt.YAxis[0].LabelCount = &low, &high, labels
	opt.YAxis[0].RangeValuePaddingScale = charts.Ptr(0.0)
	opt.ValueFormatter = c.label
	opt.Symbol = charts.SymbolDot
	opt.LineStrokeWidth = 1.6
	opt.Legend.SeriesNames = names
	opt.Legend.Vertical = charts.Ptr(true)
	opt.Legend.FontStyle.FontSize = 10
	legend := 70 + 8*longest // its width, beside the lines
	opt.Legend.Offset = charts.OffsetStr{Left: fmt.Sprint(width - legend), Top: "50"}
	opt.Padding.Right = legend
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: width, Height: height})
	if err := p.LineChart(opt); err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	svg, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	return c.describe(svg), nil
}

// place returns the coordinate of a value on the y axis.
func (c Chart) place(v float64) float64 {
	if c.Log {
		v = math.Log10(v)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return charts.GetNullValue()
	}
	return v
}

// round widens a range of the y axis to round numbers and returns the number of labels in it.
func (c Chart) round(low, high float64) (from, to float64, labels int) {
	step := 1.0
	if !c.Log || high-low > 10 {
		least := max(high-low, math.Abs(high)*1e-6, 1e-12) / 8
		step = math.Pow(10, math.Floor(math.Log10(least)))
		for _, factor := range []float64{1, 2, 5, 10} {
			if step*factor >= least {
				step *= factor
				break
			}
		}
		if c.Log {
			step = math.Ceil(step)
		}
	}
	from, to = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if from == to {
		to += step
	}
	return from, to, int(math.Round((to-from)/step)) + 1
}

// label formats a coordinate of the y axis.
func (c Chart) label(v float64) string {
	if c.Log {
		v = math.Pow(10, v)
	}
	return strings.ReplaceAll(fmt.Sprintf("%.4g", v), "e-0", "e-")
}

// describe adds the size, which a file of its own needs, and a label for screen readers.
func (c Chart) describe(svg []byte) []byte {
	head := fmt.Sprintf(`<svg width="%d" height="%d" role="img" aria-label="%s" `, width, height, html.EscapeString(c.Title))
	return bytes.Replace(svg, []byte("<svg "), []byte(head), 1)
}

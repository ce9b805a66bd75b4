// Package plot draws line charts as SVG without external references, for a file of their own or
// within an HTML page.
//
// Lines differ in colour and in mark. The colours come from Okabe and Ito, "Color Universal Design" (2008);
// people with any colour vision can distinguish them. Names stand at the right end of the lines, in the
// order of the lines there.
package plot

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"math"
	"slices"
)

// A Chart has lines over common points of the x axis.
type Chart struct {
	Title      string
	X, Y       string    // titles of the axes, with units
	At         []float64 // the points on the x axis, strictly ascending
	Lines      []Line
	LogX, LogY bool // logarithmic axes; values that are not positive are not drawn
}

// A Line has a value for every point, NaN where there is none.
type Line struct {
	Name      string
	Kind      Kind
	Values    []float64
	Low, High []float64 // the interval of each value; nil if there are none
}

// Kind says how a line is drawn.
type Kind uint8

// The kinds of lines.
const (
	Ordinary  Kind = iota
	Main           // the subject of the chart: thickest, and over the others
	Reference      // what others are measured by, such as a bound: dashed, without marks
)

// MaxDistinct is the number of ordinary lines whose colours differ. More than these differ in the
// pair of colour and mark.
const MaxDistinct = len(ordinaryColors)

// Colours of Okabe and Ito. Yellow is too light for a line on white.
const mainColor = "#D55E00" // vermilion

var ordinaryColors = [...]string{
	"#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", // blue, green, purple, orange, sky blue
}

// Style is the style sheet of charts, light and dark. A file of its own has it inside. An HTML page
// with charts of Inline needs it once.
//
//go:embed chart.css
var Style template.CSS

//go:embed chart.svg
var chartTemplate string

// SVG draws the chart as a file of its own.
func (c Chart) SVG() ([]byte, error) { return c.draw(Style) }

// Inline draws the chart for an HTML page that has Style.
func (c Chart) Inline() (template.HTML, error) {
	svg, err := c.draw("")
	return template.HTML(svg), err
}

func (c Chart) draw(style template.CSS) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t, err := template.New("chart").Parse(chartTemplate)
	if err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	d, err := c.layOut()
	if err != nil {
		return nil, err
	}
	d.Style = style
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	return b.Bytes(), nil
}

// check refuses what cannot be drawn.
func (c Chart) check() error {
	if len(c.At) == 0 || len(c.Lines) == 0 {
		return errors.New("plot: nothing to draw")
	}
	for i, x := range c.At {
		if math.IsNaN(x) || math.IsInf(x, 0) || c.LogX && x <= 0 || i > 0 && x <= c.At[i-1] {
			return fmt.Errorf("plot: %g has no place on the x axis", x)
		}
	}
	for _, l := range c.Lines {
		for _, values := range [][]float64{l.Values, l.Low, l.High} {
			if len(values) != len(c.At) && (values != nil || len(l.Values) != len(c.At)) {
				return fmt.Errorf("plot: line %q has %d values for %d points", l.Name, len(values), len(c.At))
			}
		}
	}
	return nil
}

// inDrawingOrder returns the lines, references first and the main ones last, and the number of each among
// the lines of its kind.
func (c Chart) inDrawingOrder() (lines []Line, numbers []int) {
	for _, kind := range []Kind{Reference, Ordinary, Main} {
		n := 0
		for _, l := range c.Lines {
			if l.Kind == kind {
				lines, numbers = append(lines, l), append(numbers, n)
				n++
			}
		}
	}
	return lines, numbers
}

// fromTheTop sorts lines by their last values, highest first; lines that end alike by the values
// before. It returns their indices.
func fromTheTop(lines []Line) []int {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := lines[a].Values, lines[b].Values
		for i := len(x) - 1; i >= 0; i-- {
			switch {
			case x[i] > y[i] || math.IsNaN(y[i]) && !math.IsNaN(x[i]):
				return -1
			case x[i] < y[i] || math.IsNaN(x[i]) && !math.IsNaN(y[i]):
				return 1
			}
		}
		return 0
	})
	return order
}

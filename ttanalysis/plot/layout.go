package plot

import (
	"errors"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels.
const (
	width      = 900
	minHeight  = 470
	left       = 76 // of the plot, beside the numbers of the y axis
	top        = 70 // of the plot, below the titles
	below      = 58 // the plot, for the x axis
	nameHeight = 21
	nameGap    = 28   // between the plot and the names
	sample     = 26   // length of the sample of a line before its name
	charWidth  = 10.5 // of the font for narrow screens
	maxName    = 34   // characters
)

// A drawing is the data of chartTemplate.
type drawing struct {
	Style                    template.CSS
	Width, Height            px
	Left, Right, Top, Bottom px
	Title, Description, X, Y string
	XNumbers, YNumbers       []mark
	Lines                    []drawnLine
}

// px is a coordinate or length.
type px float64

// String formats p for an attribute.
func (p px) String() string {
	return strconv.FormatFloat(math.Round(float64(p)*10)/10, 'f', -1, 64)
}

// Plus returns p moved, for the template.
func (p px) Plus(d float64) px { return p + px(d) }

// A mark is a shape or a text at a pixel.
type mark struct {
	X, Y px
	Path string
	Text string
}

// A drawnLine is a line of a drawing, with its name.
type drawnLine struct {
	Class, Color, Dash string
	Name, FullName     string // Name is short enough for its place
	Path, Bars, Leader string
	Marks              []mark
	Sample             mark
	NameX, NameY       px
	last               float64 // y of its last point
	ends               bool    // that point is at the right end
}

// layOut computes all coordinates.
func (c Chart) layOut() (*drawing, error) {
	lines, numbers := c.inDrawingOrder()
	longest := 0
	for _, l := range lines {
		longest = max(longest, min(maxName, utf8.RuneCountInString(l.Name)))
	}
	height := max(minHeight, top+below+nameHeight*len(lines))
	right := width - nameGap - sample - 16 - charWidth*float64(longest)
	bottom := float64(height - below)
	x := c.xAxis(left+12, right-12)
	y, yNumbers, ok := c.yAxis(bottom, top)
	if !ok {
		return nil, errors.New("plot: no line has a value")
	}
	d := &drawing{
		Width: width, Height: px(height), Left: left, Right: px(right), Top: top, Bottom: px(bottom),
		Title: clean(c.Title), X: clean(c.X), Y: clean(c.Y), Description: clean(c.describe()),
		XNumbers: c.xNumbers(x, bottom),
	}
	for _, v := range yNumbers {
		d.YNumbers = append(d.YNumbers, mark{X: left, Y: px(y.place(v)), Text: number(v)})
	}
	for i, l := range lines {
		d.Lines = append(d.Lines, c.drawLine(l, numbers[i], x, y))
	}
	placeNames(d.Lines, fromTheTop(lines), right, bottom)
	return d, nil
}

// xNumbers returns the numbers of the x axis, without numbers that would overlap.
func (c Chart) xNumbers(x axis, bottom float64) (numbers []mark) {
	end := math.Inf(-1)
	for _, v := range c.At {
		text, at := number(v), x.place(v)
		half := charWidth * float64(len(text)) / 2
		if at-half < end+6 {
			text = ""
		} else {
			end = at + half
		}
		numbers = append(numbers, mark{X: px(at), Y: px(bottom), Text: text})
	}
	return numbers
}

// drawLine computes the path, the marks and the intervals of a line, the nth of its kind.
func (c Chart) drawLine(l Line, nth int, x, y axis) drawnLine {
	d := drawnLine{Class: "ordinary", FullName: clean(l.Name), last: math.NaN()}
	d.Name = shorten(d.FullName)
	shape, size := nth+1, 4.6
	switch l.Kind {
	case Main:
		d.Class, d.Color, shape, size = "main", mainColor, 0, 5.5
	case Reference:
		d.Class, d.Dash = "reference", [...]string{"9 6", "3 5", "12 5 3 5"}[nth%3]
	default:
		d.Color = ordinaryColors[nth%len(ordinaryColors)]
	}
	var path, bars strings.Builder
	pen := "M"
	for i, v := range l.Values {
		at := x.place(c.At[i])
		if l.High != nil {
			bars.WriteString(bar(at, y, l.Low[i], l.High[i]))
		}
		to := y.place(v)
		if math.IsNaN(to) {
			pen = "M"
			continue
		}
		d.last, d.ends = to, i == len(l.Values)-1
		fmt.Fprintf(&path, "%s%s %s", pen, px(at), px(to))
		pen = "L"
		if l.Kind != Reference {
			d.Marks = append(d.Marks, mark{X: px(at), Y: px(to), Path: shapePath(shape, size),
				Text: fmt.Sprintf("%s: %s at %s", d.FullName, number(v), number(c.At[i]))})
		}
	}
	d.Path, d.Bars = path.String(), bars.String()
	if l.Kind != Reference {
		d.Sample.Path = shapePath(shape, size)
	}
	return d
}

// bar returns the path of an interval. Its lower end may be 0 on a logarithmic axis.
func bar(x float64, y axis, low, high float64) string {
	from, to := y.place(low), y.place(high)
	if math.IsNaN(to) {
		return ""
	}
	const half = 4
	path := fmt.Sprintf("M%s %sH%s", px(x-half), px(to), px(x+half))
	if math.IsNaN(from) {
		from = y.at
	} else {
		path += fmt.Sprintf("M%s %sH%s", px(x-half), px(from), px(x+half))
	}
	return path + fmt.Sprintf("M%s %sV%s", px(x), px(from), px(to))
}

// shapePath returns the path of a mark around 0, 0. Shape 0 is for the main line.
func shapePath(shape int, r float64) string {
	format := [...]string{
		"M{-r} 0A{r} {r} 0 1 0 {r} 0A{r} {r} 0 1 0 {-r} 0Z",            // circle
		"M{-r} {-r}H{r}V{r}H{-r}Z",                                     // square
		"M0 {-d}L{d} {r}H{-d}Z",                                        // triangle
		"M0 {-d}L{d} 0L0 {d}L{-d} 0Z",                                  // diamond
		"M0 {d}L{d} {-r}H{-d}Z",                                        // triangle, point down
		"M{-d} {-h}H{-h}V{-d}H{h}V{-h}H{d}V{h}H{h}V{d}H{-h}V{h}H{-d}Z", // plus
		"M{-d} {-r}L{d} {r}V{-r}L{-d} {r}Z",                            // hourglass
	}
	if shape > 0 {
		shape = 1 + (shape-1)%(len(format)-1)
	}
	d, h := r*1.3, r*0.4
	return strings.NewReplacer(
		"{r}", px(r).String(), "{-r}", px(-r).String(), "{d}", px(d).String(), "{-d}", px(-d).String(),
		"{h}", px(h).String(), "{-h}", px(-h).String(),
	).Replace(format[shape])
}

// placeNames puts the names beside the ends of their lines, from the top in that order, without
// overlap.
func placeNames(lines []drawnLine, order []int, right, bottom float64) {
	y := make([]float64, len(order))
	above := float64(top) - nameHeight/2
	for i, line := range order {
		y[i] = above + nameHeight
		if last := lines[line].last; last > y[i] {
			y[i] = last
		}
		above = y[i]
	}
	limit := bottom
	for i := range slices.Backward(y) {
		y[i] = min(y[i], limit)
		limit = y[i] - nameHeight
	}
	for i, line := range order {
		l := &lines[line]
		if l.ends {
			l.Leader = fmt.Sprintf("M%s %sL%s %s", px(right-8), px(l.last), px(right+nameGap-4), px(y[i]))
		}
		l.Sample.X, l.Sample.Y = px(right+nameGap+sample/2), px(y[i])
		l.NameX, l.NameY = px(right+nameGap+sample+8), px(y[i]+5)
	}
}

// describe says in words what the chart shows, for readers who do not see it.
func (c Chart) describe() string {
	last := len(c.At) - 1
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s, %s to %s. At %s, from the top:", c.Y, c.X, number(c.At[0]), number(c.At[last]),
		number(c.At[last]))
	for _, i := range fromTheTop(c.Lines) {
		value := "none"
		if v := c.Lines[i].Values[last]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			value = number(v)
		}
		fmt.Fprintf(&b, " %s %s;", c.Lines[i].Name, value)
	}
	return strings.TrimSuffix(b.String(), ";") + "."
}

// shorten cuts a name to maxName characters.
func shorten(name string) string {
	if r := []rune(name); len(r) > maxName {
		return string(r[:maxName-1]) + "…"
	}
	return name
}

// clean replaces the control characters that XML cannot have.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

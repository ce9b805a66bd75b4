package plot

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

var update = flag.Bool("update", false, "draw testdata/chart.svg again")

func example() Chart {
	return Chart{
		Title: "Hits & <misses>", X: "table, <MiB>", Y: "hits, %", At: []float64{0.5, 1, 4}, LogX: true,
		Lines: []Line{
			{Name: `a "b"`, Values: []float64{1, 2, 3}},
			{Name: "c&d\x00", Kind: Main, Values: []float64{math.NaN(), 2.5, 0.001}, Low: []float64{0, 0, 0}, High: []float64{math.NaN(), 3, 3.5}},
			{Name: "bound", Kind: Reference, Values: []float64{math.Inf(-1), 4, 4}},
		},
	}
}

// parsed is what the tests read in a chart.
type parsed struct {
	attributes map[string]string // of the root
	texts      []string          // of <text>, in order
	all        string            // texts of any element
	classes    []string          // of <g>, in order
}

// parse fails the test if svg is not well-formed.
func parse(t *testing.T, svg []byte) (p parsed) {
	t.Helper()
	p.attributes = map[string]string{}
	var path []string
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := d.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			path = append(path, token.Name.Local)
			for _, a := range token.Attr {
				if len(path) == 1 {
					p.attributes[a.Name.Local] = a.Value
				}
				if token.Name.Local == "g" && a.Name.Local == "class" {
					p.classes = append(p.classes, a.Value)
				}
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			p.all += string(token) + "\n"
			if len(path) > 0 && path[len(path)-1] == "text" {
				p.texts = append(p.texts, string(token))
			}
		}
	}
}

// A chart is well-formed XML for any texts, and has all of them and a size. The main line is drawn
// last.
func TestSVG(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := example()
		c.LogY = log
		svg, err := c.SVG()
		if err != nil {
			t.Fatal(err)
		}
		p := parse(t, svg)
		for _, want := range []string{"Hits & <misses>", "table, <MiB>", "hits, %", "0.5", `a "b"`,
			"c&d\uFFFD", "bound"} {
			if !slices.Contains(p.texts, want) {
				t.Errorf("log %v: %q is not in the picture: %q", log, want, p.texts)
			}
		}
		if p.attributes["width"] != "900" || p.attributes["height"] != "470" || p.attributes["aria-label"] != c.Title {
			t.Errorf("attributes %v", p.attributes)
		}
		if want := []string{"reference", "ordinary", "main"}; !slices.Equal(p.classes, want) {
			t.Errorf("drawn in the order %q, want %q", p.classes, want)
		}
		if log && !slices.Contains(p.texts, "0.001") {
			t.Errorf("no powers of ten on the axis: %q", p.texts)
		}
		if !strings.Contains(p.all, "At 4, from the top: bound 4; a \"b\" 3; c&d\uFFFD 0.001.") {
			t.Errorf("description: %s", p.all)
		}
		if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") {
			t.Errorf("not a number: %s", svg)
		}
		if !strings.Contains(string(svg), "<style>") {
			t.Error("a file of its own has no style")
		}
		inline, err := c.Inline()
		if err != nil || strings.Contains(string(inline), "<style>") {
			t.Errorf("%v; a chart within a page repeats the style", err)
		}
	}
}

// Names do not overlap, stay within the picture, and stand in the order of the ends of the lines.
func TestNames(t *testing.T) {
	c := Chart{At: []float64{1, 2}}
	for i := range 40 {
		c.Lines = append(c.Lines,
			Line{Name: "line " + strconv.Itoa(i) + strings.Repeat("x", i*i), Values: []float64{1, float64(i / 2)}})
	}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, svg)
	height, _ := strconv.ParseFloat(p.attributes["height"], 64)
	if height != top+below+nameHeight*40 {
		t.Errorf("height %g of 40 names", height)
	}
	position := map[int]float64{}
	for _, m := range regexp.MustCompile(
		`<text x="([0-9.]+)" y="([0-9.]+)">line ([0-9]+)(x*…?)<`).FindAllStringSubmatch(string(svg), -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		number, _ := strconv.Atoi(m[3])
		position[number] = y
		if y < top || y > height-below+5 {
			t.Errorf("line %d: name at %g of %g", number, y, height)
		}
		if n := float64(len("line "+m[3]) + len([]rune(m[4]))); x+charWidth*n > width {
			t.Errorf("line %d: name ends at %g of %d", number, x+charWidth*n, width)
		}
	}
	if len(position) != len(c.Lines) {
		t.Fatalf("%d names, want %d", len(position), len(c.Lines))
	}
	for i := 2; i < len(c.Lines); i++ {
		if position[i-2]-position[i] < nameHeight-0.1 {
			t.Errorf("line %d at %g is not above line %d at %g", i, position[i], i-2, position[i-2])
		}
	}
}

// Lines differ in the pair of colour and mark.
func TestLinesDiffer(t *testing.T) {
	c := Chart{At: []float64{1}}
	for range 30 {
		c.Lines = append(c.Lines, Line{Values: []float64{1}})
	}
	d, err := c.layOut()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]string]bool{}
	for _, l := range d.Lines {
		seen[[2]string{l.Color, l.Sample.Path}] = true
	}
	if x := d.Lines[0].Marks[0].X; x <= d.Left || x >= d.Right {
		t.Errorf("the only point is at %v, between %v and %v", x, d.Left, d.Right)
	}
	if len(seen) != len(c.Lines) {
		t.Errorf("%d different lines of %d", len(seen), len(c.Lines))
	}
}

// The numbers on the y axis are round, and the range includes all values.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		log                 bool
		low, high, from, to float64
		numbers             int
	}{
		{false, 77.6, 107.7, 75, 110, 8},
		{false, 0.1, 0.9, 0.1, 0.9, 9},
		{false, 10.58, 31.8, 10, 35, 6},
		{false, 5, 5, 5, 5.00001, 2},
		{false, 0, 0, 0, 1, 6},
		{true, 0, 0, 0, 1, 2},
		{true, -6.3, -1.2, -7, -1, 7},
		{true, -6, -6, -6, -5, 2},
		{true, -30, 3, -30, 5, 8},
	} {
		from, to, numbers := Chart{LogY: c.log}.round(c.low, c.high)
		if math.Abs(from-c.from) > 1e-9 || math.Abs(to-c.to) > 1e-9+1e-6*math.Abs(c.to) ||
			numbers != c.numbers && c.low != c.high {
			t.Errorf("%v %g to %g: %g to %g with %d numbers", c.log, c.low, c.high, from, to, numbers)
		}
	}
}

// TestFlatLine: the numbers on the axis of a line without slope differ.
func TestFlatLine(t *testing.T) {
	for _, v := range []float64{0, 1, 3, 31.5, 100, -2, 1e-9} {
		_, numbers, _ := Chart{Lines: []Line{{Values: []float64{v, v}}}}.yAxis(400, 0)
		for i := 1; i < len(numbers); i++ {
			if number(numbers[i-1]) == number(numbers[i]) {
				t.Errorf("a line at %g: the axis has %s twice", v, number(numbers[i]))
			}
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	none, uneven, unordered, zero, empty, low := example(), example(), example(), example(), example(), example()
	none.Lines = nil
	uneven.Lines[1].Values = uneven.Lines[1].Values[:2]
	unordered.At[2] = 1
	zero.At[0] = 0
	empty.Lines = []Line{{Name: "x", Values: []float64{math.NaN(), math.Inf(1), math.NaN()}}}
	low.LogY, low.Lines = true, []Line{{Name: "x", Values: []float64{0, -1, 0}}}
	for want, c := range map[string]Chart{
		"nothing to draw": none, `has 2 values for 3 points`: uneven, "1 has no place on the x axis": unordered,
		"0 has no place on the x axis": zero, "no line has a value": empty,
	} {
		if _, err := c.SVG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := low.SVG(); err == nil {
		t.Error("logarithms of what is not positive")
	}
}

// TestPicture: the picture in testdata, which has every kind of line and mark, intervals, gaps and names that would
// overlap, is the one that was looked at when it was drawn.
func TestPicture(t *testing.T) {
	none := math.NaN()
	c := Chart{
		Title: "Hits by size", X: "table, MiB", Y: "hits, %", At: []float64{0.5, 1, 4}, LogX: true, LogY: true,
		Lines: []Line{
			{Name: "bound", Kind: Reference, Values: []float64{60, 70, 80}},
			{Name: "expected", Kind: Reference, Values: []float64{2, none, 3}},
			{Name: "chance", Kind: Reference, Values: []float64{0.03, 0.02, none}},
			{Name: "trefoil", Kind: Main, Values: []float64{0.4, 5, 50}, Low: []float64{0, 3, 40},
				High: []float64{2, 7, none}},
		},
	}
	for i := range 7 {
		v := float64(i + 1)
		c.Lines = append(c.Lines, Line{Name: strings.Repeat("of many ", 1+i), Values: []float64{v, 2 * v, 20 + v/50}})
	}
	c.Lines[9].Values = []float64{0, none, 0.011}
	c.Lines[10].Values[1] = none
	got, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		filetest.Write(t, "testdata/chart.svg", got)
	}
	want := filetest.Read(t, "testdata/chart.svg")
	if lines := bytes.Split(want, []byte("\n")); !bytes.Equal(got, want) {
		for i, line := range bytes.Split(got, []byte("\n")) {
			if i >= len(lines) || !bytes.Equal(line, lines[i]) {
				t.Fatalf("line %d of testdata/chart.svg is now %s\nIf it looks right, run the test with -update", i+1, line)
			}
		}
		t.Fatal("lines are missing at the end")
	}
}

// TestNumber: numbers of an axis are short, and what rounding leaves of 0 is 0.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{5.6e-17: "0", -1e-16: "0", 1e-7: "1e-7", 2.5e9: "2.5e+9", 0.1 + 0.2: "0.3"} {
		if got := number(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

// TestFromTheTop: a line that has no value at the end comes after the others, wherever it stands.
func TestFromTheTop(t *testing.T) {
	none := math.NaN()
	lines := []Line{{Values: []float64{9, none}}, {Values: []float64{0, 2}}, {Values: []float64{8, none}},
		{Values: []float64{1, 3}}, {Values: []float64{none, none}}, {Values: []float64{1, 2}}}
	if got := fromTheTop(lines); !slices.Equal(got, []int{3, 5, 1, 0, 2, 4}) {
		t.Error(got)
	}
}

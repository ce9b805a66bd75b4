package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

func example() Chart {
	return Chart{
		Title: "Hits & <misses>", X: "table, MiB", Y: "hits, %", Points: []string{"<1", "2", "4"},
		Lines: []Line{{`a "b"`, []float64{1, 2, 3}}, {"c&d", []float64{math.NaN(), 0, 0.001}}},
	}
}

// A chart is well-formed XML for any texts, and has all of them and a size.
func TestSVG(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := example()
		c.Log = log
		svg, err := c.SVG()
		if err != nil {
			t.Fatal(err)
		}
		var texts strings.Builder
		root := xml.StartElement{}
		for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("not well-formed: %v", err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				if root.Name.Local == "" {
					root = token.Copy()
				}
			case xml.CharData:
				texts.Write(token)
				texts.WriteByte('\n')
			}
		}
		for _, want := range []string{"Hits & <misses>", "table, MiB", "hits, %", "<1", `a "b"`, "c&d"} {
			if !strings.Contains(texts.String(), want+"\n") {
				t.Errorf("log %v: %q is not in the picture", log, want)
			}
		}
		size := map[string]string{}
		for _, a := range root.Attr {
			size[a.Name.Local] = a.Value
		}
		if size["width"] != "960" || size["height"] != "540" || size["aria-label"] != c.Title {
			t.Errorf("attributes %v", size)
		}
		if log && !strings.Contains(texts.String(), "0.001\n") {
			t.Errorf("no powers of ten on the axis: %s", texts.String())
		}
	}
}

// The numbers on the y axis are round, and the range includes all values.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		log                 bool
		low, high, from, to float64
		labels              int
	}{
		{false, 77.6, 107.7, 75, 110, 8},
		{false, 0.1, 0.9, 0.1, 0.9, 9},
		{false, 10.58, 31.8, 10, 35, 6},
		{false, 5, 5, 5, 5.000001, 2},
		{false, 0, 0, 0, 2e-13, 2},
		{true, -6.3, -1.2, -7, -1, 7},
		{true, -6, -6, -6, -5, 2},
		{true, -30, 3, -30, 5, 8},
	} {
		from, to, labels := Chart{Log: c.log}.round(c.low, c.high)
		if math.Abs(from-c.from) > 1e-9 || math.Abs(to-c.to) > 1e-9+1e-6*math.Abs(c.to) || labels != c.labels && c.low != c.high {
			t.Errorf("%v %g to %g: %g to %g with %d numbers", c.log, c.low, c.high, from, to, labels)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	none, uneven, empty, low := example(), example(), example(), example()
	none.Lines = nil
	uneven.Lines[1].Values = uneven.Lines[1].Values[:2]
	empty.Lines = []Line{{"x", []float64{math.NaN(), math.Inf(1), math.NaN()}}}
	low.Log, low.Lines = true, []Line{{"x", []float64{0, -1, 0}}}
	for want, c := range map[string]Chart{"nothing to draw": none, `"c&d" has 2 values for 3 points`: uneven, "no line has a value": empty} {
		if _, err := c.SVG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := low.SVG(); err == nil {
		t.Error("logarithms of what is not positive")
	}
}

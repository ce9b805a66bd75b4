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

// A picture is well-formed whatever the texts are, has all of them and a size.
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

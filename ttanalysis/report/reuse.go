package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"trefoil/ttanalysis"
)

// WriteReuse prints how often entries are hit, by class and age.
func WriteReuse(w io.Writer, classes []ttanalysis.Reuse) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "hits per entry and million stores, in a table without limit")
	group := ""
	for i := range classes {
		c := &classes[i]
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(out, "\nby %s\n\n", group)
			row := []any{"stores since the last use"}
			for _, age := range ttanalysis.ReuseAges() {
				row = append(row, age)
			}
			writeRow(out, row...)
		}
		row := []any{c.Class}
		for _, rate := range c.Rates() {
			text := "-"
			if rate >= 0 {
				text = fmt.Sprintf("%.3g", rate)
			}
			row = append(row, text)
		}
		writeRow(out, row...)
	}
	return out.Flush()
}

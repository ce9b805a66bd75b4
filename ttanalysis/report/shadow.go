package report

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"trefoil/ttanalysis"
)

// WriteShadowChecks prints the predictions of shadow directories beside full replays.
func WriteShadowChecks(w io.Writer, checks []ttanalysis.ShadowCheck) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeRow(out, "MiB", "this, %", "of size", "predicted, %", "±", "replayed, %", "predicted by replayed")
	for _, c := range checks {
		for i, p := range c.Predictions {
			ratio := math.NaN()
			if c.Replayed[i] > 0 {
				ratio = p.Share / c.Replayed[i]
			}
			writeRow(out, fmt.Sprintf("%g", c.MiB), fmt.Sprintf("%.3f", 100*c.HitRate), fmt.Sprintf("%g", c.MiB*p.Size),
				fmt.Sprintf("%.3f", 100*p.Share),
				fmt.Sprintf("%.3f", 100*p.Margin), fmt.Sprintf("%.3f", 100*c.Replayed[i]), decimals(ratio, "%.4f", ratio))
		}
	}
	return out.Flush()
}

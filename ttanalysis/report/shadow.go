package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"trefoil/ttanalysis"
)

// WriteShadowChecks prints the predictions of shadow directories beside full replays.
func WriteShadowChecks(w io.Writer, checks []ttanalysis.ShadowCheck) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeRow(out, "MiB", "this, %", "of size", "predicted, %", "±", "replayed, %", "predicted by replayed")
	for _, c := range checks {
		for i, p := range c.Predictions {
			writeRow(out, fmt.Sprintf("%g", c.MiB), fmt.Sprintf("%.3f", 100*c.HitRate), fmt.Sprintf("%g", c.MiB*p.Size), fmt.Sprintf("%.3f", 100*p.Share),
				fmt.Sprintf("%.3f", 100*p.Margin), fmt.Sprintf("%.3f", 100*c.Replayed[i]), fmt.Sprintf("%.4f", p.Share/c.Replayed[i]))
		}
	}
	return out.Flush()
}

package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"trefoil/ttanalysis"
)

// WriteValidations prints predictions beside real searches, in % of probes.
func WriteValidations(w io.Writer, list []*ttanalysis.Validation) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeRow(out, "Hash", "predicted, %", "real, %", "real - predicted", "of one position, 95 %", "within ±")
	for _, v := range list {
		mean, ofMean, ofPosition := v.Difference()
		writeRow(out, v.MiB, fmt.Sprintf("%.2f", 100*average(v.Predicted)), fmt.Sprintf("%.2f", 100*average(v.Real)),
			fmt.Sprintf("%+.2f ± %s", 100*mean, decimals(ofMean, "%.2f", 100*ofMean)),
			decimals(ofPosition, "%+.2f to %+.2f", 100*(mean-ofPosition), 100*(mean+ofPosition)),
			fmt.Sprintf("%d of %d", v.Inside, len(v.Real)))
	}
	return out.Flush()
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

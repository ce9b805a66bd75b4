package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// WriteLosses prints how many probes missed a lost position, by cause, and the deepest of them.
func WriteLosses(w io.Writer, l *ttanalysis.Losses) error {
	lost := uint64(0)
	for _, c := range l.ByCause {
		lost += c.Probes
	}
	fmt.Fprintf(w, "%d probes, %d with another result than recorded; %d missed, %d of them after the entry was lost\n",
		l.Probes, l.Mismatches, l.Misses, lost)
	if lost == 0 {
		return nil
	}
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeRow(out, "lost to a store of", "probes", "%", "entry of this search", "of earlier ones", "of sufficient depth")
	for cause, name := range [...]string{"less depth", "equal depth", "greater depth", "the same check bits"} {
		c := l.ByCause[cause]
		this, earlier := fmt.Sprint(c.ThisSearch), fmt.Sprint(c.Probes-c.ThisSearch)
		if cause == int(ttanalysis.BySameCheckBits) {
			this, earlier = "-", "-"
		}
		writeRow(out, name, c.Probes, fmt.Sprintf("%.1f", percent(c.Probes, lost)), this, earlier, c.Sufficient)
	}
	if err := out.Flush(); err != nil || len(l.Deepest) == 0 {
		return err
	}
	fmt.Fprintf(w, "\nthe deepest probes whose lost entry had sufficient depth, and the cluster when it was lost:\n%s\n\n",
		legend("replaced"))
	writeRow(out, "record", "position", "depth", "lost at", "to depth", "entry 1", "entry 2", "entry 3")
	for _, p := range l.Deepest {
		e := entryTexts(p.Loss)
		writeRow(out, p.Record, fmt.Sprintf("%016x", p.Key), p.Depth, p.Loss.Record, p.Loss.Depth, e[0], e[1], e[2])
	}
	return out.Flush()
}

// legend explains entryTexts.
func legend(done string) string {
	return fmt.Sprintf("depth - %d × age = replacement value; * marks the entry that was %s",
		cluster.TablePolicy().Age, done)
}

// entryTexts are the entries of a cluster with their replacement values. A star marks one of them.
func entryTexts(u ttanalysis.Use) (texts [cluster.EntriesPerCluster]string) {
	for i, e := range u.Entries {
		texts[i] = "empty"
		if e.Used {
			texts[i] = fmt.Sprintf("%d-%d×%d=%d", e.Depth, cluster.TablePolicy().Age, e.Age, e.Value())
		}
		if i == int(u.Entry) {
			texts[i] = "*" + texts[i]
		}
	}
	return texts
}

// useTexts say what happened to a position; with another position, %016x is its key.
var useTexts = [...][2]string{
	ttanalysis.UseMiss:    {"probe: miss"},
	ttanalysis.UseHit:     {"probe: hit", "probe: false hit on %016x"},
	ttanalysis.UseFilled:  {"store: in an empty entry"},
	ttanalysis.UseUpdated: {"store: over its entry", "store: over %016x, same check bits"},
	ttanalysis.UseKept:    {"store: the deeper entry stays", "store: none, %016x of the same check bits stays"},
	ttanalysis.UseEvicted: {"", "store: evicts %016x"},
	ttanalysis.UseLost:    {"", "lost: to a store of %016x"},
	ttanalysis.UseCleared: {"table cleared"},
}

// WriteHistoryHead prints the head of the lines that WriteUse prints.
func WriteHistoryHead(w io.Writer, key uint64) {
	fmt.Fprintf(w, "\nthe cluster of %016x before each event:\n%s\n\n", key, legend("hit, stored, kept or lost"))
	fmt.Fprintf(w, "%10s  %6s  %5s  %12s  %12s  %12s  event\n",
		"record", "search", "depth", "entry 1", "entry 2", "entry 3")
}

// WriteUse prints what happened to the position of a key.
func WriteUse(w io.Writer, key uint64, u ttanalysis.PositionUse) {
	text := useTexts[u.Kind][0]
	if u.Other != key {
		text = fmt.Sprintf(useTexts[u.Kind][1], u.Other)
	}
	e, depth := entryTexts(u.Use), fmt.Sprint(u.Depth)
	if u.Kind == ttanalysis.UseCleared {
		e, depth = [...]string{"", "", ""}, ""
	}
	fmt.Fprintf(w, "%10d  %6d  %5s  %12s  %12s  %12s  %s\n", u.Record, u.Search, depth, e[0], e[1], e[2], text)
}

package ttanalysis

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// A Comparison replays a trace against designs of several sizes, twice.
type Comparison struct {
	Designs  []Design
	MiB      []float64   // sizes, ascending
	Runs     [][]*Run    // by design and size; they repeat stores
	Plain    [][]*Run    // the same with the recorded stores alone
	Bounds   []Bound     // set by Bound
	Trace    TraceHeader // set by Replay
	Recorded RecordedCounts
}

// NewComparison parses lists, separated by commas, of designs and of sizes in MiB. The design "presets"
// stands for all Presets. It refuses a design that does not have all the sizes.
func NewComparison(designs, sizes string) (*Comparison, error) {
	c := &Comparison{}
	for text := range strings.SplitSeq(sizes, ",") {
		mib, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || mib < 1.0/1024 || mib > 1<<20 || math.IsNaN(mib) {
			return nil, fmt.Errorf("size %q is not a number of MiB from 0.001 to 1048576", text)
		}
		c.MiB = append(c.MiB, mib)
	}
	slices.Sort(c.MiB)
	c.MiB = slices.Compact(c.MiB)
	for text := range strings.SplitSeq(designs, ",") {
		list, err := parseDesigns(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if err := c.Add(d); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// parseDesigns parses a design, or "presets".
func parseDesigns(text string) (list []ClusterDesign, err error) {
	if text != "presets" {
		d, err := ParseDesign(text)
		return []ClusterDesign{d}, err
	}
	for _, p := range Presets() {
		list = append(list, p.Design)
	}
	return list, nil
}

// Add adds a design, unless there is a design with that name. It refuses a design that does not have all
// the sizes.
func (c *Comparison) Add(d Design) error {
	if slices.ContainsFunc(c.Designs, func(other Design) bool { return other.String() == d.String() }) {
		return nil
	}
	runs, plain := make([]*Run, len(c.MiB)), make([]*Run, len(c.MiB))
	for i, mib := range c.MiB {
		plain[i] = &Run{Design: d, Bytes: uint64(mib * (1 << 20))}
		if err := d.Check(plain[i].Bytes); err != nil {
			return err
		}
		runs[i] = &Run{Design: d, Bytes: plain[i].Bytes, Repeats: true}
	}
	c.Designs, c.Runs, c.Plain = append(c.Designs, d), append(c.Runs, runs), append(c.Plain, plain)
	return nil
}

// ReplayProgress is the progress of a Comparison: records of the trace done, in pass Pass of
// Passes.
type ReplayProgress struct {
	Pass, Passes  int // from 1
	Done, Records uint64
}

// Replay replays a trace from its beginning, in as many passes as it takes to keep the tables of a pass
// within memory, in bytes, and within seven eighths of what is available. The counts of an earlier
// Replay are dropped. progress may be nil.
func (c *Comparison) Replay(ctx context.Context, trace *TraceReader, memory uint64,
	progress func(ReplayProgress)) error {
	for _, run := range c.all() {
		run.ReplayCounts = ReplayCounts{}
	}
	available, _ := mem.Available()
	passes := c.passes(min(memory, available/8*7))
	if len(passes) > 1 {
		if err := trace.Keep(); err != nil {
			return err
		}
	}
	for i, runs := range passes {
		err := trace.Rewind()
		if err != nil {
			return err
		}
		c.Recorded, err = Replay(ctx, trace, runs, func(done uint64) {
			if progress != nil {
				progress(ReplayProgress{Pass: i + 1, Passes: len(passes), Done: done, Records: trace.Records})
			}
		})
		if err != nil {
			return err
		}
	}
	c.Trace = trace.TraceHeader
	return nil
}

// all are the runs of both kinds.
func (c *Comparison) all() []*Run {
	return slices.Concat(slices.Concat(c.Runs...), slices.Concat(c.Plain...))
}

// passes divides the runs into passes. A run that needs more memory than there is has its own pass.
func (c *Comparison) passes(memory uint64) (passes [][]*Run) {
	left := uint64(0)
	for _, run := range c.all() {
		need := run.Design.ReplayBytes(run.Bytes)
		if need > left || len(passes) == 0 {
			passes, left = append(passes, nil), max(memory, need)
		}
		passes[len(passes)-1] = append(passes[len(passes)-1], run)
		left -= need
	}
	return passes
}

// RecordedRun returns the run of the recorded table itself, nil if it is not among the runs. Its
// Mismatches show whether replay and recorded search agree.
func (c *Comparison) RecordedRun() *Run {
	d := DefaultDesign()
	d.Index, d.KeyBits = c.Trace.Index, c.Trace.KeyBits
	for _, run := range slices.Concat(c.Runs...) {
		if run.Design == d && run.Bytes == c.Trace.MiB<<20 {
			return run
		}
	}
	return nil
}

// RelativeHitRate returns the hit rate of a run as a share of the best among the designs that fit a
// cluster of cluster.Table with evaluations, NaN if that is 0.
func (c *Comparison) RelativeHitRate(design, size int) float64 {
	best := 0.0
	for i, design := range c.Designs {
		if d, ok := design.(ClusterDesign); ok && d.Bytes == cluster.BytesPerCluster && d.Eval > 0 {
			best = max(best, c.Runs[i][size].HitRate())
		}
	}
	if best == 0 {
		return math.NaN()
	}
	return c.Runs[design][size].HitRate() / best
}

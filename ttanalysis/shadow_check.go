package ttanalysis

import (
	"context"
	"slices"
)

// A ShadowCheck compares the predictions of a Shadow with a full replay of the same trace.
type ShadowCheck struct {
	MiB         float64
	HitRate     float64 // at that size
	Predictions []Prediction
	Replayed    []float64 // the hit rate at the size of each prediction
}

// CheckShadow replays a trace from its beginning against the table of this program, at some sizes in MiB,
// and at half, twice and four times each size. It returns for each size what its Shadow predicts. progress
// may be nil.
func CheckShadow(ctx context.Context, trace *TraceReader, mib []float64,
	progress func(ReplayProgress)) (checks []ShadowCheck, err error) {
	if err := trace.Rewind(); err != nil {
		return nil, err
	}
	d := DefaultDesign()
	var runs []*Run
	tables := make(map[uint64]*Run) // by size in bytes
	shadows := make([]*Shadow, len(mib))
	for i, size := range mib {
		bytes := uint64(size * (1 << 20))
		if shadows[i], err = NewShadow(d.Index, d.KeyBits, bytes, hashStatsSizes); err != nil {
			return nil, err
		}
		runs = append(runs, &Run{Design: shadowDesign{d, shadows[i]}, Bytes: bytes})
		for _, multiple := range slices.Concat([]float64{1}, hashStatsSizes) {
			bytes := multipleOf(bytes, multiple)
			if err := d.Check(bytes); err != nil {
				return nil, err
			}
			if tables[bytes] == nil {
				tables[bytes] = &Run{Design: d, Bytes: bytes}
				runs = append(runs, tables[bytes])
			}
		}
	}
	_, err = Replay(ctx, trace, runs, func(done uint64) {
		if progress != nil {
			progress(ReplayProgress{Pass: 1, Passes: 1, Done: done, Records: trace.Records})
		}
	})
	if err != nil {
		return nil, err
	}
	for i, size := range mib {
		bytes := uint64(size * (1 << 20))
		counts := tables[bytes].ReplayCounts
		c := ShadowCheck{MiB: size, HitRate: counts.HitRate(), Predictions: shadows[i].Predict(counts.Probes, counts.Hits)}
		if c.Predictions == nil {
			return nil, trace.file.Errorf("no probe was sampled")
		}
		for _, p := range c.Predictions {
			c.Replayed = append(c.Replayed, tables[multipleOf(bytes, p.Size)].HitRate())
		}
		checks = append(checks, c)
	}
	return checks, nil
}

func multipleOf(bytes uint64, multiple float64) uint64 { return uint64(float64(bytes) * multiple) }

// shadowDesign is a Design whose table is a Shadow that was made before.
type shadowDesign struct {
	ClusterDesign
	shadow *Shadow
}

// New implements Design.
func (d shadowDesign) New(uint64) (Table, error) { return shadowTable{d.shadow}, nil }

// shadowTable is a Shadow as a Table that hits nothing.
type shadowTable struct{ *Shadow }

// Probe implements Table.
func (s shadowTable) Probe(probe Record) (Record, bool) {
	s.Shadow.Probe(probe.Key)
	return Record{}, false
}

// Store implements Table.
func (s shadowTable) Store(stored Record) { s.Shadow.Store(stored.Key, stored.Entry()) }

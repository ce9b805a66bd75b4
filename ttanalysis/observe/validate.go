package observe

import (
	"context"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/ttanalysis"
)

// Validate predicts for each position, from a search with the table of the suite, the hits with tables of
// half, twice and four times the size, and searches it with such tables. A size that is no whole number of
// MiB is left out. progress is called with the number of searches done and of all.
func (s Suite) Validate(ctx context.Context, progress func(done, all int)) ([]*ttanalysis.Validation, error) {
	var predictions [][]ttanalysis.Prediction
	var list []*ttanalysis.Validation
	done, all := 0, 4*len(s.Setups)
	type observing func(*cluster.Table) (*Observer, error)
	run := func(mib uint64, observe observing, each func(i int, c ttanalysis.Counters)) error {
		s.MiB = mib
		return s.Run(ctx, observe, func(i int, _ search.Result, o *Observer) {
			each(i, o.Counters())
			done++
			progress(done, all)
		})
	}
	mib, shadow := s.MiB, (*ttanalysis.Shadow)(nil)
	err := run(mib, func(t *cluster.Table) (o *Observer, err error) {
		shadow, err = ttanalysis.ShadowOf(t)
		o = NewObserver(t, nil, nil)
		o.SetShadow(shadow)
		return o, err
	}, func(_ int, c ttanalysis.Counters) {
		predictions = append(predictions, shadow.Predict(c.Probes, c.Hits))
	})
	if err != nil {
		return nil, err
	}
	for i, size := range ttanalysis.ShadowSizes() {
		bytes := uint64(size * float64(mib<<20))
		if bytes%(1<<20) != 0 {
			all -= len(s.Setups)
			continue
		}
		v := &ttanalysis.Validation{MiB: bytes >> 20}
		list = append(list, v)
		err := run(v.MiB, func(t *cluster.Table) (*Observer, error) { return NewObserver(t, nil, nil), nil },
			func(position int, c ttanalysis.Counters) {
				if p := predictions[position]; p != nil {
					v.Add(p[i], float64(c.Hits)/float64(max(1, c.Probes)))
				}
			})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

package observe

import (
	"context"
	"fmt"

	"trefoil/ttanalysis"
)

// only returns the suite of one position.
func (s Suite) only(i int) Suite {
	s.Setups = []string{s.Setups[i]}
	return s
}

// AcceptOnly searches the first position of the suite twice: with no false hit, and with
// only that false hit accepted. It needs one thread, so that the searches repeat.
func (s Suite) AcceptOnly(ctx context.Context, number uint64) (ttanalysis.DecisiveHit, error) {
	s = s.only(0)
	without, err := s.Audit(ctx, AuditOptions{Mode: AuditPairs})
	if err != nil {
		return ttanalysis.DecisiveHit{}, err
	}
	var hit *ttanalysis.FalseHit
	with, err := s.Audit(ctx, AuditOptions{Mode: AuditPairs, Accept: number, OnFalseHit: func(h *ttanalysis.FalseHit) {
		if !h.Refused {
			hit = h
		}
	}})
	if err != nil {
		return ttanalysis.DecisiveHit{}, err
	}
	if hit == nil {
		return ttanalysis.DecisiveHit{},
			fmt.Errorf("false hit %d does not exist: %d in all", number, without.Counters.AllFalseHits())
	}
	d := ttanalysis.DecisiveHit{Setup: s.Setups[0], Hit: hit, Without: without.Best[0], With: with.Best[0]}
	d.Move, err = s.moveOf(hit)
	return d, err
}

// moveOf returns the move of the entry of a false hit in notation, as it is in the position that the
// entry was stored for, "" if it has none.
func (s Suite) moveOf(h *ttanalysis.FalseHit) (string, error) {
	if h.Entry.Move == 0 || h.Stored.Text == "" {
		return "", nil
	}
	p, err := s.NewRoot(h.Stored.Text)
	if err != nil {
		return "", fmt.Errorf("stored position of false hit %d: %w", h.Number, err)
	}
	if m, ok := p.FromMove16(h.Entry.Move); ok {
		return p.Text(m), nil
	}
	return "", nil
}

// FindDecisive looks for false hits that change the best move of their position when they alone
// are accepted, and calls found with each, until it has found most. It tries them one by one, and
// returns the number tried. It needs one thread, so that the searches repeat.
func (s Suite) FindDecisive(ctx context.Context, most int,
	found func(ttanalysis.DecisiveHit)) (tried uint64, err error) {
	count := 0
	for i := range s.Setups {
		one := s.only(i)
		without, err := one.Audit(ctx, AuditOptions{Mode: AuditCounts})
		if err != nil {
			return tried, err
		}
		for number := uint64(1); number <= without.Counters.AllFalseHits(); number++ {
			tried++
			with, err := one.Audit(ctx, AuditOptions{Mode: AuditCounts, Accept: number})
			if err != nil {
				return tried, err
			}
			if with.Best[0] == without.Best[0] {
				continue
			}
			decisive, err := one.AcceptOnly(ctx, number)
			if err != nil {
				return tried, err
			}
			found(decisive)
			if count++; count == most {
				return tried, nil
			}
		}
	}
	return tried, nil
}

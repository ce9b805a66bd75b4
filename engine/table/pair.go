package table

import (
	"context"
	"errors"
	"fmt"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/window"
)

// Pair is the tables of a game that is played by proof search and by alpha-beta. Together they have the size of
// Hash: three quarters for proof search and one for alpha-beta, which is about as many entries for each.
type Pair struct {
	Proofs *window.Table
	Moves  *cluster.Table
	size   memory.Size
	pages  mem.Pages
}

// makePair makes both tables or neither. They get the memory together; old is what it replaces, or nil.
func makePair(size memory.Size, how mem.Options, old *Pair) (*Pair, error) {
	t, moves := &Pair{size: size, pages: how.Pages}, size.Bytes>>12<<10 // a quarter, in whole KiB
	err := how.Fits(size.Bytes)
	if err != nil {
		return nil, err
	}
	if how.Bytes = size.Bytes - moves; old != nil {
		how.Releasing = old.Proofs
	}
	if t.Proofs, err = window.New(size.MiB(), window.Memory(how)); err != nil {
		return nil, err
	}
	if how.Bytes = moves; old != nil {
		how.Releasing = old.Moves
	}
	t.Moves, err = cluster.New(size.MiB(), cluster.Auto, cluster.Memory(how))
	if err != nil {
		return nil, errors.Join(err, t.Proofs.Close())
	}
	return t, nil
}

// Prefault finishes a Rehash and touches all memory of both tables.
func (t *Pair) Prefault(ctx context.Context) error {
	if err := t.Proofs.Rehash(ctx); err != nil {
		return err
	}
	if err := t.Proofs.Prefault(ctx); err != nil {
		return err
	}
	return t.Moves.Prefault(ctx)
}

// Rehash, Clear and Close do the same for both tables.

func (t *Pair) Rehash(ctx context.Context) error {
	return errors.Join(t.Proofs.Rehash(ctx), t.Moves.Rehash(ctx))
}

func (t *Pair) Clear(ctx context.Context) error {
	return errors.Join(t.Proofs.Clear(ctx), t.Moves.Clear(ctx))
}

func (t *Pair) Close() error { return errors.Join(t.Proofs.Close(), t.Moves.Close()) }

// Ordinary is the sum for both tables.
func (t *Pair) Ordinary() uint64 { return t.Proofs.Ordinary() + t.Moves.Ordinary() }

// Freed is the sum for both tables.
func (t *Pair) Freed() uint64 { return t.Proofs.Freed() + t.Moves.Freed() }

// Size is the size of both tables together.
func (t *Pair) Size() memory.Size { return t.size }

// Full is how full both are, in permille of their memory.
func (t *Pair) Full() int { return (3*t.Proofs.Full() + t.Moves.Full()) / 4 }

// PairOwner owns the tables of a game that is played by two searches.
type PairOwner struct {
	*Owner[*Pair]
	movesAlone bool // the last clearing is of the table of alpha-beta alone
}

// NewPairOwner returns an owner without tables.
func NewPairOwner(notices *Notices) *PairOwner {
	p := new(PairOwner)
	p.Owner = NewOwner(notices, p.describe)
	return p
}

// Resize replaces the tables unless they already have this size and kind of pages. The new ones take the
// entries over in the background. use is called with the new table of alpha-beta before the old one is
// closed. After an error the old tables stay.
func (p *PairOwner) Resize(size memory.Size, pages mem.Pages, use func(*cluster.Table)) error {
	old := p.table
	if old != nil && size == old.size && pages == old.pages {
		return nil
	}
	t, err := makePair(size, p.Memory(size, pages), old)
	if err != nil {
		return err
	}
	use(t.Moves)
	if p.beingCleared() && !p.movesAlone {
		p.Replace(t)
		return nil
	}
	if old != nil {
		p.Stop()
		p.hide()
		if err := t.Proofs.Inherit(old.Proofs); err != nil {
			p.notices.Add(NotReleased + err.Error())
		}
		if err := t.Moves.Inherit(old.Moves); err != nil { // entries of another index
			_ = old.Moves.Close()
		}
	}
	p.Succeed(t)
	return nil
}

// Clear empties both tables in the background.
func (p *PairOwner) Clear() {
	p.movesAlone = false
	p.Owner.Clear()
}

// ClearMoves empties the table of alpha-beta in the background. A Clear of both that is under way begins again.
func (p *PairOwner) ClearMoves() {
	switch {
	case p.beingCleared() && !p.movesAlone:
		p.Owner.Clear()
	case !p.Empty():
		p.movesAlone = true
		p.ClearBy(p.table.Moves.Clear)
	}
}

// describe returns the line about both tables.
func (p *PairOwner) describe(t *Pair) string {
	return fmt.Sprintf("hash %v: %d entries for proof search, %d clusters for alpha-beta, %s",
		t.size, t.Proofs.Slots(), t.Moves.Plan().Clusters, p.Pages(t.Proofs.Memory().Plus(t.Moves.Memory())))
}

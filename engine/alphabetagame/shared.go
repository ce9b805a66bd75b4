package alphabetagame

import (
	"context"

	"trefoil/engine/memory"
)

// Share is registry.ClusterHasher.Share.
func (p *Player) Share(ctx context.Context, name string) error {
	size := memory.Whole(p.Options.Request().Hash)
	if !p.table.Empty() {
		size = memory.Whole(p.table.Size().Asked)
	}
	spec, err := p.spec(size, name)
	if err != nil || name == "" && p.table.Empty() {
		return err
	}
	return p.remake(ctx, spec)
}

// sharedAs is the name under which the table is shared or, if there is none yet, is to be shared; "" for
// none.
func (p *Player) sharedAs() string {
	if p.table.Empty() {
		return p.Options.HashShared.Value()
	}
	p.table.Table().Check()
	return p.table.Table().Name()
}

// own replaces a table that is lost by one of the same size, or of what is left of it, with its entries. If
// that fails, the lost one serves on.
func (p *Player) own(ctx context.Context) error {
	if p.table.Table().Check(); !p.table.Lost() {
		return nil
	}
	return p.first(ctx, p.table.Size(), nil)
}

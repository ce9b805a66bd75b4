package engine

import (
	"errors"

	"trefoil/cluster"
	"trefoil/options"
	"trefoil/search"
)

// variants are the games in the order in which UCI_Variant lists them.
func (e *Engine) variants() []options.Choice[variant] {
	return []options.Choice[variant]{
		{Name: "chess", Value: e.chess}, {Name: "shogi", Value: e.shogi},
		{Name: "connect4", Value: e.connect4}, {Name: "ultimate", Value: e.ultimate},
	}
}

// connect sets what changes of the shared options do.
func (e *Engine) connect() {
	o := e.opts
	o.Hash.OnChange(func(mib int) error { return e.played.resize(uint64(mib)) })
	o.ClearHash.OnPress(func() error {
		if err := e.keepsOn(); err != nil {
			return err
		}
		e.played.clear()
		return nil
	})
	o.SaveHash.OnPress(func() error { return e.keep("saving", "saved in", keeper.save) })
	o.LoadHash.OnPress(func() error { return e.keep("loading", "loaded from", keeper.load) })
	o.Threads.OnChange(func(n int) error {
		search.ReserveProcessor(n)
		e.played.setThreads(n)
		return nil
	})
	o.HashIndex.OnChange(func(index cluster.Index) error {
		return errors.Join(e.chess.reindex(index), e.shogi.reindex(index)) // one of them has a table at most
	})
	o.HashKeyBits.OnChange(func(bits int) error { return errors.Join(e.chess.narrow(bits), e.shogi.narrow(bits)) })
	e.variant.OnChange(func(next variant) error { e.play(next); return nil })
}

// game is the name of the game that is played.
func (e *Engine) game() string {
	for _, v := range e.variants() {
		if v.Value == e.played {
			return v.Name
		}
	}
	return ""
}

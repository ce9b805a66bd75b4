package engine

import (
	"context"
	"runtime/debug"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/search"
	"trefoil/ttanalysis/observe"
)

// declareVariant declares UCI_Variant; its values are the games.
func (e *Engine) declareVariant() {
	choices := make([]options.Choice[*gamePlayer], len(e.players))
	for i, s := range e.players {
		choices[i] = options.Choice[*gamePlayer]{Name: s.game.Name, Value: s}
	}
	variant := options.NewCombo(e.options.Set, options.Decl{UCI: "UCI_Variant", Help: "the game"}, choices...)
	variant.OnChange(func(s *gamePlayer) error { e.choose(s); return nil })
}

// connectOptions sets what changes of the shared options do.
func (e *Engine) connectOptions() {
	o := e.options
	o.Hash.OnWait(func(ctx context.Context, mib int) error {
		defer e.keep()
		if h, ok := e.current.player.(registry.Hasher); ok {
			return h.Resize(ctx, uint64(mib)<<20)
		}
		return nil
	})
	o.HashPages.OnChange(func(pages mem.Pages) error {
		defer e.keep()
		if h, ok := e.current.player.(registry.Hasher); ok {
			return h.Repage(pages)
		}
		return nil
	})
	o.HashShared.OnWait(func(ctx context.Context, name string) error {
		defer e.keep()
		return e.share(ctx, name)
	})
	o.HashAudit.OnChange(func(mode observe.AuditMode) error {
		if mode != observe.AuditOff && o.HashShared.Value() != "" {
			return errAuditShared
		}
		return e.fit(memory.HashAudit, config.AuditBytes(mode))
	})
	o.HashStats.OnChange(func(on bool) error { return e.fit(memory.HashStats, config.StatsBytes(on)) })
	o.ClearHash.OnPress(func(context.Context) error { return e.clearHash() })
	o.SaveHash.OnSave(e.saveHash)
	o.LoadHash.OnPress(e.loadHash)
	o.Threads.OnChange(e.setThreads)
	o.DebugLogFile.OnChange(e.log.Open)
	o.HashIndex.OnChange(func(index cluster.Index) error { return e.reshape(index, o.HashKeyBits.Value()) })
	o.HashKeyBits.OnChange(func(keyBits int) error { return e.reshape(o.HashIndex.Value(), keyBits) })
}

// fit asks whether the current game, if it has tables, has memory for another value of an option.
func (e *Engine) fit(option string, value uint64) error {
	if h, ok := e.current.player.(registry.Hasher); ok {
		return e.env.Fit(h, option, value)
	}
	return nil
}

// setThreads is what a change of Threads does. The memory of workers that are not needed any more is returned
// to the system at once, which Go would do within minutes.
func (e *Engine) setThreads(n int) error {
	if err := e.fit(memory.Threads, uint64(n)); err != nil {
		return err
	}
	search.ReserveProcessor(n)
	e.current.setThreads(n)
	if n < e.options.Threads.Value() {
		debug.FreeOSMemory()
	}
	return nil
}

// declareParameters declares the parameters of the alpha-beta search, in builds with the tag tune.
var declareParameters = func(*options.Set) {}

// reshape changes the index and the key bits of the table.
func (e *Engine) reshape(index cluster.Index, keyBits int) error {
	if c, ok := e.current.player.(registry.ClusterHasher); ok {
		return c.Reshape(index, keyBits)
	}
	return nil
}

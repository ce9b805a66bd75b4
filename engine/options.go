package engine

import (
	"time"

	"trefoil/cluster"
	"trefoil/options"
)

// maxThreads bounds the workers: each has histories and an evaluator of its own.
const maxThreads = 256

// declare lists the options, each with what a change does.
func (e *Engine) declare() []options.Option {
	check := func(name, def string) options.Option {
		return options.Option{Name: name, Kind: options.Check, Default: def}
	}
	spin := func(name, def string, lo, hi int) options.Option {
		return options.Option{Name: name, Kind: options.Spin, Default: def, Min: lo, Max: hi}
	}
	hash := spin("Hash", "16", 1, cluster.MaxMiB)
	hash.Apply = func(v options.Value) error {
		return e.table.resize(uint64(v.Int), e.index(e.opts.Value("HashIndex")), e.searcher.SetTable)
	}
	clearHash := options.Option{Name: "Clear Hash", Kind: options.Button}
	clearHash.Apply = func(options.Value) error { e.table.clear(); return nil }
	threads := spin("Threads", "1", 1, maxThreads)
	threads.Apply = func(v options.Value) error {
		e.searcher.SetThreads(v.Int)
		e.evals.all = nil // those of fewer workers are made again, those of more not kept
		return nil
	}
	chess960 := check("UCI_Chess960", "false")
	chess960.Apply = func(v options.Value) error { e.pos.SetChess960(v.Bool); return nil }
	index := options.Option{Name: "HashIndex", Kind: options.Combo, Default: "auto", Vars: []string{"auto", "mul32", "mul64", "pow2"}}
	index.Apply = func(v options.Value) error {
		if e.table.table == nil {
			return nil
		}
		return e.table.resize(e.table.asked, e.index(v), e.searcher.SetTable)
	}
	return []options.Option{
		hash, clearHash, threads,
		check("Ponder", "false"),
		spin("MultiPV", "1", 1, 256),
		spin("Move Overhead", "10", 0, 10000),
		chess960,
		check("UCI_ShowWDL", "false"),
		check("UCI_AnalyseMode", "false"),
		{Name: "UCI_Variant", Kind: options.Combo, Default: "chess", Vars: []string{"chess"}},
		index,
	}
}

// index is the index that a value of HashIndex names: its vars are the names.
func (e *Engine) index(v options.Value) cluster.Index {
	i, err := cluster.ParseIndex(v.Text)
	if err != nil {
		return cluster.Auto
	}
	return i
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

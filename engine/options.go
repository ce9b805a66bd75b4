package engine

import (
	"errors"
	"runtime"
	"strconv"
	"time"

	"trefoil/cluster"
	"trefoil/options"
)

// MaxThreads bounds the workers: each has histories and an evaluator of its own.
const MaxThreads = 256

// leaveRoom sees to it that the front can run while so many workers search. With a worker
// on each of Go's processors, what arrives is noticed when one of them has had its 10 ms;
// with one processor more it is the system that decides, at once.
func leaveRoom(workers int) {
	if want := min(workers, runtime.NumCPU()) + 1; want > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(want)
	}
}

// declare lists the options, each with what a change does.
func (e *Engine) declare() []options.Option {
	check := func(name, def string) options.Option {
		return options.Option{Name: name, Kind: options.Check, Default: def}
	}
	spin := func(name, def string, lo, hi int) options.Option {
		return options.Option{Name: name, Kind: options.Spin, Default: def, Min: lo, Max: hi}
	}
	hash := spin("Hash", "16", 1, cluster.MaxMiB)
	hash.Apply = func(v options.Value) error { return e.played.resize(uint64(v.Int)) }
	clearHash := options.Option{Name: "Clear Hash", Kind: options.Button}
	clearHash.Apply = func(options.Value) error {
		if err := e.keepsOn(); err != nil {
			return err
		}
		e.played.clear()
		return nil
	}
	save := options.Option{Name: "Save Hash", Kind: options.Button}
	save.Apply = func(options.Value) error { return e.keep("saving", "saved in", keeper.save) }
	load := options.Option{Name: "Load Hash", Kind: options.Button}
	load.Apply = func(options.Value) error { return e.keep("loading", "loaded from", keeper.load) }
	threads := spin("Threads", "1", 1, MaxThreads)
	threads.Apply = func(v options.Value) error {
		leaveRoom(v.Int)
		e.played.setThreads(v.Int)
		return nil
	}
	chess960 := check("UCI_Chess960", "false")
	chess960.Apply = func(v options.Value) error { e.chess.pos.SetChess960(v.Bool); return nil }
	index := options.Option{Name: "HashIndex", Kind: options.Combo, Default: "auto", Vars: []string{"auto", "mul32", "mul64", "pow2"}}
	index.Apply = func(v options.Value) error {
		return errors.Join(e.chess.reindex(v), e.shogi.reindex(v)) // one of them has a table at most
	}
	keyBits := spin("HashKeyBits", strconv.Itoa(cluster.MaxKeyBits), cluster.MinKeyBits, cluster.MaxKeyBits)
	keyBits.Apply = func(v options.Value) error { return errors.Join(e.chess.narrow(v.Int), e.shogi.narrow(v.Int)) }
	audit := options.Option{Name: "HashAudit", Kind: options.Combo, Default: "off", Vars: []string{"off", "count", "pairs"}}
	rules := options.Option{Name: "UCI_Variant", Kind: options.Combo, Default: "chess", Vars: []string{"chess", "shogi", "connect4", "ultimate"}}
	rules.Apply = func(v options.Value) error {
		switch v.Text {
		case "chess":
			e.play(e.chess)
		case "shogi":
			e.play(e.shogi)
		case "connect4":
			e.play(e.connect4)
		case "ultimate":
			e.play(e.ultimate)
		}
		return nil
	}
	book := options.Option{Name: "Connect4 Book", Kind: options.String}
	book.Apply = func(v options.Value) error { return e.connect4.open(v.Text) }
	entering := options.Option{
		Name: "EnteringKingRule", Kind: options.Combo, Default: "CSARule27",
		Vars: []string{"CSARule27", "CSARule24", "TryRule", "NoEnteringKing"},
	}
	return []options.Option{
		hash, clearHash,
		{Name: "Hash File", Kind: options.String}, save, load,
		check("NeverClearHash", "false"),
		threads,
		check("Ponder", "false"),
		spin("MultiPV", "1", 1, 256),
		spin("Move Overhead", "10", 0, 10000),
		chess960,
		check("UCI_ShowWDL", "false"),
		check("UCI_AnalyseMode", "false"),
		rules,
		index, keyBits,
		check("HashStats", "false"), audit,
		book,
		spin("MinimumThinkingTime", "0", 0, 100000),
		spin("NetworkDelay2", "50", 0, 10000),
		check("RoundUpToFullSecond", "false"),
		entering,
		spin("MaxMovesToDraw", "0", 0, 100000),
		spin("ResignValue", "99999", 1, 99999),
	}
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

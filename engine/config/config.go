// Package config declares the options that more than one game uses. A game declares the options
// that only it uses, in the same set.
package config

import (
	"fmt"
	"math"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/search/clock"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
)

// MaxThreads bounds the workers: each has histories and an evaluator of its own.
const MaxThreads = 1024

// FullSkill is the value of Skill Level at which play is not weakened.
const FullSkill = 20

// Options are the options of an engine. Protocols list them in the order in which New
// declares them, the diagnostic ones last.
type Options struct {
	Set *options.Set

	Hash           *options.Spin // MiB
	ClearHash      *options.Button
	HashFile       *options.Text
	SaveHash       *options.Button
	LoadHash       *options.Button
	NeverClearHash *options.Check
	HashShared     *options.Text
	HashPages      *options.Combo[mem.Pages]

	Threads      *options.Spin
	Ponder       *options.Check
	MultiPV      *options.Spin
	MoveOverhead *options.Spin // ms
	SlowMover    *options.Spin // percent
	NodesTime    *options.Spin // nodes in a millisecond; 0 = real time
	ShowWDL      *options.Check
	DebugLogFile *options.Text

	MinimumThinkingTime *options.Spin // ms

	OwnBook      *options.Check
	BookDepth    *options.Spin // moves
	BestBookMove *options.Check
	BookSeed     *options.Spin

	SkillLevel *options.Spin // 0 to FullSkill
	SkillSeed  *options.Spin // 0 = a new one for each game

	Diagnostics *options.Check
	HashIndex   *options.Combo[cluster.Index]
	HashKeyBits *options.Spin
	HashStats   *options.Check
	HashAudit   *options.Combo[observe.AuditMode]
}

// Request returns what the options ask for.
func (o *Options) Request() memory.Request {
	return memory.Request{Hash: uint64(o.Hash.Value()) << 20, Pages: o.HashPages.Value(),
		Threads: uint64(o.Threads.Value()), Audit: AuditBytes(o.HashAudit.Value()),
		Stats: StatsBytes(o.HashStats.Value())}
}

// AuditBytes is memory.Request.Audit of an audit.
func AuditBytes(mode observe.AuditMode) uint64 {
	return observe.AuditBytes(cluster.ClustersPerMiB>>10*cluster.EntriesPerCluster, mode)
}

// StatsBytes is memory.Request.Stats with the statistics on or off.
func StatsBytes(on bool) uint64 {
	if on {
		return ttanalysis.MaxShadowBytes
	}
	return 0
}

// Clock returns the settings of the clock that all games share.
func (o *Options) Clock() clock.Settings {
	return clock.Settings{MoveOverhead: o.MoveOverhead.Milliseconds(), SlowMover: o.SlowMover.Value(),
		NodesPerMS: o.NodesTime.Value()}
}

// Uses lists the games, by their values of UCI_Variant, that have an ability on which options
// depend.
type Uses struct {
	AlphaBeta []string // are played by alpha-beta, on a cluster.Table
	WDL       []string // report win, draw and loss
}

// New declares the options, each at its default.
func New(games Uses) *Options {
	s := options.NewSet()
	return &Options{
		Set: s,
		Hash: options.NewSpin(s, options.Decl{UCI: "Hash", USI: "USI_Hash",
			Help: "size of the table in MiB, allocated exactly, power of two or not",
			Details: "A change keeps the entries. A size that does not fit into [memory](uci.md#memory) is refused, and " +
				"the old table stays. Over USI the default [depends on the machine](usi.md#in-a-gui)"}, 16, 1, cluster.MaxMiB),
		ClearHash: options.NewButton(s, options.Decl{UCI: "Clear Hash", USI: "Clear_Hash",
			Help: "empties the table, in the background"}),
		HashFile: options.NewText(s, options.Decl{UCI: "Hash File", USI: "Hash_File",
			Help:  "the file to which the table is saved and from which it is loaded",
			Games: games.AlphaBeta}),
		SaveHash: options.NewButton(s, options.Decl{UCI: "Save Hash", USI: "Save_Hash",
			Help:    "saves the table to the file, completely or not at all",
			Details: "Only a saved hash or an empty file is replaced", Games: games.AlphaBeta}),
		LoadHash: options.NewButton(s, options.Decl{UCI: "Load Hash", USI: "Load_Hash",
			Help:    "replaces the table with the one in the file",
			Details: "See [hash.md](hash.md#saving-and-loading)", Games: games.AlphaBeta}),
		NeverClearHash: options.NewCheck(s, options.Decl{UCI: "NeverClearHash", USI: "NeverClearHash",
			Help:    "a new game keeps the table",
			Details: "Clearing it is refused"}, false),
		HashShared: options.NewText(s, options.Decl{UCI: "Hash Shared", USI: "Hash_Shared",
			Help:    "the name of a table that engines on this machine share; empty for a table of its own",
			Details: "Linux and macOS; see [hash.md](hash.md#a-table-for-several-processes)", Games: games.AlphaBeta}),
		HashPages: options.NewCombo(s, options.Decl{UCI: "HashPages", USI: "HashPages",
			Help:    "the memory pages of the table: `auto` takes the largest that the system has",
			Details: "See [hash.md](hash.md#memory-pages)", Diagnostic: true},
			choices(mem.AutoPages, mem.Pages1GiB, mem.Pages2MiB, mem.TransparentPages, mem.SmallPages)...),
		Threads: options.NewSpin(s, options.Decl{UCI: "Threads", USI: "Threads",
			Help: "worker threads, which share the table",
			Details: "They have to fit into [memory](uci.md#memory). Over USI the default [depends on the " +
				"machine](usi.md#in-a-gui)"}, 1, 1, MaxThreads),
		Ponder: options.NewCheck(s, options.Decl{UCI: "Ponder", USI: "USI_Ponder",
			Help:    "shows the GUI that the engine can ponder",
			Details: "The value has no effect: the GUI decides when the engine ponders"}, false),
		MultiPV: options.NewSpin(s, options.Decl{UCI: "MultiPV", USI: "MultiPV",
			Help: "number of best lines to report"}, 1, 1, 600),
		MoveOverhead: options.NewSpin(s, options.Decl{UCI: "Move Overhead", USI: "NetworkDelay",
			Help: "milliseconds that each move loses between the clock and the engine"},
			int(clock.DefaultMoveOverhead.Milliseconds()), 0, 10000),
		SlowMover: options.NewSpin(s, options.Decl{UCI: "Slow Mover", USI: "SlowMover", Games: games.AlphaBeta,
			Help:    "time for an ordinary move on a clock, in percent of the usual",
			Details: "See [uci.md](uci.md#time)"}, 100, 10, 1000),
		NodesTime: options.NewSpin(s, options.Decl{UCI: "nodestime", USI: "nodestime", Games: games.AlphaBeta,
			Help:    "unless 0, counts time in nodes, this many to a millisecond",
			Details: "See [uci.md](uci.md#nodestime)"}, 0, 0, 10000),
		ShowWDL: options.NewCheck(s, options.Decl{UCI: "UCI_ShowWDL",
			Help: "reports win, draw and loss in permille with each score", Games: games.WDL}, false),
		DebugLogFile: options.NewText(s, options.Decl{UCI: "Debug Log File", USI: "Debug_Log_File", AtOnce: true,
			Help:    "the file to which all lines are appended, read (`>> `) and written (`<< `); empty for none",
			Details: "See [uci.md](uci.md#debug-log-file)"}),
		MinimumThinkingTime: options.NewSpin(s, options.Decl{USI: "MinimumThinkingTime",
			Help:    "least time in milliseconds for a move on a clock, where the clock allows it",
			Details: "This includes forced moves", Games: games.AlphaBeta}, 0, 0, 100000),

		OwnBook: options.NewCheck(s, options.Decl{UCI: "OwnBook", USI: "USI_OwnBook", Games: games.AlphaBeta,
			Help:    "plays moves from the opening book in `BookFile`, without a search",
			Details: "See [uci.md](uci.md#the-opening-book)"}, false),
		BookDepth: options.NewSpin(s, options.Decl{UCI: "BookDepth", USI: "BookMoves", Games: games.AlphaBeta,
			Help: "the number of the last move of a game that is looked up in the book",
			Details: "In chess a move by White and the reply have the same number, as in a FEN; in shogi each move has " +
				"its own, as in an SFEN"}, 1000, 0, 10000),
		BestBookMove: options.NewCheck(s, options.Decl{UCI: "Best Book Move", USI: "Best_Book_Move", Games: games.AlphaBeta,
			Help: "plays the best book move; otherwise one is chosen at random, in proportion to the weights"}, false),
		BookSeed: options.NewSpin(s, options.Decl{UCI: "BookSeed", USI: "BookSeed", Diagnostic: true, Games: games.AlphaBeta,
			Help: "seed of the random choice among book moves, which is then the same whenever a position occurs; 0 draws " +
				"anew each time"}, 0, 0, math.MaxInt32),
		SkillLevel: options.NewSpin(s, options.Decl{UCI: "Skill Level", USI: "Skill_Level",
			Help:    "strength of play: 20 is full strength, 0 the weakest level",
			Details: "See [uci.md](uci.md#weaker-play)", Games: games.AlphaBeta}, FullSkill, 0, FullSkill),
		SkillSeed: options.NewSpin(s, options.Decl{UCI: "Skill Seed", USI: "Skill_Seed",
			Help:    "seed of the errors of a weaker level: with the same seed it plays equal games alike",
			Details: "0 draws a seed for each game", Diagnostic: true, Games: games.AlphaBeta}, 0, 0, math.MaxInt32),

		HashIndex: options.NewCombo(s,
			options.Decl{UCI: "HashIndex", USI: "HashIndex", Games: games.AlphaBeta,
				Help: "how a key selects its cluster: `auto` is `mul32` up to 65536 MiB and `mul64` beyond",
				Details: "`pow2` uses the largest power of two that fits, for comparison with masked indices. A change of " +
					"the index empties the table"},
			choices(cluster.Auto, cluster.Mul32, cluster.Mul64, cluster.Pow2)...),
		Diagnostics: options.NewCheck(s, options.Decl{UCI: options.Diagnostics, USI: options.Diagnostics,
			Help: "lists the options for measurements too: `HashPages`, `BookSeed`, `Skill Seed`, `HashKeyBits`, " +
				"`HashStats`, `HashAudit`",
		}, false),
		HashKeyBits: options.NewSpin(s, options.Decl{UCI: "HashKeyBits", USI: "HashKeyBits", Diagnostic: true,
			Games:   games.AlphaBeta,
			Help:    "key bits that a probe compares",
			Details: "With fewer, false hits are frequent enough to study. A larger number empties the table"},
			cluster.MaxKeyBits, cluster.MinKeyBits, cluster.MaxKeyBits),
		HashStats: options.NewCheck(s, options.Decl{UCI: "HashStats", USI: "HashStats", Diagnostic: true,
			Games:   games.AlphaBeta,
			Help:    "reports what each search did with the table",
			Details: "See [hash.md](hash.md#statistics-of-a-search)"}, false),
		HashAudit: options.NewCombo(s, options.Decl{UCI: "HashAudit", USI: "HashAudit", Diagnostic: true,
			Games: games.AlphaBeta,
			Help:  "counts false hits with a second key",
			Details: "`count` takes 8 more bytes for each entry; `pairs` takes about 150, " +
				"and shows the first 20 false hits of each search"},
			choices(observe.AuditOff, observe.AuditCounts, observe.AuditPairs)...),
	}
}

// choices are the choices of an option that has these values.
func choices[T fmt.Stringer](values ...T) (list []options.Choice[T]) {
	for _, v := range values {
		list = append(list, options.Choice[T]{Name: v.String(), Value: v})
	}
	return list
}

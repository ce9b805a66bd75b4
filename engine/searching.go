package engine

import (
	"context"
	"errors"
	"slices"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/table"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
	"trefoil/ttanalysis"
)

// searching is what the games share that are played by alpha-beta over a
// cluster.Table.
type searching struct {
	opts     *config.Options
	searcher *alphabeta.Searcher
	table    *table.Cluster
	label    cluster.Label      // of the files of the table
	monitor  ttanalysis.Monitor // HashStats and HashAudit
}

func newSearching(opts *config.Options, told *table.Notices, label cluster.Label) searching {
	return searching{opts: opts, searcher: alphabeta.New(), table: table.NewCluster(told), label: label}
}

func (s *searching) newGame(keep bool) {
	s.searcher.NewGame()
	if !keep {
		s.clear()
	}
}

func (s *searching) leave() error {
	s.searcher.NewGame()
	s.monitor.Close()
	return s.table.Close()
}

func (s *searching) clear() {
	s.table.Clear()
	s.monitor.Cleared()
}

func (s *searching) resize(mib uint64) error {
	return s.remake(mib, s.opts.HashIndex.Value(), s.opts.HashKeyBits.Value())
}

// reindex changes the index of the table, if there is one.
func (s *searching) reindex(index cluster.Index) error {
	if s.table.Empty() {
		return nil
	}
	return s.remake(s.table.MiB(), index, s.table.KeyBits())
}

// narrow changes how many bits of a key the table compares, if there is one.
func (s *searching) narrow(bits int) error {
	if s.table.Empty() {
		return nil
	}
	return s.remake(s.table.MiB(), s.table.Index(), bits)
}

// remake replaces the table unless it is what is asked for.
func (s *searching) remake(mib uint64, index cluster.Index, bits int) error {
	return s.table.Resize(mib, index, bits, func(t *cluster.Table) {
		s.monitor.Close()
		s.searcher.SetTable(t)
	})
}

func (s *searching) setThreads(n int) { s.searcher.SetThreads(n) }

func (s *searching) tableLine() string { return s.table.Line((*cluster.Table).Full) }

func (s *searching) plan(mib uint64, print func(string)) error {
	return table.PlanCluster(mib, s.opts.HashIndex.Value(), print)
}

// ready sees to it that there is a table, made by resize, and that it is fit for a
// search of a side.
func (s *searching) ready(ctx context.Context, limits *search.Limits, side int, resize func(uint64) error, report func(search.Info)) error {
	if err := s.table.Ensure(uint64(s.opts.Hash.Value()), resize); err != nil {
		return err
	}
	for _, line := range s.table.Notices().Take() {
		report(search.Info{Text: line})
	}
	s.table.AwaitCleared(ctx, clock.ClearTimeout(limits, side))
	if repeatable(limits) {
		s.table.AwaitTouched(ctx)
	}
	return nil
}

// inspect prints all there is to know about the table.
func (s *searching) inspect(ctx context.Context, print func(string)) error {
	print(s.tableLine())
	if s.table.Empty() {
		return nil
	}
	if line, err := ttanalysis.CensusLine(ctx, s.table.Table()); err == nil { // else nobody waits for it any more
		print(line)
	}
	for _, line := range s.monitor.Lines() {
		print(line)
	}
	return nil
}

// settings are the options that a search looks at, and the monitor that observes it.
func (s *searching) settings(report func(search.Info)) alphabeta.Settings {
	set := alphabeta.Settings{
		MultiPV: s.opts.MultiPV.Value(),
		Clock: clock.Settings{
			MoveOverhead:    s.opts.MoveOverhead.Milliseconds(),
			MinimumThinking: s.opts.MinimumThinkingTime.Milliseconds(),
		},
		Resume: s.table.Loaded() || s.opts.NeverClearHash.Value(),
	}
	set.Observer = s.monitor.Begin(s.table.Table(), ttanalysis.MonitorOptions{
		Count: s.opts.HashStats.Value(), Audit: s.opts.HashAudit.Value(), Threads: s.opts.Threads.Value(),
	}, func(line string) { report(search.Info{Text: line}) })
	set.Closing = s.monitor.Lines
	return set
}

// rules are what is asked of a position outside the search.
type rules interface {
	ParseMove(string) (game.Move, error)
	Text(game.Move) string
	Moves(game.Kind, *game.List)
}

// legalMoves returns those of the moves that are legal in p, as the search writes
// them; it tells of the others.
func legalMoves(p rules, moves []string, report func(search.Info)) (legal []string) {
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			report(search.Info{Text: "searchmoves: " + err.Error()})
			continue
		}
		if canonical := p.Text(m); !slices.Contains(legal, canonical) {
			legal = append(legal, canonical)
		}
	}
	if len(moves) > 0 && len(legal) == 0 {
		report(search.Info{Text: noneLegal})
	}
	return legal
}

// noneLegal is what is said when searchmoves leaves nothing to search.
const noneLegal = "searchmoves: none of them is legal, all moves are searched"

// anyMove returns a legal move of p, "" if there is none.
func anyMove(p rules) string {
	var l game.List
	if p.Moves(game.All, &l); l.Len() == 0 {
		return ""
	}
	return p.Text(l.At(0))
}

// errInCheck is why a position in check is not explained.
var errInCheck = errors.New("eval: the side to move is in check, such positions are only searched")

// Package alphabetagame is what the games played by alpha-beta share: Player, with a cluster.Table
// for alpha-beta and a window.Table for mates; benches of both searches; perft.
//
// A game embeds Player and adds SetPosition, Search, Draw and Perft. Its position is the rules of the
// game with an evaluation, as an alphabeta.Position; package shogi has an example.
package alphabetagame

import (
	"context"
	"errors"
	"fmt"
	"time"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/internal/container"
	"trefoil/internal/mem"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/clock"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
	"trefoil/window"
)

// Player is the part of a registry.Player that does not depend on the rules: a game embeds it.
type Player struct {
	Options  *config.Options
	Notices  *table.Notices
	Searcher *alphabeta.Searcher

	table      *table.ClusterOwner
	env        registry.Env
	label      cluster.Label // of saved and shared tables, without the evaluation
	roots      *registry.AlphaBeta
	pool       pool
	rules      func() string // by which the values of the table are true, if that is not the game's own, else ""
	dimensions dimensioned
	worker     uint64 // bytes that a worker takes beside its evaluator
	draws      []*drawValue
	monitor    observe.Monitor    // HashStats and HashAudit
	counted    bool               // Count
	mates      *table.WindowOwner // made by a search for mates, closed by alpha-beta
	weak       weakened
}

var _ interface {
	registry.ClusterHasher
	registry.Sparer
} = (*Player)(nil)

// dimensioned is a position of a game whose moves have dimensions, which are the same in all positions.
type dimensioned interface{ HistoryDimensions() (pieces, squares int) }

// pool is the Evaluators of any game.
type pool interface {
	name() string  // of the evaluation
	Bytes() uint64 // of an evaluator
	release()
}

// NewPlayer returns the player of a game by its name; the dimensions of moves are read from a position. roots makes the
// roots of searches, which evaluate as the evaluators do, also after these have another evaluation.
func NewPlayer(env registry.Env, game string, position dimensioned, roots *registry.AlphaBeta, evaluators pool) Player {
	return Player{
		Options: env.Options, Notices: env.Notices, Searcher: alphabeta.New(), env: env,
		table: table.NewClusterOwner(env.Notices), label: cluster.Label{Game: game, Seed: roots.Seed}, roots: roots,
		pool: evaluators, rules: func() string { return "" },
		dimensions: position, worker: alphabeta.WorkerBytes(position.HistoryDimensions()),
		mates: table.NewWindowOwner(new(table.Notices)),
	}
}

// NewGame is registry.Hasher.NewGame.
func (p *Player) NewGame(keep bool) {
	p.Searcher.NewGame()
	p.weak.newGame()
	if !keep {
		p.Clear()
	}
}

// Close is registry.Hasher.Close.
func (p *Player) Close() error {
	p.Searcher.NewGame()
	p.Searcher.Free()
	p.pool.release()
	p.monitor.Close()
	return errors.Join(p.closeMates(), p.weak.close(), p.table.Close())
}

// Clear is registry.Hasher.Clear, of both tables.
func (p *Player) Clear() {
	p.table.Clear()
	p.monitor.Cleared()
	p.mates.Clear()
}

// Settle is registry.Hasher.Settle, of both tables. It makes what the first search would make on its clock, which
// says what is wrong if that fails. To share a table is left to the search, because it may wait for a process.
func (p *Player) Settle(ctx context.Context) {
	p.Searcher.MakeWorkers(p.dimensions.HistoryDimensions())
	if p.Options.HashShared.Value() == "" {
		_ = p.ensure(ctx, 0)
	}
	p.table.AwaitTouched(ctx)
	p.mates.AwaitTouched(ctx)
}

// Resize is registry.Hasher.Resize. A table for mates of another size is closed.
func (p *Player) Resize(ctx context.Context, bytes uint64) error {
	size := memory.Whole(bytes)
	spec, err := p.spec(size, p.sharedAs())
	if err != nil {
		return err
	}
	if err := p.env.Fit(p, memory.Hash, bytes); err != nil {
		p.table.Warn(spec)
		return err
	}
	if err := p.remake(ctx, spec); err != nil {
		return err
	}
	if size != p.mates.Size() {
		return p.closeMates()
	}
	return nil
}

// spec returns the Spec of a table of that size, with index, key bits and pages from the options. The table
// is shared under the name shared, unless that is empty.
func (p *Player) spec(size memory.Size, shared string) (table.Spec, error) {
	s := table.Spec{Size: size, Index: p.Options.HashIndex.Value(), KeyBits: p.Options.HashKeyBits.Value()}
	if shared == "" {
		s.Pages = p.Options.HashPages.Value()
		return s, nil
	}
	label, err := p.evaluatedLabel()
	s.Sharing = cluster.Sharing{Name: shared, Label: label}
	return s, err
}

// evaluatedLabel is the label with the present evaluation and rules.
func (p *Player) evaluatedLabel() (cluster.Label, error) {
	label := p.label
	evaluation, err := fingerprint(p.roots, p.pool.name())
	label.Evaluation = evaluation + p.rules()
	for _, d := range p.draws {
		if d.value != d.standard {
			label.Evaluation += fmt.Sprintf(" with %s %d", d.name, d.value)
		}
	}
	return label, err
}

// Repage is registry.Hasher.Repage. A table for mates is closed, and a shared one stays.
func (p *Player) Repage(pages mem.Pages) error {
	if err := p.closeMates(); err != nil {
		return err
	}
	if p.table.Empty() || p.table.Shared() {
		return nil
	}
	spec, err := p.spec(p.table.Size(), "")
	if err != nil {
		return err
	}
	spec.Pages = pages
	return p.remake(context.Background(), spec)
}

// Reshape is registry.ClusterHasher.Reshape.
func (p *Player) Reshape(index cluster.Index, keyBits int) error {
	if p.table.Empty() {
		return nil
	}
	spec, err := p.spec(p.table.Size(), p.sharedAs())
	if err != nil {
		return err
	}
	spec.Index, spec.KeyBits = index, keyBits
	return p.remake(context.Background(), spec)
}

// SetRules sets what names the rules by which the values of the table are true, if they are not the game's own: a text
// that follows the checksum of the evaluation in labels. A table with other rules is not loaded and not shared.
func (p *Player) SetRules(rules func() string) { p.rules = rules }

// Reevaluate is called after the evaluation by the roots, or what SetRules names, has changed. It empties
// the table, also with NeverClearHash, and the histories, which have values of before. The next search
// waits until the table is empty, also on a clock. After an error, because other processes share the table,
// all is as before.
func (p *Player) Reevaluate() error {
	if p.table.Shared() { // the table says by which evaluation it is
		spec, err := p.spec(p.table.Size(), p.sharedAs())
		if err == nil {
			err = p.remake(context.Background(), spec)
		}
		if err != nil {
			return err
		}
	}
	p.NewGame(false)
	p.table.CompleteClear()
	return nil
}

// EmptyOnChange empties the table as Reevaluate does whenever an option changes that the values of the table depend on.
func (p *Player) EmptyOnChange(o *options.Spin) {
	o.OnChange(func(n int) error {
		if n == o.Value() {
			return nil
		}
		return p.Reevaluate()
	})
}

// drawValue is an option for what a draw is worth, and its value, also before that is stored.
type drawValue struct {
	name            string
	value, standard int
}

// DrawValue is EmptyOnChange for an option for what a draw is worth. A value other than the default is part
// of labels, as the rules are.
func (p *Player) DrawValue(name string, o *options.Spin) {
	d := &drawValue{name, o.Value(), o.Value()}
	p.draws = append(p.draws, d)
	o.OnChange(func(n int) error {
		if n == d.value {
			return nil
		}
		before := d.value
		d.value = n
		err := p.Reevaluate()
		if err != nil {
			d.value = before
		}
		return err
	})
}

// remake replaces the table unless it is as requested already.
func (p *Player) remake(ctx context.Context, spec table.Spec) error {
	return p.table.Resize(ctx, spec, func(t *cluster.Table) {
		p.monitor.Close()
		p.Searcher.SetTable(t)
	})
}

// ensure makes a table unless there is one. If it cannot be shared as HashShared demands, or not within
// timeout (0 = no limit), it is not.
func (p *Player) ensure(ctx context.Context, timeout time.Duration) error {
	if name := p.Options.HashShared.Value(); name != "" && p.table.Empty() {
		if timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, timeout,
				fmt.Errorf("another process has held this lock for %v", timeout))
			defer cancel()
		}
		if err := p.Share(ctx, name); err != nil {
			p.Notices.Add(err.Error() + "; this process uses a hash of its own")
		}
	}
	if !p.table.Empty() {
		return nil
	}
	size, why := p.env.FirstSize(p)
	return p.first(ctx, size, why)
}

// first makes a table that is not shared, of that size or of a smaller one that can be had; see table.Owner.First.
func (p *Player) first(ctx context.Context, size memory.Size, why error) error {
	return p.table.First(size, why, func(size memory.Size) error {
		spec, err := p.spec(size, "")
		if err != nil {
			return err
		}
		return p.remake(ctx, spec)
	})
}

// Use is registry.Hasher.Use. The table for mates counts when it is there.
func (p *Player) Use() memory.Use {
	u := memory.Use{Worker: p.worker + p.pool.Bytes(), Workers: uint64(p.Searcher.Workers()), Observed: true,
		Audit: config.AuditBytes(p.monitor.Audits())}
	if !p.table.Empty() {
		u.Table = p.table.Size().Bytes
	}
	if !p.table.Shared() { // all memory of a shared table is taken when it is made
		u.Ordinary = p.table.Ordinary()
	}
	return u
}

// TableSize is the size in bytes that the table was asked to have.
func (p *Player) TableSize() uint64 { return p.table.Size().Asked }

// SetThreads is registry.Hasher.SetThreads.
func (p *Player) SetThreads(n int) {
	p.Searcher.SetThreads(n)
	p.pool.release() // evaluators that fewer threads do not need
}

// TableLine is registry.Hasher.TableLine.
func (p *Player) TableLine() string { return p.table.Line() }

// Plan is registry.Hasher.Plan.
func (p *Player) Plan(mib uint64, print func(string)) error {
	return table.PlanCluster(mib, p.Options.HashIndex.Value(), p.Options.HashPages.Value(), print)
}

// Look is registry.Viewer.Look.
func (p *Player) Look(f func(registry.Tables)) {
	var t registry.Tables
	withMates := func() {
		if !p.mates.Look(func(w *window.Table) { t.Window = w; f(t) }) {
			f(t)
		}
	}
	if !p.table.Look(func(c *cluster.Table) { t.Cluster = c; withMates() }) {
		withMates()
	}
}

// Count is registry.ClusterHasher.Count.
func (p *Player) Count(on bool) { p.counted = on }

// Live is registry.ClusterHasher.Live.
func (p *Player) Live() (observe.Live, bool) { return p.monitor.Live() }

// Inspect is registry.ClusterHasher.Inspect.
func (p *Player) Inspect(ctx context.Context, print func(string)) error {
	print(p.TableLine())
	if p.table.Empty() {
		return nil
	}
	if line, err := ttanalysis.CensusLine(ctx, p.table.Table()); err == nil { // else ctx has ended
		print(line)
	}
	for _, line := range p.monitor.Lines() {
		print(line)
	}
	return nil
}

// Save is registry.ClusterHasher.Save.
func (p *Player) Save(ctx context.Context, out container.Output,
	progress func(done, total uint64)) (cluster.Header, error) {
	label, err := p.evaluatedLabel()
	if err != nil {
		return cluster.Header{}, err
	}
	return p.table.Save(ctx, out, label, progress)
}

// Load is registry.ClusterHasher.Load.
func (p *Player) Load(ctx context.Context, in container.Input,
	progress func(done, total uint64)) (cluster.Header, error) {
	if p.table.Empty() {
		if err := p.Resize(ctx, p.Options.Request().Hash); err != nil {
			return cluster.Header{}, err
		}
	}
	label, err := p.evaluatedLabel()
	if err == nil {
		err = p.own(ctx)
	}
	if err != nil {
		return cluster.Header{}, err
	}
	h, err := p.table.Load(ctx, in, label, progress)
	if err == nil {
		p.monitor.Close() // it describes the entries of before
	}
	return h, err
}

// Prepare makes the table if there is none, reports the notices, and waits until a search for a
// side can use the table. It is called once for each `go` that alpha-beta may answer.
func (p *Player) Prepare(ctx context.Context, limits *search.Limits, side int, report func(search.Info)) error {
	if err := p.ensure(ctx, clock.ClearTimeout(limits, side)); err != nil {
		return err
	}
	if err := p.own(ctx); err != nil {
		report(search.Info{Text: err.Error()})
	}
	for _, line := range p.Notices.Take() {
		report(search.Info{Text: line})
	}
	if p.repeatable(limits) {
		p.table.AwaitReady(ctx, 0)
		p.table.AwaitTouched(ctx)
	} else {
		p.table.AwaitReady(ctx, clock.ClearTimeout(limits, side))
	}
	return nil
}

// repeatable reports whether a search does not depend on time, also because nodes are the time.
func (p *Player) repeatable(l *search.Limits) bool {
	return l.Repeatable() || p.Options.NodesTime.Value() > 0 && !l.Infinite && !l.Ponder
}

// settings returns the settings that searches of any strength have.
func (p *Player) settings() alphabeta.Settings {
	set := alphabeta.Settings{MultiPV: p.Options.MultiPV.Value(), Clock: p.Options.Clock()}
	set.Clock.MinimumThinking, set.Clock.Uneven = p.Options.MinimumThinkingTime.Milliseconds(), p.roots.Uneven
	return set
}

// Settings returns the settings of an alpha-beta search of full strength by the options, with the monitor
// that observes it. It is called for each such search; `go mate` of chess has more than one.
func (p *Player) Settings(report func(search.Info)) alphabeta.Settings {
	set := p.settings()
	set.Resume = p.table.Kept() || p.table.Shared() || p.Options.NeverClearHash.Value()
	if set.Follow = p.table.Shared(); set.Follow {
		set.News = p.Notices.Take // its memory may be lost
	}
	set.Observer = p.monitor.Begin(p.table.Table(), observe.MonitorOptions{
		Count: p.Options.HashStats.Value(), Sample: p.counted, Audit: p.Options.HashAudit.Value(),
		Threads: p.Options.Threads.Value(),
	}, func(line string) { report(search.Info{Text: line}) })
	set.Unobserved = p.monitor.Unobserved()
	set.Closing = p.monitor.Lines
	return set
}

package alphabetagame

import (
	"context"
	"math"
	"math/rand/v2"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// Strength is the strength of play of a game.
type Strength struct {
	Level float64 // play is not weakened from config.FullSkill on; below 0 it is weaker than any Skill Level
	Noise float64 // alphabeta.Skill.Noise of level 0, and Skill.MaxLoss of all levels
}

// From each level to the next the nodes of a move grow by one factor and the noise shrinks by another.
const (
	weakMoves     = 4  // alphabeta.Skill.Moves of level 0 and higher ones; from each level to the one below, one more
	weakNodes     = 50 // search.Limits.SoftNodes of level 0
	nodesPerLevel = 1.6
	noisePerLevel = 0.78
)

// softNodes is the limit of a search of strength s, below full strength.
func (s Strength) softNodes() uint64 {
	return max(1, uint64(weakNodes*math.Pow(nodesPerLevel, s.Level)))
}

// skill returns how the choice of its move is weakened.
func (s Strength) skill(seed uint64) *alphabeta.Skill {
	return &alphabeta.Skill{
		Moves:   weakMoves + max(0, int(-s.Level)),
		Noise:   s.Noise * math.Pow(noisePerLevel, s.Level),
		MaxLoss: int(s.Noise),
		Seed:    seed,
	}
}

// weakened is the search below full strength. Its table and histories are empty when a search begins: a
// move is no better because the position was analysed before. It depends on the position, the moves before
// it, the strength, the seed and the limits alone.
type weakened struct {
	searcher *alphabeta.Searcher // of one thread
	table    *cluster.Table      // nil until the first search
	drawn    uint64              // the seed of this game unless Skill Seed sets one; 0 until it is drawn
}

// weakenedMiB is the size of its table.
const weakenedMiB = 1

// prepare makes the table if there is none, and empties it and the histories.
func (w *weakened) prepare(ctx context.Context) error {
	if w.table == nil {
		table, err := cluster.New(weakenedMiB, cluster.Auto)
		if err != nil {
			return err
		}
		w.table, w.searcher = table, alphabeta.New()
		w.searcher.SetTable(table)
	}
	w.searcher.ClearHistories()
	return w.table.Clear(context.WithoutCancel(ctx))
}

// newGame forgets the seed and the clock of the game before.
func (w *weakened) newGame() {
	w.drawn = 0
	if w.searcher != nil {
		w.searcher.NewGame()
	}
}

// seed returns the seed that is set or, if that is 0, the one drawn for this game.
func (w *weakened) seed(set int) uint64 {
	if set != 0 {
		return uint64(set)
	}
	for w.drawn == 0 {
		w.drawn = rand.Uint64()
	}
	return w.drawn
}

// close frees the memory.
func (w *weakened) close() (err error) {
	if w.table != nil {
		err = w.table.Close()
		w.table, w.searcher = nil, nil
	}
	return err
}

// SettingsOf returns the settings of an alpha-beta search of that strength, and limits its nodes. Analysis,
// which is `go infinite`, and searches for mates have full strength.
func (p *Player) SettingsOf(ctx context.Context, s Strength, limits *search.Limits,
	report func(search.Info)) alphabeta.Settings {
	if s.Level >= config.FullSkill || limits.Infinite || limits.Mate > 0 {
		return p.Settings(report)
	}
	if err := p.weak.prepare(ctx); err != nil {
		report(search.Info{Text: "this move is of full strength: " + err.Error()})
		return p.Settings(report)
	}
	set := p.settings()
	set.Skill, limits.SoftNodes = s.skill(p.weak.seed(p.Options.SkillSeed.Value())), s.softNodes()
	return set
}

// SearchRoot searches by alpha-beta with the settings of Settings or SettingsOf.
func (p *Player) SearchRoot(ctx context.Context, root alphabeta.Position, limits search.Limits, set alphabeta.Settings,
	report func(search.Info)) search.Result {
	if set.Skill != nil {
		return p.weak.searcher.Search(ctx, root, limits, set, report)
	}
	return p.Searcher.Search(ctx, root, limits, set, report)
}

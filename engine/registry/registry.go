// Package registry defines what a game is to the engine. Each game is one value of type Game, which
// its package returns; package engine lists these values in one place:
//
//	Registry ── Game ─┬─ Name, Protocols, Commands
//	                  ├─ New ────────── a Player: position, search, drawing, perft;
//	                  │                 Hasher, ClusterHasher, … if it can do more
//	                  ├─ Perft
//	                  └─ Measured ─┬─── Benches: positions and the search whose nodes are a signature
//	                               └─── AlphaBeta: roots for measurements with a cluster.Table
//
// The code that all games share looks games up here. What a page shows of a game is in web/board.
package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"trefoil/internal/cli"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

// Game is one game: how it is played, and what is measured.
type Game struct {
	Name     string // the value of UCI_Variant and of --variant
	Title    string // in messages
	Notation string // of its positions, in words for the user

	// Protocols are the protocols whose notation the game has. A dialogue in another protocol begins with the
	// first game that has it.
	Protocols []options.Protocol
	// New returns a player at the start position; it declares the options that only this game
	// uses.
	New func(Env) Player
	// WDL says that the player reports win, draw and loss if UCI_ShowWDL is set.
	WDL bool
	// Commands are the subcommands of the program that the game adds.
	Commands []cli.Command

	// Perft returns a count of the game tree of a position, "startpos" or the game's notation.
	Perft func(setup string, depth int) (*Perft, error)

	Measured
}

// Measured is what measurements need of a game.
type Measured struct {
	// Benches are fixed positions for each search of the game. The first one is for the search
	// that plays, and has the name of the game.
	Benches []Bench
	// AlphaBeta is nil unless the game is played by alpha-beta.
	AlphaBeta *AlphaBeta
}

// AlphaBeta is what measurements of a game's alpha-beta search need.
type AlphaBeta struct {
	Seed   string   // of the words of position keys
	Setups []string // positions of all phases of the game, in its notation; the first is the start position
	// Games are positions of games, with one side to move in each game, for speedtest.
	Games [][]string
	// NewRoots returns a function that makes the root of a search from a position in the game's
	// notation. The roots that it makes share evaluators, so they are searched one at a time.
	NewRoots func() func(setup string) (alphabeta.Position, error)
	Uneven   bool // clock.Settings.Uneven
}

// Bench is fixed positions for one search. The nodes that it takes for them with one thread
// and an empty table of BenchMiB depend on the program alone: they are its signature.
type Bench struct {
	Name   string
	Depth  int // by default; 0 if the search has no depth
	Setups []string
	// Open returns a search with a table of that many MiB and a number of threads.
	Open func(mib uint64, threads int) (BenchSearch, error)
}

// BenchMiB is the size of the table of a bench for its signature, whatever the options are.
const BenchMiB = 16

// BenchSearch is a search of one bench. It must be closed.
type BenchSearch interface {
	// Prepare clears the table and sets up a position.
	Prepare(ctx context.Context, setup string) error
	// Search searches that position and returns its result in words and the nodes. There are no limits
	// if Bench.Depth is 0.
	Search(ctx context.Context, limits search.Limits) (result string, nodes uint64, err error)
	Close() error
}

// Registry is the games of a program.
type Registry struct{ games []*Game }

// New returns a registry of these games. The first is the default. It panics if two games have the same
// name or a game has none, which is a mistake in the program.
func New(games ...*Game) *Registry {
	r := new(Registry)
	for _, g := range games {
		if _, known := r.Lookup(g.Name); known || g.Name == "" {
			panic(fmt.Sprintf("registry: game %q: the name is empty or taken", g.Name))
		}
		r.games = append(r.games, g)
	}
	return r
}

// Games returns all games in their order.
func (r *Registry) Games() []*Game { return r.games }

// Lookup returns the game of that name, in any case, and whether there is one.
func (r *Registry) Lookup(name string) (*Game, bool) {
	i := slices.IndexFunc(r.games, func(g *Game) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return nil, false
	}
	return r.games[i], true
}

// Find is Lookup with an error that lists the games.
func (r *Registry) Find(name string) (*Game, error) {
	g, known := r.Lookup(name)
	if !known {
		return nil, fmt.Errorf("variant %q is not one of %s", name, strings.Join(r.Names(), ", "))
	}
	return g, nil
}

// Names returns the names of the games for which all conditions hold.
func (r *Registry) Names(conditions ...func(*Game) bool) (names []string) {
	for _, g := range r.games {
		if !slices.ContainsFunc(conditions, func(holds func(*Game) bool) bool { return !holds(g) }) {
			names = append(names, g.Name)
		}
	}
	return names
}

// PlayedByAlphaBeta reports whether g is played by alpha-beta, as a condition of Names.
func PlayedByAlphaBeta(g *Game) bool { return g.AlphaBeta != nil }

// ReportsWDL reports whether the player of g reports win, draw and loss, as a condition of Names.
func ReportsWDL(g *Game) bool { return g.WDL }

// FindAlphaBeta returns the game of that name if it is played by alpha-beta.
func (r *Registry) FindAlphaBeta(name string) (*Game, error) {
	if g, known := r.Lookup(name); known && g.AlphaBeta != nil {
		return g, nil
	}
	return nil, fmt.Errorf("variant %q is not one of %s, the games played by alpha-beta", name,
		strings.Join(r.Names(PlayedByAlphaBeta), ", "))
}

// FindBench returns the bench of that name.
func (r *Registry) FindBench(name string) (*Bench, error) {
	for _, g := range r.games {
		for i := range g.Benches {
			if strings.EqualFold(g.Benches[i].Name, name) {
				return &g.Benches[i], nil
			}
		}
	}
	return nil, fmt.Errorf("variant %q is not one of %s", name, strings.Join(r.BenchNames(), ", "))
}

// BenchNames returns the names of all benches.
func (r *Registry) BenchNames() (names []string) {
	for _, g := range r.games {
		for _, b := range g.Benches {
			names = append(names, b.Name)
		}
	}
	return names
}

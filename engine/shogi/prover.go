package shogi

import (
	"context"

	"trefoil/engine/mates"
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/search/mate"
)

// proverBytes is the size of the table for mates during a game, unless the hash is smaller.
const proverBytes = 16 << 20

// proverOverhead is the time that a search for a mate takes to begin, in nodes.
const proverOverhead = 20

// newProver returns the prover of a search; nil if a king in check may win by the entering-king rule, or there is no
// memory.
func (p *player) newProver(ctx context.Context, limits *search.Limits, report func(search.Info)) alphabeta.Prover {
	if p.own.enteringKingRule.Value() == rules.Try {
		return nil
	}
	table, err := p.PrepareMates(ctx, min(p.TableSize(), proverBytes), limits, p.pos.Side(), "for mates: ", report)
	if err != nil {
		report(search.Info{Text: err.Error()})
		return nil
	}
	return &prover{finder: mate.New(table, 1, nil), maxMoves: p.own.maxMovesToDraw.Value()}
}

// prover finds mates by checks alone.
type prover struct {
	finder   *mate.Finder
	maxMoves int // after which the game is a draw, 0 = no limit
	checks   game.List
}

func (p *prover) Prove(ctx context.Context, pos alphabeta.Position, nodes uint64) alphabeta.Proof {
	at := pos.(*position).Position
	p.checks.Reset()
	if at.Checks(&p.checks); p.checks.Len() == 0 {
		return alphabeta.Proof{None: true}
	}
	a, err := p.finder.Find(ctx, mates.Shogi(at, nil), mate.Limits{Nodes: nodes, First: true}, nil)
	r := alphabeta.Proof{Line: a.Line, None: a.Failed[0] == mate.Endless, Nodes: a.Nodes + proverOverhead}
	if err != nil || p.maxMoves > 0 && at.Ply()+len(a.Line) > p.maxMoves {
		r.Line = nil
	}
	return r
}

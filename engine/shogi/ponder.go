package shogi

import (
	"context"
	"time"

	"trefoil/engine/alphabetagame"
	"trefoil/search"
)

// ponderBefore is Stochastic_Ponder: it searches the position before the last move, which the GUI expects the
// opponent to play, and from the ponderhit on the position itself. Until then only lines that begin with the
// expected move are reported, from the position after it. After a stop the last of them is the answer.
func (p *player) ponderBefore(ctx context.Context, limits search.Limits, report func(search.Info)) search.Result {
	pos := p.pos
	defer func() { p.pos = pos }()
	p.pos = pos.Copy()
	expected := p.pos.LastMove()
	p.pos.Undo()
	name := p.pos.Text(expected)

	pondering, cancel := context.WithCancel(ctx)
	defer cancel()
	hit := make(chan search.Clock, 1)
	go func() {
		select {
		case c := <-limits.PonderHit:
			hit <- c
			cancel()
		case <-pondering.Done():
		}
	}()
	var line []string // the last one reported
	before := limits
	before.PonderHit, before.SearchMoves, before.Declare = nil, nil, false
	r := p.play(pondering, before, pos.Side(), func(i search.Info) {
		if i.Text == "" {
			if !after(&i, name) {
				return
			}
			line = i.PV
		}
		report(i)
	})
	<-pondering.Done()
	p.pos = pos
	select {
	case c := <-hit:
		limits.Start, limits.Ponder, limits.PonderHit = time.Now(), false, nil
		if c.Given {
			limits.Clock = c
		}
		return p.play(ctx, limits, pos.Side(), report)
	default:
		stopped := search.Result{Best: alphabetagame.AnyMove(pos), Nodes: r.Nodes, Time: r.Time}
		if len(line) > 0 {
			stopped.Best = line[0]
		}
		if len(line) > 1 && !isRepetition(line[1]) {
			stopped.Ponder = line[1]
		}
		return stopped
	}
}

// after turns a report of a position into a report of the position after move. It returns false if the line
// does not begin with that move, or ends there.
func after(i *search.Info, move string) bool {
	if len(i.PV) < 2 || i.PV[0] != move || isRepetition(i.PV[1]) {
		return false
	}
	i.PV, i.MultiPV, i.Depth, i.SelDepth = i.PV[1:], 1, max(1, i.Depth-1), max(1, i.SelDepth-1)
	i.Score = search.Score{Mate: i.Score.Mate, Centipawns: -i.Score.Centipawns, Plies: -i.Score.Plies}
	switch {
	case i.Score.Plies > 0:
		i.Score.Plies--
	case i.Score.Plies < 0:
		i.Score.Plies++
	}
	switch i.Bound {
	case search.Lower:
		i.Bound = search.Upper
	case search.Upper:
		i.Bound = search.Lower
	}
	return true
}

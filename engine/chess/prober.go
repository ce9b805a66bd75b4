package chess

import (
	"trefoil/game"
	rules "trefoil/game/chess"
	"trefoil/search/alphabeta"
	"trefoil/syzygy"
)

// prober looks positions up in tablebases.
type prober struct {
	tables *syzygy.Tables
	limit  int  // pieces of a position that is looked up
	depth  int  // the least depth of a node with as many pieces
	rule50 bool // fifty moves without a capture or pawn move are a draw
}

// HasTablebases is alphabeta.TablebaseProber.HasTablebases.
func (p *position) HasTablebases() bool { return p.tables != nil }

// ProbeTablebase is alphabeta.TablebaseProber.ProbeTablebase. Positions are looked up after a capture or a
// pawn move only: what the tables say is true with a rule-50 counter of 0.
func (p *position) ProbeTablebase(depth int) (result int, ok bool) {
	t := p.tables
	n := p.Occupied().Count()
	if n > t.limit || n == t.limit && depth < t.depth || p.Rule50() != 0 || p.mayCastle() {
		return 0, false
	}
	b := p.bitboards()
	wdl, err := t.tables.WDL(&b)
	return int(t.counted(wdl)), err == nil
}

// counted is a result with or without the rule of fifty moves.
func (t *prober) counted(wdl syzygy.WDL) syzygy.WDL {
	if t.rule50 {
		return wdl
	}
	switch wdl {
	case syzygy.CursedWin:
		return syzygy.Win
	case syzygy.BlessedLoss:
		return syzygy.Loss
	}
	return wdl
}

func (p *position) mayCastle() bool {
	return p.CastlingRooks(rules.White)|p.CastlingRooks(rules.Black) != 0
}

// bitboards is the position as the tables take it.
func (p *position) bitboards() syzygy.Position {
	return syzygy.Position{
		White: uint64(p.Colour(rules.White)), Black: uint64(p.Colour(rules.Black)),
		Pawns: uint64(p.Kind(rules.Pawn)), Knights: uint64(p.Kind(rules.Knight)), Bishops: uint64(p.Kind(rules.Bishop)),
		Rooks: uint64(p.Kind(rules.Rook)), Queens: uint64(p.Kind(rules.Queen)), Kings: uint64(p.Kind(rules.King)),
		BlackToMove: p.Side() == 1, EnPassant: uint8(p.EnPassant()), Castling: p.mayCastle(),
	}
}

// maxRank is the rank of a move that keeps a win with plies to spare. Other ranks are smaller by a distance
// in plies.
const maxRank = 1 << 18

// RankRoot is alphabeta.TablebaseProber.RankRoot.
func (p *position) RankRoot(moves []game.Move) (ranks []alphabeta.TablebaseRank, complete bool) {
	if p.Occupied().Count() > p.tables.limit || p.mayCastle() {
		return nil, false
	}
	if ranks, ok := rankAll(moves, p.rankByDTZ()); ok {
		return ranks, true
	}
	ranks, _ = rankAll(moves, p.rankByWDL)
	return ranks, false
}

// rankAll ranks all moves; ok is false if one cannot be.
func rankAll(moves []game.Move,
	rank func(game.Move) (alphabeta.TablebaseRank, error)) (ranks []alphabeta.TablebaseRank, ok bool) {
	for _, m := range moves {
		r, err := rank(m)
		if err != nil {
			return nil, false
		}
		ranks = append(ranks, r)
	}
	return ranks, true
}

// rankByDTZ returns a function that ranks a move by the distance to the next capture or pawn move. As long as
// there are plies to spare and no position has been repeated, all moves that keep a win rank alike, and the
// search chooses; then the shortest distance ranks highest, so that the win is finished in time. Losing moves
// rank alike unless a draw by the rule of fifty moves is near.
func (p *position) rankByDTZ() func(game.Move) (alphabeta.TablebaseRank, error) {
	played, repeated := p.Rule50(), p.repeated()
	return func(m game.Move) (r alphabeta.TablebaseRank, err error) {
		d, err := p.distanceAfter(m)
		late := played // plies without a capture or pawn move at the end of the distance
		switch {
		case d > 0:
			late += d
			r.Rank = maxRank/2 - late
			if late < 100 && !repeated {
				r.Rank = maxRank
			}
			r.Outcome, r.Centipawns = p.tables.outcome(game.Ahead, late)
		case d < 0:
			late -= d
			r.Rank = late - maxRank/2
			if late-d < 100 {
				r.Rank = -maxRank
			}
			r.Outcome, r.Centipawns = p.tables.outcome(game.Behind, late)
		}
		return r, err
	}
}

// outcome returns the outcome of a win or loss after a number of plies without a capture or pawn move.
// After more than 100 plies it is a draw, with a score of up to half a pawn: the opponent may err.
func (t *prober) outcome(o game.Outcome, plies int) (game.Outcome, int) {
	if plies <= 100 || !t.rule50 {
		return o, 0
	}
	score := max(3, 200-plies) / 2
	if o == game.Behind {
		score = -score
	}
	return game.Draw, score
}

// distanceAfter is the distance to the next capture or pawn move, from the position on, if m is played.
func (p *position) distanceAfter(m game.Move) (int, error) {
	p.Make(m)
	defer p.Undo()
	if p.drawn() {
		return 0, nil
	}
	b := p.bitboards()
	if p.Rule50() == 0 {
		wdl, err := p.tables.tables.WDL(&b)
		return [...]int{1, 101, 0, -101, -1}[wdl+2], err
	}
	d, err := p.tables.tables.DTZ(&b)
	switch {
	case err != nil || d == 0:
		return 0, err
	case d > 0:
		return -d - 1, nil
	case d == -1 && p.mated():
		return 1, nil
	}
	return -d + 1, nil
}

// rankByWDL ranks a move by its result alone.
func (p *position) rankByWDL(m game.Move) (r alphabeta.TablebaseRank, err error) {
	p.Make(m)
	defer p.Undo()
	if p.drawn() {
		return r, nil
	}
	b := p.bitboards()
	wdl, err := p.tables.tables.WDL(&b)
	switch result := -p.tables.counted(wdl); result {
	case syzygy.Win:
		r.Outcome = game.Ahead
	case syzygy.Loss:
		r.Outcome = game.Behind
	default:
		r.Centipawns = int(result)
	}
	r.Rank = -int(p.tables.counted(wdl))
	return r, err
}

// drawn reports whether the game is drawn by repetition, or by the rule of fifty moves if it counts.
func (p *position) drawn() bool {
	return p.Occurrences() >= 3 || p.tables.rule50 && p.Rule50() >= 100 && !p.mated()
}

// mated reports whether the side to move is checkmated.
func (p *position) mated() bool {
	if !p.InCheck() {
		return false
	}
	var l game.List
	p.Moves(game.All, &l)
	return l.Len() == 0
}

// repeated reports whether a position has occurred twice since the last capture or pawn move.
func (p *position) repeated() bool {
	seen := map[uint64]bool{p.Key(): true}
	for _, key := range p.RepeatableKeys() {
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

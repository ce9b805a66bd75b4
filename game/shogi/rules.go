package shogi

import "trefoil/game"

// Repetition is the meaning of a repeated board for the side to move.
type Repetition uint8

// The repetitions.
const (
	RepetitionNone     Repetition = iota
	RepetitionDraw                // the position has occurred before
	RepetitionWin                 // likewise, the opponent has given perpetual check and loses
	RepetitionLoss                // likewise, the side to move has given perpetual check and loses
	RepetitionSuperior            // the board has occurred before, with fewer pieces in its hand
	RepetitionInferior            // the board has occurred before, with more pieces in its hand
)

// Repeats returns how the position repeats an earlier one, the latest that counts. Each of the last
// ply positions counts, also if only its board is the same: a side that returns to a board with
// less in hand has only lost material. Of older positions the fourth occurrence counts, as in the
// rules. If both sides have only given check, it is a draw.
func (p *Position) Repeats(ply int) Repetition {
	if p.seen[p.boardKey>>1%seenSize] < 2 {
		return RepetitionNone
	}
	times := 1
	n := len(p.history)
	us := p.side & 1
	for d := 4; d <= min(int(p.back), n); d += 2 {
		h := &p.history[n-d]
		if h.boardKey != p.boardKey {
			continue
		}
		if h.key == p.key {
			times++
			if d > ply && times < 4 {
				continue
			}
			theirs, ours := int(p.checks[us^1]) >= d, int(p.checks[us]) >= d
			switch {
			case theirs == ours:
				return RepetitionDraw
			case theirs:
				return RepetitionWin
			}
			return RepetitionLoss
		}
		if d > ply {
			continue
		}
		if p.hands[us].Dominates(h.hands[us]) {
			return RepetitionSuperior
		}
		if h.hands[us].Dominates(p.hands[us]) {
			return RepetitionInferior
		}
	}
	return RepetitionNone
}

// Occurrences returns how often the position has occurred in the game, at least 1.
func (p *Position) Occurrences() int {
	n, times := len(p.history), 1
	for d := 4; d <= min(int(p.back), n); d += 2 {
		if p.history[n-d].key == p.key {
			times++
		}
	}
	return times
}

// Adjudicate reports how the game ends by repetition (see Repeats), by the entering-king rule, or
// by the count of moves. Wins and losses among these, which are not mates, are Ahead and Behind; so
// are boards repeated with more or fewer pieces in hand.
func (p *Position) Adjudicate(ply int) (game.Outcome, bool) {
	if p.tried() {
		return game.Behind, true
	}
	if p.maxMoves > 0 && p.ply >= p.maxMoves && !p.Mated() {
		return game.Draw, true // before a declaration, which would be another move
	}
	if p.Declares() {
		return game.Ahead, true
	}
	switch p.Repeats(ply) {
	case RepetitionDraw:
		return game.Draw, true
	case RepetitionWin, RepetitionSuperior:
		return game.Ahead, true
	case RepetitionLoss, RepetitionInferior:
		return game.Behind, true
	}
	return game.Draw, false
}

// SetMaxMoves makes the game a draw after n moves of both sides together, unless the last one
// mates; 0, the default, is no limit.
func (p *Position) SetMaxMoves(n int) { p.maxMoves = n }

// NoMoves returns how a position without a legal move ends: it is lost, in check or not.
func (p *Position) NoMoves() game.Outcome { return game.Loss }

// QuiescenceCheckDepth: attacks on kings decide games, so quiescence begins with checks too.
func (p *Position) QuiescenceCheckDepth() int { return 1 }

// NullMoveSound reports whether a null move is sound: the side to move is not in check. Pieces in hand can
// always be dropped, so zugzwang is unknown in practice.
func (p *Position) NullMoveSound() bool { return !p.checkers.Any() }

// anyMove reports whether there is a legal move.
func (p *Position) anyMove() bool { return p.MoveCount() != 0 }

// Mated reports whether the side to move is in check and has no legal move.
func (p *Position) Mated() bool { return p.checkers.Any() && !p.anyMove() }

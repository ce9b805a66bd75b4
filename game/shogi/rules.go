package shogi

import "trefoil/game"

// Repetition is what it means for the side to move that the board has occurred before.
type Repetition uint8

// The repetitions.
const (
	New      Repetition = iota
	Drawn               // the position has occurred before
	Chased              // it has, and the opponent did nothing but give check: the opponent loses
	Chasing             // it has, and the side to move did nothing but give check: it loses
	Superior            // the side to move had less in hand then
	Inferior            // the side to move had more in hand then
)

// Repeats returns how the position repeats an older one, the latest that counts. Of
// the last ply positions every one counts, and so does its board with other
// hands: a side that returns to a board with less in hand has only lost material. Older ones
// count at the fourth occurrence, which is the rule of the game. If both sides have done
// nothing but give check it is drawn.
func (p *Position) Repeats(ply int) Repetition {
	if p.seen[p.boardKey>>1%seenSize] < 2 {
		return New
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
			chased, chasing := int(p.checks[us^1]) >= d, int(p.checks[us]) >= d
			switch {
			case chased == chasing:
				return Drawn
			case chased:
				return Chased
			}
			return Chasing
		}
		if d > ply {
			continue
		}
		if p.hands[us].Dominates(h.hands[us]) {
			return Superior
		}
		if h.hands[us].Dominates(p.hands[us]) {
			return Inferior
		}
	}
	return New
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

// Adjudicate reports how the game ends by a repetition (see Repeats), by the rule of
// entering kings, or by the count of moves. What decides without a mate is Ahead or
// Behind, and so is a board that comes back with more or less in hand.
func (p *Position) Adjudicate(ply int) (game.Outcome, bool) {
	if p.Declares() {
		return game.Ahead, true
	}
	if p.tried() {
		return game.Behind, true
	}
	if p.most > 0 && p.ply >= p.most && !p.Mated() {
		return game.Draw, true
	}
	switch p.Repeats(ply) {
	case Drawn:
		return game.Draw, true
	case Chased, Superior:
		return game.Ahead, true
	case Chasing, Inferior:
		return game.Behind, true
	}
	return game.Draw, false
}

// SetMostMoves makes the game a draw after n moves of both sides together, unless the last one
// mates; 0, the default, is no limit.
func (p *Position) SetMostMoves(n int) { p.most = n }

// NoMoves returns how a position without a legal move ends: it is lost, in check or not.
func (p *Position) NoMoves() game.Outcome { return game.Loss }

// QuiescenceCheckDepth: attacks on kings decide games, so quiescence begins with checks too.
func (p *Position) QuiescenceCheckDepth() int { return 1 }

// NullMoveSound reports whether a null move is sound: the side to move is not in check.
// What is in hand can always be dropped, so zugzwang is unknown in practice.
func (p *Position) NullMoveSound() bool { return !p.checkers.Any() }

// anyMove reports whether there is a legal move.
func (p *Position) anyMove() bool { return p.MoveCount() != 0 }

// Mated reports whether the side to move is in check and has no legal move.
func (p *Position) Mated() bool { return p.checkers.Any() && !p.anyMove() }

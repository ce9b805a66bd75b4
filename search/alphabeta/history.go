package alphabeta

import "trefoil/game"

// The sizes of the tables that are indexed by a hash of the position.
const (
	pawnRows       = 512
	correctionRows = 16384
)

// histMax bounds every history: an update pulls it towards ±histMax, and the less
// the nearer it is (history gravity).
const histMax = 16384

// histories are the history tables of one worker. A row is the part of a table that belongs to
// one move already played, indexed by the piece and target of the move in question:
//
//	butterfly[side][from, to]                      quiet moves (history)
//	pawns[structure][piece, to]                    quiet moves in a pawn structure (pawn history)
//	noisy[piece, to][victim]                       captures and promotions (capture history)
//	continuation[piece, to][piece, to]             a move after another, 1, 2, 4 and 6 plies back
//	counter[piece, to]                             the last reply that refuted a move (countermove)
//	corrections[kind][side][key]                   errors of the static evaluation (correction history)
//	continuationCorrection[piece, to][piece, to]   the same, by the last two moves
//
// A kind is indexed as kind&3, which drops a bounds check.
type histories struct {
	pieces, squares        int
	row                    int // pieces × squares
	butterfly              [2][]int16
	pawns                  []int16
	noisy                  []int16
	continuation           []int16
	counter                []uint16
	corrections            [4][2][]int16
	continuationCorrection []int16
}

// newHistories allocates histories for a game of those dimensions.
func newHistories(pieces, squares int) *histories {
	h := &histories{pieces: pieces, squares: squares, row: pieces * squares}
	for side := range h.butterfly {
		h.butterfly[side] = make([]int16, 1<<14)
		for i := range h.corrections {
			h.corrections[i][side] = make([]int16, correctionRows)
		}
	}
	h.pawns = make([]int16, pawnRows*h.row)
	h.noisy = make([]int16, h.row*pieces)
	h.continuation = make([]int16, h.row*h.row)
	h.counter = make([]uint16, h.row)
	h.continuationCorrection = make([]int16, h.row*h.row)
	h.clear()
	return h
}

// historyBytes is the number of bytes that newHistories allocates.
func historyBytes(pieces, squares int) uint64 {
	row := pieces * squares
	fixed := 2 * (1<<14 + len(histories{}.corrections)*correctionRows)
	return 2 * uint64(fixed+pawnRows*row+row*pieces+2*row*row+row) // numbers of 16 bits
}

// clear sets all histories to zero.
func (h *histories) clear() {
	for side := range h.butterfly {
		clear(h.butterfly[side])
		for i := range h.corrections {
			clear(h.corrections[i][side])
		}
	}
	clear(h.pawns)
	clear(h.noisy)
	clear(h.continuation)
	clear(h.counter)
	clear(h.continuationCorrection)
}

// place is the index of a move by piece and target; 0 stands for no move.
func (h *histories) place(m game.Move) int { return m.Piece()*h.squares + m.To() }

// continuationRow is where the row of what follows m begins, in continuation and in continuationCorrection.
// Row 0 belongs to game.None and stays zero.
func (h *histories) continuationRow(m game.Move) int { return h.place(m) * h.row }

// after is the row of what follows the move made at f.
func (h *histories) after(f *frame) []int16 { return h.continuation[f.row : f.row+h.row] }

// pawnRow is the row of the pawn structure whose key is k.
func (h *histories) pawnRow(k uint64) []int16 {
	i := int(k>>1&(pawnRows-1)) * h.row
	return h.pawns[i : i+h.row : i+h.row]
}

// noisyAt is the history of a capture or promotion.
func (h *histories) noisyAt(m game.Move) *int16 {
	return &h.noisy[h.place(m)*h.pieces+m.Victim()]
}

// applyBonus adds bonus to a history, scaled down as the history nears its limit.
func applyBonus(h *int16, bonus, limit int) {
	v := int(*h)
	if bonus < 0 {
		v += bonus + v*bonus/limit
	} else {
		v += bonus - v*bonus/limit
	}
	*h = int16(v)
}

// history is the sum of the histories of a move at f.
func (w *worker) history(f *frame, m game.Move) int {
	h := w.hist
	if !m.Quiet() {
		return int(*h.noisyAt(m))
	}
	p := h.place(m)
	return int(h.butterfly[f.side][m.FromTo()]) + int(h.continuation[f.back(1).row+p]) +
		int(h.continuation[f.back(2).row+p])
}

// updateQuietHistories adds a bonus to all histories of a quiet move played at f.
func (w *worker) updateQuietHistories(f *frame, m game.Move, bonus int) {
	applyBonus(&w.hist.butterfly[f.side][m.FromTo()], bonus, histMax)
	w.updateContinuation(f, m, bonus)
	applyBonus(&w.hist.pawnRow(f.keys[0])[w.hist.place(m)], bonus, histMax)
}

// updateContinuation adds a bonus to the continuation histories of a move played at f.
func (w *worker) updateContinuation(f *frame, m game.Move, bonus int) {
	p := w.hist.place(m)
	for _, back := range [...]int{1, 2, 4, 6} {
		if back > 2 && f.inCheck {
			break
		}
		if b := f.back(back); b.move != game.None {
			applyBonus(&w.hist.continuation[b.row+p], bonus, histMax)
		}
	}
}

// updateHistories gives a bonus to the best move of n and a malus to those tried before it.
func (w *worker) updateHistories(n *node) {
	f := n.f
	good, bad := w.historyBonus(n.depth), -w.historyMalus(n.depth)
	if n.bestMove.Quiet() {
		w.updateQuietHistories(f, n.bestMove, good)
		f.killer = n.bestMove
		if prev := f.back(1).move; prev != game.None {
			w.hist.counter[w.hist.place(prev)] = n.bestMove.Move16()
		}
		for _, m := range f.quiets[:n.quiets] {
			w.updateQuietHistories(f, m, bad)
		}
	} else {
		applyBonus(w.hist.noisyAt(n.bestMove), good, histMax)
	}
	for _, m := range f.noisies[:n.noisies] {
		applyBonus(w.hist.noisyAt(m), bad, histMax)
	}
	w.refuteLastMove(f, -bad)
}

// refuteLastMove gives a malus to the quiet move that led to f if it was the first one tried: a cutoff at f refutes it.
func (w *worker) refuteLastMove(f *frame, malus int) {
	if b := f.back(1); b.first && b.move != game.None && b.move.Quiet() {
		w.updateContinuation(b, b.move, -malus)
	}
}

// correction is what the correction histories add to the static evaluation at
// f, in centipawns.
func (w *worker) correction(f *frame) int {
	if f.corrections == NoCorrection {
		return 0
	}
	h := w.hist
	sum := w.correctionMoves * int(h.continuationCorrection[f.back(2).row+h.place(f.back(1).move)])
	share := w.correctionPawn
	for i := range f.corrections {
		sum += share * int(h.corrections[i&3][f.side][f.keys[i&3]>>1&(correctionRows-1)])
		share = w.correctionOther
	}
	return sum / unit
}

// updateCorrection updates the correction histories by diff, the value found at f less its static
// evaluation.
func (w *worker) updateCorrection(f *frame, diff, depth int) {
	if f.corrections == NoCorrection {
		return
	}
	bonus := max(-w.correctionMax/4, min(w.correctionMax/4, diff*depth*w.correctionFactor/unit))
	for i := range f.corrections {
		applyBonus(&w.hist.corrections[i][f.side][f.keys[i]>>1&(correctionRows-1)], bonus, w.correctionMax)
	}
	if prev := f.back(1).move; prev != game.None && f.back(2).move != game.None {
		applyBonus(&w.hist.continuationCorrection[f.back(2).row+w.hist.place(prev)], bonus, w.correctionMax)
	}
}

// historyBonus is what the history of a best move gains at a depth. historyMalus is what the histories of
// the moves tried before it lose.
func (w *worker) historyBonus(depth int) int {
	return min(w.bonusFactor*depth-w.bonusOffset, w.bonusMax)
}
func (w *worker) historyMalus(depth int) int {
	return min(w.malusFactor*depth-w.bonusOffset, w.malusMax)
}

// updateEvalHistory gives the quiet move that led to n a bonus in proportion to the change in static
// evaluation that it made.
func (w *worker) updateEvalHistory(n *node) {
	b := n.f.back(1)
	if n.ply == 0 || b.move == game.None || b.inCheck || !b.move.Quiet() || b.eval == none {
		return
	}
	bonus := max(-w.evalHistoryMax, min(w.evalHistoryMax, -w.evalHistoryFactor*(b.eval+n.static)))
	applyBonus(&w.hist.butterfly[b.side][b.move.FromTo()], bonus, histMax)
}

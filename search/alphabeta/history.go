package alphabeta

import "trefoil/game"

// The sizes of what is indexed by a hash of the position.
const (
	pawnRows = 512
	corrRows = 16384
	corrMax  = 1024
)

// histMax bounds every history: an update pulls towards ±histMax, the less the
// nearer it is (the gravity of Stockfish and its kin).
const histMax = 16384

// histories is what one worker has learnt of moves in this game. A row is the
// part of a table that belongs to one move already played, indexed by the
// piece and target of the move in question:
//
//	butterfly[side][from, to]        quiet moves
//	pawns[structure][piece, to]      quiet moves in a pawn structure
//	noisy[piece, to][victim]         captures and promotions
//	cont[piece, to][piece, to]       a move after another, 1, 2, 4 and 6 plies back
//	counter[piece, to]               the reply that refuted a move last
//	corr[kind][side][key]            what the static evaluation was off by
//	contCorr[piece, to][piece, to]   the same, by the last two moves
type histories struct {
	pieces, squares int
	row             int // pieces × squares
	butterfly       [2][]int16
	pawns           []int16
	noisy           []int16
	cont            []int16
	counter         []uint16
	corr            [4][2][]int16
	contCorr        []int16
}

// newHistories allocates histories for a game of the given HistoryDimensions.
func newHistories(pieces, squares int) *histories {
	h := &histories{pieces: pieces, squares: squares, row: pieces * squares}
	for side := range h.butterfly {
		h.butterfly[side] = make([]int16, 1<<14)
		for i := range h.corr {
			h.corr[i][side] = make([]int16, corrRows)
		}
	}
	h.pawns = make([]int16, pawnRows*h.row)
	h.noisy = make([]int16, h.row*pieces)
	h.cont = make([]int16, h.row*h.row)
	h.counter = make([]uint16, h.row)
	h.contCorr = make([]int16, h.row*h.row)
	h.clear()
	return h
}

// clear forgets everything.
func (h *histories) clear() {
	for side := range h.butterfly {
		clear(h.butterfly[side])
		for i := range h.corr {
			clear(h.corr[i][side])
		}
	}
	clear(h.pawns)
	clear(h.noisy)
	clear(h.cont)
	clear(h.counter)
	clear(h.contCorr)
}

// place is the index of a move by piece and target; 0 belongs to no move.
func (h *histories) place(m game.Move) int { return m.Piece()*h.squares + m.To() }

// contRow is where the row of what follows m begins, in cont and in contCorr.
// Row 0 is that of game.None and stays zero.
func (h *histories) contRow(m game.Move) int { return h.place(m) * h.row }

// after is the row of what follows the move made at f.
func (h *histories) after(f *frame) []int16 { return h.cont[f.row : f.row+h.row] }

// pawnRow is the row of the pawn structure whose key is k.
func (h *histories) pawnRow(k uint64) []int16 {
	i := int(k>>1&(pawnRows-1)) * h.row
	return h.pawns[i : i+h.row : i+h.row]
}

// noisyAt is the history of a capture or promotion.
func (h *histories) noisyAt(m game.Move) *int16 {
	return &h.noisy[h.place(m)*h.pieces+m.Victim()]
}

// pull moves a history by bonus, the less the nearer it is to its limit.
func pull(h *int16, bonus, limit int) {
	v := int(*h)
	if bonus < 0 {
		v += bonus + v*bonus/limit
	} else {
		v += bonus - v*bonus/limit
	}
	*h = int16(v)
}

// history is what the histories say of a move at f.
func (w *worker) history(f *frame, m game.Move) int {
	h := w.hist
	if !m.Quiet() {
		return int(*h.noisyAt(m))
	}
	p := h.place(m)
	return int(h.butterfly[f.side][m.FromTo()]) + int(h.cont[f.back(1).row+p]) + int(h.cont[f.back(2).row+p])
}

// learnQuiet moves all histories of a quiet move played at f.
func (w *worker) learnQuiet(f *frame, m game.Move, bonus int) {
	pull(&w.hist.butterfly[f.side][m.FromTo()], bonus, histMax)
	w.learnCont(f, m, bonus)
	pull(&w.hist.pawnRow(f.keys[0])[w.hist.place(m)], bonus, histMax)
}

// learnCont moves the continuation histories of a move played at f.
func (w *worker) learnCont(f *frame, m game.Move, bonus int) {
	p := w.hist.place(m)
	for _, back := range [...]int{1, 2, 4, 6} {
		if back > 2 && f.inCheck {
			break
		}
		if b := f.back(back); b.move != game.None {
			pull(&w.hist.cont[b.row+p], bonus, histMax)
		}
	}
}

// learn rewards the move that was best at n and punishes those tried before it.
func (w *worker) learn(n *node) {
	f := n.f
	good, bad := reward(n.depth), -penalty(n.depth)
	if n.bestMove.Quiet() {
		w.learnQuiet(f, n.bestMove, good)
		f.killer = n.bestMove
		if prev := f.back(1).move; prev != game.None {
			w.hist.counter[w.hist.place(prev)] = n.bestMove.Move16()
		}
		for _, m := range f.quiets[:n.quiets] {
			w.learnQuiet(f, m, bad)
		}
	} else {
		pull(w.hist.noisyAt(n.bestMove), good, histMax)
	}
	for _, m := range f.noisies[:n.noisies] {
		pull(w.hist.noisyAt(m), bad, histMax)
	}
	// A quiet move that was refuted at once was no early candidate after all.
	if b := f.back(1); b.first && b.move != game.None && b.move.Quiet() {
		w.learnCont(b, b.move, bad)
	}
}

// correction is what the correction histories add to the static evaluation at
// f, in centipawns.
func (w *worker) correction(f *frame) int {
	h := w.hist
	sum := correctMoves * int(h.contCorr[f.back(2).row+h.place(f.back(1).move)])
	share := correctPawn
	for i := range f.corrs {
		sum += share * int(h.corr[i&3][f.side][f.keys[i&3]>>1&(corrRows-1)])
		share = correctOther
	}
	return sum / unit
}

// correct learns that the static evaluation at f was off by diff.
func (w *worker) correct(f *frame, diff, depth int) {
	bonus := max(-corrMax/4, min(corrMax/4, diff*depth*correctFactor/unit))
	for i := range f.corrs {
		pull(&w.hist.corr[i][f.side][f.keys[i]>>1&(corrRows-1)], bonus, corrMax)
	}
	if prev := f.back(1).move; prev != game.None && f.back(2).move != game.None {
		pull(&w.hist.contCorr[f.back(2).row+w.hist.place(prev)], bonus, corrMax)
	}
}

package syzygy

import (
	"errors"
	"math/bits"
)

// WDL is the result of a position for the side to move, with best play from here on.
type WDL int8

// The results. Blessed losses and cursed wins are draws by the rule of fifty moves.
const (
	Loss        WDL = -2
	BlessedLoss WDL = -1
	Draw        WDL = 0
	CursedWin   WDL = 1
	Win         WDL = 2
)

// errOtherSide says that a DTZ file has the position only with the other side to move.
var errOtherSide = errors.New("syzygy: the table has the other side to move")

// value returns what the table has about a position of the material m: its WDL, or its DTZ without
// sign, for which its WDL must be known.
func (t *table) value(p *Position, m material, wdl WDL) (int, error) {
	swapped := m != t.material
	if t.symmetric() {
		swapped = p.BlackToMove
	}
	side := 0
	if p.BlackToMove != swapped {
		side = 1
	}
	var squares [MaxPieces]uint8
	s := squares[:t.pieces]
	file := 0
	if t.pawns {
		lead := t.parts[0][0].layout.groups[0].count
		t.parts[0][0].layout.place(p, s, lead, swapped)
		file = leadingPawn(s[:lead])
	}
	part := &t.parts[file][0]
	if t.dtz {
		if int(part.flags&flagSide) != side && (t.pawns || !t.symmetric()) {
			return 0, errOtherSide
		}
	} else {
		part = &t.parts[file][side]
	}
	part.layout.place(p, s, t.pieces, swapped)
	if t.pawns {
		leadingPawn(s[:part.layout.groups[0].count])
	}
	v, err := part.pairs.at(part.layout.index(s))
	switch {
	case err != nil:
		return 0, err
	case t.dtz:
		return part.distance(v, wdl)
	case v > 4:
		return 0, errDamaged
	}
	return int(v) - 2, nil
}

// place writes the squares of the first n pieces in the order of the codes; squares of pieces of a colour
// and kind ascend. If swapped, White of the table is Black of the position, and the board is turned over.
func (l *layout) place(p *Position, squares []uint8, n int, swapped bool) {
	turn := uint8(0)
	if swapped {
		turn = 56
	}
	for i := 0; i < n; {
		code := l.codes[i]
		b := *p.of(codeKind(code))
		if (code&blackCode != 0) != swapped {
			b &= p.Black
		} else {
			b &= p.White
		}
		for ; b != 0 && i < n; b &= b - 1 {
			squares[i] = uint8(bits.TrailingZeros64(b)) ^ turn
			i++
		}
	}
}

// distance turns a value of a DTZ table into plies.
func (p *part) distance(v uint16, wdl WDL) (int, error) {
	d := int(v)
	if p.flags&flagMapped != 0 {
		list := p.lists[[...]int{Loss + 2: 1, BlessedLoss + 2: 3, Draw + 2: 0, CursedWin + 2: 2, Win + 2: 0}[wdl+2]]
		wide := p.flags&flagWide != 0
		switch {
		case !wide && d < len(list):
			d = int(list[d])
		case wide && 2*d+1 < len(list):
			d = int(list[2*d]) | int(list[2*d+1])<<8
		default:
			return 0, errDamaged
		}
	}
	if wdl == Win && p.flags&flagWinPlies == 0 || wdl == Loss && p.flags&flagLossPlies == 0 || wdl == CursedWin ||
		wdl == BlessedLoss {
		d *= 2 // it counts moves
	}
	return d, nil
}

// check returns the error of a position that cannot be looked up.
func (t *Tables) check(p *Position) error {
	if p.Castling || bits.OnesCount64(p.occupied()) > MaxPieces {
		return ErrNoTable
	}
	if !p.valid() {
		return ErrPosition
	}
	return nil
}

// WDL returns the result of a position whose rule-50 counter is 0: a Win is won in spite of the rule of
// fifty moves, a CursedWin only without it. It needs the WDL table of the position and of all captures.
func (t *Tables) WDL(p *Position) (WDL, error) {
	if err := t.check(p); err != nil {
		return 0, err
	}
	v, _, err := t.wdlByCaptures(p)
	return v, err
}

// wdlByCaptures returns the result of a position. Its captures are searched, because tables need not have
// the result where a capture is best, and do not know en passant. byCapture says that a capture is better than
// all other moves, or as good as them and not losing, or the only legal move.
func (t *Tables) wdlByCaptures(p *Position) (result WDL, byCapture bool, err error) {
	var l moveList
	p.pseudoLegal(&l, true)
	best, any, enPassant := Loss, false, false
	for _, m := range l.all() {
		next, ok := p.legal(m)
		if !ok {
			continue
		}
		any = true
		enPassant = enPassant || p.isEnPassant(m)
		v, _, err := t.wdlByCaptures(&next)
		if err != nil {
			return 0, false, err
		}
		if best = max(best, -v); best == Win {
			return Win, true, nil
		}
	}
	if enPassant && !p.anyLegal(p.isCapture) { // the table would call that a stalemate
		return best, true, nil
	}
	v := Draw
	if p.occupied() != p.Kings {
		inTable, err := t.probe(t.wdl, p, 0)
		if err != nil {
			return 0, false, err
		}
		v = WDL(inTable)
	}
	if any && (best > v || best == v && best > Draw) {
		return best, true, nil
	}
	return v, false, nil
}

// beforeZeroing is the DTZ of a position in which a capture or pawn move with this result is best.
func beforeZeroing(v WDL) int {
	return [...]int{-1, -101, 0, 101, 1}[v+2]
}

// DTZ returns the distance to the next capture or pawn move in plies, if both sides play for the best
// result, the winner wants it soon and the loser late. It is positive if the side to move wins, 0 for a
// draw. Up to 100 plies the position is a Win or Loss with a rule-50 counter of 0; a CursedWin or
// BlessedLoss has 100 plies more. In a Win, DTZ plus the rule-50 counter is at most 100.
//
// Some tables count moves, not plies: then the distance may be one ply more than DTZ, but only where that
// does not change the result. It needs the WDL and DTZ tables of the position, and of the positions after
// captures and promotions.
func (t *Tables) DTZ(p *Position) (int, error) {
	if err := t.check(p); err != nil {
		return 0, err
	}
	return t.distance(p)
}

func (t *Tables) distance(p *Position) (int, error) {
	wdl, byCapture, err := t.wdlByCaptures(p)
	if err != nil || wdl == Draw {
		return 0, err
	}
	if byCapture {
		return beforeZeroing(wdl), nil
	}
	if wdl > Draw {
		wins, err := t.winsByPawn(p, wdl)
		if err != nil {
			return 0, err
		}
		if wins {
			return beforeZeroing(wdl), nil
		}
	}
	d, err := t.probe(t.dtz, p, wdl)
	switch {
	case err == errOtherSide:
		return t.distanceByMoves(p, wdl)
	case err != nil:
		return 0, err
	case wdl < Draw:
		return beforeZeroing(wdl) - d, nil
	}
	return beforeZeroing(wdl) + d, nil
}

// winsByPawn reports whether a pawn move that does not capture has the result wdl: DTZ tables leave such
// positions out.
func (t *Tables) winsByPawn(p *Position, wdl WDL) (bool, error) {
	us, _ := p.sides()
	if p.Pawns&us == 0 {
		return false, nil
	}
	var l moveList
	p.pseudoLegal(&l, false)
	for _, m := range l.all() {
		if p.Pawns>>m.From&1 == 0 || p.isCapture(m) {
			continue
		}
		next, ok := p.legal(m)
		if !ok {
			continue
		}
		v, _, err := t.wdlByCaptures(&next)
		if err != nil {
			return false, err
		}
		if -v == wdl {
			return true, nil
		}
	}
	return false, nil
}

// distanceByMoves finds the DTZ of a position, which is not a draw, from the DTZ after each move.
func (t *Tables) distanceByMoves(p *Position, wdl WDL) (int, error) {
	var l moveList
	p.pseudoLegal(&l, false)
	best, any := 0, false
	for _, m := range l.all() {
		next, ok := p.legal(m)
		if !ok {
			continue
		}
		d, err := t.distanceAfter(p, m, &next)
		if err != nil {
			return 0, err
		}
		if (d > 0) != (wdl > Draw) || d == 0 {
			continue
		}
		if !any || d < best { // for the loser the least is the latest
			best, any = d, true
		}
	}
	if !any {
		return -1, nil // mated
	}
	return best, nil
}

// distanceAfter returns the DTZ of p if m is played, which leads to next.
func (t *Tables) distanceAfter(p *Position, m Move, next *Position) (int, error) {
	if p.isZeroing(m) {
		v, _, err := t.wdlByCaptures(next)
		return beforeZeroing(-v), err
	}
	d, err := t.distance(next)
	switch d = -d; {
	case err != nil || d == 0:
		return 0, err
	case d < 0:
		return d - 1, nil
	case d == 1 && next.inCheck() && !next.anyLegal(nil):
		return 1, nil
	}
	return d + 1, nil
}

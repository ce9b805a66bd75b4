package shogi

import "trefoil/game"

// values are the centipawns of a piece on the board, by kind, as in the engine YaneuraOu, whose pawn counts
// 90.
var values = [16]int{
	Pawn: 100, Lance: 350, Knight: 450, Silver: 550, Gold: 600, Bishop: 950, Rook: 1100,
	ProPawn: 600, ProLance: 600, ProKnight: 600, ProSilver: 600, Horse: 1050, Dragon: 1550,
}

// captureValues are what the balance changes by when a piece is taken, by kind: its
// owner loses it, and the taker has it in hand. A king cannot be taken.
var captureValues = func() (s [16]int) {
	for k := range s {
		s[k] = values[k] + values[Kind(k).Plain()]
	}
	return s
}()

// CaptureValue returns the material that m wins at once: the capture value of the
// victim and the gain of a promotion.
func (p *Position) CaptureValue(m game.Move) int {
	value := 0
	if victim := m.Victim(); victim != 0 {
		value = captureValues[KindOf(victim)&15]
	}
	if m.Promotes() {
		k := KindOf(m.Piece())
		value += values[(k|promoted)&15] - values[k&15]
	}
	return value
}

// order is the order in which pieces take part in an exchange, the least first.
var order = [...]Kind{Pawn, Lance, Knight, Silver, golds, Bishop, Rook, Horse, Dragon, King}

// SEE reports whether the static exchange evaluation of m is at least threshold
// centipawns: both sides go on capturing on the target, the least valuable piece
// first, for as long as it pays. Pins, drops and recaptures that promote are
// ignored.
func (p *Position) SEE(m game.Move, threshold int) bool {
	// balance is by how much the side that has just moved exceeds what it needs.
	balance := p.CaptureValue(m) - threshold
	if balance < 0 {
		return false
	}
	to := target(m)
	balance -= captureValues[KindOf(placed(m))&15]
	if balance >= 0 {
		return true // even if the piece is lost for nothing
	}
	occ := p.Occupied().Or(to.Bit())
	if m&drop == 0 {
		occ = occ.Without(origin(m).Bit())
	}
	// Each turn, the side to move is behind and can only gain by capturing; the exchange ends
	// when a side cannot or need not capture.
	us := p.side
	for side := us ^ 1; ; {
		own := p.AttackersOf(to, occ, side).And(occ)
		if !own.Any() {
			return side != us
		}
		n := 0
		for !own.Meets(p.kinds[order[n]]) {
			n++
		}
		k := order[n]
		taker := own.And(p.kinds[k]).First()
		if k == King && p.AttackersOf(to, occ, side^1).Meets(occ) {
			return side != us // the king would step into an attack
		}
		occ = occ.Without(taker.Bit())
		side ^= 1
		balance = -balance - 1 - captureValues[KindOf(p.At(taker))&15]
		if balance >= 0 {
			return side != us
		}
	}
}

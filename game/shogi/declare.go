package shogi

// EnteringKingRule is the rule that decides a game whose kings have entered the enemy camp.
type EnteringKingRule uint8

// The rules.
const (
	// Points27: the side to move may declare itself the winner if its king stands
	// in the last three ranks and is not in check, ten more of its pieces stand there,
	// and those and its hand are worth 28 points (Black) or 27 (White): 5 a rook or
	// bishop, 1 any other. It is the rule of computer shogi (CSA).
	Points27 EnteringKingRule = iota
	// Points24: the same with 31 points for both sides. It is the rule of professionals,
	// by which less is a draw.
	Points24
	// Try: a side that moves its king to where the opponent's stood at the start has won.
	Try
	// NoEntering: nothing is decided.
	NoEntering
)

// SetEnteringKingRule chooses the entering-king rule; the default is Points27.
func (p *Position) SetEnteringKingRule(r EnteringKingRule) { p.rule = r }

// EnteringKingRule returns the entering-king rule.
func (p *Position) EnteringKingRule() EnteringKingRule { return p.rule }

// Declares reports whether the side to move may declare itself the winner.
func (p *Position) Declares() bool {
	us := p.side & 1
	if p.rule > Points24 || !zone(us).Has(p.kings[us]) {
		return false
	}
	need := 31
	if p.rule == Points27 {
		need = 28 - int(us)
	}
	pieces, points := p.entered(us)
	return pieces >= 10 && points >= need && !p.checkers.Any()
}

// entered returns the number of pieces of c, without its king, in the last three ranks, and the
// points of these and of the hand.
func (p *Position) entered(c Colour) (pieces, points int) {
	in := p.colours[c].And(zone(c)).Without(p.kinds[King])
	big := p.kinds[Bishop].Or(p.kinds[Rook]).Or(p.kinds[Horse]).Or(p.kinds[Dragon])
	pieces = in.Count()
	points = pieces + 4*in.And(big).Count()
	for k := Pawn; k <= Gold; k++ {
		points += p.hands[c].Count(k)
	}
	return pieces, points + 5*(p.hands[c].Count(Bishop)+p.hands[c].Count(Rook))
}

// tried reports whether the side that has just moved has brought its king to the home square of the
// enemy king.
func (p *Position) tried() bool {
	return p.rule == Try && p.kings[p.side&1^1] == homes[p.side&1]
}

// homes are where the kings stand at the start.
var homes = [2]Square{SquareAt(4, 8), SquareAt(4, 0)}

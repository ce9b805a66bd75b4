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
	// Points27Handicap and Points24Handicap: White, who gives a handicap, needs as many points less as the
	// pieces that are missing are worth.
	Points27Handicap
	Points24Handicap
)

// SetEnteringKingRule chooses the entering-king rule; the default is Points27.
func (p *Position) SetEnteringKingRule(r EnteringKingRule) { p.rule = r }

// EnteringKingRule returns the entering-king rule.
func (p *Position) EnteringKingRule() EnteringKingRule { return p.rule }

// Declares reports whether the side to move may declare itself the winner.
func (p *Position) Declares() bool {
	us := p.side & 1
	need, handicap := 31, false
	switch p.rule {
	case Points27, Points27Handicap:
		need, handicap = 28-int(us), p.rule == Points27Handicap
	case Points24, Points24Handicap:
		handicap = p.rule == Points24Handicap
	default:
		return false
	}
	in := p.colours[us].And(zone(us))
	if !in.Has(p.kings[us]) || p.checkers.Any() {
		return false
	}
	if handicap && us == White {
		need -= allPoints - p.points(p.Occupied().Without(p.kinds[King]), p.hands[:]...)
	}
	in = in.Without(p.kinds[King])
	return in.Count() >= 10 && p.points(in, p.hands[us]) >= need
}

// allPoints are the points of the pieces of a set without the kings.
const allPoints = 54

// points returns the points of the pieces on some squares and in some hands.
func (p *Position) points(on Bitboard, hands ...Hand) int {
	big := p.kinds[Bishop].Or(p.kinds[Rook]).Or(p.kinds[Horse]).Or(p.kinds[Dragon])
	n := on.Count() + 4*on.And(big).Count()
	for _, h := range hands {
		n += h.Len() + 4*(h.Count(Bishop)+h.Count(Rook))
	}
	return n
}

// tried reports whether the side that has just moved has brought its king to the home square of the
// enemy king.
func (p *Position) tried() bool {
	return p.rule == Try && p.kings[p.side&1^1] == homes[p.side&1]
}

// homes are where the kings stand at the start.
var homes = [2]Square{SquareAt(4, 8), SquareAt(4, 0)}

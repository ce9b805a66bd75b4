package eval

import "trefoil/game/chess"

// fullScale is the scale of an endgame that is no more drawish than others.
const fullScale = 64

// favoured is the side that a value from White's side favours.
func favoured(v int) colour {
	if v < 0 {
		return chess.Black
	}
	return chess.White
}

// scales is how much of a middlegame and of an endgame value remain (of 64) because the side that
// the endgame value favours, White if eg > 0, lacks the means to win.
func scales(p *chess.Position, eg int) (mgScale, egScale int) {
	strong := favoured(eg)
	if s, drawish := lacksMeans(p, strong); drawish {
		return s, s
	}
	if oppositeBishops(p) {
		return fullScale, min(28+4*p.Colour(strong).Count(), fullScale)
	}
	// With every pawn that goes, a draw comes nearer.
	return fullScale, min(40+7*p.Pieces(strong, chess.Pawn).Count(), fullScale)
}

// lacksMeans is the scale of endings that are mostly drawn, whatever the position, although the strong
// side is ahead; drawish is false for all others.
func lacksMeans(p *chess.Position, strong colour) (scale int, drawish bool) {
	weak := strong.Other()
	pawns := p.Pieces(strong, chess.Pawn)
	if pawns != 0 && p.Colour(strong)&^(pawns|p.Kind(chess.Bishop)|p.Kind(chess.King)) != 0 {
		return 0, false // most positions
	}
	ours, theirs := pieceValue(p, strong), pieceValue(p, weak)
	knights := p.Colour(strong)&^p.Kind(chess.King) == p.Pieces(strong, chess.Knight)
	if pawns == 0 && (ours-theirs <= bishopValue || knights && ours == 2*knightValue) {
		// A side that is a minor piece ahead without pawns hardly wins, and a minor piece
		// or two knights alone cannot mate.
		switch {
		case ours < rookValue || knights:
			return 0, true
		case theirs <= bishopValue:
			return 2, true
		}
		return 16, true
	}
	opposite := oppositeBishops(p)
	if opposite && ours == bishopValue && theirs == bishopValue {
		ahead := pawns.Count() - p.Pieces(weak, chess.Pawn).Count()
		return min(18+6*max(ahead, 0), fullScale), true
	}
	return 0, !opposite && wrongCorner(p, strong, pawns)
}

// Piece values for counting means to win only.
const (
	knightValue = 3
	bishopValue = 3
	rookValue   = 5
	queenValue  = 9
)

// pieceValue is the sum of c's pieces in round numbers.
func pieceValue(p *chess.Position, c colour) int {
	return knightValue*p.Pieces(c, chess.Knight).Count() + bishopValue*p.Pieces(c, chess.Bishop).Count() +
		rookValue*p.Pieces(c, chess.Rook).Count() + queenValue*p.Pieces(c, chess.Queen).Count()
}

// oppositeBishops reports whether each side has one bishop, on different
// colours.
func oppositeBishops(p *chess.Position) bool {
	w, b := p.Pieces(chess.White, chess.Bishop), p.Pieces(chess.Black, chess.Bishop)
	return w != 0 && b != 0 && w&(w-1) == 0 && b&(b-1) == 0 && (w&dark == 0) != (b&dark == 0)
}

// wrongCorner reports whether the strong side has nothing but rook pawns on one
// file and at most a bishop that does not cover their promotion square, while
// the enemy king holds that corner.
func wrongCorner(p *chess.Position, strong colour, pawns bitboard) bool {
	if pawns&^fileA != 0 && pawns&^fileH != 0 || pawns == 0 {
		return false
	}
	bishops := p.Pieces(strong, chess.Bishop)
	if p.Colour(strong) != pawns|bishops|p.Pieces(strong, chess.King) {
		return false
	}
	goal := square(int(pawns.First())&7 | 56*(1-int(strong)))
	colour := dark
	if dark&(1<<goal) == 0 {
		colour = ^dark
	}
	return bishops&colour == 0 && distance(p.King(strong.Other()), goal) <= 1
}

// cornerHeld is wrongCorner against a lone king.
func cornerHeld(p *chess.Position, strong colour) bool {
	weak := strong.Other()
	return p.Colour(weak) == p.Pieces(weak, chess.King) && wrongCorner(p, strong, p.Pieces(strong, chess.Pawn))
}

// Known reports whether p is an ending with a value of its own.
func Known(p *chess.Position) bool {
	_, known := ending(p)
	return known
}

// Drawn reports whether p is an ending with a value of its own in which neither side can force a win.
func Drawn(p *chess.Position) bool {
	v, known := ending(p)
	return known && v == 0
}

// Settled reports whether the value of p is known, or that neither side has the means to win: what a search
// finds in such endings does not tell how wrong their values are.
func Settled(p *chess.Position) bool {
	if Known(p) {
		return true
	}
	if p.Kind(chess.Pawn) != 0 {
		return cornerHeld(p, chess.White) || cornerHeld(p, chess.Black)
	}
	_, white := lacksMeans(p, chess.White)
	_, black := lacksMeans(p, chess.Black)
	return white && black
}

// ending is the value, from White's side, of endings of a lone king against pieces that can or cannot mate it
// or against one pawn, and of pawns that no side can change; known is false for all others.
func ending(p *chess.Position) (v int, known bool) {
	strong := chess.White
	if p.Colour(chess.White)&^p.Kind(chess.King) == 0 {
		strong = chess.Black
	} else if p.Colour(chess.Black)&^p.Kind(chess.King) != 0 {
		return 0, closed(p)
	}
	ok := false
	switch pawns := p.Pieces(strong, chess.Pawn); {
	case pawns == 0:
		v, ok = mating(p, strong)
	case pawns|p.Kind(chess.King) != p.Occupied() || pawns.Many():
		return 0, false
	default:
		ok = winsWithPawn(p, strong)
		v = wonEnding + 100 + 20*rankOf(strong, pawns.First())
	}
	if !ok {
		return 0, true
	}
	if strong == chess.Black {
		v = -v
	}
	return v, true
}

// mating is the value of pieces against a lone king: it grows as that king comes to the edge, or to the corner
// that a bishop and knight need, and as the other king comes near; ok is false if no mate can be forced. With
// bishop and knight the way is longer than a search sees, and larger steps were better.
func mating(p *chess.Position, strong colour) (v int, ok bool) {
	knights, bishops := p.Pieces(strong, chess.Knight), p.Pieces(strong, chess.Bishop)
	majors := p.Pieces(strong, chess.Rook) | p.Pieces(strong, chess.Queen)
	pair := bishops&dark != 0 && bishops&^dark != 0
	if majors == 0 && !pair && (bishops == 0 || knights == 0) && knights.Count() < 3 {
		return 0, false
	}
	ours, theirs := p.King(strong), p.King(strong.Other())
	near := distance(ours, theirs)
	v = wonEnding + 100*pieceValue(p, strong)
	if majors == 0 && !pair && knights.Count() == 1 {
		v += 100*toCorner(theirs, bishops) + 80*fromCentre(theirs) - 40*near
		return v - 8*distance(knights.First(), theirs) - 8*fromCentre(ours), true
	}
	file, rank := theirs.File(), theirs.Rank()
	return v + 12*(max(3-file, file-4)+max(3-rank, rank-4)) - 12*near, true
}

// toCorner counts the diagonals from the one between the corners that bishops do not cover, 0, to a corner that
// they cover, 7.
func toCorner(king square, bishops bitboard) int {
	file := king.File()
	if bishops&dark == 0 { // mirror the board so that the corners are a1 and h8
		file = 7 - file
	}
	return abs(7 - file - king.Rank())
}

// fromCentre is the distance of a square from the four in the centre.
func fromCentre(s square) int {
	return max(3-s.File(), s.File()-4, 3-s.Rank(), s.Rank()-4)
}

// wonEnding is the bonus of a won ending beyond the material.
const wonEnding = 500

package eval

import "trefoil/game/chess"

// closed reports whether kings and pawns alone are on the board and neither side can ever change the
// pawns: none can move or capture, and no king reaches an enemy pawn that no pawn defends. Such a position
// is drawn. It assumes the most for each king: that the other one is never in its way.
func closed(p *chess.Position) bool {
	pawns := p.Kind(chess.Pawn)
	if pawns|p.Kind(chess.King) != p.Occupied() || p.EnPassant() != 0 {
		return false
	}
	white, black := p.Pieces(chess.White, chess.Pawn), p.Pieces(chess.Black, chess.Pawn)
	if (forward(chess.White, white)|forward(chess.Black, black))&^pawns != 0 {
		return false
	}
	byWhite, byBlack := spread(forward(chess.White, white)), spread(forward(chess.Black, black))
	if byWhite&black != 0 || byBlack&white != 0 {
		return false
	}
	return roam(p.King(chess.White), white|byBlack)&black == 0 && roam(p.King(chess.Black), black|byWhite)&white == 0
}

// roam is the set of squares that a king can reach from k without entering a barred square.
func roam(k square, barred bitboard) bitboard {
	reached := bitboard(1) << (k & 63)
	for {
		row := reached | spread(reached)
		next := reached | (row|row<<8|row>>8)&^barred
		if next == reached {
			return reached
		}
		reached = next
	}
}

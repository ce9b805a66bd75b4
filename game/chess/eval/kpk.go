package eval

import "trefoil/game/chess"

// A bitbase has the won positions of king and pawn against king: by the side to move, White who has the
// pawn or Black; by the number of the pawn's square, see pawnNumber; by the square of the white king; the
// set holds the squares of the black king.
type bitbase [2][24][64]bitboard

// pawnWins is that bitbase, 24 KiB. It is solved when the program starts, in less than a millisecond.
var pawnWins = solvePawnWins()

// pawnNumber numbers the squares of files a to d from a2 on.
func pawnNumber(s square) int { return s.Rank()*4 - 4 + s.File() }

// winsWithPawn reports whether the strong side, which has a pawn and nothing else against a lone king,
// wins.
func winsWithPawn(p *chess.Position, strong colour) bool {
	pawn := p.Pieces(strong, chess.Pawn).First()
	mirror := square(56 * int(strong))
	if pawn.File() >= 4 {
		mirror |= 7
	}
	side := p.Side() ^ int(strong)
	return pawnWins[side][pawnNumber(pawn^mirror)][p.King(strong)^mirror].Has(p.King(strong.Other()) ^ mirror)
}

// solvePawnWins solves the positions of each square of the pawn, the most advanced first: what a pawn move leads
// to is known then, and king moves are repeated until nothing changes.
func solvePawnWins() (b bitbase) {
	for rank := 6; rank > 0; rank-- {
		for file := range 4 {
			pawn := chess.SquareAt(file, rank)
			wins := &b[chess.White][pawnNumber(pawn)]
			for king := range wins {
				wins[king] = b.afterPawnMove(pawn, square(king))
			}
			for b.solveKings(pawn) {
			}
		}
	}
	return b
}

// afterPawnMove returns the squares of the black king on which a pawn move wins for White.
func (b *bitbase) afterPawnMove(pawn, king square) bitboard {
	next := pawn + 8
	if next == king {
		return 0
	}
	if next.Rank() == 7 {
		// A queen or a rook wins unless the king takes it at once.
		if chess.KingAttacks(king).Has(next) {
			return whiteToMove(pawn, king) &^ next.Bit()
		}
		return whiteToMove(pawn, king) &^ (next.Bit() | chess.KingAttacks(next))
	}
	black := &b[chess.Black]
	wins := black[pawnNumber(next)][king]
	if pawn.Rank() == 1 && next+8 != king {
		wins |= black[pawnNumber(next+8)][king]
	}
	return wins & whiteToMove(pawn, king) &^ next.Bit()
}

// whiteToMove returns the squares on which the black king may stand with White to move.
func whiteToMove(pawn, king square) bitboard {
	return ^(king.Bit() | chess.KingAttacks(king) | pawn.Bit() | chess.PawnAttacks(chess.White, pawn))
}

// solveKings adds what one move of either king makes known, and reports whether that is anything.
func (b *bitbase) solveKings(pawn square) (changed bool) {
	white, black := &b[chess.White][pawnNumber(pawn)], &b[chess.Black][pawnNumber(pawn)]
	check := chess.PawnAttacks(chess.White, pawn)
	for k := range black {
		ring := chess.KingAttacks(square(k))
		safe := ^(square(k).Bit() | ring | check)
		// Black loses if all moves lead to wins of White, and if mated; without a move it is stalemate.
		lost := ^around(safe&^white[k]) & (around(safe) | check) &^ (square(k).Bit() | ring | pawn.Bit())
		changed = changed || lost != black[k]
		black[k] = lost
	}
	for k := range white {
		wins := white[k]
		for moves := chess.KingAttacks(square(k)) &^ pawn.Bit(); moves != 0; {
			wins |= black[moves.Pop()]
		}
		wins &= whiteToMove(pawn, square(k))
		changed = changed || wins != white[k]
		white[k] = wins
	}
	return changed
}

// around is the squares next to the squares of b.
func around(b bitboard) bitboard {
	row := b | spread(b)
	return spread(b) | row<<8 | row>>8
}

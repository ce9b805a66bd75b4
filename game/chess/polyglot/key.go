package polyglot

import "trefoil/game/chess"

// The parts of the table of random numbers.
const (
	castlingWords  = 768 // White's short and long castling, Black's short and long castling
	enPassantWords = 772 // by file
	whiteToMove    = 780
)

// Key returns the key of a position in books.
//
// An en passant capture counts if there is a pawn beside the pawn that has just made a double step, whether
// the capture is legal or not. A castling right counts as short or long by the wing of its rook, in
// Chess960 too; which of two rooks on a wing has the right, the key does not tell.
func Key(p *chess.Position) (key uint64) {
	for s := chess.Square(0); s < 64; s++ {
		if code := p.At(s); code != 0 {
			kind := (code - 1) ^ 1 // black pawn 0, white pawn 1, … white king 11
			key ^= random[64*kind+int(s)]
		}
	}
	for _, c := range []chess.Colour{chess.White, chess.Black} {
		for rooks := p.CastlingRooks(c); rooks != 0; {
			word := castlingWords + 2*int(c)
			if rooks.Pop() < p.King(c) {
				word++
			}
			key ^= random[word]
		}
	}
	us := chess.Colour(p.Side())
	if s := p.Passed(); s != 0 && chess.PawnAttacks(us^1, s)&p.Pieces(us, chess.Pawn) != 0 {
		key ^= random[enPassantWords+s.File()]
	}
	if us == chess.White {
		key ^= random[whiteToMove]
	}
	return key
}

package eval

import "trefoil/game/shogi"

// Weights is everything that the evaluation knows of values. Scores are for the
// owner; what makes up a Danger is in units of its own (see Sum.Value).
type Weights struct {
	Tempo    Score
	Material [16]Score // of a piece on the board, by kind
	Hand     [8]Score  // of a piece in hand, by kind
	First    [8]Score  // of having one in hand at all

	// What a piece gains for its rank, from its own last one (0) to the enemy's (8).
	Pawn, Lance, Knight, Silver, Gold [9]Score
	// What a piece gains for its place around the enemy king, and its own.
	Near, Guard Around
	// King is where a king stands: by rank, seen by its owner as above, and by
	// distance from the middle file.
	King [9][5]Score
	// Squares that a slider attacks, own men left out.
	Bishop, Rook, Lane Score
	// Pieces that are attacked and not defended, and pieces that are pinned, by kind.
	Loose, Pinned [16]Score

	Danger Danger
}

// Around has a table of cells around a king for every kind of piece; all that move
// as golds but the gold share one.
type Around struct {
	Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, Promoted, Horse, Dragon [cells]Score
}

// tables are the tables by kind; there is none for kings.
func (a *Around) tables() [16]*[cells]Score {
	return [16]*[cells]Score{
		shogi.Pawn: &a.Pawn, shogi.Lance: &a.Lance, shogi.Knight: &a.Knight, shogi.Silver: &a.Silver, shogi.Gold: &a.Gold,
		shogi.Bishop: &a.Bishop, shogi.Rook: &a.Rook, shogi.Horse: &a.Horse, shogi.Dragon: &a.Dragon,
		shogi.ProPawn: &a.Promoted, shogi.ProLance: &a.Promoted, shogi.ProKnight: &a.Promoted, shogi.ProSilver: &a.Promoted,
	}
}

// Danger is what speaks against a king.
type Danger struct {
	Base     Score
	Attacker [16]Score // a piece that attacks a square beside the king, by kind
	Hit      Score     // each attack on such a square
	Far      Score     // each attack two steps from the king
	Hole     Score     // a square beside the king, attacked and defended by the king alone
	Twice    Score     // such a square that is attacked twice
	Hand     [8]Score  // a kind that the attacker has in hand: something to drop
	More     [8]Score  // each more of it
	Keeper   Score     // a gold or silver within two steps of its king
	Flight   Score     // a square beside the king that it can go to
}

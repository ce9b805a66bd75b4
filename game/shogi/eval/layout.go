package eval

import "trefoil/game/shogi"

// Weights are the values of all terms of the evaluation. Scores are for the owner; scores in Danger have a
// unit of their own (see Sum.Value).
type Weights struct {
	Tempo    Score
	Material [16]Score // of a piece on the board, by kind
	Hand     [8]Score  // of a piece in hand, by kind
	First    [8]Score  // of having one in hand at all

	// The gain of a piece for its rank, from its owner's last rank (0) to the enemy's (8).
	Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, Promoted, Horse, Dragon [9]Score
	// The gain of a piece for its place around the enemy king (Near) and its own king (Guard).
	Near, Guard Around
	// King is a piece-square table: by rank, from the owner's side as above, and by distance from
	// the middle file.
	King [9][5]Score
	// Squares that a slider attacks, own pieces left out.
	BishopMobility, RookMobility, LanceMobility Score
	// Pieces that are attacked and not defended, and pieces that are pinned, by kind.
	Hanging, Pinned [16]Score

	Danger Danger
}

// Around has a table of cells around a king for every kind of piece; all that move
// as golds but the gold share one.
type Around struct {
	Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, Promoted, Horse, Dragon [cells]Score
}

// tables are the tables by kind; there is none for kings.
func (a *Around) tables() [16]*[cells]Score {
	return byKind(&a.Pawn, &a.Lance, &a.Knight, &a.Silver, &a.Gold, &a.Bishop, &a.Rook, &a.Promoted, &a.Horse, &a.Dragon)
}

// ranks are the tables of ranks by kind.
func (w *Weights) ranks() [16]*[9]Score {
	return byKind(&w.Pawn, &w.Lance, &w.Knight, &w.Silver, &w.Gold, &w.Bishop, &w.Rook, &w.Promoted, &w.Horse, &w.Dragon)
}

// byKind sorts tables by kind.
func byKind[T any](pawn, lance, knight, silver, gold, bishop, rook, promoted, horse, dragon *T) [16]*T {
	return [16]*T{
		shogi.Pawn: pawn, shogi.Lance: lance, shogi.Knight: knight, shogi.Silver: silver, shogi.Gold: gold,
		shogi.Bishop: bishop, shogi.Rook: rook,
		shogi.ProPawn: promoted, shogi.ProLance: promoted, shogi.ProKnight: promoted, shogi.ProSilver: promoted,
		shogi.Horse: horse, shogi.Dragon: dragon,
	}
}

// Danger is king danger.
type Danger struct {
	Base          Score
	Attacker      [16]Score // a piece that attacks a square beside the king, by kind
	Hit           Score     // each attack on such a square
	Far           Score     // each attack two steps from the king
	Weak          Score     // a square beside the king, attacked and defended by the king alone
	WeakTwice     Score     // a weak square that is attacked twice
	Hand          [8]Score  // a kind that the attacker has in hand: something to drop
	More          [8]Score  // each more of it
	Outer         Score     // a square three steps from the king that is attacked
	WeakDrop      Score     // an empty weak square while the attacker has a gold or silver in hand
	Defender      Score     // a gold or silver within two steps of its king
	Defended      Score     // a square beside the king that another piece defends
	DefendedTwice Score     // a square beside the king that two other pieces defend
	FarDefended   Score     // a square two steps from the king that is defended
	Escape        Score     // an escape square of the king
}

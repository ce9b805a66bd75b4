package eval

// Weights are the values of all terms of the evaluation. Terms count for their owner. Tables by rank start at the rank
// of the owner's pawns before they move (index 0 = second rank) unless noted otherwise; tables by number of squares or
// pieces start at 0.
type Weights struct {
	Tempo      Score
	Material   [5]Score // pawn, knight, bishop, rook, queen
	BishopPair Score
	KnightPawn Score // a knight, for each pawn of its own side above five
	RookPawn   Score // a rook, likewise

	// Piece-square tables. The board is drawn as White sees it, eighth rank first,
	// and mirrored so that the own king stands on the files e to h.
	Pawn   [64]Score
	Knight [64]Score
	Bishop [64]Score
	Rook   [64]Score
	Queen  [64]Score
	King   [32]Score // files e to h only

	// Squares that a piece attacks and that are neither blocked nor covered
	// by a pawn.
	KnightMobility [9]Score
	BishopMobility [14]Score
	RookMobility   [15]Score
	QueenMobility  [28]Score

	Structure Structure
	Shelter   Shelter
	Passed    Passed
	Pieces    Pieces
	Threats   Threats
	Danger    Danger
	Winnable  Winnable
}

// Structure is the pawn structure.
type Structure struct {
	Isolated     Score
	IsolatedOpen Score // no enemy pawn in front either
	Doubled      Score // an own pawn behind on the file, unsupported
	Backward     Score
	BackwardOpen Score
	Phalanx      [6]Score // an own pawn beside it
	Supported    [6]Score // an own pawn protects it
	Candidate    [6]Score // not passed, but with as many supporters as enemy pawns that guard its path
	Lever        [6]Score // it attacks an enemy pawn
}

// Shelter is the pawns around a king, by the distance of their file from the
// edge and by rank; index 0 means that there is no such pawn.
type Shelter struct {
	Own     [4][7]Score
	Storm   [4][7]Score // the foremost enemy pawn, rank seen from the king's side
	Blocked [7]Score    // instead of Storm, where an own pawn stands right before it
}

// Passed is the value of passed pawns, by rank.
type Passed struct {
	Base       [6]Score
	OwnKing    [6]Score // for each step of the own king to the square in front, five at most
	TheirKing  [6]Score // for each step of the enemy king, likewise
	Blocked    [6]Score // any piece stands in front
	SafeStep   [6]Score // the square in front is free and not attacked
	SafePath   [6]Score // nothing in front as far as the last rank is attacked or held by the enemy
	Guarded    [6]Score // the square in front is protected
	RookBehind [6]Score // by an own rook or queen
	RookChases [6]Score // by an enemy rook or queen
	Runs       Score    // no enemy piece is left and the king comes too late
}

// Pieces is the value of pieces by their place among pawns and other pieces.
type Pieces struct {
	KnightOutpost [2]Score // safe from pawns in the enemy half; protected by a pawn
	BishopOutpost [2]Score
	KnightReaches Score // an outpost one move away
	BehindPawn    Score // a minor piece right behind a pawn
	KnightFar     Score // for each square between a knight and its king
	BishopFar     Score
	BishopPawns   Score // own pawns on the colour of a bishop
	BishopBlocked Score // those of them that are blocked in the centre
	LongDiagonal  Score // a bishop attacks both centre squares of a long diagonal
	RookOpen      Score
	RookHalfOpen  Score
	RookTrapped   Score // shut in beside its own king
	RookSeventh   Score // with the enemy king behind it or pawns on the rank
	QueenExposed  Score // an enemy slider stands behind a single piece in line
	Space         Score // a safe square behind or in the own centre while there are many pieces
}

// Threats is the value of attacks, by the piece attacked (pawn to queen).
type Threats struct {
	ByPawn     [5]Score // by a pawn that is safe itself
	ByPush     Score    // by a pawn that can step there safely
	ByMinor    [5]Score // on weakly protected or more valuable pieces
	ByRook     [5]Score
	ByKing     Score
	Hanging    Score // attacked and unprotected, or attacked twice and weak
	ByQueen    Score // what is weak and attacked by the queen
	KnightFork Score // a safe square from which a knight would attack the queen
	SliderFork Score // likewise for bishops and rooks
	Restricted Score // a square both sides attack and the enemy does not defend strongly
}

// Danger is king danger. These are not centipawns: the sum is
// squared for the middlegame and scaled for the endgame (see Sum.taper).
type Danger struct {
	Base      Score
	Attacker  [4]Score // knight to queen that attacks the zone around the king
	Hits      Score    // attacks on squares beside the king
	Weak      Score    // squares of the zone that only king or queen defend
	SafeCheck [4]Score // a piece of that kind can check safely
	MoreCheck [4]Score // it can on more than one square
	Unsafe    Score    // squares of checks that the defender covers
	NoQueen   Score
	Flank     Score // attacked squares on the king's flank
	FlankTwo  Score // of them attacked twice
	Guard     Score // squares there that the own side defends
	KnightBy  Score // a knight defends the zone
	Pinned    Score // pieces that are pinned to the king, or discover an attack
	OwnPawn   [7]Score
	Storm     [7]Score
	OpenFile  Score // no pawns at all on a file of the shelter
}

// Winnable pulls the endgame score of the better side to or from zero: only
// the endgame halves are used.
type Winnable struct {
	Base       Score
	Pawns      Score // for each pawn on the board
	Passed     Score // for each passed pawn
	Flanks     Score // pawns on both flanks
	PawnEnding Score // no pieces left
	Outflank   Score // files less ranks between the kings
}

package eval

import "trefoil/game/shogi"

// Weights is everything that the evaluation knows of values. Scores are for the
// owner; what makes up a Danger is in units of its own (see Evaluator.danger).
type Weights struct {
	Tempo    Score
	Material [16]Score // of a piece on the board, by kind
	Hand     [8]Score  // of a piece in hand, by kind

	// Advance is what a piece gains for its rank, from its own last one (0) to the
	// enemy's (8).
	Pawn, Lance, Knight, Silver, Gold [9]Score
	// Near is for each step that a piece stands nearer than five to the enemy king,
	// Guard likewise to its own.
	Near, Guard [16]Score
	// Castle is what a king gains for its rank, seen by its owner as above, and
	// Wing for its distance from the middle file.
	Castle [9]Score
	Wing   [5]Score
	// Beside is a general that touches its king, by how the general stands: a rank
	// in front, beside, behind. Roof is a pawn before the king.
	GoldBeside, SilverBeside [3]Score
	Roof                     Score
	// Squares that a slider attacks, own men left out.
	Bishop, Rook, Lane Score

	Danger Danger
}

// Danger is what speaks against a king.
type Danger struct {
	Base     int
	Attacker [16]int // a piece that attacks a square beside the king, by kind
	Hit      int     // each attack on such a square
	Far      int     // each attack two steps from the king
	Hole     int     // a square beside the king, attacked and defended by the king alone
	Twice    int     // such a square that is attacked twice
	Hand     [8]int  // a kind that the attacker has in hand: something to drop
	More     [8]int  // each more of it
	Keeper   int     // a gold or silver within two steps of its king
	Flight   int     // a square beside the king that it can go to
}

// byHand are the weights of this package. They come from experience with the game
// and from the piece values that engines have used for long; they are not tuned:
// no game has been played to choose them.
var byHand = Weights{
	Tempo: S(20, 30),
	Material: [16]Score{
		shogi.Pawn: S(95, 75), shogi.Lance: S(310, 270), shogi.Knight: S(360, 330), shogi.Silver: S(530, 530),
		shogi.Gold: S(590, 600), shogi.Bishop: S(880, 820), shogi.Rook: S(1030, 980),
		shogi.ProPawn: S(560, 500), shogi.ProLance: S(560, 500), shogi.ProKnight: S(560, 510), shogi.ProSilver: S(580, 540),
		shogi.Horse: S(1150, 1080), shogi.Dragon: S(1450, 1400),
	},
	Hand: [8]Score{
		shogi.Pawn: S(105, 90), shogi.Lance: S(330, 300), shogi.Knight: S(390, 370), shogi.Silver: S(560, 580),
		shogi.Gold: S(630, 670), shogi.Bishop: S(960, 930), shogi.Rook: S(1120, 1130),
	},
	Pawn:   [9]Score{0, 0, 0, S(4, 0), S(10, 4), S(18, 12), 0, 0, 0},
	Lance:  [9]Score{S(15, 10), S(5, 5), 0, S(-5, -5), S(-10, -5)},
	Knight: [9]Score{S(10, 0), 0, S(12, 6), S(-10, 6), S(0, 14)},
	Silver: [9]Score{S(-15, -10), S(0, 0), S(12, 0), S(20, 4), S(24, 8), S(20, 10), S(10, 6), S(0, 0), S(-15, -10)},
	Gold:   [9]Score{S(-4, 0), S(8, 4), S(10, 4), S(0, 0), S(-8, 0), S(-10, 0), S(-5, 5), S(-5, 5), S(-25, -15)},
	Near: [16]Score{
		shogi.Pawn: S(2, 4), shogi.Lance: S(2, 5), shogi.Knight: S(4, 10), shogi.Silver: S(5, 18), shogi.Gold: S(4, 18),
		shogi.Bishop: S(2, 8), shogi.Rook: S(2, 8), shogi.ProPawn: S(14, 26), shogi.ProLance: S(12, 24),
		shogi.ProKnight: S(12, 24), shogi.ProSilver: S(12, 24), shogi.Horse: S(12, 28), shogi.Dragon: S(14, 30),
	},
	Guard: [16]Score{
		shogi.Pawn: S(3, 4), shogi.Lance: S(2, 2), shogi.Knight: S(3, 4), shogi.Silver: S(9, 14), shogi.Gold: S(13, 18),
		shogi.Bishop: S(-2, 0), shogi.Rook: S(-8, -4), shogi.ProPawn: S(3, 6), shogi.ProLance: S(3, 6),
		shogi.ProKnight: S(3, 6), shogi.ProSilver: S(3, 6), shogi.Horse: S(10, 24), shogi.Dragon: S(2, 8),
	},
	Castle: [9]Score{S(10, 10), S(22, 20), S(-10, -5), S(-50, -40), S(-80, -60), S(-60, -30), S(0, 40), S(20, 80), S(20, 80)},
	Wing:   [5]Score{S(-25, -10), S(-8, 0), S(14, 8), S(26, 14), S(16, 4)},

	GoldBeside:   [3]Score{S(20, 25), S(26, 30), S(6, 10)},
	SilverBeside: [3]Score{S(22, 26), S(8, 14), S(-2, 4)},
	Roof:         S(12, 18),
	Bishop:       S(5, 5), Rook: S(4, 6), Lane: S(2, 2),

	Danger: Danger{
		Base: -150,
		Attacker: [16]int{
			shogi.Pawn: 25, shogi.Lance: 35, shogi.Knight: 50, shogi.Silver: 65, shogi.Gold: 75, shogi.Bishop: 60, shogi.Rook: 75,
			shogi.ProPawn: 80, shogi.ProLance: 75, shogi.ProKnight: 75, shogi.ProSilver: 75, shogi.Horse: 100, shogi.Dragon: 120,
		},
		Hit: 20, Far: 6, Hole: 40, Twice: 30,
		Hand: [8]int{
			shogi.Pawn: 12, shogi.Lance: 25, shogi.Knight: 32, shogi.Silver: 50, shogi.Gold: 65, shogi.Bishop: 40, shogi.Rook: 65,
		},
		More: [8]int{
			shogi.Pawn: 0, shogi.Lance: 10, shogi.Knight: 16, shogi.Silver: 30, shogi.Gold: 40, shogi.Bishop: 25, shogi.Rook: 40,
		},
		Keeper: -32, Flight: -14,
	},
}

package eval

// Score is a pair of values in centipawns, for the middlegame and for the
// endgame, in one word, so that adding and scaling both costs one instruction:
//
//	 31             16 15              0
//	┌─────────────────┬────────────────┐
//	│     endgame     │   middlegame   │
//	└─────────────────┴────────────────┘
//
// The middlegame half is signed and borrows from the half above it; EG gives
// back what was borrowed. Both halves must stay within ±32767, which
// MaxPieces pieces do: 27 queens, with no check, are the most.
type Score int32

// S makes a Score of its two halves.
func S(mg, eg int) Score { return Score(eg<<16 + mg) }

// MG is the middlegame half.
func (s Score) MG() int { return int(int16(s)) }

// EG is the endgame half.
func (s Score) EG() int { return int(int16((s + 0x8000) >> 16)) }

// times is s taken n times.
func (s Score) times(n int) Score { return s * Score(n) }

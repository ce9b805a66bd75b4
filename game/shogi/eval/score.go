package eval

import "fmt"

// Score is a pair of values in centipawns: while the kings are safe, and when they
// are in danger. Adding and scaling keep the halves apart: Hot lies in the upper 32
// bits, Calm, which is signed and borrows from it, in the lower.
type Score int64

// S makes a Score of its two halves.
func S(calm, hot int) Score { return Score(hot)<<32 + Score(calm) }

// Calm is the half for safe kings.
func (s Score) Calm() int { return int(int32(s)) }

// Hot is the half for kings in danger.
func (s Score) Hot() int { return int((s + 1<<31) >> 32) }

// times is s taken n times.
func (s Score) times(n int) Score { return s * Score(n) }

// String is s as two numbers of pawns.
func (s Score) String() string {
	return fmt.Sprintf("%+.2f %+.2f", float64(s.Calm())/100, float64(s.Hot())/100)
}

// Package mutant is linked into the packages that tools/mutants changes. All mutants of a package are in
// one program; this package says which of them acts, and records which ones a test reaches.
package mutant

import (
	"cmp"
	"os"
	"strconv"
)

// The environment variables by which the tool speaks to a test.
const (
	Active  = "TREFOIL_MUTANT"          // the number of the mutant that acts
	Reached = "TREFOIL_MUTANTS_REACHED" // a file; the byte at n becomes 1 when mutant n is reached
	Program = "TREFOIL_MUTANTS_PROGRAM" // the engine with the mutants, where a test would build it
)

var (
	active  = number(os.Getenv(Active))
	reached = open(os.Getenv(Reached))
	seen    [1 << 16]bool // what is in the file
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func open(name string) *os.File {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	return f
}

// On reports whether mutant n acts.
func On(n int) bool {
	if reached != nil {
		record(n)
	}
	return n == active
}

func record(n int) {
	if n < len(seen) && !seen[n] {
		seen[n] = true
		if _, err := reached.WriteAt([]byte{1}, int64(n)); err != nil {
			panic(err)
		}
	}
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number64 interface{ integer | ~float32 | ~float64 }

// pick returns other if mutant n acts, and x if not.
func pick[T any](n int, x, other T) T {
	if On(n) {
		return other
	}
	return x
}

// Each function below computes what its name says, or something else if mutant n acts.

func Const[T number64](n int, x T) T       { return pick(n, x, x+1) }
func Neg[T number64](n int, x T) T         { return pick(n, -x, x) }
func Min[T cmp.Ordered](n int, x, y T) T   { return pick(n, min(x, y), max(x, y)) }
func Max[T cmp.Ordered](n int, x, y T) T   { return pick(n, max(x, y), min(x, y)) }
func Add[T number64](n int, x, y T) T      { return pick(n, x+y, x-y) }
func Sub[T number64](n int, x, y T) T      { return pick(n, x-y, x+y) }
func And[T integer](n int, x, y T) T       { return pick(n, x&y, x|y) }
func Or[T integer](n int, x, y T) T        { return pick(n, x|y, x&y) }
func Xor[T integer](n int, x, y T) T       { return pick(n, x^y, x&y) }
func AndNot[T integer](n int, x, y T) T    { return pick(n, x&^y, x&y) }
func Shl[T, S integer](n int, x T, by S) T { return pick(n, x<<by, x>>by) }
func Shr[T, S integer](n int, x T, by S) T { return pick(n, x>>by, x<<by) }

// The others have a function of their own: only the mutant that acts may divide by 0.

func Mul[T number64](n int, x, y T) T {
	if On(n) {
		return x / y
	}
	return x * y
}

func Div[T number64](n int, x, y T) T {
	if On(n) {
		return x * y
	}
	return x / y
}

func Rem[T integer](n int, x, y T) T {
	if On(n) {
		return x * y
	}
	return x % y
}

package syzygyfile

import "slices"

// A layout numbers the positions of a part of a file, as all programs that read it do. The pieces are in
// groups. The first is the leading group: three different pieces, the kings, or the pawns of one side. The
// board is reflected so that this group has few places. Every other group holds equal pieces, and has a
// place for each set of squares that the groups before it leave free. The index is the sum of the places,
// each by the factor of its group.
type layout struct {
	codes  []uint8 // of the pieces: 1 to 6 for P, N, B, R, Q, K, and 8 more for Black
	groups []group
	kind   leadKind
	size   int
}

type group struct {
	first, n int // of the pieces
	factor   int
	pawns    bool // leave out rank 1
}

type leadKind int

const (
	threePieces leadKind = iota
	twoKings
	leadingPawns
)

// pieceCodes are the letters of FEN at their codes.
const pieceCodes = " PNBRQK  pnbrqk"

// triangle lists the squares a1, b1 … that lead: those below the diagonal, then those on it.
var triangle = []int{1, 2, 3, 10, 11, 19, 0, 9, 18, 27}

var (
	triangleNumber [64]int     // of the squares of triangle
	belowNumber    [64]int     // of the 28 squares below the diagonal, counted from rank 1 up
	kingsNumber    [10][64]int // of the squares of the second king, or −1
)

const kingPairs = 462

func init() {
	for i, s := range triangle {
		triangleNumber[s] = i
	}
	n := 0
	for s := range 64 {
		if diagonal(s) < 0 {
			belowNumber[s] = n
			n++
		}
	}
	// A king on the diagonal leaves its fellow half of the board, and pairs that are both on the
	// diagonal come last.
	n = 0
	for _, both := range []bool{false, true} {
		for i, s := range triangle {
			for other := range 64 {
				if !both {
					kingsNumber[i][other] = -1
				}
				apart := max(abs(s&7-other&7), abs(s>>3-other>>3)) > 1
				onDiagonal := diagonal(s) == 0 && diagonal(other) == 0
				if apart && onDiagonal == both && (diagonal(s) != 0 || diagonal(other) <= 0) {
					kingsNumber[i][other] = n
					n++
				}
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// diagonal is negative below the diagonal from a1 to h8, and 0 on it.
func diagonal(s int) int { return s>>3 - s&7 }

// newLayout puts the pieces of a position's material, which are given as FEN letters, in order. file is the
// file of the leading pawn, 0 to 3.
func newLayout(letters string, file int) *layout {
	l := &layout{}
	count := map[byte]int{}
	for i := range len(letters) {
		count[letters[i]]++
	}
	var order string // of the groups
	switch white, black := count['P'], count['p']; {
	case white+black > 0:
		l.kind = leadingPawns
		order = "PpKkQRBNqrbn"
		if white == 0 || black > 0 && black < white {
			order = "pPKkQRBNqrbn"
		}
	default:
		single := ""
		for _, letter := range "KkQRBNqrbn" {
			if count[byte(letter)] == 1 {
				single += string(letter)
			}
		}
		order = "KkQRBNqrbn"
		l.kind = twoKings
		if len(single) > 2 {
			l.kind = threePieces
			order = single + order
		}
	}
	for _, letter := range order {
		first := len(l.codes)
		for ; count[byte(letter)] > 0; count[byte(letter)]-- {
			l.codes = append(l.codes, code(letter))
		}
		if n := len(l.codes) - first; n > 0 {
			l.groups = append(l.groups, group{first: first, n: n, pawns: letter == 'P' || letter == 'p'})
		}
	}
	switch l.kind { // the leading pieces are one group
	case threePieces:
		l.groups = append([]group{{n: 3}}, l.groups[3:]...)
	case twoKings:
		l.groups = append([]group{{n: 2}}, l.groups[2:]...)
	}
	l.size = 1
	for k := range l.groups {
		g := &l.groups[l.ofOrder(k)]
		g.factor = l.size
		free := 64 - g.first
		if g.pawns {
			free -= 16
		}
		places := choose(free, g.n)
		if g.first == 0 {
			places = [...]int{threePieces: 31332, twoKings: kingPairs, leadingPawns: pawnPlaces(g.n, file)}[l.kind]
		}
		l.size *= places
	}
	return l
}

// pawnGroups returns how many groups are of pawns.
func (l *layout) pawnGroups() (n int) {
	for _, g := range l.groups {
		if g.pawns {
			n++
		}
	}
	return n
}

// ofOrder returns the group with the k-th lowest factor: the leading group has the highest, other pawns
// the next, and the rest ascend.
func (l *layout) ofOrder(k int) int {
	first := max(1, l.pawnGroups())
	if rest := len(l.groups) - first; k >= rest {
		return len(l.groups) - 1 - k
	}
	return first + k
}

func code(letter rune) uint8 {
	for i, c := range pieceCodes {
		if c == letter {
			return uint8(i)
		}
	}
	return 0
}

// choose returns the number of sets of k out of n.
func choose(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// pawnOrder numbers the squares of pawns, the highest for the pawn that leads: from edge to middle,
// and from rank 2 up.
func pawnOrder(s int) int {
	file, east := s&7, 0
	if file > 3 {
		file, east = 7-file, 1
	}
	return 47 - 12*file - 2*(s>>3-1) - east
}

// pawnPlaces returns the number of ways to place n pawns with the leading pawn on a file.
func pawnPlaces(n, file int) (places int) {
	for rank := 1; rank < 7; rank++ {
		places += choose(pawnOrder(8*rank+file), n-1)
	}
	return places
}

// leadingPawnFile returns the file, 0 to 3, of the pawn that leads among some squares, which is swapped
// to the front.
func leadingPawnFile(squares []int) int {
	for i := range squares {
		if pawnOrder(squares[i])|1 > pawnOrder(squares[0])|1 {
			squares[0], squares[i] = squares[i], squares[0]
		}
	}
	return min(squares[0]&7, 7-squares[0]&7)
}

// index returns the number of a position with the pieces on squares, in the order of codes. It changes
// squares. For leadingPawns the first is the leading one.
func (l *layout) index(squares []int) int {
	reflect(squares, squares[0]&7 > 3, 7)
	var index int
	if l.kind == leadingPawns {
		index = leadingPawnsIndex(squares[:l.groups[0].n])
	} else {
		reflect(squares, squares[0]>>3 > 3, 56)
		for _, s := range squares[:l.groups[0].n] {
			if d := diagonal(s); d != 0 {
				if d > 0 {
					transpose(squares)
				}
				break
			}
		}
		if l.kind == twoKings {
			index = kingsNumber[triangleNumber[squares[0]]][squares[1]]
		} else {
			index = threePiecesIndex(squares[0], squares[1], squares[2])
		}
	}
	index *= l.groups[0].factor
	for _, g := range l.groups[1:] {
		index += g.factor * setIndex(squares[:g.first], squares[g.first:g.first+g.n], g.pawns)
	}
	return index
}

// reflect exchanges files (by 7) or ranks (by 56).
func reflect(squares []int, really bool, by int) {
	if really {
		for i := range squares {
			squares[i] ^= by
		}
	}
}

// transpose reflects at the diagonal from a1 to h8.
func transpose(squares []int) {
	for i, s := range squares {
		squares[i] = s>>3 | s&7<<3
	}
}

// threePiecesIndex numbers the places of three different pieces. The first piece is in the triangle, and
// the first piece off the diagonal is below it.
func threePiecesIndex(a, b, c int) int {
	left := func(s int, others ...int) int { return s - lower(s, others) }
	const offDiagonal, firstOn, twoOn = 6 * 63 * 62, 4 * 28 * 62, 4 * 7 * 28
	switch {
	case diagonal(a) != 0:
		return (triangleNumber[a]*63+left(b, a))*62 + left(c, a, b)
	case diagonal(b) != 0:
		return offDiagonal + (a&7*28+belowNumber[b])*62 + left(c, a, b)
	case diagonal(c) != 0:
		return offDiagonal + firstOn + (a&7*7+left(b&7, a&7))*28 + belowNumber[c]
	}
	return offDiagonal + firstOn + twoOn + (a&7*7+left(b&7, a&7))*6 + left(c&7, a&7, b&7)
}

// lower returns how many of the others are below s.
func lower(s int, others []int) (n int) {
	for _, other := range others {
		if other < s {
			n++
		}
	}
	return n
}

// leadingPawnsIndex numbers the places of the leading pawns, within the file of the first.
func leadingPawnsIndex(squares []int) (index int) {
	file, n := squares[0]&7, len(squares)
	for rank := 1; rank < squares[0]>>3; rank++ {
		index += choose(pawnOrder(8*rank+file), n-1)
	}
	rest := squares[1:]
	slices.SortFunc(rest, func(a, b int) int { return pawnOrder(a) - pawnOrder(b) })
	for i, s := range rest {
		index += choose(pawnOrder(s), i+1)
	}
	return index
}

// setIndex numbers the sets of squares among the squares that earlier groups leave free.
func setIndex(before, squares []int, pawns bool) (index int) {
	slices.Sort(squares)
	for i, s := range squares {
		free := s - lower(s, before)
		if pawns {
			free -= 8
		}
		index += choose(free, i+1)
	}
	return index
}

package syzygy

import "slices"

// The index of a position.
//
// A table lists its pieces in an order of its own and divides them into groups: the leading group, and
// then pieces of one kind and colour each. The squares of a group give a number, and the index of the
// position is the sum of these numbers, each times the factor of its group. Symmetries of the board leave
// fewer squares to the leading group. There are three kinds of it:
//
//	three pieces   if three pieces are each unique in kind and colour: without
//	               pawns all eight symmetries of the board hold, which leaves 31332 ways to place them
//	both kings     in other tables without pawns: 462 ways
//	pawns          the pawns of the side that has fewer. Each file a to d of the leading pawn has an
//	               index of its own; only left and right can be exchanged.
//
// A later group of n equal pieces is a combination: with its squares sorted and the squares of earlier
// groups left out, the number is the sum of the binomial coefficients (square i over i + 1).

// layout is how a table indexes positions, for one side to move and one file of the leading pawn.
type layout struct {
	codes  [MaxPieces]uint8 // of the pieces, see code
	pieces int
	lead   leadKind
	pawns  int // of the side with more, the second group; 0 if only one side has pawns
	groups [MaxPieces]group
	n      int    // groups in use
	size   uint64 // positions
}

// group is some consecutive pieces of a layout.
type group struct {
	count  int
	factor uint64
}

type leadKind uint8

const (
	leadThree leadKind = iota
	leadKings
	leadPawns
)

// The numbers of ways to place the leading group of tables without pawns.
const (
	waysThree = 31332
	waysKings = 462
)

// A piece code is its Kind, and blackCode for black pieces.
const blackCode = 8

func codeKind(code uint8) Kind { return Kind(code & 7) }

// newLayout returns the layout of pieces with these codes. lead pieces are in the first group, and if
// pawns is not 0, that many pawns in the second. order and order2 are the places of these two in the order
// of the factors; the others follow in the order of the codes. ways is the number of ways to place the
// leading group. ok is false if the codes do not form such groups.
func newLayout(codes []uint8, kind leadKind, lead, pawns, order, order2 int, ways uint64) (l layout, ok bool) {
	l.pieces, l.lead, l.pawns = copy(l.codes[:], codes), kind, pawns
	l.add(lead)
	at := lead
	if pawns > 0 {
		l.add(pawns)
		at += pawns
	}
	first := l.n
	for at < len(codes) {
		count := 1
		for at+count < len(codes) && codes[at+count] == codes[at] {
			count++
		}
		l.add(count)
		at += count
	}
	if order >= l.n || pawns > 0 && (order2 >= l.n || order == order2) || !l.valid() {
		return l, false
	}
	l.size = 1
	free := uint64(64 - lead - pawns)
	next := first
	for place := range l.n {
		g, n := 0, ways
		switch {
		case place == order:
		case pawns > 0 && place == order2:
			g, n = 1, binomial(uint64(48-lead), pawns)
		default:
			g = next
			next++
			n = binomial(free, l.groups[g].count)
			free -= uint64(l.groups[g].count)
		}
		l.groups[g].factor = l.size
		l.size *= n
	}
	return l, true
}

func (l *layout) add(count int) {
	l.groups[l.n].count = count
	l.n++
}

// valid reports whether the groups consist of the pieces that they should.
func (l *layout) valid() bool {
	codes := l.codes[:l.pieces]
	lead := codes[:l.groups[0].count]
	switch l.lead {
	case leadThree:
		if lead[0] == lead[1] || lead[0] == lead[2] || lead[1] == lead[2] {
			return false
		}
	case leadKings:
		if codeKind(lead[0]) != King || codeKind(lead[1]) != King {
			return false
		}
	case leadPawns:
		second := codes[len(lead) : len(lead)+l.pawns]
		if codeKind(lead[0]) != Pawn || !same(lead) || !same(second) || l.pawns > 0 && second[0] != lead[0]^blackCode {
			return false
		}
	}
	at := 0
	for _, g := range l.groups[:l.n] { // no piece of a group may follow in another
		for _, c := range codes[at : at+g.count] {
			if slices.Contains(codes[at+g.count:], c) {
				return false
			}
		}
		at += g.count
	}
	return true
}

func same(codes []uint8) bool {
	return !slices.ContainsFunc(codes, func(c uint8) bool { return c != codes[0] })
}

// index returns the index of pieces on squares in the order of the codes; the squares change. The pawn that
// leads comes first.
func (l *layout) index(squares []uint8) uint64 {
	if squares[0]&4 != 0 {
		flip(squares, 7)
	}
	var sum uint64
	switch l.lead {
	case leadThree:
		fold(squares, 3)
		sum = threeIndex(squares[0], squares[1], squares[2])
	case leadKings:
		fold(squares, 2)
		sum = uint64(kingsIndex[triangle[squares[0]&63]][squares[1]&63])
	case leadPawns:
		sum = pawnsIndex(squares[:l.groups[0].count])
	}
	sum *= l.groups[0].factor
	at := l.groups[0].count
	for i, g := range l.groups[1:l.n] {
		first := 0
		if i == 0 && l.pawns > 0 {
			first = 8
		}
		sum += g.factor * combination(squares, at, at+g.count, first)
		at += g.count
	}
	return sum
}

// combination is the number of the squares from..to among the squares that the earlier ones leave, from the
// square first on. It sorts them.
func combination(squares []uint8, from, to, first int) (sum uint64) {
	group := squares[from:to]
	slices.Sort(group)
	for i, s := range group {
		below := 0
		for _, earlier := range squares[:from] {
			if earlier < s {
				below++
			}
		}
		sum += binomials[i+1][(int(s)-below-first)&63]
	}
	return sum
}

// flip mirrors squares: by 7 left and right, by 56 top and bottom.
func flip(squares []uint8, mask uint8) {
	for i := range squares {
		squares[i] ^= mask
	}
}

// fold mirrors squares, the first of which is on the files a to d, so that the first is in the triangle a1,
// d1, d4, and the first leading piece that is not on the long diagonal a1-h8 is below it.
func fold(squares []uint8, lead int) {
	if squares[0]&32 != 0 {
		flip(squares, 56)
	}
	for _, s := range squares[:lead] {
		if d := offDiagonal(s); d > 0 {
			for i, s := range squares {
				squares[i] = s>>3 | s&7<<3
			}
			return
		} else if d < 0 {
			return
		}
	}
}

// offDiagonal is positive above the long diagonal and negative below.
func offDiagonal(s uint8) int { return int(s>>3) - int(s&7) }

// threeIndex is the number of three pieces that are folded. The first one is off the diagonal, or the
// second, or the third, or none.
func threeIndex(a, b, c uint8) uint64 {
	const (
		onDiagonal    = 6 * 63 * 62
		twoOnDiagonal = onDiagonal + 4*28*62
		allOnDiagonal = twoOnDiagonal + 4*7*28
	)
	// what the earlier pieces leave to b and c
	belowB, belowC := count(a < b), count(a < c)+count(b < c)
	da, db, dc := uint64(a&7), uint64(b&7)-belowB, uint64(c&7)-belowC // numbers on the diagonal
	switch {
	case offDiagonal(a) != 0:
		return (uint64(triangle[a&63])*63+uint64(b)-belowB)*62 + uint64(c) - belowC
	case offDiagonal(b) != 0:
		return onDiagonal + (da*28+uint64(lower[b&63]))*62 + uint64(c) - belowC
	case offDiagonal(c) != 0:
		return twoOnDiagonal + (da*7+db)*28 + uint64(lower[c&63])
	}
	return allOnDiagonal + (da*7+db)*6 + dc
}

func count(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// pawnsIndex is the number of the leading pawns on their file. It sorts the pawns after the first one.
func pawnsIndex(squares []uint8) uint64 {
	others := squares[1:]
	slices.SortFunc(others, func(a, b uint8) int { return pawnRank(a) - pawnRank(b) })
	sum := pawnsBefore[len(others)&7][(47-pawnRank(squares[0]))/2]
	for i, s := range others {
		sum += binomials[i+1][pawnRank(s)&63]
	}
	return sum
}

// pawnRank orders the squares of pawns: the leading pawn has the highest number. Numbers fall from a2 = 47
// by two for each rank, and then for each file; squares of the files e to h have one less than their mirror
// images.
func pawnRank(s uint8) int {
	file, right := int(s&7), 0
	if file > 3 {
		file, right = 7-file, 1
	}
	return 47 - 12*file - 2*(int(s>>3)-1) - right
}

// leadingPawn puts the leading pawn first and returns its file, 0 to 3.
func leadingPawn(squares []uint8) int {
	for i := range squares {
		if pawnRank(squares[i]) > pawnRank(squares[0]) {
			squares[0], squares[i] = squares[i], squares[0]
		}
	}
	file := int(squares[0] & 7)
	return min(file, 7-file)
}

var (
	// binomials[k][n] is n over k.
	binomials = makeBinomials()
	// triangle numbers the squares a1, d1, d4: those off the diagonal first.
	triangle = [64]uint8{0: 6, 1: 0, 2: 1, 3: 2, 9: 7, 10: 3, 11: 4, 18: 8, 19: 5, 27: 9}
	// lower numbers the squares below the long diagonal.
	lower = makeLower()
	// kingsIndex numbers two kings that are folded, by the triangle number of the first and the square
	// of the second.
	kingsIndex = makeKingsIndex()
	// pawnsBefore[n][i] is the number of ways to place n more pawns behind a leading pawn on the squares of
	// its file before the i-th; squares are counted from a2 to a7, then from b2. pawnWays[n][file] is the
	// number for the whole file.
	pawnsBefore, pawnWays = makePawns()
)

// binomial is n over k, 0 ≤ n ≤ 64, 0 ≤ k ≤ 7.
func binomial(n uint64, k int) uint64 { return binomials[k][n] }

func makeBinomials() (t [8][65]uint64) {
	for n := range t[0] {
		t[0][n] = 1
		for k := 1; k < len(t) && n > 0; k++ {
			t[k][n] = t[k-1][n-1] + t[k][n-1]
		}
	}
	return t
}

func makeLower() (t [64]uint8) {
	n := uint8(0)
	for s := range uint8(64) {
		if offDiagonal(s) < 0 {
			t[s] = n
			n++
		}
	}
	return t
}

// makeKingsIndex numbers those pairs last that have both kings on the diagonal.
func makeKingsIndex() (t [10][64]uint16) {
	var squares [10]uint8
	for s := range uint8(28) {
		if s == 1 || triangle[s] != 0 {
			squares[triangle[s]] = s
		}
	}
	n := uint16(0)
	for _, diagonal := range []bool{false, true} {
		for i, first := range squares {
			for second := range uint8(64) {
				apart := first != second && kingAttacks[first]>>second&1 == 0
				folded := offDiagonal(first) != 0 || offDiagonal(second) <= 0
				both := offDiagonal(first) == 0 && offDiagonal(second) == 0
				if apart && folded && both == diagonal {
					t[i][second] = n
					n++
				}
			}
		}
	}
	return t
}

func makePawns() (before [8][24]uint64, ways [8][4]uint64) {
	for n := range MaxPieces {
		for file := range 4 {
			sum := uint64(0)
			for rank := range 6 {
				before[n][6*file+rank] = sum
				sum += binomials[n][pawnRank(uint8(8*(rank+1)+file))]
			}
			ways[n][file] = sum
		}
	}
	return before, ways
}

package shogi

// around holds what pieces of both colours attack from a square: the steps, and
// the lines of the others on an empty board. From Nowhere it is nothing.
var around [2][128]struct {
	pawn, lance, knight, silver, gold, king, bishop, rook Bitboard
}

// sliderMasks cut the lines through a square out of the board: see
// BishopAttacks and RookAttacks. diagonal and anti leave out the square itself.
var sliderMasks [128]struct {
	file, diagonal, anti Bitboard
	foldDiagonal         uint64 // diagonal without its ends on files 1 and 9, folded
	foldAnti             uint64
	file9, rank          uint8 // the file's first bit in its word; the rank
}

var (
	// onLine has the squares of a line of nine that a slider on a place attacks given which of the inner seven
	// are occupied.
	onLine [9][128]uint16
	// across is onLine laid along rank a; the occupied files come folded.
	across  [9][128]Bitboard
	between [Nowhere + 1][Nowhere + 1]Bitboard
	lines   [Nowhere + 1][Nowhere + 1]Bitboard
)

func init() {
	for s := Square(0); s < Nowhere; s++ {
		initAround(s)
		l := &sliderMasks[s]
		l.file = slide(s, 0, 1, Bitboard{}).Or(s.Bit())
		l.diagonal = slide(s, 1, 1, Bitboard{})
		l.anti = slide(s, 1, -1, Bitboard{})
		l.foldDiagonal, l.foldAnti = fold(l.diagonal), fold(l.anti)
		l.file9, l.rank = uint8(s.File()%7*9), uint8(s.Rank())
	}
	for occ := range 128 {
		for at := range 9 {
			set := slide(Square(at), 0, 1, Bitboard{lo: uint64(occ) << 1}).lo
			onLine[at][occ] = uint16(set)
			// Folded, file 8 stands in the place of file 1.
			folded := occ<<1&0x7f | occ>>6
			for file := range 9 {
				if set>>file&1 != 0 {
					across[at][folded] = across[at][folded].Or(SquareAt(file, 0).Bit())
				}
			}
		}
	}
	for a := Square(0); a < Nowhere; a++ {
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			line := slide(a, d[0], d[1], Bitboard{})
			for rest := line; rest.Any(); {
				var b Square
				b, rest = rest.Next()
				lines[a][b] = line.Or(a.Bit())
				between[a][b] = slide(a, d[0], d[1], b.Bit()).And(slide(b, d[0], d[1], a.Bit()))
			}
		}
	}
}

// initAround fills in what is attacked from s.
func initAround(s Square) {
	for c := Black; c <= White; c++ {
		up := -1
		if c == White {
			up = 1
		}
		a := &around[c][s&127]
		a.pawn = step(s, 0, up)
		for n := up; step(s, 0, n).Any(); n += up {
			a.lance = a.lance.Or(step(s, 0, n))
		}
		a.knight = step(s, 1, 2*up).Or(step(s, -1, 2*up))
		front := step(s, 1, up).Or(step(s, 0, up)).Or(step(s, -1, up))
		sides := step(s, 1, 0).Or(step(s, -1, 0))
		corners := step(s, 1, -up).Or(step(s, -1, -up))
		a.silver = front.Or(corners)
		a.gold = front.Or(sides).Or(step(s, 0, -up))
		a.king = a.silver.Or(a.gold)
		a.bishop = slide(s, 1, 1, Bitboard{}).Or(slide(s, 1, -1, Bitboard{}))
		a.rook = slide(s, 1, 0, Bitboard{}).Or(slide(s, 0, 1, Bitboard{}))
	}
}

// step returns the square dx files and dy ranks away from s, or none.
func step(s Square, dx, dy int) Bitboard {
	x, y := s.File()+dx, s.Rank()+dy
	if x < 0 || x > 8 || y < 0 || y > 8 {
		return Bitboard{}
	}
	return SquareAt(x, y).Bit()
}

// slide walks in both directions from s until it has met a square of occ.
func slide(s Square, dx, dy int, occ Bitboard) (reached Bitboard) {
	for _, way := range []int{1, -1} {
		for n := way; ; n += way {
			b := step(s, n*dx, n*dy)
			reached = reached.Or(b)
			if !b.Any() || b.Meets(occ) {
				break
			}
		}
	}
	return reached
}

// Between returns the squares strictly between a and b if they share a line.
func Between(a, b Square) Bitboard { return between[a][b] }

// Line returns the whole line through a and b, both among it, if they share one.
func Line(a, b Square) Bitboard { return lines[a][b] }

// fold returns files 2 to 8 of b in one word: file 8 in the place of file 1.
// Files 1 and 9 end every rank and diagonal, so a piece there blocks nothing.
func fold(b Bitboard) uint64 { return b.lo&^column | b.hi&column }

// gather moves the bits of one rank, which are nine apart, next to each other
// from bit 54 on when it multiplies them: bit 9i goes to 9i + 54 − 8i, and no
// other product meets those.
const gather = 1<<54 | 1<<46 | 1<<38 | 1<<30 | 1<<22 | 1<<14 | 1<<6

// RookAttacks returns the squares a rook on s attacks when occ is occupied: the
// first piece met in each direction is among them.
//
// The file is nine neighbouring bits; its inner seven index a table. The rank is
// gathered to seven.
func RookAttacks(s Square, occ Bitboard) Bitboard {
	l := &sliderMasks[s&127]
	shift := l.file9 & 63
	onFile := (occ.lo&l.file.lo | occ.hi&l.file.hi) >> shift
	set := uint64(onLine[l.rank][onFile>>1&127]) << shift
	rank := &across[s/9][(fold(occ)>>(l.rank&63)&filesLo)*gather>>54&127]
	return Bitboard{
		set&l.file.lo | rank.lo<<(l.rank&63),
		set&l.file.hi | rank.hi<<(l.rank&63),
	}
}

// BishopAttacks returns the squares a bishop on s attacks when occ is occupied.
//
// A diagonal has at most one square on a rank: multiplying by filesLo adds up its files in the last file
// without a carry. Ranks b to h of that file index the same table as for a file. Multiplying by filesLo
// again brings the attacked ranks back to all files, and the mask of the diagonal cuts out its squares.
func BishopAttacks(s Square, occ Bitboard) Bitboard {
	l := &sliderMasks[s&127]
	folded := fold(occ)
	line := &onLine[l.rank]
	a := uint64(line[folded&l.foldDiagonal*filesLo>>55&127])
	b := uint64(line[folded&l.foldAnti*filesLo>>55&127])
	return Bitboard{
		a*filesLo&l.diagonal.lo | b*filesLo&l.anti.lo,
		(a|a<<9)&l.diagonal.hi | (b|b<<9)&l.anti.hi,
	}
}

// LanceAttacks returns the squares a lance of c on s attacks when occ is occupied.
func LanceAttacks(c Colour, s Square, occ Bitboard) Bitboard {
	l := &sliderMasks[s&127]
	shift := l.file9 & 63
	onFile := (occ.lo&l.file.lo | occ.hi&l.file.hi) >> shift
	set := uint64(onLine[l.rank][onFile>>1&127]) << shift
	way := &around[c&1][s&127].lance
	return Bitboard{set & way.lo, set & way.hi}
}

// KingAttacks returns the squares next to s.
func KingAttacks(s Square) Bitboard { return around[0][s&127].king }

// PawnAttacks returns the squares that some pawns of c attack.
func PawnAttacks(c Colour, pawns Bitboard) Bitboard { return pawns.ahead(c) }

// Attacks returns the squares a piece of c and kind k on s attacks when occ is occupied.
func Attacks(c Colour, k Kind, s Square, occ Bitboard) Bitboard {
	a := &around[c&1][s&127]
	switch k {
	case Pawn:
		return a.pawn
	case Lance:
		return LanceAttacks(c, s, occ)
	case Knight:
		return a.knight
	case Silver:
		return a.silver
	case Bishop:
		return BishopAttacks(s, occ)
	case Rook:
		return RookAttacks(s, occ)
	case King:
		return a.king
	case Horse:
		return BishopAttacks(s, occ).Or(a.king)
	case Dragon:
		return RookAttacks(s, occ).Or(a.king)
	}
	return a.gold
}

package halfkp

import "trefoil/game/shogi"

// The numbers of pieces in the hands, for the first of a kind; the others follow. There is a gap before the
// numbers of each hand.
var handPieces = [8]struct{ own, theirs uint16 }{
	shogi.Pawn:   {1, 20},
	shogi.Lance:  {39, 44},
	shogi.Knight: {49, 54},
	shogi.Silver: {59, 64},
	shogi.Gold:   {69, 74},
	shogi.Bishop: {79, 82},
	shogi.Rook:   {85, 88},
}

// inSet are the numbers of pieces of a set, which bound the numbers in a hand.
var inSet = [8]int{shogi.Pawn: 18, shogi.Lance: 4, shogi.Knight: 4, shogi.Silver: 4, shogi.Gold: 4, shogi.Bishop: 2,
	shogi.Rook: 2}

// boardPieces are the numbers of pieces on the first square of the board; a piece of the opponent has 81
// more.
var boardPieces = map[shogi.Kind]uint16{
	shogi.Pawn:   90,
	shogi.Lance:  252,
	shogi.Knight: 414,
	shogi.Silver: 576,
	shogi.Gold:   738, shogi.ProPawn: 738, shogi.ProLance: 738, shogi.ProKnight: 738, shogi.ProSilver: 738,
	shogi.Bishop: 900,
	shogi.Horse:  1062,
	shogi.Rook:   1224,
	shogi.Dragon: 1386,
}

// lacking is the number of a piece that lacks.
const lacking = 0

// A featureSet says what the features are. A side has features for each square of its own king, or only one
// set of them.
type featureSet struct {
	name  string // in the text of an architecture
	hash  uint32
	kings int // the squares of the king for which there are features, 81 or 1
	rows  int // the number of features for each
	// mirrored: a side whose king stands on the files 6 to 9 sees the board mirrored, so kings is 45.
	mirrored bool
	// first has the number of a piece on the first square of the board for Black by its code, 0 if it has none.
	first [32]uint16
	// views has the numbers for a side, mirrored or not, by those for Black, not mirrored.
	views [2][2][]uint16
}

var featureSets = [...]*featureSet{
	featureSet{name: "HalfKP(Friend)", hash: 0x5D69D5B8, kings: 81, rows: 1548}.withKings(0, 0),
	featureSet{name: "K+P", hash: 0x3F5717FF, kings: 1, rows: 1548 + 2*81}.withKings(1548, 1548+81),
}

// The features of SFNN. Both kings have the same numbers: which one it is follows from the square of the own king.
var (
	halfKA   = featureSet{name: "HalfKA2(Friend)", kings: 81, rows: 1548 + 81}.withKings(1548, 1548)
	halfKAhm = featureSet{name: "HalfKA_hm2(Friend)", kings: 45, rows: 1548 + 81, mirrored: true}.withKings(1548, 1548)
)

// withKings returns f with these numbers of kings on the first square, 0 if they have none.
func (f featureSet) withKings(own, theirs uint16) *featureSet {
	first := func(side shogi.Colour) (table [32]uint16) {
		for kind, first := range boardPieces {
			table[shogi.Code(side, kind)] = first
			table[shogi.Code(side.Other(), kind)] = first + 81
		}
		table[shogi.Code(side, shogi.King)] = own
		table[shogi.Code(side.Other(), shogi.King)] = theirs
		return table
	}
	f.first = first(shogi.Black)
	for side := range shogi.Colour(2) {
		for mirrored := range 2 {
			f.views[side][mirrored] = f.view(side, mirrored == 1, first(side))
		}
	}
	return &f
}

// view returns an element of f.views; first is f.first for that side.
func (f *featureSet) view(side shogi.Colour, mirrored bool, first [32]uint16) []uint16 {
	view := make([]uint16, f.rows)
	for owner := range shogi.Colour(2) {
		for k, n := range inSet {
			for i := range uint16(n) {
				view[handPiece(shogi.Black, owner, shogi.Kind(k))+i] = handPiece(side, owner, shogi.Kind(k)) + i
			}
		}
	}
	for code, black := range f.first {
		if black == 0 {
			continue
		}
		for s := range shogi.Nowhere {
			square := seen(side, s)
			if mirrored {
				square = mirror(square)
			}
			view[black+uint16(s)] = first[code] + uint16(square)
		}
	}
	return view
}

// handPiece returns the number of the first piece of a kind in the hand of owner for a side.
func handPiece(side, owner shogi.Colour, k shogi.Kind) uint16 {
	if owner == side {
		return handPieces[k&7].own
	}
	return handPieces[k&7].theirs
}

// inputs is the number of features of a side.
func (f *featureSet) inputs() int { return f.kings * f.rows }

// orientations is the number of orientations.
func (f *featureSet) orientations() int {
	if f.mirrored {
		return 81
	}
	return f.kings
}

// orientation returns which features a side has: the square of its own king, if they depend on it.
func (f *featureSet) orientation(p *shogi.Position, side shogi.Colour) int {
	if f.kings == 1 {
		return 0
	}
	return kingSquare(p, side)
}

// seen returns a square as a side sees it.
func seen(side shogi.Colour, s shogi.Square) shogi.Square {
	if side == shogi.White {
		return 80 - s
	}
	return s
}

// homeKing is the square of a king in the start position, as its side sees it: 5i.
const homeKing = 44

// mirror returns a square mirrored at the file 5.
func mirror[T int | shogi.Square](s T) T { return s + (4-s/9)*18 }

// kingSquare returns the square of its own king, as a side sees it.
func kingSquare(p *shogi.Position, side shogi.Colour) int {
	s := p.King(side)
	if s == shogi.Nowhere {
		return homeKing
	}
	return int(seen(side, s))
}

// A state is what the features of both sides depend on beside the squares of the kings. That of zeros has
// no features.
type state struct {
	shogi.Placement
	lacking int // of the pieces of a set
}

// set makes s the state of p.
func (s *state) set(p *shogi.Position) {
	p.Placement(&s.Placement)
	kings := 0
	for c := range shogi.Colour(2) {
		if p.King(c) != shogi.Nowhere {
			kings++
		}
	}
	n := p.Occupied().Count() - kings + p.Hand(shogi.Black).Len() + p.Hand(shogi.White).Len()
	s.lacking = max(0, pieces-n)
}

// changes is the accumulator.Game of states. No two states differ by more than there is memory for: the
// pieces on the board and in the hands of a crowded position, and those that lack.
type changes struct {
	set            *featureSet
	squares        [81]shogi.Square
	added, removed [81 + 2*pieces + pieces]uint16
}

// Distance is a measure of how many features of a side differ.
func (*changes) Distance(a, b *state) int {
	return a.Placement.Distance(&b.Placement) + max(a.lacking-b.lacking, b.lacking-a.lacking)
}

// Changes lists the features of Black, not mirrored, in the state to and not in from, and the other way
// round.
func (c *changes) Changes(from, to *state) (added, removed []uint16) {
	added, removed = c.added[:0], c.removed[:0]
	first := &c.set.first
	for _, s := range from.Differences(c.squares[:0], &to.Placement) {
		if f := first[from.At(s)]; f != 0 {
			removed = append(removed, f+uint16(s))
		}
		if f := first[to.At(s)]; f != 0 {
			added = append(added, f+uint16(s))
		}
	}
	for owner := range shogi.Colour(2) {
		before, after := from.Hand(owner), to.Hand(owner)
		for k := range before.Differing(after) {
			f := handPiece(shogi.Black, owner, k)
			had, has := min(before.Count(k), inSet[k&7]), min(after.Count(k), inSet[k&7])
			for i := had; i < has; i++ {
				added = append(added, f+uint16(i))
			}
			for i := has; i < had; i++ {
				removed = append(removed, f+uint16(i))
			}
		}
	}
	for range to.lacking - from.lacking {
		added = append(added, lacking)
	}
	for range from.lacking - to.lacking {
		removed = append(removed, lacking)
	}
	return added, removed
}

// View returns what a side sees instead of each feature that Black sees on the board as it is.
func (c *changes) View(side, orientation int) []uint16 {
	if c.set.mirrored && orientation >= c.set.kings {
		return c.set.views[side][1]
	}
	return c.set.views[side][0]
}

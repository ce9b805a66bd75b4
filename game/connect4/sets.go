package connect4

//go:generate go run ../../tools/sets128 sets.go

// Set is a set of cells of a board of up to 64 cells, in one word.
type Set = uint64

const lastBit = 63 // of a Set; it also masks shifts, which drops their check for an oversized count

// Sets has the sets of cells that the rules need, and the rules for sets, for one board. Sets128 is generated from it.
type Sets struct {
	Width, Height int
	Connect       int
	Cells         int  // Width × Height
	Wide          bool // there is no room for sentinels, and keys have more than 64 bits
	Stride        uint // bits of a column, and from a cell to the one to its right
	Bottom        Set  // the lowest cells
	All           Set  // all cells

	standard bool
	lines    [3][8]Set // see Wins
}

func newSets(width, height, connect int) (b Sets) {
	b = Sets{
		Width: width, Height: height, Connect: connect, Cells: width * height, Stride: uint(height) + 1,
		Wide:     width*height <= keyWord && width*(height+1) > keyWord,
		standard: width == standardWidth && height == standardHeight && connect == standardConnect,
	}
	if b.Wide {
		b.Stride = uint(height)
	}
	for col := range width {
		b.Bottom |= 1 << (b.Stride * uint(col))
	}
	b.All = b.Rows(height)
	for before := range connect {
		rows := b.Rows(height - connect + 1) // where a line of cells one above the other can begin
		b.lines[0][before] = rows << (connect - 1 - before)
		b.lines[1][before] = b.All
		b.lines[2][before] = rows << before
	}
	return b
}

// Column returns the cells of a column, from 0 on.
func (b *Sets) Column(col int) Set { return (1<<b.Height - 1) << (b.Stride * uint(col)) }

// Rows returns the cells of the lowest n rows.
func (b *Sets) Rows(n int) Set { return b.Bottom<<n - b.Bottom }

// Moves returns the cells where a stone can land, one for each column that is not full.
//
// Adding one at the bottom of a column carries through its stones into the first
// empty cell; in a full column that is the sentinel. On a wide board it would carry into the next column. There one
// stone more in every column, less the stones that there are, is the cell; above a full column it is the bottom
// of the next one, which gets its stone anyway. That formula takes a cycle or two longer.
func (b *Sets) Moves(all Set) Set {
	if b.Wide {
		return (all ^ (all<<1 | b.Bottom)) & b.All
	}
	return (all + b.Bottom) & b.All
}

// Mirror exchanges left and right in a set of cells, or in a key of a board that is not wide: the key of a
// mirrored position is the mirrored key.
func (b *Sets) Mirror(cells Set) (mirrored Set) {
	if b.standard {
		const column = standardColumn
		const first = 1<<column - 1
		return cells&first<<(6*column) | cells>>(6*column)&first |
			cells&(first<<column)<<(4*column) | cells>>(4*column)&(first<<column) |
			cells&(first<<(2*column))<<(2*column) | cells>>(2*column)&(first<<(2*column)) |
			cells&(first<<(3*column))
	}
	for range b.Width {
		mirrored = mirrored<<b.Stride | cells&(1<<b.Stride-1)
		cells >>= b.Stride
	}
	return mirrored
}

// Wins returns the empty cells, playable or not, where one more stone completes a line with
// stones. all is the stones of both sides.
//
// The missing cell has some stones of its line before it and the others after it. lines has the cells where
// they are on the board, for the lines down, across and up; where there are sentinels they have no stones, which
// says the same.
//
// Wins and Line call no function on the standard board, so they need no stack frame there: they are a large
// part of a search.
func (b *Sets) Wins(stones, all Set) (wins Set) {
	if b.standard {
		const column = standardColumn
		wins = stones << 1 & (stones << 2) & (stones << 3) // upright, only the top one can be missing
		wins |= threes(stones, column-1) | threes(stones, column) | threes(stones, column+1)
		return wins & (b.All &^ all)
	}
	upright := stones << 1
	for i := 2; i < b.Connect; i++ {
		upright &= stones << i
	}
	wins = upright & b.lines[2][(b.Connect-1)&7]
	for i := range b.lines {
		d := b.Stride - 1 + uint(i)
		if b.Connect == standardConnect { // as threes
			l, s := &b.lines[i], stones
			before, after := s<<(d&lastBit)&(s<<(2*d&lastBit)), s>>(d&lastBit)&(s>>(2*d&lastBit))
			wins |= before&(s<<(3*d&lastBit)&l[3]|s>>(d&lastBit)&l[2]) | after&(s>>(3*d&lastBit)&l[0]|s<<(d&lastBit)&l[1])
			continue
		}
		for before := range b.Connect {
			line := b.lines[i][before&7] // the mask drops the bounds check, for which a stack frame would be needed
			for n := 1; n <= before; n++ {
				line &= stones << (uint(n) * d)
			}
			for n := 1; n < b.Connect-before; n++ {
				line &= stones >> (uint(n) * d)
			}
			wins |= line
		}
	}
	return wins & (b.All &^ all)
}

// threes returns the bits where a stone would complete four at distance d; they may be sentinels.
//
//	x x x ·     x x · x     x · x x     · x x x
func threes(stones Set, d uint) Set {
	before := stones << d & (stones << (2 * d))
	after := stones >> d & (stones >> (2 * d))
	return before&(stones<<(3*d)|stones>>d) | after&(stones>>(3*d)|stones<<d)
}

// Line reports whether the stones have as many in line as win.
func (b *Sets) Line(stones Set) bool {
	if b.standard {
		const column = standardColumn
		return fours(stones, 1)|fours(stones, column-1)|fours(stones, column)|fours(stones, column+1) != 0
	}
	up := b.lines[2][0]
	return b.first(stones, 1)&up|b.first(stones, b.Stride-1)&b.lines[0][0]|b.first(stones, b.Stride)|
		b.first(stones, b.Stride+1)&up != 0
}

// first returns the first cells of the lines at distances d; some lines leave the board if it is wide.
func (b *Sets) first(stones Set, d uint) Set {
	first := stones
	for n := 1; n < b.Connect; n++ {
		first &= stones >> (uint(n) * d)
	}
	return first
}

// fours returns the first cells of the lines of four at distances d.
func fours(stones Set, d uint) Set {
	pairs := stones & (stones >> d)
	return pairs & (pairs >> (2 * d))
}

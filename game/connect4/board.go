package connect4

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// The limits of a Board.
const (
	MinSide    = 4
	MaxCells   = 64 // a set of cells is one word
	MinConnect = 3
	MaxConnect = 5

	keyWord = 64
)

// Board is the size of a board, and how many stones in line win. It does not change.
type Board struct {
	Width, Height int
	Connect       int
	Cells         int    // Width × Height
	Bottom        uint64 // the lowest cells
	All           uint64 // all cells
	MaxKey        uint64 // no key is larger; of a wide board, its low word
	MaxHigh       uint64 // the high word of the largest key
	MiddleFirst   []int  // the columns from the middle outwards, left before right
	Wide          bool   // there is no room for sentinels, and keys have more than 64 bits
	Stride        uint   // bits of a column, and from a cell to the one to its right

	standard bool
	lines    [3][8]uint64 // see Wins
	gather   []uint64     // see WideKey
}

// The size and length of the standard game.
const (
	standardWidth   = 7
	standardHeight  = 6
	standardConnect = 4
	standardColumn  = standardHeight + 1
)

// Standard is the board of the standard game: seven columns, six rows, four in line.
var Standard = newBoard(standardWidth, standardHeight, standardConnect)

// NewBoard returns the board of a size, or an error that names what does not fit: a set of cells is a
// word of 64 bits. Boards of the same size and length are the same pointer.
func NewBoard(width, height, connect int) (*Board, error) {
	switch {
	case width < MinSide || height < MinSide:
		return nil, fmt.Errorf("a board of %d×%d: expected at least %d×%d", width, height, MinSide, MinSide)
	case width > MaxCells || height > MaxCells || width*height > MaxCells:
		return nil, fmt.Errorf("a board of %d×%d has %d × %d cells: expected at most %d", width, height, width, height,
			MaxCells)
	case connect < MinConnect || connect > MaxConnect:
		return nil, fmt.Errorf("%d in line: expected %d to %d", connect, MinConnect, MaxConnect)
	}
	if width == standardWidth && height == standardHeight && connect == standardConnect {
		return Standard, nil
	}
	b, _ := boards.LoadOrStore([3]int{width, height, connect}, newBoard(width, height, connect))
	return b.(*Board), nil
}

// boards are the boards that NewBoard has made, by width, height and number in line.
var boards sync.Map

// Sizes returns the width and height of all boards, ascending.
func Sizes() (sizes [][2]int) {
	for width := MinSide; width*MinSide <= MaxCells; width++ {
		for height := MinSide; width*height <= MaxCells; height++ {
			sizes = append(sizes, [2]int{width, height})
		}
	}
	return sizes
}

// ParseBoard reads the size of a board, such as 7x6, and makes the board.
func ParseBoard(size string, connect int) (*Board, error) {
	w, h, ok := strings.Cut(size, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		return nil, fmt.Errorf("%.40q is not a width and a height, such as 7x6", size)
	}
	return NewBoard(width, height, connect)
}

func newBoard(width, height, connect int) *Board {
	b := &Board{
		Width: width, Height: height, Connect: connect, Cells: width * height, Stride: uint(height) + 1,
		standard: width == standardWidth && height == standardHeight && connect == standardConnect,
	}
	if b.Wide = width*(height+1) > keyWord; b.Wide {
		b.Stride = uint(height)
	}
	for col := range width {
		b.Bottom |= 1 << (b.Stride * uint(col))
		side := (col + 1) / 2
		if col%2 == 1 {
			side = -side
		}
		b.MiddleFirst = append(b.MiddleFirst, width/2+side)
	}
	b.All = b.Bottom * (1<<height - 1)
	b.MaxKey = 2 * b.All
	for n := 1; b.Wide && n < width; n *= 2 {
		groups := uint64(0)
		for col := 0; col < width; col += 2 * n {
			groups |= (1<<(2*n) - 1) << (col * height)
		}
		b.gather = append(b.gather, groups)
	}
	if b.Wide {
		b.MaxHigh, b.MaxKey = 1<<(b.Cells+width-keyWord)-1, math.MaxUint64
	}
	for before := range connect {
		rows := b.Rows(height - connect + 1) // where a line of cells one above the other can begin
		b.lines[0][before] = rows << (connect - 1 - before)
		b.lines[1][before] = b.All
		b.lines[2][before] = rows << before
	}
	return b
}

// String is the size and, unless that is 4, the number in line: "7x6", "6x5 connect 3".
func (b *Board) String() string {
	if b.Connect == standardConnect {
		return fmt.Sprintf("%dx%d", b.Width, b.Height)
	}
	return fmt.Sprintf("%dx%d connect %d", b.Width, b.Height, b.Connect)
}

// Start returns the empty board.
func (b *Board) Start() Position {
	if b.standard {
		return Position{}
	}
	return Position{board: b}
}

// Column returns the cells of a column, from 0 on.
func (b *Board) Column(col int) uint64 { return (1<<b.Height - 1) << (b.Stride * uint(col)) }

// Rows returns the cells of the lowest n rows.
func (b *Board) Rows(n int) uint64 { return b.Bottom * (1<<n - 1) }

// Moves returns the cells where a stone can land, one for each column that is not full.
//
// Adding one at the bottom of a column carries through its stones into the first
// empty cell; in a full column that is the sentinel. On a wide board it would carry into the next column. There one
// stone more in every column, less the stones that there are, is the cell; above a full column it is the bottom
// of the next one, which gets its stone anyway. That formula takes a cycle or two longer.
func (b *Board) Moves(all uint64) uint64 {
	if b.Wide {
		return (all ^ (all<<1 | b.Bottom)) & b.All
	}
	return (all + b.Bottom) & b.All
}

// Mirror exchanges left and right in a set of cells, or in a key of a board that is not wide: the key of a
// mirrored position is the mirrored key.
func (b *Board) Mirror(cells uint64) (mirrored uint64) {
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
func (b *Board) Wins(stones, all uint64) (wins uint64) {
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
			before, after := s<<(d&63)&(s<<(2*d&63)), s>>(d&63)&(s>>(2*d&63))
			wins |= before&(s<<(3*d&63)&l[3]|s>>(d&63)&l[2]) | after&(s>>(3*d&63)&l[0]|s<<(d&63)&l[1])
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
func threes(stones uint64, d uint) uint64 {
	before := stones << d & (stones << (2 * d))
	after := stones >> d & (stones >> (2 * d))
	return before&(stones<<(3*d)|stones>>d) | after&(stones>>(3*d)|stones<<d)
}

// Line reports whether the stones have as many in line as win.
func (b *Board) Line(stones uint64) bool {
	if b.standard {
		const column = standardColumn
		return fours(stones, 1)|fours(stones, column-1)|fours(stones, column)|fours(stones, column+1) != 0
	}
	up := b.lines[2][0]
	return b.first(stones, 1)&up|b.first(stones, b.Stride-1)&b.lines[0][0]|b.first(stones, b.Stride)|
		b.first(stones, b.Stride+1)&up != 0
}

// first returns the first cells of the lines at distances d, some of which leave the board if it is wide.
func (b *Board) first(stones uint64, d uint) uint64 {
	first := stones
	for n := 1; n < b.Connect; n++ {
		first &= stones >> (uint(n) * d)
	}
	return first
}

// fours returns the first cells of the lines of four at distances d.
func fours(stones uint64, d uint) uint64 {
	pairs := stones & (stones >> d)
	return pairs & (pairs >> (2 * d))
}

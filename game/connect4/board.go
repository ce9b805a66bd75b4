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
	MaxBits    = 128 // of a Set128: width × (height + 1)
	MinConnect = 3
	MaxConnect = 5

	keyWord = 64
)

// Board is the size of a board, and how many stones in line win. It does not change.
type Board struct {
	Sets128
	Small       *Sets  // the same for sets of one word, nil if there are more than 64 cells
	MaxKey      uint64 // the low word of the largest key
	MaxHigh     uint64 // its high word
	MiddleFirst []int  // the columns from the middle outwards, left before right

	gather []uint64 // see WideKey
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

// NewBoard returns the board of a size, or an error that names what does not fit. Boards of the same size and length
// are the same pointer.
func NewBoard(width, height, connect int) (*Board, error) {
	switch {
	case width < MinSide || height < MinSide:
		return nil, fmt.Errorf("a board of %d×%d: expected at least %d×%d", width, height, MinSide, MinSide)
	case width > MaxBits || height > MaxBits || width*(height+1) > MaxBits:
		return nil, fmt.Errorf("a board of %d×%d: expected a width × (height + 1) of at most %d", width, height, MaxBits)
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
	for width := MinSide; width*(MinSide+1) <= MaxBits; width++ {
		for height := MinSide; width*(height+1) <= MaxBits; height++ {
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
	b := &Board{Sets128: newSets128(width, height, connect)}
	for col := range width {
		side := (col + 1) / 2
		if col%2 == 1 {
			side = -side
		}
		b.MiddleFirst = append(b.MiddleFirst, width/2+side)
	}
	key := b.All.Shl(1)
	b.MaxHigh, b.MaxKey = key.High, key.Low
	if b.Cells > keyWord {
		return b
	}
	b.Small = new(Sets)
	*b.Small = newSets(width, height, connect)
	if b.Wide {
		b.MaxHigh, b.MaxKey = 1<<(b.Cells+width-keyWord)-1, math.MaxUint64
	}
	for n := 1; b.Wide && n < width; n *= 2 {
		groups := uint64(0)
		for col := 0; col < width; col += 2 * n {
			groups |= (1<<(2*n) - 1) << (col * height)
		}
		b.gather = append(b.gather, groups)
	}
	return b
}

// Sets128 has the methods below, too. Here they use sets of one word if the board has them, which is quicker.

// Column returns the cells of a column, from 0 on.
func (b *Board) Column(col int) Set128 {
	if b.Small != nil {
		return Set128{Low: b.Small.Column(col)}
	}
	return b.Sets128.Column(col)
}

// Moves returns the cells where a stone can land, one for each column that is not full.
func (b *Board) Moves(all Set128) Set128 {
	if b.Small != nil {
		return Set128{Low: b.Small.Moves(all.Low)}
	}
	return b.Sets128.Moves(all)
}

// Mirror exchanges left and right in a set of cells.
func (b *Board) Mirror(cells Set128) Set128 {
	if b.Small != nil {
		return Set128{Low: b.Small.Mirror(cells.Low)}
	}
	return b.Sets128.Mirror(cells)
}

// Wins returns the empty cells where one more stone completes a line with stones.
func (b *Board) Wins(stones, all Set128) Set128 {
	if b.Small != nil {
		return Set128{Low: b.Small.Wins(stones.Low, all.Low)}
	}
	return b.Sets128.Wins(stones, all)
}

// Line reports whether the stones have as many in line as win.
func (b *Board) Line(stones Set128) bool {
	if b.Small != nil {
		return b.Small.Line(stones.Low)
	}
	return b.Sets128.Line(stones)
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

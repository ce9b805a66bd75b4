package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
)

//go:embed board.svg
var boardTemplate string

// A boardGame says how boards of a game are drawn.
type boardGame struct {
	size    int // ranks and files
	pieces  string
	sides   map[string]string // by the letter of the side to move
	files   string            // their names, from the left
	ranks   string            // from the top
	squares bool              // alternate in colour
}

// boardGames are the games whose positions are drawn.
var boardGames = map[string]boardGame{
	"chess": {
		size: 8, pieces: "PNBRQK", files: "abcdefgh", ranks: "87654321", squares: true,
		sides: map[string]string{"w": "White", "b": "Black"},
	},
	"shogi": {
		size: 9, pieces: "PLNSGBRK", files: "987654321", ranks: "abcdefghi",
		sides: map[string]string{"b": "Black", "w": "White"},
	},
}

// Sizes of a board in pixels.
const (
	squareSize = 40
	boardLeft  = 22 // of the squares, beside the names of the ranks
	boardTop   = 4
	boardBelow = 22 // for the names of the files
)

// A board is the data of boardTemplate. Coordinates are in pixels.
type board struct {
	Title         string
	Width, Height int
	Left, Top     int    // of the squares
	Edge          int    // their width and height
	Dark, Grid    string // paths
	Pieces        []boardPiece
	Labels        []boardLabel
	Arrow         string
	Head          string // of the arrow
	Refused       bool   // the move of the arrow is illegal here
}

type boardPiece struct {
	X, Y            int
	Shape, Detail   string // paths
	Letters         string // in place of a shape
	Black, Promoted bool
}

type boardLabel struct {
	X, Y int
	Text string
}

// DrawBoard returns an SVG picture of a position of chess or shogi, a FEN or SFEN, with an arrow for a
// legal move. below is the side to move and the pieces in hand.
func DrawBoard(title, game, position, move string) (svg template.HTML, below string, err error) {
	return drawBoard(title, game, position, move, false)
}

// drawBoard returns an SVG picture of a position in the notation of its game, with an arrow for a
// move, "" for none, which may be illegal there. below is the side to move and the pieces in hand.
// Games whose boards are not drawn have neither.
func drawBoard(title, game, position, move string, illegal bool) (svg template.HTML, below string, err error) {
	g, ok := boardGames[game]
	if !ok {
		return "", "", nil
	}
	fields := strings.Fields(position)
	if len(fields) < 3 {
		return "", "", fmt.Errorf("position %q with %s, expected at least 3", position, plural(uint64(len(fields)), "field"))
	}
	edge := g.size * squareSize
	b := board{
		Title: title + ": " + position, Width: boardLeft + edge + boardTop, Height: boardTop + edge + boardBelow,
		Left: boardLeft, Top: boardTop, Edge: edge, Refused: illegal,
	}
	if err := b.place(g, fields[0]); err != nil {
		return "", "", fmt.Errorf("position %q: %w", position, err)
	}
	side, ok := g.sides[fields[1]]
	if !ok {
		return "", "", fmt.Errorf("position %q: side to move %q", position, fields[1])
	}
	below = side + " to move"
	if !g.squares {
		below += "; in hand: " + inHand(fields[2])
	}
	b.drawSquares(g)
	b.drawArrow(g, move)
	t, err := template.New("board").Parse(boardTemplate)
	if err != nil {
		return "", "", err
	}
	var out bytes.Buffer
	err = t.Execute(&out, b)
	return template.HTML(out.String()), below, err
}

// place puts the pieces of the first field of a FEN or SFEN on the board.
func (b *board) place(g boardGame, placement string) error {
	ranks := strings.Split(placement, "/")
	if len(ranks) != g.size {
		return fmt.Errorf("%d ranks, expected %d", len(ranks), g.size)
	}
	for y, rank := range ranks {
		x, promoted := 0, false
		for _, letter := range rank {
			kind := strings.ToUpper(string(letter))
			switch {
			case letter >= '1' && letter <= '9' && !promoted:
				x += int(letter - '0')
				continue
			case letter == '+' && !promoted && !g.squares:
				promoted = true
				continue
			case !strings.Contains(g.pieces, kind):
				return fmt.Errorf("%q is not a piece", letter)
			}
			p := boardPiece{X: boardLeft + x*squareSize, Y: boardTop + y*squareSize, Promoted: promoted}
			upper := kind == string(letter)
			if g.squares {
				p.Black, p.Shape, p.Detail = !upper, chessShapes[kind][0], chessShapes[kind][1]
			} else if p.Black, p.Letters, p.Shape = upper, kind, shogiUp; !upper {
				p.Shape = shogiDown
			}
			if promoted {
				p.Letters = "+" + kind
			}
			b.Pieces = append(b.Pieces, p)
			x, promoted = x+1, false
		}
		if x != g.size || promoted {
			return fmt.Errorf("rank %q has %d squares, expected %d", rank, x, g.size)
		}
	}
	return nil
}

// inHand formats the hands of an SFEN, in which Black's pieces are in capitals.
func inHand(hands string) string {
	var of [2]string // Black, White
	count := ""
	for _, r := range hands {
		switch piece := string(r); {
		case strings.ToUpper(piece) == piece && !strings.ContainsRune("-0123456789", r):
			of[0], count = of[0]+" "+count+piece, ""
		case strings.ContainsRune("-0123456789", r):
			count += piece
		default:
			of[1], count = of[1]+" "+count+strings.ToUpper(piece), ""
		}
	}
	return "Black" + cmp.Or(of[0], " nothing") + ", White" + cmp.Or(of[1], " nothing")
}

// drawSquares adds the squares and their names.
func (b *board) drawSquares(g boardGame) {
	var dark, grid strings.Builder
	for i := range g.size {
		x, y := boardLeft+i*squareSize, boardTop+i*squareSize
		b.Labels = append(b.Labels,
			boardLabel{x + squareSize/2, b.Height - 6, g.files[i : i+1]},
			boardLabel{boardLeft / 2, y + squareSize/2 + 5, g.ranks[i : i+1]})
		fmt.Fprintf(&grid, "M%d %dh%dM%d %dv%d", boardLeft, y, b.Edge, x, boardTop, b.Edge)
		for j := range g.size {
			if g.squares && (i+j)%2 == 1 {
				fmt.Fprintf(&dark, "M%d %dh%dv%dh-%dZ", x, boardTop+j*squareSize, squareSize, squareSize, squareSize)
			}
		}
	}
	b.Dark = dark.String()
	if !g.squares {
		b.Grid = grid.String()
	}
}

// drawArrow adds an arrow for a move such as e2e4 or 7g7f, and a circle for a drop such as P*5e. It draws
// nothing for other moves.
func (b *board) drawArrow(g boardGame, move string) {
	if len(move) < 4 {
		return
	}
	center := func(name string) (x, y float64, ok bool) {
		i, j := strings.IndexByte(g.files, name[0]), strings.IndexByte(g.ranks, name[1])
		return boardLeft + squareSize*(float64(i)+0.5), boardTop + squareSize*(float64(j)+0.5), i >= 0 && j >= 0
	}
	x, y, ok := center(move[2:4])
	if !ok {
		return
	}
	fromX, fromY, ok := center(move[:2])
	if !ok {
		if move[1] == '*' {
			b.Arrow = fmt.Sprintf("M%.1f %.1fa17 17 0 1 0 34 0a17 17 0 1 0 -34 0", x-17, y)
		}
		return
	}
	length := math.Hypot(x-fromX, y-fromY)
	if length == 0 {
		return
	}
	dx, dy := (x-fromX)/length, (y-fromY)/length
	const head, half = 15, 8
	b.Arrow = fmt.Sprintf("M%.1f %.1fL%.1f %.1f", fromX, fromY, x-head*dx, y-head*dy)
	b.Head = fmt.Sprintf("M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", x, y, x-head*dx-half*dy, y-head*dy+half*dx, x-head*dx+half*dy,
		y-head*dy-half*dx)
}

// chessShapes are the outlines of the pieces and the lines within them, on squares of 40 pixels.
var chessShapes = map[string][2]string{
	"P": {"M20 8a5.5 5.5 0 0 1 4 9.3C25 25 29 28 29 35H11C11 28 15 25 16 17.3A5.5 5.5 0 0 1 20 8Z", ""},
	"N": {"M12 35H30C31 24 30 13 21 9L19 5L16 9.5C12 12 11 17 8 21.5L10.5 25.5L15 23.5L19 22C19 27 13 29 12 35Z",
		"M16 14.5h1.5M24 15C26 19 27 25 26.5 32"},
	"B": {"M20 5a2.5 2.5 0 0 1 1.5 4.5C27 15 27 21 23.5 25L25 31H30V35H10V31H15L16.5 25C13 21 13 15 18.5 9.5A2.5 " +
		"2.5 0 0 1 20 5Z", "M20 14v7M17 17.5h6M16.5 26.5h7"},
	"R": {"M10 35V31L14 28V17L11 14V8H15.5V11H18V8H22V11H24.5V8H29V14L26 17V28L30 31V35Z", "M14 17.5H26M14 28H26"},
	"Q": {"M11 35V31L8 14L14 23L15 9L20 22L25 9L26 23L32 14L29 31V35Z", "M11.5 30.5H28.5"},
	"K": {"M18.7 4h2.600v2.7H24v2.600h-2.7V13C27 11 33 15 30.5 22L28 28V35H12V28L9.5 22C7 15 13 11 18.7 " +
		"13V9.3H16V6.7h2.7Z", "M12.5 28.5H27.5M20 16V25"},
}

// A shogi piece points away from its owner.
const (
	shogiUp   = "M20 4L32 11L35 36H5L8 11Z"
	shogiDown = "M20 36L32 29L35 4H5L8 29Z"
)

package retrograde

import (
	"fmt"
	"strings"
)

// A Position is pieces on squares, a side to move and the square behind a pawn that has just moved two
// squares. There is no castling.
type Position struct {
	material
	square    squares // of each piece
	side      int     // to move
	enPassant Square  // or noSquare
}

// ParseFEN reads a position. It needs the first four fields of a FEN and ignores the counters.
func ParseFEN(fen string) (p Position, err error) {
	fields := strings.Fields(fen)
	if len(fields) < 4 {
		return p, fmt.Errorf("fewer than 4 fields: %q", fen)
	}
	if err := p.parseBoard(fields[0]); err != nil {
		return p, err
	}
	switch fields[1] {
	case "w":
	case "b":
		p.side = Black
	default:
		return p, fmt.Errorf("side to move: neither w nor b: %q", fields[1])
	}
	if fields[2] != "-" {
		return p, fmt.Errorf("castling is not supported: %q", fields[2])
	}
	p.enPassant = noSquare
	if text := fields[3]; text != "-" {
		if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] != "63"[p.side] {
			return p, fmt.Errorf("not an en passant square: %q", text)
		}
		p.enPassant = Square(text[0] - 'a' + 8*(text[1]-'1'))
		if i := p.at(p.enPassant ^ 8); i < 0 || p.pieces[i] != pieceOf(pawn, p.side^1) {
			return p, fmt.Errorf("en passant square without its pawn: %q", text)
		}
	}
	return p, nil
}

func (p *Position) parseBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != 8 {
		return fmt.Errorf("not 8 ranks: %q", text)
	}
	kings := [2]int{}
	for i, rank := range ranks {
		file := 0
		for _, c := range rank {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			kind := strings.IndexRune(letters, c&^32)
			if kind < 0 {
				return fmt.Errorf("not a piece: %q in %q", c, text)
			}
			side := White
			if c >= 'a' {
				side = Black
			}
			switch {
			case file > 7:
				return fmt.Errorf("rank of more than 8 squares: %q", rank)
			case p.n == MaxPieces:
				return fmt.Errorf("more than %d pieces: %q", MaxPieces, text)
			case kind == pawn && (i == 0 || i == 7):
				return fmt.Errorf("pawn on the first or last rank: %q", text)
			case kind == king:
				kings[side]++
			}
			p.insert(pieceOf(kind, side), Square(8*(7-i)+file))
			file++
		}
		if file != 8 {
			return fmt.Errorf("not 8 squares: rank %q", rank)
		}
	}
	if kings != [2]int{1, 1} {
		return fmt.Errorf("not one king of each side: %q", text)
	}
	return nil
}

// FEN returns the position in the notation that ParseFEN reads, with counters.
func (p *Position) FEN() string {
	text := ""
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			if i := p.at(Square(8*rank + file)); i < 0 {
				empty++
			} else {
				if empty > 0 {
					text += fmt.Sprint(empty)
				}
				text += p.pieces[i].String()
				empty = 0
			}
		}
		if empty > 0 {
			text += fmt.Sprint(empty)
		}
		if rank > 0 {
			text += "/"
		}
	}
	return fmt.Sprintf("%s %c - %v 0 1", text, "wb"[p.side], p.enPassant)
}

// Side returns White or Black, the side to move.
func (p *Position) Side() int { return p.side }

// Squares returns the squares of a piece, given by its letter in FEN.
func (p *Position) Squares(letter rune) (all []Square) {
	for i := range p.n {
		if p.pieces[i].String() == string(letter) {
			all = append(all, p.square[i])
		}
	}
	return all
}

// at returns the index of the piece on s, or -1.
func (p *Position) at(s Square) int {
	for i := range p.n {
		if p.square[i] == s {
			return i
		}
	}
	return -1
}

// insert adds a piece at its place in the order.
func (p *Position) insert(piece Piece, s Square) {
	i := p.n
	for ; i > 0 && p.pieces[i-1] > piece; i-- {
		p.pieces[i], p.square[i] = p.pieces[i-1], p.square[i-1]
	}
	p.pieces[i], p.square[i] = piece, s
	p.n++
}

// remove removes piece i.
func (p *Position) remove(i int) {
	p.material = p.without(i)
	copy(p.square[i:], p.square[i+1:])
}

// mirrored returns the position with the sides exchanged and the ranks reversed.
func (p *Position) mirrored() Position {
	q := Position{side: p.side ^ 1, enPassant: noSquare}
	for i := range p.n {
		q.insert(p.pieces[i]^1, p.square[i]^56)
	}
	if p.enPassant != noSquare {
		q.enPassant = p.enPassant ^ 56
	}
	return q
}

func (p *Position) occupiedBy(side int) (all squareSet) {
	for i := range p.n {
		if p.pieces[i].side() == side {
			all |= setOf(p.square[i])
		}
	}
	return all
}

// inCheck reports whether the king of a side is attacked.
func (p *Position) inCheck(side int) bool {
	var attacked, kings squareSet
	occupied := p.occupied(p.square)
	for i := range p.n {
		if p.pieces[i].side() != side {
			attacked |= attacks(p.pieces[i], p.square[i], occupied)
		} else if p.pieces[i].kind() == king {
			kings = setOf(p.square[i])
		}
	}
	return attacked&kings != 0
}

// legal reports whether no two pieces share a square, the pawns are on ranks 2 to 7, and the side that
// is not to move is not in check.
func (p *Position) legal() bool {
	seen := squareSet(0)
	for i := range p.n {
		s := setOf(p.square[i])
		if seen&s != 0 || p.pieces[i].kind() == pawn && (p.square[i] < 8 || p.square[i] >= 56) {
			return false
		}
		seen |= s
	}
	return !p.inCheck(p.side ^ 1)
}

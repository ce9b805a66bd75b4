package ultimate

import "strings"

// plain is the game once more, by arrays and the words of the rules, to hold the rest of the
// package against. It is slow and shares nothing with it.
type plain struct {
	cells [9][9]byte // 'X', 'O' or '.'
	side  byte
	board int // to play on, -1 for the choice
}

var plainLines = [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// plainResult is 'X' or 'O' for a line, '#' if full, '.' if undecided.
func plainResult(cells [9]byte) byte {
	for _, l := range plainLines {
		if c := cells[l[0]]; (c == 'X' || c == 'O') && c == cells[l[1]] && c == cells[l[2]] {
			return c
		}
	}
	for _, c := range cells {
		if c == '.' {
			return '.'
		}
	}
	return '#'
}

func (p *plain) big() (big [9]byte) {
	for b := range big {
		big[b] = plainResult(p.cells[b])
	}
	return big
}

// result is 'X' or 'O' for the winner, '#' for a draw, '.' as long as the game goes on.
func (p *plain) result() byte { return plainResult(p.big()) }

func (p *plain) moves() (moves []string) {
	if p.result() != '.' {
		return nil
	}
	big := p.big()
	for b := range 9 {
		for c := range 9 {
			if big[b] == '.' && (p.board < 0 || p.board == b) && p.cells[b][c] == '.' {
				moves = append(moves, string([]byte{'a' + byte(b), 'a' + byte(c)}))
			}
		}
	}
	return moves
}

// left counts the empty cells of undecided boards.
func (p *plain) left() (n int) {
	for b, result := range p.big() {
		if result == '.' {
			n += strings.Count(string(p.cells[b][:]), ".")
		}
	}
	return n
}

func (p plain) play(move string) plain {
	b, c := int(move[0]-'a'), int(move[1]-'a')
	p.cells[b][c] = p.side
	p.side ^= 'X' ^ 'O'
	p.board = c
	if plainResult(p.cells[c]) != '.' {
		p.board = -1
	}
	return p
}

func plainStart() plain {
	p := plain{side: 'X', board: -1}
	for b := range p.cells {
		copy(p.cells[b][:], ".........")
	}
	return p
}

func (p plain) text() string {
	big := p.big()
	if p.board >= 0 {
		big[p.board] = '@'
	}
	var rows []string
	for _, row := range p.cells {
		rows = append(rows, string(row[:]))
	}
	return string(p.side) + ";" + string(big[:]) + ";" + strings.Join(rows, "/")
}

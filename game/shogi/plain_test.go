package shogi

import (
	"maps"
	"strings"
)

// plain is a position as a beginner would note it: letters on squares by file and
// rank, as the sfen has them, and letters in hand. It has the rules from
// nothing but those letters, and is slow.
type plain struct {
	board [9][9]string // by file − 1 and rank − a
	hand  [2]map[string]int
	side  int // 0 Black
}

// A way is a step of a piece, in files to the left and ranks forward, as its owner
// sees it; a way that repeats goes on until something stands there.
type way struct {
	dx, dy  int
	repeats bool
}

var (
	goldWays  = []way{{-1, 1, false}, {0, 1, false}, {1, 1, false}, {-1, 0, false}, {1, 0, false}, {0, -1, false}}
	straight  = []way{{0, 1, true}, {0, -1, true}, {1, 0, true}, {-1, 0, true}}
	slanting  = []way{{1, 1, true}, {1, -1, true}, {-1, 1, true}, {-1, -1, true}}
	plainWays = map[string][]way{
		"P":  {{0, 1, false}},
		"L":  {{0, 1, true}},
		"N":  {{-1, 2, false}, {1, 2, false}},
		"S":  {{-1, 1, false}, {0, 1, false}, {1, 1, false}, {-1, -1, false}, {1, -1, false}},
		"G":  goldWays,
		"+P": goldWays, "+L": goldWays, "+N": goldWays, "+S": goldWays,
		"B":  slanting,
		"R":  straight,
		"+B": append([]way{{0, 1, false}, {0, -1, false}, {1, 0, false}, {-1, 0, false}}, slanting...),
		"+R": append([]way{{1, 1, false}, {1, -1, false}, {-1, 1, false}, {-1, -1, false}}, straight...),
		"K":  {{-1, 1, false}, {0, 1, false}, {1, 1, false}, {-1, 0, false}, {1, 0, false}, {-1, -1, false}, {0, -1, false}, {1, -1, false}},
	}
)

// plainOf copies what p shows.
func plainOf(p *Position) *plain {
	q := &plain{side: p.Side(), hand: [2]map[string]int{{}, {}}}
	for x := range 9 {
		for y := range 9 {
			if code := p.At(SquareAt(x, y)); code != 0 {
				q.board[x][y] = Letter(code)
			}
		}
	}
	for c := range 2 {
		for k, l := range "PLNSGBR" {
			q.hand[c][string(l)] = p.Hand(Colour(c)).Count(Kind(k))
		}
	}
	return q
}

// owner returns whose piece letters are, −1 if there are none.
func owner(piece string) int {
	switch {
	case piece == "":
		return -1
	case piece == strings.ToUpper(piece):
		return 0
	}
	return 1
}

// reaches calls to with every square that the piece on x, y goes to if nothing but
// the pieces in its way mattered, own pieces' squares included.
func (q *plain) reaches(x, y int, to func(x, y int)) {
	piece := q.board[x][y]
	forward := -1
	if owner(piece) == 1 {
		forward = 1
	}
	for _, w := range plainWays[strings.ToUpper(piece)] {
		for i := 1; i == 1 || w.repeats; i++ {
			tx, ty := x+i*w.dx, y+i*w.dy*forward
			if tx < 0 || tx > 8 || ty < 0 || ty > 8 {
				break
			}
			to(tx, ty)
			if q.board[tx][ty] != "" {
				break
			}
		}
	}
}

// exposed reports whether the king of a side can be taken.
func (q *plain) exposed(side int) (yes bool) {
	king := [2]string{"K", "k"}[side]
	for x := range 9 {
		for y := range 9 {
			if owner(q.board[x][y]) == 1-side {
				q.reaches(x, y, func(tx, ty int) { yes = yes || q.board[tx][ty] == king })
			}
		}
	}
	return yes
}

// moves returns the names of the legal moves. Drops of pawns that mate are among them only if mates is set.
func (q *plain) moves(mates bool) (list []string) {
	name := func(x, y int) string { return string([]byte{'1' + byte(x), 'a' + byte(y)}) }
	try := func(move string, next plain) {
		if next.exposed(q.side) {
			return
		}
		next.side = 1 - q.side
		if move[:2] == "P*" && !mates && next.exposed(next.side) && len(next.moves(true)) == 0 {
			return
		}
		list = append(list, move)
	}
	for x := range 9 {
		for y := range 9 {
			if owner(q.board[x][y]) == q.side {
				q.reaches(x, y, func(tx, ty int) { q.tryMove(x, y, tx, ty, name(x, y)+name(tx, ty), try) })
				continue
			}
			if q.board[x][y] != "" {
				continue
			}
			for piece, n := range q.hand[q.side] {
				if n == 0 || q.immobile(piece, y) || piece == "P" && q.pawnOn(x) {
					continue
				}
				next := *q
				next.board[x][y] = q.own(piece)
				try(piece+"*"+name(x, y), next)
			}
		}
	}
	return list
}

// tryMove tries a move on the board, promoting and not.
func (q *plain) tryMove(x, y, tx, ty int, text string, try func(string, plain)) {
	if owner(q.board[tx][ty]) == q.side {
		return
	}
	piece := strings.ToUpper(q.board[x][y])
	next := *q
	next.board[x][y] = ""
	far := func(y int) bool { return q.side == 0 && y < 3 || q.side == 1 && y > 5 }
	if strings.Contains("PLNSBR", piece) && (far(y) || far(ty)) {
		next.board[tx][ty] = q.own("+" + piece)
		try(text+"+", next)
	}
	if !q.immobile(piece, ty) {
		next.board[tx][ty] = q.own(piece)
		try(text, next)
	}
}

// own writes a piece as the side to move's.
func (q *plain) own(piece string) string {
	if q.side == 1 {
		return strings.ToLower(piece)
	}
	return piece
}

// immobile reports whether a piece of the side to move has no way on from rank y.
func (q *plain) immobile(piece string, y int) bool {
	if q.side == 1 {
		y = 8 - y
	}
	return strings.Contains("PL", piece) && y == 0 || piece == "N" && y < 2
}

// pawnOn reports whether the side to move has a pawn on a file.
func (q *plain) pawnOn(x int) bool {
	for y := range 9 {
		if q.board[x][y] == q.own("P") {
			return true
		}
	}
	return false
}

// play returns the position after a legal move.
func (q *plain) play(move string) *plain {
	next := *q
	next.side = 1 - q.side
	next.hand = [2]map[string]int{maps.Clone(q.hand[0]), maps.Clone(q.hand[1])}
	hand, to := next.hand[q.side], &next.board[move[2]-'1'][move[3]-'a']
	if move[1] == '*' {
		hand[move[:1]]--
		*to = q.own(move[:1])
		return &next
	}
	if *to != "" {
		hand[strings.ToUpper(strings.TrimPrefix(*to, "+"))]++
	}
	from := &next.board[move[0]-'1'][move[1]-'a']
	*to, *from = *from, ""
	if strings.HasSuffix(move, "+") {
		*to = "+" + *to
	}
	return &next
}

// perft counts the sequences of depth legal moves, at least one.
func (q *plain) perft(depth int) (n uint64) {
	moves := q.moves(false)
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, move := range moves {
		n += q.play(move).perft(depth - 1)
	}
	return n
}

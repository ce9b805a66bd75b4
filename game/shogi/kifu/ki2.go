package kifu

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"trefoil/game"
	"trefoil/game/shogi"
)

// ki2Move is a move of KI2: target, piece, which piece of that kind, promotion, drop.
var ki2Move = regexp.MustCompile(`^(?:([１-９1-9])([一二三四五六七八九１-９1-9])|同)[\s　]*` +
	`(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])([左右]?[上行入寄引直]?)(不成|生|成)?(打)?$`)

// ki2Variation is the beginning of a variation, and ki2End the line that says how the game ended.
var (
	ki2Variation = regexp.MustCompile(`^変化[：:]\s*([0-9０-９]{1,5})手`)
	ki2End       = regexp.MustCompile(`^まで[0-9]+手で(?:(千日手|持将棋|中断)|(?:先手|後手|下手|上手)の勝ち$)`)
)

// isKI2 reports whether the first move has no number.
func (p *parser) isKI2() bool {
	i := slices.IndexFunc(p.lines, func(line string) bool {
		return numbered(line, true) != "" || strings.IndexAny(strings.TrimSpace(line), kifSides) == 0
	})
	return i >= 0 && numbered(p.lines[i], true) == ""
}

// ki2 writes a game in KI2 as KIF does: each move with its number and its origin on a line of its own. All other lines
// stay; from a wrong one on, lines become comments. It returns the numbers that the lines had, the number of the wrong
// line, and the error.
func (p *parser) ki2() (numbers []int, wrong int, err error) {
	lines := p.lines
	p.lines = nil
	numbers, wrong, err = p.ki2Lines(lines)
	if wrong > 0 {
		for n, line := range lines[wrong-1:] {
			p.lines, numbers = append(p.lines, "*"+line), append(numbers, wrong+n)
		}
	}
	p.pos = nil
	return numbers, wrong, err
}

// ki2Lines is ki2 up to the wrong line.
func (p *parser) ki2Lines(lines []string) (numbers []int, wrong int, err error) {
	h := kifHeader{fields: map[string]string{}}
	written := 0 // moves of the game or variation
	add := func(n int, line string) { p.lines, numbers = append(p.lines, line), append(numbers, n+1) }
	for n, line := range lines {
		text := strings.TrimSpace(line)
		end := ki2End.FindStringSubmatch(text)
		switch variation := ki2Variation.FindStringSubmatch(text); {
		case text == "" || text[0] == '#' || text[0] == '*' || text[0] == '&':
			add(n, line)
		case variation != nil && p.pos != nil:
			for first := atoi(variation[1]); written >= max(1, first); written-- {
				p.pos.Undo()
			}
			add(n, line)
		case strings.IndexAny(text, kifSides) == 0:
			if p.pos == nil {
				if err := p.kifStart(h); err != nil {
					return numbers, 0, err
				}
			}
			parts := ki2Parts(text)
			for i, part := range parts {
				move, err := p.ki2Part(part)
				if err != nil {
					return numbers, n + 1, fmt.Errorf("move %d %.40q: %w", written+1, part, err)
				}
				if add(n, fmt.Sprintf("%4d %s", written+1, move)); p.pos.Played() == written { // the end of the game
					if i+1 < len(parts) {
						add(n, "*"+strings.Join(parts[i+1:], " "))
					}
					break
				}
				if written++; written > maxMoves {
					return numbers, n + 1, errTooLong
				}
			}
		case end != nil && p.pos != nil:
			add(n, fmt.Sprintf("%4d %s", written+1, cmp.Or(end[1], "投了")))
			add(n, line)
		default:
			if p.pos == nil {
				h.line(text)
			}
			add(n, line)
		}
	}
	return numbers, 0, nil
}

// atoi reads a number of a few digits.
func atoi(digits string) (n int) {
	for _, d := range digits {
		if d >= '０' {
			d -= '０' - '0'
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// ki2Parts splits a line before each sign of a side.
func ki2Parts(line string) (parts []string) {
	for line != "" {
		_, size := utf8.DecodeRuneInString(line)
		end := strings.IndexAny(line[size:], kifSides)
		if end < 0 {
			end = len(line) - size
		}
		parts = append(parts, strings.TrimFunc(line[:size+end], unicode.IsSpace))
		line = line[size+end:]
	}
	return parts
}

// ki2Part plays a move with the sign of its side and returns it as KIF writes it. The end of a game is returned as it
// is, and not played.
func (p *parser) ki2Part(text string) (string, error) {
	sign, size := utf8.DecodeRuneInString(text)
	text = text[size:]
	if slices.Contains(kifDraws, text) || slices.Contains(kifEnds, text) {
		return text, nil
	}
	if strings.ContainsRune("△▽☖", sign) != (p.pos.Side() == int(shogi.White)) {
		return "", errors.New("the other side is to move")
	}
	m, err := p.ki2Resolve(text)
	if err != nil {
		return "", err
	}
	text = moveText(m)
	p.pos.Make(m)
	return text, nil
}

// ki2Resolve returns the legal move that a text of KI2 stands for.
func (p *parser) ki2Resolve(text string) (game.Move, error) {
	part := ki2Move.FindStringSubmatch(text)
	if part == nil {
		return game.None, errors.New("it cannot be read")
	}
	to, err := p.target(part[1], part[2])
	if err != nil {
		return game.None, err
	}
	kind, _ := kifKind(part[3])
	var moves, drops []game.Move
	var legal game.List
	p.pos.Moves(game.All, &legal)
	for _, m := range legal.All() {
		switch {
		case shogi.Square(m.To()) != to:
		case !shogi.IsDrop(m) && shogi.KindOf(m.Piece()) == kind && m.Promotes() == (part[5] == "成"):
			moves = append(moves, m)
		case shogi.IsDrop(m) && shogi.Dropped(m) == kind:
			drops = append(drops, m)
		}
	}
	if part[6] != "" || len(moves) == 0 && part[4]+part[5] == "" {
		moves = drops
	}
	for _, which := range slices.Backward([]rune(part[4])) {
		moves = narrowed(moves, which, kind)
	}
	switch len(moves) {
	case 0:
		return game.None, fmt.Errorf("no %s can make this move", part[3])
	case 1:
		return moves[0], nil
	}
	return game.None, fmt.Errorf("more than one %s can go there", part[3])
}

// narrowed returns the moves that a word of KI2 stands for: their direction, or the side from which they come. Of two
// rooks or bishops, promoted or not, 左 is the left one.
func narrowed(moves []game.Move, which rune, kind shogi.Kind) []game.Move {
	aside := func(m game.Move) int { _, aside := direction(m); return aside }
	most := aside
	long := kind.Plain() == shogi.Rook || kind.Plain() == shogi.Bishop
	switch which {
	case '右':
		most = func(m game.Move) int { return -aside(m) }
		fallthrough
	case '左':
		least := 1
		if long && len(moves) > 0 {
			least = most(slices.MaxFunc(moves, func(x, y game.Move) int { return most(x) - most(y) }))
		}
		return slices.DeleteFunc(moves, func(m game.Move) bool { return most(m) < least })
	}
	return slices.DeleteFunc(moves, func(m game.Move) bool {
		forward, aside := direction(m)
		switch which {
		case '寄':
			return forward != 0
		case '引':
			return forward >= 0
		case '直':
			return forward <= 0 || aside != 0
		}
		return forward <= 0
	})
}

// direction returns how far a piece moves forward, and how far to the left its origin is from the target, as its side
// sees it.
func direction(m game.Move) (forward, left int) {
	from, to := shogi.Origin(m), shogi.Square(m.To())
	forward, left = from.Rank()-to.Rank(), from.File()-to.File()
	if shogi.ColourOf(m.Piece()) == shogi.White {
		forward, left = -forward, -left
	}
	return forward, left
}

package kifu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"trefoil/game"
	"trefoil/game/shogi"
)

// kifNames are the names of the kinds of pieces; the first of each is written.
var kifNames = map[shogi.Kind][]string{
	shogi.Pawn: {"歩"}, shogi.Lance: {"香"}, shogi.Knight: {"桂"}, shogi.Silver: {"銀"}, shogi.Gold: {"金"},
	shogi.Bishop: {"角"}, shogi.Rook: {"飛"}, shogi.King: {"玉", "王"},
	shogi.ProPawn: {"と"}, shogi.ProLance: {"成香", "杏"}, shogi.ProKnight: {"成桂", "圭"}, shogi.ProSilver: {"成銀", "全"},
	shogi.Horse: {"馬"}, shogi.Dragon: {"龍", "竜"},
}

// kifKind returns the kind of a name.
func kifKind(name string) (shogi.Kind, bool) {
	for k, names := range kifNames {
		if slices.Contains(names, name) {
			return k, true
		}
	}
	return 0, false
}

// Digits of squares and of numbers of pieces.
const (
	wide  = "１２３４５６７８９"
	kanji = "一二三四五六七八九"
)

// digit returns the value of a digit, 0 if s is none.
func digit(s string) int {
	for _, set := range []string{"123456789", wide, kanji} {
		size := len(set) / 9
		if i := strings.Index(set, s); i >= 0 && len(s) == size {
			return i/size + 1
		}
	}
	return 0
}

// handicaps are the pieces that White gives, by the header 手合割, as squares of USI.
var handicaps = map[string]string{
	"平手": "", "香落ち": "1a", "右香落ち": "9a", "角落ち": "2b", "飛車落ち": "8b", "飛香落ち": "8b 1a", "二枚落ち": "8b 2b",
	"三枚落ち": "8b 2b 9a", "四枚落ち": "8b 2b 1a 9a", "五枚落ち": "8b 2b 1a 9a 8a", "左五枚落ち": "8b 2b 1a 9a 2a",
	"六枚落ち": "8b 2b 1a 9a 2a 8a", "左七枚落ち": "8b 2b 1a 9a 2a 8a 3a", "右七枚落ち": "8b 2b 1a 9a 2a 8a 7a",
	"八枚落ち": "8b 2b 1a 9a 2a 8a 3a 7a",
	"十枚落ち": "8b 2b 1a 9a 2a 8a 3a 7a 4a 6a",
}

// kifDraws are the ends of drawn games, kifEnds the other ones.
var (
	kifDraws = []string{"千日手", "持将棋", "引き分け", "引分け"}
	kifEnds  = []string{"中断", kifResigns, "詰み", "詰", "不詰", "切れ負け", "時間切れ", "反則勝ち", "反則負け",
		"入玉勝ち", "宣言勝ち", "勝ち宣言", "トライ", "不戦勝", "不戦敗", "封じ手"}
)

// kifResigns is the end by resignation.
const kifResigns = "投了"

// kifLine is a line with a number and a move or an end.
var kifLine = regexp.MustCompile(`^[\s　]*([0-9０-９]+)[\s　]+([^\s　].*)$`)

// kifSquare begins a move, also one that cannot be read.
var kifSquare = regexp.MustCompile(`^[` + kifSides + `]?(?:[１-９1-9][一二三四五六七八九１-９]|同)`)

// numbered returns a move or an end without its number, or "". Before the first move, "10 秒将棋" is a field.
func numbered(line string, first bool) string {
	part := kifLine.FindStringSubmatch(line)
	if part == nil || first && part[1] != "1" && part[1] != "１" && !kifSquare.MatchString(part[2]) && !isEnd(part[2]) {
		return ""
	}
	return part[2]
}

// isEnd reports whether the first word of a text is the end of a game.
func isEnd(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && (slices.Contains(kifDraws, words[0]) || slices.Contains(kifEnds, words[0]))
}

// kifSides are the signs of the sides.
const kifSides = "▲△▼▽☗☖"

// kifMove is a move: sign, target, piece, what else is said about it, origin.
var kifMove = regexp.MustCompile(`^[` + kifSides + `]?(?:([１-９1-9])([一二三四五六七八九１-９1-9])|同)[\s　]*` +
	`(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])[\s　]*(不成|生|成)?(打)?(?:\(([1-9])([1-9])\))?(?:[\s　(].*)?$`)

// kif reads the lines of a game. It returns the number of the wrong line, 0 if the error is not about a
// line.
func (p *parser) kif() (int, error) {
	if p.isKI2() {
		numbers, wrong, err := p.ki2()
		line, later := p.kif() // also what precedes an error
		if err != nil || later == nil {
			return wrong, err
		}
		if line > 0 {
			line = numbers[line-1]
		}
		return line, later
	}
	h := kifHeader{fields: map[string]string{}}
	for n, line := range p.lines {
		text := strings.TrimRightFunc(line, unicode.IsSpace)
		switch {
		case text == "" || text[0] == '#' || text[0] == '*' || text[0] == '&':
			continue
		case strings.HasPrefix(text, "変化：") || strings.HasPrefix(text, "変化:"):
			return 0, p.kifFinish(h, n)
		}
		move := numbered(text, p.pos == nil)
		switch {
		case move == "" && strings.IndexAny(text, kifSides) == 0:
			p.at = append(p.at, n)
			return n + 1, fmt.Errorf("%.40q: a move without its number", text)
		case move == "":
			if p.pos == nil {
				h.line(text)
			}
			continue
		}
		if p.pos == nil {
			if err := p.kifStart(h); err != nil {
				return 0, err
			}
		}
		p.at = append(p.at, n)
		ended, err := p.kifMove(move)
		if err != nil {
			return n + 1, fmt.Errorf("move %d %.40q: %w", len(p.Moves)+1, strings.ReplaceAll(move, "　", " "), err)
		}
		if ended {
			return p.kifSecond(n + 1)
		}
	}
	return 0, p.kifFinish(h, len(p.lines))
}

// kifSecond looks from line n on, after the end of the game, for another game: a handicap, or a first move
// that is not in a variation.
func (p *parser) kifSecond(n int) (int, error) {
	variation := false
	for ; n < len(p.lines); n++ {
		part := kifLine.FindStringSubmatch(p.lines[n])
		variation = variation || strings.HasPrefix(p.lines[n], "変化")
		first := part != nil && (part[1] == "1" || part[1] == "１") && kifSquare.MatchString(part[2])
		if strings.HasPrefix(p.lines[n], "手合割") || first && !variation {
			return n + 1, errors.New("a second game; a KIF file has one")
		}
	}
	return 0, nil
}

// kifFinish is called where no end of the game is written.
func (p *parser) kifFinish(h kifHeader, line int) error {
	if p.pos == nil {
		if !h.usual() {
			return errors.New("it has neither a KIF move nor a header")
		}
		if err := p.kifStart(h); err != nil {
			return err
		}
	}
	for line > 0 && (p.lines[line-1] == "" || strings.HasPrefix(p.lines[line-1], "まで")) {
		line--
	}
	p.at = append(p.at, line)
	return nil
}

// kifMove plays a move, or reports that the game ended.
func (p *parser) kifMove(text string) (ended bool, err error) {
	if isEnd(text) {
		p.End = strings.Fields(text)[0]
		p.Drawn = slices.Contains(kifDraws, p.End)
		return true, nil
	}
	part := kifMove.FindStringSubmatch(text)
	if part == nil {
		return false, errors.New("it cannot be read")
	}
	to, err := p.target(part[1], part[2])
	kind, _ := kifKind(part[3])
	switch {
	case err != nil:
		return false, err
	case part[5] != "":
		return false, p.move(shogi.Letter(shogi.Code(shogi.Black, kind)) + "*" + to.String())
	case part[6] == "":
		return false, errors.New("the square that it comes from is missing")
	}
	from := shogi.SquareAt(digit(part[6])-1, digit(part[7])-1)
	if code := p.pos.At(from); code == 0 || shogi.KindOf(code) != kind {
		return false, fmt.Errorf("there is no %s on %v", part[3], from)
	}
	usi := from.String() + to.String()
	if part[4] == "成" {
		usi += "+"
	}
	return false, p.move(usi)
}

// target returns the target of a move by its digits, or the target of the last move for 同, which has none.
func (p *parser) target(file, rank string) (shogi.Square, error) {
	if file != "" {
		return shogi.SquareAt(digit(file)-1, digit(rank)-1), nil
	}
	last := p.pos.LastMove()
	if last == game.None {
		return 0, errors.New("there is no move before it")
	}
	return shogi.Square(last.To()), nil
}

// MoveText writes a legal move of a side as KIF does, with the sign of the side.
func MoveText(c shogi.Colour, m game.Move) string { return string([]rune("▲△")[c]) + moveText(m) }

// moveText writes a legal move as KIF does, but never with 同, which a reader of a line of moves cannot
// resolve if it is the first one.
func moveText(m game.Move) string {
	to := shogi.Square(m.To())
	text := string([]rune(wide)[to.File()]) + string([]rune(kanji)[to.Rank()])
	if shogi.IsDrop(m) {
		return text + kifNames[shogi.Dropped(m)][0] + "打"
	}
	text += kifNames[shogi.KindOf(m.Piece())][0]
	if m.Promotes() {
		text += "成"
	}
	from := shogi.Origin(m)
	return fmt.Sprintf("%s(%d%d)", text, from.File()+1, from.Rank()+1)
}

// kifHeader is what precedes the moves.
type kifHeader struct {
	fields map[string]string
	board  []string // the rows of a diagram
	white  bool     // White is to move
}

// line reads a line of the header.
func (h *kifHeader) line(text string) {
	switch {
	case strings.HasPrefix(text, "|"):
		h.board = append(h.board, text)
	case text == "後手番" || text == "上手番":
		h.white = true
	default:
		key, value, _ := cutField(text)
		h.fields[key] = value
		h.white = h.white || key == "手番" && (value == "後手" || value == "上手")
	}
}

// cutField splits a line of a header.
func cutField(text string) (key, value string, found bool) {
	if key, value, found = strings.Cut(text, "："); !found {
		key, value, found = strings.Cut(text, ":")
	}
	return strings.TrimSpace(key), strings.Trim(value, " 　"), found
}

// usualFields are fields; a KIF file has one or more.
var usualFields = []string{"手合割", "先手", "下手", "後手", "上手", "開始日時", "棋戦"}

// usual reports whether there is a diagram or a usual field.
func (h *kifHeader) usual() bool {
	return len(h.board) > 0 || slices.ContainsFunc(usualFields, func(name string) bool {
		_, ok := h.fields[name]
		return ok
	})
}

// either returns the first field that there is.
func (h *kifHeader) either(keys ...string) string {
	for _, k := range keys {
		if v, ok := h.fields[k]; ok {
			return v
		}
	}
	return ""
}

// kifStart sets up the first position by the header.
func (p *parser) kifStart(h kifHeader) error {
	p.Names = [2]string{h.either("先手", "下手"), h.either("後手", "上手")}
	b := new(board)
	if len(h.board) == 0 {
		handicap := h.fields["手合割"]
		removed, known := handicaps[handicap]
		if !known && handicap != "" {
			return fmt.Errorf("手合割 %.40q is unknown, and there is no diagram", handicap)
		}
		b.handicap(removed)
		b.white = b.white || h.white
		return p.start(b.sfen())
	}
	b.white = h.white
	if len(h.board) != 9 {
		return fmt.Errorf("the diagram has %d rows, not 9", len(h.board))
	}
	for rank, row := range h.board {
		if err := b.kifRow(rank, row); err != nil {
			return err
		}
	}
	for colour, text := range []string{h.either("先手の持駒", "下手の持駒"), h.either("後手の持駒", "上手の持駒")} {
		if err := b.kifHand(shogi.Colour(colour), text); err != nil {
			return err
		}
	}
	return p.start(b.sfen())
}

// kifRow reads a row of a diagram, such as "|v香v桂 ・ ・v玉 ・ ・v桂v香|一".
func (b *board) kifRow(rank int, row string) error {
	text, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
	cells := []rune(text)
	for file := 8; file >= 0; file-- {
		if len(cells) < 2 {
			return fmt.Errorf("row %d of the diagram has fewer than 9 squares: %.60q", rank+1, row)
		}
		name := string(cells[1])
		kind, known := kifKind(name)
		switch {
		case known && (cells[0] == 'v' || cells[0] == 'V'):
			b.squares[rank][file] = shogi.Code(shogi.White, kind)
		case known:
			b.squares[rank][file] = shogi.Code(shogi.Black, kind)
		case name != "・" && name != " " && name != ".":
			return fmt.Errorf("row %d of the diagram: %q is not a piece", rank+1, name)
		}
		cells = cells[2:]
	}
	return nil
}

// kifHand reads pieces in hand, such as "飛　角二　歩十八".
func (b *board) kifHand(c shogi.Colour, text string) error {
	if text == "なし" {
		return nil
	}
	for _, word := range strings.Fields(text) { // 　 counts as space
		runes := []rune(word)
		kind, known := kifKind(string(runes[0]))
		n := 1
		if count := string(runes[1:]); count != "" {
			n = handCount(count)
			known = known && n > 0
		}
		if !known || kind >= shogi.King {
			return fmt.Errorf("%q are not pieces in hand", word)
		}
		b.hands[c][kind] += n
	}
	return nil
}

// handCount reads a number of pieces up to 18, such as 二, 十八, 18 or １８. It returns 0 for other texts.
func handCount(text string) (n int) {
	if tens, ones, ten := strings.Cut(text, "十"); ten {
		return 10*max(1, digit(tens)) + digit(ones)
	}
	for i, r := range []rune(text) {
		d := digit(string(r))
		if i > 1 || d == 0 && (n == 0 || r != '0' && r != '０') {
			return 0
		}
		n = 10*n + d
	}
	return n
}

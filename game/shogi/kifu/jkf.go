package kifu

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/game/shogi"
)

// jkfGame is a game in JKF, https://github.com/na2hiro/Kifu-for-JS/tree/master/packages/json-kifu-format.
type jkfGame struct {
	Header  map[string]string
	Initial *struct {
		Preset string
		Data   *struct {
			Color int
			Board [9][9]struct { // by file and rank
				Color *int
				Kind  string
			}
			Hands [2]map[string]int
		}
	}
	Moves []jkfMove // the first one has no move, only comments
}

type jkfMove struct {
	Move *struct {
		From, To *struct{ X, Y int } // no From: a drop; no To: the target of the move before
		Piece    string
		Promote  bool
	}
	Comments []string
	Time     *struct{ Now, Total jkfTime }
	Special  string
	Forks    [][]jkfMove
}

type jkfTime struct{ H, M, S int }

// jkfPresets are the values of preset as 手合割, or as the squares of the pieces that White gives.
var jkfPresets = map[string]string{
	"": "平手", "HIRATE": "平手", "KY": "香落ち", "KY_R": "右香落ち", "KA": "角落ち", "HI": "飛車落ち", "HIKY": "飛香落ち", "2": "二枚落ち",
	"3": "8b 2b 9a", "4": "四枚落ち", "5": "8b 2b 1a 9a 8a", "5_L": "8b 2b 1a 9a 2a", "6": "六枚落ち",
	"7_L": "8b 2b 1a 9a 2a 8a 3a", "7_R": "8b 2b 1a 9a 2a 8a 7a", "8": "八枚落ち", "10": "十枚落ち",
}

// jkfEnds are the values of special, which are words of CSA, as KIF has them.
var jkfEnds = map[string]string{
	"TORYO": kifResigns, "CHUDAN": "中断", "SENNICHITE": "千日手", "JISHOGI": "持将棋", "HIKIWAKE": "引き分け", "TSUMI": "詰み",
	"FUZUMI": "不詰", "TIME_UP": "切れ負け", illegalAction: "反則勝ち", "ILLEGAL_MOVE": "反則負け", "KACHI": "入玉勝ち",
}

// illegalAction ends a game by a foul: of the side whose sign precedes it, else of the side that has moved last.
const illegalAction = "ILLEGAL_ACTION"

// csaEnd returns a word of CSA for the end of a game as KIF has it, "" if there is none. side is to move.
func csaEnd(word string, side int) string {
	switch unsigned := strings.TrimLeft(word, "+-"); {
	case unsigned == illegalAction && word[0] == "+-"[side]:
		return jkfEnds["ILLEGAL_MOVE"]
	case unsigned == "MATTA" || unsigned == "ERROR":
		return jkfEnds["CHUDAN"]
	case unsigned == "MAX_MOVES":
		return jkfEnds["JISHOGI"]
	default:
		return jkfEnds[unsigned]
	}
}

// jkf reads a game in JKF and writes it as a game in KIF. Its variations are written too.
func (p *parser) jkf() (int, error) {
	var g jkfGame
	if err := json.Unmarshal([]byte(strings.Join(p.lines, "\n")), &g); err != nil {
		return 0, fmt.Errorf("JSON: %w", err)
	}
	if g.Moves == nil {
		return 0, errors.New("it has no moves: it is not a game in JKF")
	}
	sfen, err := g.setup()
	if err != nil {
		return 0, err
	}
	pos, err := shogi.ParseCrowded(sfen)
	if err != nil {
		return 0, err
	}
	var b strings.Builder
	writeHead(&b, pos)
	for _, key := range slices.Sorted(maps.Keys(g.Header)) {
		writeField(&b, key, g.Header[key])
	}
	b.WriteString(kifTitle)
	w := jkfWriter{b: &b, pos: pos}
	if err := w.line(g.Moves); err != nil {
		_, _ = p.asKIF(b.String()) // what was read
		return 0, err
	}
	return p.asKIF(b.String())
}

// setup returns the first position.
func (g *jkfGame) setup() (string, error) {
	b := new(board)
	if g.Initial != nil && g.Initial.Data != nil {
		data := g.Initial.Data
		for x, file := range data.Board {
			for y, square := range file {
				if square.Color == nil && square.Kind == "" {
					continue
				}
				kind, known := csaKinds[square.Kind]
				if !known || square.Color == nil || *square.Color&^1 != 0 {
					return "", fmt.Errorf("board: %.20q on %v is not a piece of a side", square.Kind, shogi.SquareAt(x, y))
				}
				b.squares[y][x] = shogi.Code(shogi.Colour(*square.Color), kind)
			}
		}
		for c, hand := range data.Hands {
			for name, n := range hand {
				kind, known := csaKinds[name]
				if !known || kind >= shogi.King || n < 0 || n > 18 {
					return "", fmt.Errorf("hands: %d of %.20q", n, name)
				}
				b.hands[c][kind] = n
			}
		}
		b.white = data.Color == int(shogi.White)
		return b.sfen(), nil
	}
	preset := ""
	if g.Initial != nil {
		preset = g.Initial.Preset
	}
	removed, known := jkfPresets[preset]
	if !known {
		return "", fmt.Errorf("preset %.20q is unknown, and there is no board", preset)
	}
	if squares, named := handicaps[removed]; named {
		removed = squares
	}
	b.handicap(removed)
	return b.sfen(), nil
}

// writeField writes a line of a header, as a comment if it would be read as something else.
func writeField(b *strings.Builder, key, value string) {
	line := oneLine(key) + "：" + oneLine(value)
	if key == "手合割" || key == "手番" || strings.HasSuffix(key, "の持駒") ||
		strings.IndexAny(line, "|#&*"+kifSides) == 0 || kifLine.MatchString(line) ||
		strings.HasPrefix(line, "変化") || strings.ContainsAny(key, "：:") {
		line = "*" + line
	}
	b.WriteString(line + "\n")
}

// oneLine replaces the ends of lines in a text.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ").Replace

// jkfWriter writes moves as KIF does.
type jkfWriter struct {
	b   *strings.Builder
	pos *shogi.Position
}

// line writes moves that follow the position, up to a wrong one, and then their variations, the last one first. It
// returns the first error.
func (w *jkfWriter) line(moves []jkfMove) (wrong error) {
	start := w.pos.Played()
	forks := make(map[int][][]jkfMove) // by the number of moves before
	for ended, i := false, 0; i < len(moves) && !ended && wrong == nil; i++ {
		forks[w.pos.Played()] = append(forks[w.pos.Played()], moves[i].Forks...)
		ended, wrong = w.move(&moves[i])
	}
	for played := w.pos.Played(); played >= start; played-- {
		for _, fork := range forks[played] {
			fmt.Fprintf(w.b, "\n変化：%d手\n", played+1)
			if err := w.line(fork); err != nil && wrong == nil {
				wrong = fmt.Errorf("a variation of move %d: %w", played+1, err)
			}
		}
		if played > start {
			w.pos.Undo()
		}
	}
	return wrong
}

// move writes and plays a move, or reports that the game ended, and writes the comments on it.
func (w *jkfWriter) move(m *jkfMove) (ended bool, err error) {
	number := w.pos.Played() + 1
	text := ""
	switch {
	case m.Special != "":
		text = csaEnd(strings.TrimPrefix(m.Special, "%"), w.pos.Side())
		if ended = text != ""; !ended {
			return false, fmt.Errorf("special %.20q is unknown", m.Special)
		}
	case m.Move != nil:
		played, err := w.resolve(m)
		if err != nil {
			return false, fmt.Errorf("move %d: %w", number, err)
		}
		text = moveText(played)
		if w.pos.Make(played); w.pos.Played() > maxMoves {
			return false, errTooLong
		}
	}
	if t := m.Time; t != nil && text != "" {
		text += fmt.Sprintf("   (%2d:%02d/%02d:%02d:%02d)", 60*t.Now.H+t.Now.M, t.Now.S, t.Total.H, t.Total.M, t.Total.S)
	}
	if text != "" {
		fmt.Fprintf(w.b, "%4d %s\n", number, text)
	}
	for _, c := range m.Comments {
		for _, line := range strings.Split(strings.ReplaceAll(c, "\r", ""), "\n") {
			w.b.WriteString("*" + line + "\n")
		}
	}
	return ended, nil
}

// resolve returns the move that m stands for.
func (w *jkfWriter) resolve(m *jkfMove) (game.Move, error) {
	kind, known := csaKinds[m.Move.Piece]
	if !known && m.Move.Piece != "" {
		return game.None, fmt.Errorf("%.20q is not a piece", m.Move.Piece)
	}
	last := w.pos.LastMove()
	to := shogi.Square(last.To())
	switch t := m.Move.To; {
	case t != nil && !onBoard(t.X, t.Y):
		return game.None, fmt.Errorf("there is no square %d, %d", t.X, t.Y)
	case t != nil:
		to = shogi.SquareAt(t.X-1, t.Y-1)
	case last == game.None:
		return game.None, errors.New("it has no target")
	}
	if m.Move.From == nil {
		if !known || kind >= shogi.King {
			return game.None, fmt.Errorf("%.20q cannot be dropped", m.Move.Piece)
		}
		return parseMove(w.pos, shogi.Letter(shogi.Code(shogi.Black, kind))+"*"+to.String())
	}
	if !onBoard(m.Move.From.X, m.Move.From.Y) {
		return game.None, fmt.Errorf("there is no square %d, %d", m.Move.From.X, m.Move.From.Y)
	}
	from := shogi.SquareAt(m.Move.From.X-1, m.Move.From.Y-1)
	if code := w.pos.At(from); known && (code == 0 || shogi.KindOf(code) != kind) {
		return game.None, fmt.Errorf("there is no %s on %v", m.Move.Piece, from)
	}
	usi := from.String() + to.String()
	if m.Move.Promote {
		usi += "+"
	}
	return parseMove(w.pos, usi)
}

// onBoard reports whether there is a square with these numbers.
func onBoard(file, rank int) bool { return file >= 1 && file <= 9 && rank >= 1 && rank <= 9 }

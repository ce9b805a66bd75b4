package kifu

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"trefoil/game"
	"trefoil/game/shogi"
)

// Tree returns the game with its variations, and with headers as KIF has them. What of a variation cannot be played is
// a comment on the move before it.
func (g *Game) Tree() *game.Tree {
	p := treeParser{Tree: game.NewTree(), parser: parser{Game: new(Game), pos: g.position(0)}, path: []int{0}}
	line := p.kif
	if g.format == CSA {
		line = p.csa
	}
	for _, text := range g.lines {
		line(strings.TrimRightFunc(text, unicode.IsSpace))
	}
	return p.Tree
}

// treeParser reads the lines of a game whose main line is known to be legal.
type treeParser struct {
	*game.Tree
	parser
	path  []int // the nodes of the line, from the first position on
	over  bool  // nothing more of the line can be played
	begun bool  // the moves have begun
	spent [2]float64
}

// at is the last node of the line.
func (p *treeParser) at() int { return p.path[len(p.path)-1] }

// add adds the move that the parser has played last.
func (p *treeParser) add() *game.Node {
	at := p.Add(p.at(), p.Moves[len(p.Moves)-1])
	p.path = append(p.path, at)
	return &p.Nodes[at]
}

// kifTime is the time of a move.
var kifTime = regexp.MustCompile(`\(\s*[0-9]+:[0-9]+\s*(?:/[0-9:\s]*)?\)`)

// kif reads a line of KIF.
func (p *treeParser) kif(text string) {
	move, variation := numbered(text, !p.begun), ki2Variation.FindStringSubmatch(text)
	switch {
	case text == "" || text[0] == '#':
	case text[0] == '*':
		p.Comment(p.at(), text[1:])
	case text[0] == '&':
		p.Comment(p.at(), text)
	case variation != nil:
		p.begun = true
		ply := min(max(1, atoi(variation[1])), len(p.path)) - 1
		for p.pos.Played() > ply {
			p.pos.Undo()
		}
		p.Moves, p.path, p.over = p.Moves[:ply], p.path[:ply+1], false
	case move != "" && !p.over:
		p.begun = true
		ended, err := p.kifMove(move)
		switch p.over = ended || err != nil; {
		case ended:
			p.Nodes[p.at()].End = p.End
		case err != nil:
			p.Comment(p.at(), strings.TrimSpace(text))
		default:
			p.add().Time = kifTime.FindString(text)
		}
	case strings.HasPrefix(text, "まで"):
		if n := &p.Nodes[p.at()]; p.begun && n.End == "" {
			n.End = text
		}
	case p.begun:
		p.Comment(p.at(), strings.TrimSpace(text))
	default:
		if key, value, found := cutField(text); found && key != "手合割" && key != "手番" &&
			!strings.HasSuffix(key, "の持駒") && strings.IndexAny(text, "|+") != 0 {
			p.Headers = append(p.Headers, [2]string{key, value})
		}
	}
}

// csaFields are the beginnings of headers in CSA and in KIF.
var csaFields = [][2]string{{"N+", "先手："}, {"N-", "後手："}, {"$EVENT:", "棋戦："}, {"$SITE:", "場所："},
	{"$START_TIME:", "開始日時："}, {"$END_TIME:", "終了日時："}, {"$TIME_LIMIT:", "持ち時間："}, {"$OPENING:", "戦型："}, {"$", ""}}

// csa reads a line of CSA.
func (p *treeParser) csa(text string) {
	switch {
	case text == "" || text == "/" || p.over && text[0] != '\'' || strings.HasPrefix(text, "'CSA encoding"):
	case text[0] == '\'':
		p.Comment(p.at(), strings.TrimPrefix(text[1:], "*"))
	case text == "+" || text == "-":
		p.begun = true
	case !p.begun:
		for _, begins := range csaFields {
			if rest, ok := strings.CutPrefix(text, begins[0]); ok {
				key, value, _ := cutField(begins[1] + rest)
				p.Headers = append(p.Headers, [2]string{key, value})
				break
			}
		}
	case text[0] == 'T':
		p.csaTime(text[1:])
	case text[0] == '%':
		end := csaEnd(text[1:], p.pos.Side())
		if p.over = true; end != "" {
			p.Nodes[p.at()].End = end
		} else {
			p.Comment(p.at(), text)
		}
	default:
		if p.over = p.csaMove(text) != nil; !p.over {
			p.add()
		}
	}
}

// csaTime adds the seconds of the last move.
func (p *treeParser) csaTime(text string) {
	seconds, err := strconv.ParseFloat(text, 64)
	if len(p.path) == 1 || err != nil || !(seconds >= 0 && seconds < 1e6) {
		return
	}
	all := &p.spent[1-p.pos.Side()]
	*all += seconds
	now, total := int(seconds), int(*all)
	p.Nodes[p.at()].Time = fmt.Sprintf("(%2d:%02d/%02d:%02d:%02d)", now/60, now%60, total/3600, total/60%60, total%60)
}

// WriteTree writes a game in KIF; its first position is an sfen. An error is about the position, or names the move.
func WriteTree(w io.Writer, setup string, t *game.Tree) error {
	p, err := shogi.ParseCrowded(setup)
	if err != nil {
		return err
	}
	tw := treeWriter{Tree: t, pos: p, children: t.Children()}
	writeHead(&tw.b, p)
	for _, h := range t.Headers {
		writeField(&tw.b, h[0], h[1])
	}
	tw.b.WriteString(kifTitle)
	tw.after(0)
	if len(t.Nodes) > 1 {
		err = tw.line(tw.children[0][0])
	}
	if err == nil {
		_, err = io.WriteString(w, tw.b.String())
	}
	return err
}

// treeWriter writes the lines of a tree.
type treeWriter struct {
	*game.Tree
	b        strings.Builder
	pos      *shogi.Position
	children [][]int
}

// line writes the moves from a node on, and then their variations, the last one first. The position stays.
func (w *treeWriter) line(first int) error {
	var nodes []int
	for at := first; ; at = w.children[at][0] {
		n := &w.Nodes[at]
		m, err := w.pos.ParseMove(n.Move)
		if err != nil {
			return fmt.Errorf("move %d: %w", w.pos.Played()+1, err)
		}
		text := fmt.Sprintf("%4d %s", w.pos.Played()+1, moveText(m))
		if n.Time != "" {
			text += "   " + oneLine(n.Time)
		}
		w.b.WriteString(text + "\n")
		w.pos.Make(m)
		w.comments(n.Before)
		w.after(at)
		nodes = append(nodes, at)
		if len(w.children[at]) == 0 {
			break
		}
	}
	for _, at := range slices.Backward(nodes) {
		w.pos.Undo()
		beside := w.children[w.Nodes[at].After]
		if beside[0] != at {
			continue
		}
		for _, other := range beside[1:] {
			fmt.Fprintf(&w.b, "\n変化：%d手\n", w.pos.Played()+1)
			if err := w.line(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// after writes what follows a move: comments, and the end of the line.
func (w *treeWriter) after(at int) {
	n := &w.Nodes[at]
	w.comments(n.Comments)
	switch end := oneLine(n.End); {
	case end == "":
	case len(w.children[at]) > 0:
		w.comments([]string{end})
	case slices.Contains(kifDraws, end) || slices.Contains(kifEnds, end):
		fmt.Fprintf(&w.b, "%4d %s\n", w.pos.Played()+1, end)
	case strings.HasPrefix(end, "まで"):
		w.b.WriteString(end + "\n")
	default:
		w.comments([]string{end})
	}
}

// comments writes lines of comment. A bookmark begins with & instead of a star.
func (w *treeWriter) comments(texts []string) {
	for _, text := range texts {
		for _, line := range strings.Split(text, "\n") {
			if line = oneLine(line); !strings.HasPrefix(line, "&") {
				line = "*" + line
			}
			w.b.WriteString(line + "\n")
		}
	}
}

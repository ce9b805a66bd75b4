package kifu

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/game/shogi"
)

// WriteCSA writes the main line of a game in CSA 2.2, in UTF-8: its first position is an sfen, headers, times and ends
// are as in KIF. CSA has no variations. An error is about the position, or names the move.
func WriteCSA(w io.Writer, setup string, t *game.Tree) error {
	p, err := shogi.ParseCrowded(setup)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("'CSA encoding=UTF-8\nV2.2\n")
	for _, h := range t.Headers {
		b.WriteString(csaField(oneLine(h[0]), oneLine(h[1])))
	}
	writeCSAPosition(&b, p)
	main := t.Main()
	for i, at := range main {
		n := &t.Nodes[at]
		if i > 0 {
			m, err := p.ParseMove(n.Move)
			if err != nil {
				return fmt.Errorf("move %d: %w", i, err)
			}
			b.WriteString(CSAMove(shogi.Colour(p.Side()), m) + "\n")
			if part := kifSpent.FindStringSubmatch(n.Time); part != nil {
				fmt.Fprintf(&b, "T%d\n", 60*atoi(part[1])+atoi(part[2]))
			}
			p.Make(m)
		}
		for _, text := range slices.Concat(n.Before, n.Comments) {
			writeCSAComment(&b, text)
		}
	}
	if end := t.Nodes[main[len(main)-1]].End; end != "" {
		writeCSAEnd(&b, end, p.Side())
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// kifSpent is what a move took, in minutes and seconds.
var kifSpent = regexp.MustCompile(`\(\s*([0-9]{1,5}):([0-9]{1,5})`)

// csaField writes a header of KIF.
func csaField(key, value string) string {
	switch key {
	case "下手":
		key = "先手"
	case "上手":
		key = "後手"
	}
	for _, begins := range csaFields[:len(csaFields)-1] {
		if begins[1] == key+"：" {
			return begins[0] + value + "\n"
		}
	}
	return "$" + key + "：" + value + "\n"
}

// writeCSAPosition writes a position, and the side to move.
func writeCSAPosition(b *strings.Builder, p *shogi.Position) {
	names := map[shogi.Kind]string{}
	for name, kind := range csaKinds {
		names[kind] = name
	}
	signs := [...]string{"+", "-"}
	if p.SFEN() == shogi.StartSFEN {
		b.WriteString("PI\n+\n")
		return
	}
	for rank := range 9 {
		fmt.Fprintf(b, "P%d", rank+1)
		for file := 8; file >= 0; file-- {
			if code := p.At(shogi.SquareAt(file, rank)); code == 0 {
				b.WriteString(" * ")
			} else {
				b.WriteString(signs[shogi.ColourOf(code)] + names[shogi.KindOf(code)])
			}
		}
		b.WriteByte('\n')
	}
	for c, sign := range signs {
		line := ""
		for kind := range shogi.King {
			line += strings.Repeat("00"+names[kind], p.Hand(shogi.Colour(c)).Count(kind))
		}
		if line != "" {
			b.WriteString("P" + sign + line + "\n")
		}
	}
	b.WriteString(signs[p.Side()] + "\n")
}

// writeCSAComment writes lines of comment.
func writeCSAComment(b *strings.Builder, text string) {
	for _, line := range strings.Split(text, "\n") {
		b.WriteString("'*" + oneLine(line) + "\n")
	}
}

// writeCSAEnd writes how a game ended; side is to move. What CSA has no word for is a comment.
func writeCSAEnd(b *strings.Builder, end string, side int) {
	same := map[string]string{"詰": "詰み", "引分け": "引き分け", "時間切れ": "切れ負け", "勝ち宣言": "入玉勝ち", "宣言勝ち": "入玉勝ち"}
	for word, kif := range jkfEnds {
		if kif == end || kif == same[end] {
			if word == illegalAction {
				word = "-+"[side:side+1] + word // with the sign of the other side
			}
			b.WriteString("%" + word + "\n")
			return
		}
	}
	writeCSAComment(b, end)
}

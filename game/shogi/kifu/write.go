package kifu

import (
	"fmt"
	"io"
	"strings"

	"trefoil/game"
	"trefoil/game/shogi"
)

// Write writes a game in KIF: the first position as an sfen, moves as USI writes them, the names of Black
// and White, and how the game ended, such as 投了; "" is not written. An error is about the position, or
// names the move.
func Write(w io.Writer, setup string, moves []string, names [2]string, end string) error {
	t := game.Line(moves, end)
	t.Headers = [][2]string{{"先手", names[0]}, {"後手", names[1]}}
	return WriteTree(w, setup, t)
}

// kifTitle is the line before the moves.
const kifTitle = "手数----指手---------消費時間--\n"

// writeHead writes the first lines of a game, up to the position.
func writeHead(b *strings.Builder, p *shogi.Position) {
	b.WriteString("#KIF version=2.0 encoding=UTF-8\n")
	if p.SFEN() == shogi.StartSFEN {
		b.WriteString("手合割：平手\n")
	} else {
		writeDiagram(b, p)
	}
}

// writeDiagram writes a position as a header.
func writeDiagram(b *strings.Builder, p *shogi.Position) {
	fmt.Fprintf(b, "後手の持駒：%s\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n", handText(p.Hand(shogi.White)))
	for rank := range 9 {
		b.WriteByte('|')
		for file := 8; file >= 0; file-- {
			code := p.At(shogi.SquareAt(file, rank))
			if code == 0 {
				b.WriteString(" ・")
				continue
			}
			names := kifNames[shogi.KindOf(code)]
			b.WriteString([]string{" ", "v"}[shogi.ColourOf(code)])
			b.WriteString(names[len(names)-1]) // of one character
		}
		fmt.Fprintf(b, "|%c\n", []rune(kanji)[rank])
	}
	fmt.Fprintf(b, "+---------------------------+\n先手の持駒：%s\n", handText(p.Hand(shogi.Black)))
	if p.Side() == int(shogi.White) {
		b.WriteString("後手番\n")
	}
}

// handText writes pieces in hand, such as "飛　角二　歩十八".
func handText(h shogi.Hand) string {
	var words []string
	for _, k := range []shogi.Kind{shogi.Rook, shogi.Bishop, shogi.Gold, shogi.Silver, shogi.Knight, shogi.Lance,
		shogi.Pawn} {
		n := h.Count(k)
		if n == 0 {
			continue
		}
		word := kifNames[k][0]
		if n >= 10 {
			word += "十"
		}
		if n > 1 && n%10 > 0 {
			word += string([]rune(kanji)[n%10-1])
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return "なし"
	}
	return strings.Join(words, "　")
}

package pgn

import (
	"fmt"
	"io"
	"strings"
)

// width is the longest line of moves that is written, unless a word or a command is longer.
const width = 80

// WriteTo writes the game in the export format of PGN, with an empty line after it.
//
// Some readers take every line that begins with a bracket for a tag, so no line of the moves does, and
// commands such as [%clk 0:10:00] are not divided.
func (g *Game) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for _, t := range g.Tags {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.Name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value))
	}
	b.WriteByte('\n')
	column := 0
	for words := strings.Fields(g.movetext()); len(words) > 0; {
		n := unbroken(words)
		part := strings.Join(words[:n], " ")
		words = words[n:]
		switch {
		case column == 0:
		case column+1+len(part) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(part)
		column += len(part)
	}
	b.WriteString("\n\n")
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// unbroken returns how many words at the beginning have to be on one line: the words of a command, and a
// word before a bracket or a percent sign.
func unbroken(words []string) int {
	command := false
	for i, word := range words {
		if i > 0 && !command && word[0] != '[' && word[0] != '%' {
			return i
		}
		begins, ends := strings.LastIndex(word, "[%"), strings.LastIndex(word, "]")
		command = begins > ends || command && ends < 0
	}
	return len(words)
}

// movetext returns the moves with comments and variations, on one line.
func (g *Game) movetext() string {
	var b strings.Builder
	for _, c := range g.Before {
		b.WriteString("{ " + c + " } ")
	}
	numbered := false // the last move is followed by nothing
	for i := range g.Moves {
		m := &g.Moves[i]
		if g.White(i) || !numbered {
			b.WriteString(g.MoveNumber(i) + " ")
		}
		b.WriteString(m.SAN + " ")
		for _, n := range m.Marks {
			fmt.Fprintf(&b, "$%d ", n)
		}
		for _, c := range m.Comments {
			b.WriteString("{ " + c + " } ")
		}
		for _, v := range m.Variations {
			b.WriteString("( " + v + " ) ")
		}
		numbered = len(m.Comments)+len(m.Variations) == 0
	}
	return b.String() + g.Result
}

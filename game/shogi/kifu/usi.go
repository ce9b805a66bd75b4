package kifu

import (
	"errors"
	"slices"
	"strings"

	"trefoil/game/shogi"
)

// usi reads "position startpos|sfen … [moves …]", also without the first word or the first two, and writes it as a
// game in KIF. It returns the number of the wrong line.
func (p *parser) usi() (int, error) {
	line := slices.IndexFunc(p.lines, func(s string) bool { return strings.TrimSpace(s) != "" })
	for n := line + 1; n < len(p.lines); n++ {
		if strings.TrimSpace(p.lines[n]) != "" {
			return n + 1, errors.New("a second game; a game or a position is one line, and a file has one")
		}
	}
	words := strings.Fields(p.lines[line])
	if words[0] == "position" {
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "sfen" {
		words = words[1:]
	}
	at := slices.Index(words, "moves")
	moves, end := []string(nil), ""
	if at < 0 {
		at = len(words)
	} else if moves = words[at+1:]; len(moves) > 0 && moves[len(moves)-1] == "resign" {
		moves, end = moves[:len(moves)-1], kifResigns
	}
	setup := strings.Join(words[:at], " ")
	if setup == "startpos" {
		setup = shogi.StartSFEN
	}
	if len(moves) > maxMoves {
		return line + 1, errTooLong
	}
	var b strings.Builder
	if err := Write(&b, setup, moves, [2]string{}, end); err != nil {
		return line + 1, err
	}
	return p.asKIF(b.String())
}

// asKIF reads the text of a game in KIF, which is what is written later.
func (p *parser) asKIF(text string) (int, error) {
	p.format, p.text = KIF, encoding{}
	p.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	_, err := p.kif()
	return 0, err
}

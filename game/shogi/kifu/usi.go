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
	if line < 0 {
		return 0, errors.New("it is empty")
	}
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
	err := Write(&b, setup, moves, [2]string{}, end)
	if err == nil {
		return p.asKIF(b.String())
	}
	b.Reset()
	if legal := legalMoves(setup, moves); Write(&b, setup, moves[:legal], [2]string{}, "") == nil {
		_, _ = p.asKIF(b.String()) // up to the error
	}
	return line + 1, err
}

// legalMoves returns how many moves can be played one after the other.
func legalMoves(setup string, moves []string) (n int) {
	p, err := shogi.ParseCrowded(setup)
	if err != nil {
		return 0
	}
	for n < len(moves) {
		m, err := p.ParseMove(moves[n])
		if err != nil {
			break
		}
		p.Make(m)
		n++
	}
	return n
}

// asKIF reads the text of a game in KIF, which is what is written later.
func (p *parser) asKIF(text string) (int, error) {
	p.format, p.text = KIF, encoding{end: "\n"}
	p.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	_, err := p.kif()
	return 0, err
}
